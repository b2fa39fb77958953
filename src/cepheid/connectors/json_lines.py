"""Events from JSON lines: one object per line, such as `{"type": "login", "time": 12, "user": "ann"}`.

Empty lines say nothing. Positions count the other lines, whether they say an event or not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
import pyarrow as pa

from cepheid.connectors.byte_streams import ByteStream, line_blocks
from cepheid.connectors.chunks import Chunk, Gathering
from cepheid.connectors.column_reading import Column, can_be_columns, read_columns, unnoted
from cepheid.connectors.csv_blocks import LEAST, Piece, line_count, line_ends
from cepheid.connectors.event_columns import AnyChunk, ColumnChunk, Rows
from cepheid.connectors.json_arrays import begins_array, read_array
from cepheid.connectors.json_blocks import columns_of_block
from cepheid.connectors.json_parsing import read_lines
from cepheid.connectors.records import FormSeen, Reading, Record, event_maker, time_as_given
from cepheid.connectors.rejects import Refused, Reject
from cepheid.connectors.text_times import ticks_of_texts
from cepheid.connectors.time_columns import Ticks, ticks_of_column
from cepheid.diagnostics import DataPlace, Diagnostic, unreadable

_ROWS_THAT_NAME = 100  # so many rows of each block are asked for the names of their columns
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of a text, with their numbers in it; `broken` are the ones that are no text."""

    source: str
    numbers: Sequence[int]
    texts: Sequence[str]
    broken: frozenset[int] = frozenset()

    def place(self, row: int) -> DataPlace:
        return DataPlace(self.source, self.numbers[row])

    def raw(self, row: int) -> object:
        return self.texts[row]


def json_chunks(stream: ByteStream, name: str, reading: Reading, form: FormSeen, before: int = 0) -> Iterator[AnyChunk]:
    """Yield the events of a stream of JSON lines; `before` positions are taken already."""
    first_line = 1
    by_column = reading.lines is None and can_be_columns(reading) and reading.columns.are_apart
    blocks, words = line_blocks(stream, name), set[str]()
    first = next(blocks, None)
    if first is not None and reading.lines is None and begins_array(first):
        yield _array(b"\n".join((first, *blocks)), name, reading, form, before)
        return
    for text in () if first is None else chain((first,), blocks):
        block = _Block(text, name, first_line, before, reading, form, words)
        chunk = (block.by_column() if by_column and len(text) >= LEAST else None) or block.by_row()
        yield chunk
        before += len(chunk.events) + len(chunk.rejects)
        first_line += line_count(text)


def _array(block: bytes, name: str, reading: Reading, form: FormSeen, before: int) -> Chunk:
    """Return the events of an array."""
    try:
        text = block.removeprefix(_BYTE_ORDER_MARK).decode()
    except UnicodeDecodeError:
        raise unreadable(name, "its bytes are not UTF-8", "save the file as UTF-8: `iconv -t UTF-8 FILE`") from None
    items = list(read_array(text, name))
    lines = Lines(name, [number for number, *_ in items], [raw for _, raw, _ in items])
    return _chunk(lines, [record for *_, record in items], reading, form, before)


@dataclass(frozen=True, slots=True)
class _Block:
    """Some lines of a text, which begin with the line `first`; so many positions are taken already.

    Of the fields `words` there were few texts before.
    """

    text: bytes
    name: str
    first: int
    before: int
    reading: Reading
    form: FormSeen
    words: set[str]

    def by_row(self) -> Chunk:
        """Return what the lines say one by one."""
        return self._chunk(_lines(self.text, self.name, self.first))

    def by_column(self) -> ColumnChunk | None:
        """Return what the lines say in columns; None where they have to be read one by one."""
        ends, own = line_ends(self.text), self.reading.columns
        read = columns_of_block(self.text, ends, own.needed, self.words)
        if read is None or any(type(read[0].get(name)) in (type(None), np.ndarray) for name in own.needed):
            return None
        self.reading.notes.note_columns(read[0])
        columns = {name: column for name, column in read[0].items() if self.reading.reads(name)}
        again = replace(self, reading=unnoted(self.reading), form=replace(self.form))
        found = read_columns(columns, again.reading, np.flatnonzero(read[1]), self.before, _ticks)
        rejects = None if found is None else again._rejects(Piece(self.text, len(ends), _ends=ends), found.rows)
        if found is None or rejects is None or again.reading.rounding.count:
            return None
        events = found.sound()
        if self.form.form is None and len(events):
            self.form.see(columns[own.time][int(events.positions[0]) - self.before - 1].as_py())
        return ColumnChunk(events, rejects, again.by_row)

    def _rejects(self, lines: Piece, rows: Rows) -> Sequence[Reject] | None:
        """Return the reasons for lines that say no event; None where one says one, or is empty."""
        if not len(rows):
            return ()
        texts = list(map(str.strip, lines.some(rows).decode().split("\n")))
        if not all(texts):
            return None
        chunk = self._chunk(Lines(self.name, (rows + self.first).tolist(), texts))
        return None if chunk.events else chunk.rejects

    def _chunk(self, lines: Lines) -> Chunk:
        return _chunk(lines, _records(lines, self.reading), self.reading, self.form, self.before)


def _chunk(lines: Lines, records: Sequence[Record | Refused], reading: Reading, form: FormSeen, before: int) -> Chunk:
    """Return the events that records say, each of which stands on a line."""
    make, time_column = event_maker(reading), reading.columns.time
    gathering = Gathering(lines)
    for row, record in enumerate(records):
        try:
            if isinstance(record, Refused):
                raise record
            if row < _ROWS_THAT_NAME:
                reading.notes.note_columns(record)
            time = time_as_given(record, time_column) if form.form is None else None
            gathering.take(make(record, before + row + 1), row)
            if form.form is None:
                form.see(time)
        except Refused as reason:
            gathering.refuse(reason, row)
    return gathering.chunk()


def _ticks(column: Column, reading: Reading) -> Ticks | None:
    return ticks_of_texts(column, reading) if pa.types.is_string(column.type) else ticks_of_column(column, reading)


def _lines(block: bytes, name: str, first: int) -> Lines:
    """Return the lines of a block that say something."""
    mark = block.startswith(_BYTE_ORDER_MARK) and first == 1
    bare = block[3 * mark :]
    try:
        texts, broken = bare.decode(), frozenset[int]()
    except UnicodeDecodeError:
        texts, broken = bare.decode(errors="replace"), _broken(bare)
    lines = list(map(str.strip, texts.split("\n")))
    if all(lines):
        return Lines(name, range(first, first + len(lines)), lines, broken)
    kept = [index for index, line in enumerate(lines) if line]
    broken = frozenset(row for row, index in enumerate(kept) if index in broken)
    return Lines(name, [first + index for index in kept], [lines[index] for index in kept], broken)


def _broken(block: bytes) -> frozenset[int]:
    """Return which lines of a block are no UTF-8."""
    return frozenset(index for index, line in enumerate(block.split(b"\n")) if not _is_text(line))


def _is_text(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _records(lines: Lines, reading: Reading) -> list[Record | Refused]:
    own = reading.lines
    records = read_lines(lines.texts) if own is None else [own(line) for line in lines.texts]
    for row in lines.broken:
        hint = "save the file as UTF-8: `iconv -t UTF-8 FILE`"
        code, message = ("bad-json", "this is not JSON: ") if own is None else ("bad-line", "this is no text: ")
        records[row] = Refused(Diagnostic(code, f"{message}its bytes are not UTF-8", hints=(hint,)))
    return records
