"""Events from Arrow: record batches from Parquet, from Arrow files and streams, and from frames of any library.

Columns stay columns wherever they say events exactly; otherwise they become lists of Python's values, and rows are put
together from them. Of a frame's index nothing is taken.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from cepheid.connectors.arrow_checking import Bad, checked, each_of, names_of
from cepheid.connectors.arrow_columns import NOT_PYTHONS, form_of_times, plain_column, read_values, times_of
from cepheid.connectors.byte_streams import readable
from cepheid.connectors.chunks import Chunk, Gathering, Origin
from cepheid.connectors.column_reading import SomeRows, can_be_columns, read_columns, unnoted
from cepheid.connectors.event_columns import AnyChunk, ColumnChunk, Rows
from cepheid.connectors.missing_columns import refuse_missing, refuse_twice
from cepheid.connectors.records import FormSeen, Reading, event_maker
from cepheid.connectors.rejects import Refused, Reject
from cepheid.connectors.side_by_side import side_by_side
from cepheid.connectors.time_columns import calendar_of, form_of_column
from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic
from cepheid.events import Rounding, Value, plain_json

MOST_ROWS = 1 << 16
PORTIONS = 4
"""In columns, so many times as many rows are read at once: what they cost is not the rows, but the columns."""
_INDEX = "__index_level_"


@dataclass(frozen=True, slots=True)
class BatchRows:
    """The rows of a record batch, which are counted from 1 in their file."""

    source: str
    before: int
    batch: Any  # pyarrow has no types

    def place(self, row: int) -> DataPlace:
        return DataPlace(self.source, self.before + row + 1)

    def raw(self, row: int) -> object:
        return {name: _told(self.batch.column(index)[row]) for index, name in enumerate(self.batch.schema.names)}


def _told(scalar: Any) -> object:  # pyarrow's Scalar
    """Return a value as JSON can say it; one that Python has not is shown as Arrow shows it."""
    try:
        return plain_json(scalar.as_py())
    except NOT_PYTHONS:
        return f"{scalar.type} beyond Python's"


def arrow_chunks(
    batches: Iterable[Any], schema: Any, name: str, reading: Reading, form: FormSeen, before: int = 0
) -> Iterator[AnyChunk]:
    """Yield the events of record batches that have the schema, in columns wherever these say them exactly.

    `before` positions are taken already.
    """
    check_columns(schema, name, reading, form)
    for part in parts_of(pieces_of(batches, name), name, reading, form, before):
        yield from part.chunks()


def check_columns(schema: Any, name: str, reading: Reading, form: FormSeen) -> None:
    """Note the columns of a table and the form of its times, and refuse one that cannot be read."""
    names = names_of(schema, name)
    refuse_missing(reading.columns, (*names, *nested_names(schema, reading)), name)
    refuse_twice(names, reading, name)
    reading.notes.note_columns(names)
    index = schema.get_field_index(reading.columns.time)
    form.of_column = form.of_column or (calendar_of(schema.types[index]) if index >= 0 else None)


def pieces_of(batches: Iterable[Any], name: str) -> Iterator[Any]:
    """Yield the rows of record batches in pieces that are read at once."""
    for batch in side_by_side(each_of(batches, name), PORTIONS * MOST_ROWS):
        for first in range(0, batch.num_rows, PORTIONS * MOST_ROWS):
            yield batch.slice(first, PORTIONS * MOST_ROWS)


def wide(pieces: Iterator[Any], reading: Reading, most: int) -> Iterator[Any]:
    """Yield the first piece, and the others joined, up to so many rows, where no instant is in two of them.

    Somebody waits for the first to see what is there. What is found by events of one instant is put in order if these
    come together, so that it matters whether they do.
    """
    column = reading.columns.time

    def are_apart(one: Any, other: Any) -> bool:
        index = one.schema.get_field_index(column)
        if index < 0 or not may_be_compared(one.schema.types[index]):
            return False
        last, first = one.column(index)[-1].as_py(), other.column(index)[0].as_py()
        return bool(last != first)

    return chain(islice(pieces, 1), side_by_side(pieces, most, are_apart))


def may_be_compared(kind: Any) -> bool:  # pyarrow's DataType
    """Say whether times that differ are different times: they are whole numbers of ticks."""
    return bool(pa.types.is_integer(kind) or (pa.types.is_timestamp(kind) and kind.unit != "ns"))


def parts_of(
    pieces: Iterable[Any], name: str, reading: Reading, form: FormSeen, before: int, row: int = 0
) -> Iterator["Part"]:
    """Yield pieces of a table as parts; `before` positions are taken already, and `row` rows of the file."""
    for piece in pieces:
        yield Part(piece, name, row, reading, form, before)
        row, before = row + piece.num_rows, before + piece.num_rows


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of a batch that nobody has looked at; `row` of their file come before them."""

    batch: Any
    name: str
    row: int
    reading: Reading
    form: FormSeen
    before: int
    rounding: Rounding | None = None

    def __len__(self) -> int:
        return int(self.batch.num_rows)

    def chunks(self) -> Iterator[AnyChunk]:
        """Yield the events."""
        with readable(self.name):
            batch, unfit = checked(self.batch, self.name)
            rows = _Rows(batch, unfit, self.name, self.row, self.reading, self.form, self.before)
            chunk = rows.by_column()
        if chunk is not None:
            yield chunk
        else:
            yield from rows.portions(self.name)

    def need_not_be_first(self, _: int) -> bool:
        """Say that whoever looks on waits for the first rows."""
        return False

    def apart(self) -> "Part":
        """Return the same rows for a thread of their own: what is rounded is noted when they are settled."""
        return replace(self, reading=unnoted(self.reading), rounding=self.reading.rounding)

    def settle(self) -> None:
        """Note what was rounded in these rows, after all rows before them."""
        if self.rounding is not None:
            self.rounding.add(self.reading.rounding)


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of a batch that was checked, some of which are `unfit`; `row` of their file come before them."""

    batch: Any
    unfit: Bad
    name: str
    row: int
    reading: Reading
    form: FormSeen
    before: int

    @property
    def origin(self) -> BatchRows:
        return BatchRows(self.name, self.row, self.batch)

    def by_column(self) -> ColumnChunk | None:
        """Return what the columns say; None where rows have to be put together."""
        if not can_be_columns(self.reading):
            return None
        read = _columns(self.batch, self.reading)
        found = read_columns(read, self.reading, tuple(self.unfit), self.before)
        if found is None:
            return None
        again = replace(self, reading=unnoted(self.reading))
        rejects: Sequence[Reject] = ()
        if len(found.rows):
            doubtful = again.only(found.rows)
            if doubtful.events:
                return None
            rejects = doubtful.rejects
        if self.form.form is None and len(found.rows) < len(found.events):
            self.form.form = form_of_column(plain_column(read[self.reading.columns.time]).type, self.reading.unit)
        return ColumnChunk(found.sound(), rejects, again.chunk, lambda: again.portions(self.name))

    def portions(self, name: str) -> Iterator[Chunk]:
        """Yield what the rows say one by one, some at a time."""
        for first in range(0, self.batch.num_rows, MOST_ROWS):
            batch, own = self.batch.slice(first, MOST_ROWS), range(first, first + MOST_ROWS)
            unfit = {row - first: self.unfit[row] for row in own if row in self.unfit} if self.unfit else {}
            with readable(name):
                some = replace(self, batch=batch, unfit=unfit, row=self.row + first, before=self.before + first)
                chunk = some.chunk()
            yield chunk

    def only(self, rows: Rows) -> Chunk:
        """Return some of the rows, read one by one."""
        picked = rows.tolist()
        unfit = {number: self.unfit[row] for number, row in enumerate(picked) if row in self.unfit}
        some = replace(self, batch=self.batch.take(pa.array(rows)), unfit=unfit)
        return some.chunk(SomeRows(self.origin, picked))

    def chunk(self, origin: Origin | None = None) -> Chunk:
        """Return what the rows say one by one."""
        reading, form, own = self.reading, self.form, self.reading.columns
        read_as = {name: plain_column(column) for name, column in _columns(self.batch, reading).items()}
        bad = dict(self.unfit)
        times = {name: times_of(read_as[name], reading) for name in (own.time, own.start) if name is not None}
        if form.form is None:
            form.form = form_of_times(read_as[own.time], times[own.time], reading.unit)
        read = {name: read_values(column, name) for name, column in read_as.items() if name not in times}
        for _, reasons in read.values():
            bad |= reasons
        values = {name: read[name][0] if name in read else [] for name in read_as}
        bad |= _take_times(times, values)
        return _gathered(origin or self.origin, values, bad, reading, self.before)


def _columns(batch: Any, reading: Reading) -> dict[str, Any]:
    """Return the columns that are read."""
    names = batch.schema.names
    read = {name: batch.column(index) for index, name in enumerate(names) if is_read(name, reading)}
    for name, path in reading.nested:
        inside = None if name in read else _inside(read.get(path[0]), path[1:])
        if inside is not None:
            read[name] = inside
    return read


def _inside(column: Any, path: tuple[str, ...]) -> Any | None:  # pyarrow has no types
    """Return the column that stands inside of a column of records under these names; None where there is none."""
    for key in path:
        if column is None or not pa.types.is_struct(column.type) or column.type.get_field_index(key) < 0:
            return None
        column = pc.struct_field(column, [column.type.get_field_index(key)])
    return column


def nested_names(schema: Any, reading: Reading) -> list[str]:  # pyarrow's Schema
    """Return the names of what stands inside of columns."""
    empty = schema.empty_table()
    roots = {path[0]: empty.column(path[0]) for _, path in reading.nested if schema.names.count(path[0]) == 1}
    return [name for name, path in reading.nested if _inside(roots.get(path[0]), path[1:]) is not None]


def _gathered(rows: Origin, columns: dict[str, list[Value]], bad: Bad, reading: Reading, before: int) -> Chunk:
    make, gathering = event_maker(replace(reading, unit="us")), Gathering(rows)
    names = list(columns)
    for row, values in enumerate(zip(*columns.values(), strict=True)):
        try:
            if row in bad:
                raise bad[row]
            gathering.take(make(dict(zip(names, values, strict=True)), before + row + 1), row)
        except Refused as reason:
            gathering.refuse(reason, row)
    return gathering.chunk()


def is_read(name: str, reading: Reading) -> bool:
    """Say whether a column is read; what a frame is indexed by is no field."""
    return reading.reads(name) and not name.startswith(_INDEX)


def _take_times(times: dict[str, list[int | Refused]], columns: dict[str, list[Value]]) -> dict[int, Refused]:
    """Put the times that were read into the columns, and return the rows that have none."""
    bad: dict[int, Refused] = {}
    for name, read in times.items():
        found = {row: time for row, time in enumerate(read) if isinstance(time, Refused)}
        bad |= {row: _with_path(reason, name) for row, reason in found.items()}
        columns[name] = [None if isinstance(time, Refused) else time for time in read]
    return bad


def _with_path(reason: Refused, column: str) -> Refused:
    return Refused(replace(reason.diagnostic, place=DataPlace(path=(column,))))


def unreadable_frame(name: str, reason: str) -> CepheidError:
    """Return the error for a frame that Arrow cannot take."""
    hint = 'give each column one kind of value, for example with `frame.astype({"amount": float})`'
    message = f"`{name}` cannot be read: {reason}"
    return CepheidError(Diagnostic("unreadable-input", message, hints=(hint,)))
