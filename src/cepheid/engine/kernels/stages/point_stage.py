"""The stage of points of time: each comes when it is past, from the first event until the input ends."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from cepheid.algebra.schedules import fixed_point, points
from cepheid.analysis.plans.plan import Near
from cepheid.engine.clock.near_points import Stretch, near_points
from cepheid.engine.kernels.columns.state_bytes import Entry
from cepheid.engine.kernels.plans.pattern_stages import PointShape
from cepheid.engine.kernels.stages.stages import Context, Stage, Turn
from cepheid.engine.kernels.tables.event_tables import GIVEN, SHIFT
from cepheid.engine.kernels.tables.made_tables import PointTable
from cepheid.engine.kernels.tables.occurrences import Occurrences, complete_at, none_of
from cepheid.events import MAX_TIME, MIN_TIME


class PointStage(Stage):
    """A schedule at work; `told` is up to when its points were given, `near` leaves out those that nothing is near.

    `first` is the least end of what rules emitted that its own rule looks at, which may lie before all given events.
    """

    def __init__(self, shape: PointShape, context: Context) -> None:
        self.shape, self.words, self.given = shape, context.tables.words, context.tables.given
        self.near = near_points(shape.schedule, shape.near)
        self.table = PointTable(shape.name)
        self.number = context.tables.add(self.table)
        self.told, self.first = MIN_TIME, MAX_TIME
        derived = {one for name in context.reads for one in context.sources.get(name, ())}
        self.tables, self.derived = context.tables, sorted(derived)

    def reached(self, tables: Mapping[int, int]) -> int:
        return min(tables[source] for source in (GIVEN, *self.derived))

    def found(self, turn: Turn) -> Occurrences:
        due = self._due(turn)
        if not due:
            return none_of(1)
        times = np.array(due, np.int64)
        known = complete_at(times, self.shape.lag)
        first, last = self.table.append(times, known, self.words)
        return Occurrences(times, times, known, (np.arange(first, last) + (self.number << SHIFT))[None, :])

    def _due(self, turn: Turn) -> list[int]:
        """Return the points that are due, in order; at the end of the input these are all up to its last event."""
        frontier = self.reached(turn.reached)
        first, last = (None, None) if turn.lived is None else (min(turn.lived[0], self._first(turn)), turn.lived[1])
        last = last if frontier == MAX_TIME else frontier - 1
        if first is not None:
            is_fixed = fixed_point(self.shape.schedule) is not None
            first = self.told + 1 if is_fixed else max(first, self.told + 1)
        due = [time for time in self._times(turn, first, last) if self.told < time < frontier]
        self.told = max([self.told, *due, *([last] if last is not None else [])])
        return due

    def _first(self, turn: Turn) -> int:
        """Return the least end of all that rules emitted so far."""
        for source in self.derived:
            first, last = (serial - self.tables[source].base for serial in turn.news.get(source, (0, 0)))
            if last > first:
                self.first = min(self.first, int(self.tables[source].ends(slice(first, last)).min()))
        return self.first

    def _times(self, turn: Turn, first: int | None, last: int | None) -> list[int]:
        """Return the points between two times, but of those that must be near an event only those that are."""
        if self.near is not None:
            for stretch in self._around(*turn.news[GIVEN], self.near.near):
                self.near.add(stretch)
        if self.near is None or first is None or last is None:
            return points(self.shape.schedule, first, last)
        return self.near.due(first, last, turn.reached[GIVEN])

    def _around(self, first: int, last: int, near: Near) -> Iterator[Stretch]:
        """Yield the stretches of time around given events, those that touch each other as one."""
        ends = np.sort(self.given.ends(slice(first - self.given.base, last - self.given.base)))
        apart = np.flatnonzero(np.diff(ends) > near.before + near.after + 1)
        lows, highs = ends[np.append(0, apart + 1)[: len(ends)]], ends[np.append(apart, len(ends) - 1)[: len(ends)]]
        return ((low - near.before, high + near.after) for low, high in zip(lows.tolist(), highs.tolist(), strict=True))

    def written(self) -> dict[str, Entry]:
        near = [] if self.near is None else [list(one) for one in self.near.held]
        return {"told": self.told, "first": self.first, "near": near}

    def take_up(self, entries: Mapping[str, Any]) -> None:
        self.told, self.first = entries["told"], entries["first"]
        if self.near is not None:
            self.near.held = [(first, last) for first, last in entries["near"]]
