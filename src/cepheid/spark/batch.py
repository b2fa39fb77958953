"""Detection over a whole frame: one exchange, one sort, and a detector at every place.

By a key, each place has all events of its keys, and an event may go to several for its roles. Without one, a query that
looks only so far back is run over slices of time that overlap by as much; and what looks back without end runs in one
place. Stages follow each other: what one emits is dealt out among the rows of the next, and its results go through as
they are.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from cepheid.spark.carrying import carried
from cepheid.spark.dealing import (
    DEAL,
    ROUTE,
    SLOT,
    STRAIGHT_THROUGH,
    dealt,
    key_hash,
    of_one_route,
    of_several_roles,
    order_in_slices,
    sliced,
)
from cepheid.spark.event_columns import END, EventRows
from cepheid.spark.handing import heard_in_frame
from cepheid.spark.lanes import Route
from cepheid.spark.passing import (
    PASSING,
    Passing,
    as_they_are,
    by_origin,
    handed_on,
    passed_on,
    taken_out,
    with_results,
)
from cepheid.spark.places import Place, Settings, Told
from cepheid.spark.results import ResultForm
from cepheid.spark.rows_set_aside import corrupt_rows
from cepheid.spark.schemas import spark_schema
from cepheid.spark.sessions import parallel_tasks

Batches = Iterator[Any]  # pyarrow has no types
_OVERLAP = 4


def detect_batch(
    rows: EventRows, routes: Sequence[Route], form: ResultForm, settings: Settings, slices: int | None, buckets: int
) -> DataFrame:
    """Return the results over a frame; `slices` is how wide slices of time are, in ticks, where somebody said so.

    Where an event goes to several places, there are so many `buckets`.
    """
    work = FrameWork(tuple(routes), form, settings, slice_widths(rows, routes, slices), buckets)
    first, *later = work.by_level()
    given = _placed(rows, routes, work.widths, buckets) if not later else dealt(rows, first, work.widths, buckets)
    placed = _in_place(given) if later else given
    for level, own in enumerate(later):
        passed = placed.mapInArrow(carried(work.not_last(level)), spark_schema(PASSING))
        given = dealt(rows, own, work.widths, buckets, sound=True)
        placed = _in_place(given.unionByName(passed, allowMissingColumns=True))
    return placed.mapInArrow(carried(work.last(len(later))), spark_schema(form.schema))


def _in_place(rows: DataFrame) -> DataFrame:
    return rows.repartition(ROUTE, DEAL).sortWithinPartitions(ROUTE, SLOT, END)


def _placed(rows: EventRows, routes: Sequence[Route], widths: Mapping[int, int], buckets: int) -> DataFrame:
    """Return the rows where they are needed and in order; with one route, they are sorted by one number alone."""
    if len(routes) > 1:
        return _in_place(dealt(rows, routes, widths, buckets)).drop(DEAL)
    (route,) = routes
    if route.multiplies:
        return of_several_roles(rows, route, buckets).repartition(SLOT).sortWithinPartitions(SLOT, END)
    if route.number in widths:
        together = sliced(rows, route, widths[route.number]).repartition(SLOT)
        return together.sortWithinPartitions(order_in_slices(route))
    return of_one_route(rows, route).repartition(key_hash(route, rows)).sortWithinPartitions(END)


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
    return sum(route.reach)


def _extent(rows: EventRows) -> tuple[int, int]:
    """Return how long the input lasts, and into how many slices it is worth cutting."""
    first, last = rows.frame.agg(F.min(END), F.max(END)).first() or (None, None)
    tasks = parallel_tasks(rows.frame.sparkSession)
    return (0 if first is None or last is None else last - first), 3 * tasks


@dataclass(frozen=True, slots=True)
class FrameWork:
    """What the workers do with the parts of a frame, stage after stage; `widths` are those of slices, by route."""

    routes: tuple[Route, ...]
    form: ResultForm
    settings: Settings
    widths: Mapping[int, int]
    buckets: int

    def by_level(self) -> list[list[Route]]:
        """Return the routes of each level."""
        levels = range(max(route.level for route in self.routes) + 1)
        return [[route for route in self.routes if route.level == level] for level in levels]

    def not_last(self, level: int) -> Callable[[Batches], Batches]:
        """Return what is done at one level that is not the last: results go on, beside what is handed on."""
        return lambda batches: passed_on(self.form, self._outcomes(batches, level))

    def last(self, level: int) -> Callable[[Batches], Batches]:
        """Return what is done at the last level: all results come out."""
        return lambda batches: taken_out(self.form, self._outcomes(batches, level))

    def _outcomes(self, batches: Batches, level: int) -> Iterator[Told | Passing]:
        for (number, slot), parts in groupby(_parts(batches), key=lambda part: part[0]):
            some = (batch for _, batch in parts)
            if number == STRAIGHT_THROUGH:
                yield from _straight_through(some)
            elif self.routes[number].level > level:
                yield from (one for batch in some for one in as_they_are(batch))
            else:
                yield from _within(self._run(self.routes[number], some), slot, self.widths.get(number))

    def _run(self, route: Route, batches: Batches) -> Iterator[Told | Passing]:
        place = Place(route, self.form, self.settings)
        for batch in batches:
            given, handed = by_origin(batch)
            yield from place.push(given, heard_in_frame(handed))
            yield from self._handed_on(place)
        yield from place.close()
        yield from self._handed_on(place)
        yield from place.figures()

    def _handed_on(self, place: Place) -> Iterator[Passing]:
        for lane, records, _ in place.handed():
            yield from handed_on(lane, records, self.routes, self.widths, self.buckets)


def _straight_through(batches: Batches) -> Iterator[Told | Passing]:
    for batch in batches:
        bad, results = with_results(batch)
        yield from corrupt_rows(bad)
        yield from as_they_are(results) if results.num_rows else ()


def _parts(batches: Batches) -> Iterator[tuple[tuple[int, int], Any]]:
    """Yield batches cut where the route or the slot changes, with both."""
    for batch in batches:
        routes, slots = _marks(batch)
        changes = np.flatnonzero((routes[1:] != routes[:-1]) | (slots[1:] != slots[:-1])) + 1
        for first, last in pairwise([0, *changes.tolist(), len(routes)]):
            if last > first:
                yield (int(routes[first]), int(slots[first])), batch.slice(first, last - first)


def _marks(batch: Any) -> tuple[Any, Any]:  # arrays of NumPy
    """Return the route and the slot of every row; where there is one route, a row goes there or has no end."""
    names, ends = batch.schema.names, batch.column(END)
    nothing = np.zeros(len(ends), np.int64)
    straight = np.where(np.asarray(ends.is_null()), STRAIGHT_THROUGH, 0) if ends.null_count else nothing
    routes = np.asarray(batch.column(ROUTE)) if ROUTE in names else straight
    return routes, np.asarray(batch.column(SLOT)) if SLOT in names else nothing


def _within(outcomes: Iterator[Told | Passing], slot: int, width: int | None) -> Iterator[Told | Passing]:
    """Yield what belongs to a slice: each match is told, and handed on, where it ends."""
    if width is None:
        yield from outcomes
        return
    first, last = slot * width, (slot + 1) * width
    for one in outcomes:
        if isinstance(one, pa.RecordBatch):
            ends = np.asarray(one.column("end"))
            yield one.filter(pa.array((first <= ends) & (ends < last)))
            continue
        end = one.end if isinstance(one, Passing) else one.get("end")
        if not isinstance(end, int) or first <= end < last:
            yield one
