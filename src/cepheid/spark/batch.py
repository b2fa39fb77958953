"""Detection over a whole frame: one exchange, one sort, and a detector at every place.

By a key, each place has all events of its keys. Without one, a query that looks only so far back is run over slices of
time that overlap by as much; and what looks back without end runs in one place.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from cepheid.spark.dealing import BAD, DEAL, ROUTE, SLOT, STRAIGHT_THROUGH, dealt, order_in_slices, sliced
from cepheid.spark.event_columns import END, EventRows
from cepheid.spark.lanes import Route
from cepheid.spark.places import Place, Row, Settings
from cepheid.spark.results import ResultForm, in_batches
from cepheid.spark.rows_set_aside import corrupt_rows
from cepheid.spark.schemas import spark_schema

Batches = Iterator[Any]  # pyarrow has no types
_OVERLAP = 4


def detect_batch(
    rows: EventRows, routes: Sequence[Route], form: ResultForm, settings: Settings, slices: int | None
) -> DataFrame:
    """Return the results over a frame; `slices` is how wide slices of time are, in ticks, where somebody said so."""
    widths = slice_widths(rows, routes, slices)
    placed = _placed(rows, routes, widths)
    return placed.mapInArrow(_worker(routes, form, settings, widths), spark_schema(form.schema))


def _placed(rows: EventRows, routes: Sequence[Route], widths: Mapping[int, int]) -> DataFrame:
    """Return the rows where they are needed and in order; with one route, they are sorted by one number alone."""
    if len(routes) > 1:
        together = dealt(rows, routes, widths).repartition(ROUTE, DEAL)
        return together.sortWithinPartitions(ROUTE, SLOT, END).drop(DEAL)
    (route,) = routes
    if route.number in widths:
        together = sliced(rows, route, widths[route.number]).repartition(SLOT)
        return together.sortWithinPartitions(order_in_slices(route)).drop(ROUTE)
    return dealt(rows, routes, widths).repartition(DEAL).sortWithinPartitions(END).drop(ROUTE, SLOT, DEAL)


def slice_widths(rows: EventRows, routes: Sequence[Route], wanted: int | None) -> Mapping[int, int]:
    """Return how wide the slices of each route are that runs in slices."""
    sliced = [route for route in routes if is_sliced(route)]
    if not sliced:
        return {}
    length, count = (0, 1) if wanted is not None else _extent(rows)
    return {route.number: wanted or max(length // count + 1, _OVERLAP * overlap(route), 1) for route in sliced}


def is_sliced(route: Route) -> bool:
    """Say whether a route has no key but looks only so far back and ahead."""
    return route.key is None and all(lane.past is not None and lane.ahead is not None for lane in route.lanes)


def overlap(route: Route) -> int:
    """Return how much longer than itself the time is that a slice reads."""
    return max(lane.past or 0 for lane in route.lanes) + max(lane.ahead or 0 for lane in route.lanes)


def _extent(rows: EventRows) -> tuple[int, int]:
    """Return how long the input lasts, and into how many slices it is worth cutting."""
    first, last = rows.frame.agg(F.min(END), F.max(END)).first() or (None, None)
    cores = rows.frame.sparkSession.sparkContext.defaultParallelism
    return (0 if first is None or last is None else last - first), 3 * cores


def _worker(
    routes: Sequence[Route], form: ResultForm, settings: Settings, widths: Mapping[int, int]
) -> Callable[[Batches], Batches]:
    def run(batches: Batches) -> Batches:
        yield from in_batches(form, _results(batches, routes, form, settings, widths))

    return run


def _results(
    batches: Batches, routes: Sequence[Route], form: ResultForm, settings: Settings, widths: Mapping[int, int]
) -> Iterator[Row]:
    for (number, slot), parts in groupby(_parts(batches), key=lambda part: part[0]):
        some = (batch for _, batch in parts)
        if number == STRAIGHT_THROUGH:
            for batch in some:
                yield from corrupt_rows(batch)
        else:
            place = Place(routes[number], form, settings)
            yield from _within(_run(place, some), slot, widths.get(number))


def _parts(batches: Batches) -> Iterator[tuple[tuple[int, int], Any]]:
    """Yield batches cut where the route or the slot changes, with both."""
    for batch in batches:
        routes, slots = _marks(batch)
        changes = np.flatnonzero((routes[1:] != routes[:-1]) | (slots[1:] != slots[:-1])) + 1
        for first, last in pairwise([0, *changes.tolist(), len(routes)]):
            if last > first:
                yield (int(routes[first]), int(slots[first])), batch.slice(first, last - first)


def _marks(batch: Any) -> tuple[Any, Any]:  # arrays of NumPy
    """Return the route and the slot of every row; where there is one route, a row is bad or goes there."""
    names = batch.schema.names
    bad = batch.column(BAD)
    there = np.asarray(bad.is_valid()) if bad.null_count < len(bad) else np.zeros(len(bad), np.bool_)
    routes = np.asarray(batch.column(ROUTE)) if ROUTE in names else np.where(there, STRAIGHT_THROUGH, 0)
    return routes, np.asarray(batch.column(SLOT)) if SLOT in names else np.zeros(len(bad), np.int64)


def _run(place: Place, batches: Iterable[Any]) -> Iterator[Row]:
    for batch in batches:
        yield from place.push(batch)
    yield from place.close()
    yield from place.figures()


def _within(rows: Iterator[Row], slot: int, width: int | None) -> Iterator[Row]:
    """Yield what belongs to a slice: each match is told where it ends."""
    for row in rows:
        end = row.get("end")
        if width is None or not isinstance(end, int) or slot * width <= end < (slot + 1) * width:
            yield row
