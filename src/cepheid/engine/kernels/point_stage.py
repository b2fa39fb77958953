"""The stage of points of time: each comes when it is past, from the first event until the input ends."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cepheid.algebra.schedules import fixed_point, points
from cepheid.engine.kernels.event_tables import GIVEN, SHIFT
from cepheid.engine.kernels.made_tables import PointTable
from cepheid.engine.kernels.occurrences import Occurrences, complete_at, none_of
from cepheid.engine.kernels.pattern_stages import PointShape
from cepheid.engine.kernels.stages import Context, Stage, Turn
from cepheid.engine.kernels.state_bytes import Entry
from cepheid.events import MAX_TIME, MIN_TIME


class PointStage(Stage):
    """A schedule at work; `told` is up to when its points were given."""

    def __init__(self, shape: PointShape, context: Context) -> None:
        self.shape, self.words = shape, context.tables.words
        self.table = PointTable(shape.name)
        self.number = context.tables.add(self.table)
        self.told = MIN_TIME

    def reached(self, tables: Mapping[int, int]) -> int:
        return tables[GIVEN]

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
        frontier = turn.reached[GIVEN]
        first, last = (None, None) if turn.lived is None else turn.lived
        last = last if frontier == MAX_TIME else frontier - 1
        if first is not None:
            is_fixed = fixed_point(self.shape.schedule) is not None
            first = self.told + 1 if is_fixed else max(first, self.told + 1)
        due = [time for time in points(self.shape.schedule, first, last) if self.told < time < frontier]
        self.told = max([self.told, *due, *([last] if last is not None else [])])
        return due

    def written(self) -> dict[str, Entry]:
        return {"told": self.told}

    def take_up(self, entries: Mapping[str, Any]) -> None:
        self.told = entries["told"]
