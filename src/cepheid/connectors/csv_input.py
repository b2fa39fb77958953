"""Events from comma-separated values, with the names of the columns in the first line.

The separator is the one of `,` `;` tab and `|` that stands in the first line. Blocks whose lines are rows are read by
column, with the same outcome as by row; the first row that columns cannot say makes the block one of rows.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cepheid.connectors.byte_streams import ByteStream, line_blocks
from cepheid.connectors.chunks import Chunk
from cepheid.connectors.column_reading import Column, Doubtful, can_be_columns, read_columns, unnoted
from cepheid.connectors.csv_blocks import BLOCK, LEAST, TEXT, Piece, pieces_of
from cepheid.connectors.csv_columns import CellKind, Kinds
from cepheid.connectors.csv_forms import Forms
from cepheid.connectors.csv_lines import Broken, Lines, rows_of_lines
from cepheid.connectors.csv_rows import chunk_of_rows, portions
from cepheid.connectors.event_columns import AnyChunk, ColumnChunk, EventColumns, Rows
from cepheid.connectors.missing_columns import refuse_missing, refuse_twice
from cepheid.connectors.records import FormSeen, Reading
from cepheid.connectors.rejects import Reject
from cepheid.connectors.text_times import ticks_of_texts
from cepheid.connectors.time_columns import Ticks, ticks_of_column
from cepheid.diagnostics import unreadable

SEPARATORS = (",", ";", "\t", "|")
MOST_ROWS = 1 << 17
"""So many rows are columns at once: those of a block, unless its lines are short."""


def csv_chunks(stream: ByteStream, name: str, reading: Reading, form: FormSeen, before: int = 0) -> Iterator[AnyChunk]:
    """Yield the events of a stream of comma-separated values; `before` positions are taken already."""
    lines = Lines(_header_first(line_blocks(stream, name, BLOCK)))
    first = next(lines, "")
    separator = next((mark for mark in SEPARATORS if mark in first), ",")
    header = _header(first, separator, name)
    if not header:
        return
    refuse_missing(reading.columns, header, name)
    reading.notes.note_columns(header)
    refuse_twice(header, reading, name)
    times = frozenset(filter(None, (reading.columns.time, reading.columns.start)))
    forms = Forms(header, separator, reading.columns.own, times, {})
    yield from Table(name, header, separator, reading, form, forms).chunks(lines, before)


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
    forms: Forms

    @property
    def kinds(self) -> Kinds:
        """What each column holds, as far as it is known."""
        return self.forms.kinds

    def chunks(self, lines: Lines, before: int) -> Iterator[AnyChunk]:
        """Yield the events of all lines, in blocks as they come."""
        found = rows_of_lines(lines, self.separator)
        by_column = not lines.returns and self._has_columns()
        while True:
            if lines.drained:
                if (block := lines.next_block()) is None:
                    return
                if by_column:
                    for chunk in self._by_column(block, lines, before):
                        yield chunk
                        before += len(chunk.events) + len(chunk.rejects)
                else:
                    lines.put(block)
            if not lines.drained:
                for chunk in self._by_row(found, lines, before):
                    yield chunk
                    before += len(chunk.events) + len(chunk.rejects)

    def _by_row(self, found: Iterator[list[str] | Broken], lines: Lines, before: int) -> Iterator[AnyChunk]:
        for rows in portions(found, lines, self.name, self.header):
            yield chunk_of_rows(rows, self.kinds, self.reading, self.form, before)
            before += len(rows.cells)

    def _by_column(self, block: bytes, lines: Lines, before: int) -> Iterator[AnyChunk]:
        """Yield the rows of a block up to a line that is no row of its own, from which on lines are put back."""
        read = 0
        for piece in pieces_of(block, MOST_ROWS) if len(block) >= LEAST else ():
            columns = None if piece.may_have_long_lines() else self.forms.read(piece, self.unread)
            if columns is None:
                break
            part = _Part(self, piece, lines.number, before)
            before, read = before + len(piece), read + len(piece.text) + 1
            lines.skip(len(piece))
            yield part.by_column(*columns) or part.by_row()
        if read <= len(block):
            lines.put(block[read:])

    def once_more(self) -> "Table":
        """Return the same table for rows that are read a second time: nothing is noted twice."""
        return replace(self, reading=unnoted(self.reading), form=replace(self.form))

    @property
    def unread(self) -> frozenset[str]:
        """The columns of texts that nobody looks at: whatever they hold is good."""
        texts = (name for name, kind in self.kinds.items() if kind is CellKind.TEXT)
        return frozenset(name for name in texts if not self.reading.reads(name))

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

    def by_row(self) -> Chunk:
        """Return what the rows say one by one."""
        return self._chunk(self.piece.text)

    def by_column(self, columns: dict[str, Column], short: Rows) -> ColumnChunk | None:
        """Return what the columns say, where `short` rows have not all; None where rows have to be read one by one."""
        found = self._events(columns, short)
        if found is None:
            return None
        again = replace(self, table=self.table.once_more())
        rejects: Sequence[Reject] = ()
        if len(found.rows):
            doubtful = again._chunk(self.piece.some(found.rows), found.rows)
            if doubtful.events or again.table.reading.rounding.count:
                return None
            rejects = doubtful.rejects
        events = found.sound()
        self._see_form(columns, events)
        return ColumnChunk(events, rejects, again.by_row)

    def _events(self, columns: dict[str, Column], short: Rows) -> Doubtful | None:
        reading = self.table.reading
        read: dict[str, Column] = {}
        doubtful = np.zeros(len(self.piece), np.bool_)
        doubtful[short] = True
        for name, column in columns.items():
            values, unlike = self.table.forms.values(name, column)
            doubtful |= unlike
            if reading.reads(name):
                read[name] = values
        return read_columns(read, reading, np.flatnonzero(doubtful), self.before, _ticks)

    def _see_form(self, columns: dict[str, Column], events: EventColumns) -> None:
        """Note the form of the time of the first event."""
        if self.table.form.form is None and len(events):
            row = int(events.positions[0]) - self.before - 1
            self.table.form.see(str(columns[self.table.reading.columns.time][row].as_py()))

    def _chunk(self, text: bytes, rows: Rows | None = None) -> Chunk:
        """Return what some lines say, which are all, or these `rows`."""
        table, lines = self.table, Lines(iter((text,)), self.lines)
        [read] = portions(rows_of_lines(lines, table.separator), lines, table.name, table.header, len(self.piece))
        if rows is not None:
            read.numbers[:] = (rows + self.lines + 1).tolist()
        return chunk_of_rows(read, table.kinds, table.reading, table.form, self.before)


def _ticks(column: Column, reading: Reading) -> Ticks | None:
    """Return the times of a column of texts, or of the whole numbers that they are."""
    return ticks_of_texts(column, reading) if column.type == TEXT else ticks_of_column(column, reading)
