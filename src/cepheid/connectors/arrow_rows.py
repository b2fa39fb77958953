"""Events from Arrow: record batches from Parquet, from Arrow files and streams, and from frames of any library.

Columns become lists of Python's values, and rows are put together from them. Of a frame's index nothing is taken.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from cepheid.connectors.arrow_columns import form_of_times, read_values, times_of
from cepheid.connectors.chunks import Chunk, Gathering
from cepheid.connectors.missing_columns import refuse_missing
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
        columns = self.batch.slice(row, 1)
        try:
            return plain_json(columns.to_pylist()[0])
        except ValueError:  # times that are finer than Python's
            return {name: str(columns.column(name)[0]) for name in columns.schema.names}


def arrow_chunks(
    batches: Iterable[Any], schema: Any, name: str, reading: Reading, form: FormSeen, before: int = 0
) -> Iterator[Chunk]:
    """Yield the events of record batches that have the schema; `before` positions are taken already."""
    refuse_missing(reading.columns, schema.names, name)
    row = 0
    for batch in batches:
        for first in range(0, batch.num_rows, MOST_ROWS):
            part = batch.slice(first, MOST_ROWS)
            yield _chunk(BatchRows(name, row, part), reading, form, before + row)
            row += part.num_rows


def _chunk(rows: BatchRows, reading: Reading, form: FormSeen, before: int) -> Chunk:
    own, batch = reading.columns, rows.batch
    if form.form is None:
        form.form = form_of_times(batch.column(own.time), reading.unit)
    read = {name: read_values(batch.column(name), name) for name in batch.schema.names if is_read(name, reading)}
    columns = {name: values for name, (values, _) in read.items()}
    times = {name: times_of(batch.column(name), reading) for name in (own.time, own.start) if name is not None}
    bad = {row: reason for name, (_, reasons) in read.items() if name not in times for row, reason in reasons.items()}
    bad |= _take_times(times, columns)
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
