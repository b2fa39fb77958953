"""Matches in columns become objects: the only place where that happens to them."""

from collections.abc import Iterator

from cepheid.connectors import Form, Report
from cepheid.engine import Found, MatchBatch, values_in
from cepheid.events import MAX_TIME, Time, show_times


def reports_of(found: Found, form: Form) -> list[Report]:
    """Return matches one by one, in the order in which they come out, with their times in a form."""
    listed = [one for batch in found.batches for one in _of_batch(batch, form)]
    return listed if found.order is None else [listed[row] for row in found.order.tolist()]


def _of_batch(batch: MatchBatch, form: Form) -> Iterator[Report]:
    count, ticks = len(batch), batch.known.tolist()
    start, end = show_times(batch.start.tolist(), form), show_times(batch.end.tolist(), form)
    known: list[Time | None] = list(show_times([0 if one == MAX_TIME else one for one in ticks], form))
    if MAX_TIME in ticks:
        known = [None if one == MAX_TIME else shown for one, shown in zip(ticks, known, strict=True)]
    names, columns = list(batch.values), [values_in(column, batch.words) for column in batch.values.values()]
    said = (dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)) if names else ({} for _ in ticks)
    evidence = [()] * count if batch.evidence is None else batch.evidence.tuples()
    ids = [""] * count if batch.ids is None else batch.ids.to_pylist()
    return map(Report, batch.names(), start, end, known, said, evidence, ids)
