"""Rows between the stages of a whole frame: events that are handed on, and results that only go through."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from itertools import count, groupby
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from cepheid.engine import Record
from cepheid.spark.dealing import DEAL, ROUTE, SLOT, STRAIGHT_THROUGH
from cepheid.spark.event_columns import END
from cepheid.spark.handing import Handed, copies_of, handed_from, slots_of, takers_of
from cepheid.spark.lanes import Lane, Route
from cepheid.spark.packing import to_bytes, unpacked
from cepheid.spark.results import ResultForm, portions

Told = Any  # pyarrow has no types: a row of results, or a record batch of them
HANDED, RESULTS = "__handed", "__results"
PASSING = pa.schema(
    [
        (ROUTE, pa.int32()),
        (SLOT, pa.int64()),
        (DEAL, pa.int32()),
        (END, pa.int64()),
        (HANDED, pa.binary()),
        (RESULTS, pa.binary()),
    ]
)


@dataclass(frozen=True, slots=True)
class Passing:
    """A row on its way to a later stage: an event that was handed on, or results, packed."""

    route: int
    slot: int
    deal: int
    end: int | None = None
    handed: bytes | None = None
    results: bytes | None = None


def passed_on(form: ResultForm, outcomes: Iterable[Told | Passing]) -> Iterator[Any]:
    """Yield outcomes as record batches on their way to the next stage."""
    numbers = count()
    for are_passing, some in groupby(outcomes, key=_is_passing):
        if are_passing:
            yield from map(_batch, portions(some))
        else:
            yield from (_batch([_packed(batch, next(numbers))]) for batch in form.batches(some))


def _packed(results: Any, number: int) -> Passing:
    return Passing(STRAIGHT_THROUGH, 0, number, results=to_bytes(results))


def _batch(passing: Sequence[Passing]) -> Any:
    columns = zip(*map(astuple, passing), strict=True)
    arrays = [pa.array(column, kind) for column, kind in zip(columns, PASSING.types, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=PASSING)


def taken_out(form: ResultForm, outcomes: Iterable[Told | Passing]) -> Iterator[Any]:
    """Yield the results among outcomes as record batches."""
    for are_passing, some in groupby(outcomes, key=_is_passing):
        if are_passing:
            yield from (batch for one in some for batch in unpacked(one.results or b"").to_batches())
        else:
            yield from form.batches(some)


def _is_passing(outcome: Told | Passing) -> bool:
    return isinstance(outcome, Passing)


def handed_on(
    lane: Lane, records: Sequence[Record], routes: Sequence[Route], widths: Mapping[int, int], buckets: int
) -> Iterator[Passing]:
    """Yield what a lane hands on, once for every place that it goes to; `widths` are those of slices, by route."""
    for route, types in takers_of(lane, routes):
        for record in (one for one in records if one.event.type in types):
            for slot, deal, copy in _placed(record, route, widths.get(route.number), buckets):
                data = Handed(lane.query, lane.name, 0, (copy,), {}).to_bytes()
                yield Passing(route.number, slot, deal, record.event.end, data)


def _placed(record: Record, route: Route, width: int | None, buckets: int) -> Iterator[tuple[int, int, Record]]:
    """Yield the slots that an event goes to, with the number by which it is dealt out there."""
    if width is not None:
        yield from ((slot, deal, record) for slot, deal in slots_of(record.event, width, *route.reach))
        return
    for deal, copy in copies_of(record.event, route, buckets):
        yield deal if route.multiplies else 0, deal, replace(record, event=copy)


def as_they_are(batch: Any) -> Iterator[Passing]:
    """Yield rows that only pass."""
    columns = [batch.column(name).to_pylist() for name in PASSING.names]
    return (Passing(*row) for row in zip(*columns, strict=True))


def by_origin(batch: Any) -> tuple[Any, list[Handed]]:
    """Return the rows that say events of the frame, and what stages before handed on."""
    if HANDED not in batch.schema.names:
        return batch, []
    handed = batch.column(HANDED)
    own = [name for name in batch.schema.names if name not in (HANDED, RESULTS)]
    given = batch.filter(pc.is_null(handed)).select(own)
    return given, [handed_from(data) for data in handed.drop_null().to_pylist()]


def with_results(batch: Any) -> tuple[Any, Any]:
    """Return the rows without results, which say no event, and those with results."""
    if RESULTS not in batch.schema.names:
        return batch, batch.slice(0, 0)
    there = pc.is_valid(batch.column(RESULTS))
    return batch.filter(pc.invert(there)), batch.filter(there)
