"""Events from comma-separated values, with the names of the columns in the first line.

The separator is the one of `,` `;` tab and `|` that stands in the first line. Blocks whose lines are rows are read by
column, with the same outcome as by row; the first row that columns cannot say makes the block one of rows.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from cepheid.connectors.byte_streams import ByteStream, line_blocks
from cepheid.connectors.chunks import Chunk
from cepheid.connectors.column_reading import Column, Doubtful, can_be_columns, read_columns, unnoted
from cepheid.connectors.csv_blocks import LEAST, Piece, is_plain, line_ends, pieces_of
from cepheid.connectors.csv_columns import column_of_texts, kind_of_texts
from cepheid.connectors.csv_lines import Broken, Lines, rows_of_lines
from cepheid.connectors.csv_rows import MOST_ROWS, Kinds, chunk_of_rows, portions
from cepheid.connectors.event_columns import AnyChunk, ColumnChunk, EventColumns, Rows
from cepheid.connectors.missing_columns import refuse_missing, refuse_twice
from cepheid.connectors.records import FormSeen, Reading
from cepheid.connectors.rejects import Reject
from cepheid.connectors.text_times import ticks_of_texts
from cepheid.diagnostics import unreadable

SEPARATORS = (",", ";", "\t", "|")


def csv_chunks(stream: ByteStream, name: str, reading: Reading, form: FormSeen, before: int = 0) -> Iterator[AnyChunk]:
    """Yield the events of a stream of comma-separated values; `before` positions are taken already."""
    lines = Lines(_header_first(line_blocks(stream, name)))
    first = next(lines, "")
    separator = next((mark for mark in SEPARATORS if mark in first), ",")
    header = _header(first, separator, name)
    if not header:
        return
    refuse_missing(reading.columns, header, name)
    reading.notes.note_columns(header)
    refuse_twice(header, reading, name)
    yield from Table(name, header, separator, reading, form).chunks(lines, before)


def _header_first(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the first line and what follows it as two blocks, unless carriage returns end lines."""
    first = next(blocks, b"")
    header, rest = first.split(b"\n", 1) if b"\n" in first else (first, None)
    if rest is None or b"\r" in header.rstrip(b"\r"):
        yield from (first,) if first else ()
    else:
        yield from (header, rest)
    yield from blocks


def _header(first: str, separator: str, name: str) -> list[str]:
    try:
        return [column.strip() for column in next(csv.reader([first], delimiter=separator), [])]
    except csv.Error as error:
        raise unreadable(name, f"its first line does not name columns: {error}") from None


@dataclass(frozen=True, slots=True)
class Table:
    """What is known of the rows of a file: their columns, how they are read, and what each of them holds."""

    name: str
    header: Sequence[str]
    separator: str
    reading: Reading
    form: FormSeen
    kinds: Kinds = field(default_factory=dict)

    def chunks(self, lines: Lines, before: int) -> Iterator[AnyChunk]:
        """Yield the events of all lines, in blocks as they come."""
        found = rows_of_lines(lines, self.separator)
        by_column = not lines.returns and self._has_columns()
        while True:
            parts: list[_Part] = []
            if lines.drained:
                if (block := lines.next_block()) is None:
                    return
                parts = self._parts(block, lines, before) if by_column else []
                if not parts:
                    lines.put(block)
            read = map(_Part.chunk, parts) if parts else self._by_row(found, lines, before)
            for chunk in read:
                yield chunk
                before += len(chunk.events) + len(chunk.rejects)

    def _by_row(self, found: Iterator[list[str] | Broken], lines: Lines, before: int) -> Iterator[AnyChunk]:
        for rows in portions(found, lines, self.name, self.header):
            yield chunk_of_rows(rows, self.kinds, self.reading, self.form, before)
            before += len(rows.cells)

    def _parts(self, block: bytes, lines: Lines, before: int) -> "list[_Part]":
        """Return a block in parts that may be columns; none where it has to be read by row."""
        ends = line_ends(block) if len(block) >= LEAST else None
        if ends is None or not is_plain(block, ends, self.separator):
            return []
        first, number = range(0, len(ends), MOST_ROWS), lines.number
        pieces = pieces_of(block, ends, MOST_ROWS)
        lines.skip(len(ends))
        return [_Part(self, piece, number + row, before + row) for row, piece in zip(first, pieces, strict=True)]

    def once_more(self) -> "Table":
        """Return the same table for rows that are read a second time: nothing is noted twice."""
        return replace(self, reading=unnoted(self.reading), form=replace(self.form))

    def _has_columns(self) -> bool:
        """Say whether each column has a name and a use of its own."""
        columns = self.reading.columns
        once = len(set(self.header)) == len(self.header) and columns.are_apart
        return once and can_be_columns(self.reading)


@dataclass(frozen=True, slots=True)
class _Part:
    """Lines of a table, each of which is a row; so many lines stand before them, and so many positions are taken."""

    table: Table
    piece: Piece
    lines: int
    before: int

    def chunk(self) -> AnyChunk:
        """Return what the rows say, in columns where these can say it."""
        return self.by_column() or self.by_row()

    def by_row(self) -> Chunk:
        """Return what the rows say one by one."""
        return self._chunk(self.piece.text)

    def by_column(self) -> ColumnChunk | None:
        """Return what the columns say; None where the rows have to be read one by one."""
        texts = self._texts()
        found = None if texts is None else self._events(*texts)
        if texts is None or found is None:
            return None
        again = replace(self, table=self.table.once_more())
        rejects: Sequence[Reject] = ()
        if len(found.rows):
            doubtful = again._chunk(self.piece.some(found.rows), found.rows)
            if doubtful.events or again.table.reading.rounding.count:
                return None
            rejects = doubtful.rejects
        events = found.sound()
        self._see_form(texts[0], events)
        return ColumnChunk(events, rejects, again.by_row)

    def _texts(self) -> tuple[dict[str, Column], Rows] | None:
        """Return the columns as they stand there, and the rows that have not so many cells."""
        header = self.table.header
        read = None if self.piece.has_long_lines() else self.piece.columns(self.table.separator, len(header))
        return None if read is None else (dict(zip(header, read[0], strict=True)), read[1])

    def _events(self, texts: dict[str, Column], short: Rows) -> Doubtful | None:
        kinds, reading = self.table.kinds, self.table.reading
        read = {name: texts[name] for name in texts if name in reading.columns.own}
        doubtful = np.zeros(len(self.piece), np.bool_)
        doubtful[short] = True
        for name in texts.keys() - read.keys():
            kinds[name] = kinds.get(name) or kind_of_texts(texts[name])
            column, unlike = column_of_texts(texts[name], kinds[name])
            doubtful |= unlike
            if reading.reads(name):
                read[name] = column
        in_order = {name: read[name] for name in texts if name in read}
        return read_columns(in_order, reading, np.flatnonzero(doubtful), self.before, ticks_of_texts)

    def _see_form(self, texts: dict[str, Column], events: EventColumns) -> None:
        """Note the form of the time of the first event."""
        if self.table.form.form is None and len(events):
            row = int(events.positions[0]) - self.before - 1
            self.table.form.see(texts[self.table.reading.columns.time][row].as_py())

    def _chunk(self, text: bytes, rows: Rows | None = None) -> Chunk:
        """Return what some lines say, which are all, or these `rows`."""
        table, lines = self.table, Lines(iter((text,)), self.lines)
        [read] = portions(rows_of_lines(lines, table.separator), lines, table.name, table.header)
        if rows is not None:
            read.numbers[:] = (rows + self.lines + 1).tolist()
        return chunk_of_rows(read, table.kinds, table.reading, table.form, self.before)
