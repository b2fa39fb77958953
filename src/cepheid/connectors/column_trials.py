"""A record batch that is read by column, for trial: nothing is noted anywhere before somebody takes its events."""

from dataclasses import dataclass
from typing import Any

from cepheid.connectors.arrow_rows import arrow_chunks
from cepheid.connectors.column_reading import unnoted
from cepheid.connectors.event_columns import ColumnChunk, EventColumns
from cepheid.connectors.records import FormSeen, Reading
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.events import Form, Rounding


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """A row that says no event, counted from 0, and why."""

    row: int
    diagnostic: Diagnostic


@dataclass(frozen=True, slots=True)
class ColumnTrial:
    """What so many rows of a batch say, in columns, and what there is to note once they are taken."""

    rows: int
    events: EventColumns
    rejects: tuple[RejectedRow, ...]
    form: Form | None
    rounding: Rounding


def trial_of(batch: Any, reading: Reading, form: Form | None, position: int) -> ColumnTrial | None:
    """Return what the columns of a record batch say, None where its rows have to be read one by one.

    `position` events came before it.
    """
    trial, seen = unnoted(reading), FormSeen(reading.unit, form)
    try:
        chunk = next(arrow_chunks([batch], batch.schema, "batch", trial, seen, position), None)
    except CepheidError:  # rows say better what is wrong
        return None
    if not isinstance(chunk, ColumnChunk):
        return None
    rejects = tuple(RejectedRow(_row(one.diagnostic), one.diagnostic) for one in chunk.rejects)
    return ColumnTrial(batch.num_rows, chunk.events, rejects, seen.form, trial.rounding)


def _row(diagnostic: Diagnostic) -> int:
    assert diagnostic.place is not None
    assert diagnostic.place.line is not None
    return diagnostic.place.line - 1
