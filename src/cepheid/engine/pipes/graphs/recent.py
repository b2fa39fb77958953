"""Windows of time: the last output of a body over the values that are recent.

Known aggregates slide: a value is added when it comes and dropped when it is too old. That needs times that never go
back; from the first one that does, and for every other body, a fresh body runs over the recent values after each.
"""

from collections import deque

from cepheid.algebra.graphs import operations as op
from cepheid.algebra.graphs.meaning import reads_times
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.running import Around, Column, Inner, Stepwise, runs
from cepheid.algebra.graphs.times import known_time
from cepheid.analysis.graphs.aggregation import aggregation_of
from cepheid.engine.pipes.graphs.aggregates import SlidingParts


@runs(op.TimeWindow)
class RecentValues(Stepwise):
    """The recent values with their times, in the order in which they came, and the latest time so far."""

    def __init__(self, operation: op.TimeWindow, around: Around) -> None:
        self.operation, self.around = operation, around
        self.aggregation = None if reads_times(operation.body) else aggregation_of(operation.body)
        self.recent: deque[tuple[int, Thing]] = deque()
        self.newest: int | None = None
        self._begin()

    def _begin(self) -> None:
        self.slides = None if self.aggregation is None else SlidingParts(self.aggregation, self.around)
        self._body: Inner | None = None

    def take_at(self, time: int | None, value: Thing) -> Column:
        """Take a value at its time, which it must have."""
        now = known_time(time)
        if self.newest is not None and now < self.newest:
            self.slides = None
        self.newest = now if self.newest is None else max(self.newest, now)
        oldest = self.newest - self.operation.ticks
        self.recent.append((now, value))
        return self._replayed(oldest) if self.slides is None else self._slid(self.slides, value, oldest)

    def _slid(self, slides: SlidingParts, value: Thing, oldest: int) -> Column:
        slides.add(value)
        while self.recent[0][0] < oldest:
            self.recent.popleft()
            slides.drop()
        return [slides.told()]

    def _replayed(self, oldest: int) -> Column:
        self.recent = deque(pair for pair in self.recent if pair[0] >= oldest)
        if self._body is None:
            self._body = self.around.start(self.operation.body, in_window=True)
        self._body.begin()
        return self._body.take([value for _, value in self.recent], [time for time, _ in self.recent])[-1:]

    def held(self) -> int:
        return len(self.recent) + 1

    def state(self) -> Thing:
        return [list(self.recent), self.newest]

    def restore(self, state: Thing) -> None:
        recent, self.newest = state
        self.recent = deque(recent)
        self._begin()
        times = [time for time, _ in self.recent]
        if times != sorted(times) or (times and times[-1] != self.newest):
            self.slides = None
        if self.slides is not None:
            for _, value in self.recent:
                self.slides.add(value)
