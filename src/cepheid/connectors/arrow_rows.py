"""Events from Arrow: record batches from Parquet, from Arrow files and streams, and from frames of any library.

Columns become lists of Python's values, and rows are put together from them. Of a frame's index nothing is taken.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from cepheid.connectors.arrow_checking import Bad, checked, each_of, names_of
from cepheid.connectors.arrow_columns import NOT_PYTHONS, form_of_times, plain_column, read_values, times_of
from cepheid.connectors.byte_streams import readable
from cepheid.connectors.chunks import Chunk, Gathering
from cepheid.connectors.missing_columns import refuse_missing, refuse_twice
from cepheid.connectors.records import FormSeen, Reading, event_maker
from cepheid.connectors.rejects import Refused
from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic
from cepheid.events import Value, plain_json

MOST_ROWS = 50_000
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
) -> Iterator[Chunk]:
    """Yield the events of record batches that have the schema; `before` positions are taken already."""
    names = names_of(schema, name)
    refuse_missing(reading.columns, names, name)
    refuse_twice(names, reading, name)
    row = 0
    for batch in each_of(batches, name):
        for first in range(0, batch.num_rows, MOST_ROWS):
            part = batch.slice(first, MOST_ROWS)
            with readable(name):
                chunk = _chunk(*checked(part, name), name, row, reading, form, before + row)
            yield chunk
            row += part.num_rows


def _chunk(batch: Any, unfit: Bad, name: str, row: int, reading: Reading, form: FormSeen, before: int) -> Chunk:
    """Return the rows of a batch that was checked, some of which are `unfit`."""
    own, columns, bad = reading.columns, _columns(batch, reading), dict(unfit)
    times = {name: times_of(columns[name], reading) for name in (own.time, own.start) if name is not None}
    if form.form is None:
        form.form = form_of_times(columns[own.time], times[own.time], reading.unit)
    read = {name: read_values(column, name) for name, column in columns.items() if name not in times}
    for _, reasons in read.values():
        bad |= reasons
    values = {name: read[name][0] if name in read else [] for name in columns}
    bad |= _take_times(times, values)
    return _gathered(BatchRows(name, row, batch), values, bad, reading, before)


def _columns(batch: Any, reading: Reading) -> dict[str, Any]:
    """Return the columns that are read, without what only says how they are stored."""
    names = batch.schema.names
    read = [index for index, name in enumerate(names) if is_read(name, reading)]
    return {names[index]: plain_column(batch.column(index)) for index in read}


def _gathered(rows: BatchRows, columns: dict[str, list[Value]], bad: Bad, reading: Reading, before: int) -> Chunk:
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
    hint = "give each column one kind of value, for example with `frame.astype(...)`"
    message = f"`{name}` cannot be read: {reason}"
    return CepheidError(Diagnostic("unreadable-input", message, hints=(hint,)))
