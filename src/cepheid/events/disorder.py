"""Sort out what arrives: in time, late, or a second time.

A stream with disorder `d` may bring an event up to `d` after a later one, so its frontier trails the latest
end by `d`. An event with the id of one that was seen, and that is not behind the frontier yet, is a
duplicate. Only the ids of such events are kept, so the state is bounded by the arrivals within the
disorder.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from heapq import heappop, heappush

from cepheid.events.durations import Duration
from cepheid.events.event import Event, EventId
from cepheid.events.frontier import Frontier
from cepheid.events.order import id_key
from cepheid.events.ticks import MIN_TIME


class Arrival(Enum):
    """What an arriving event is; only what is in time goes on, all else is set aside and counted."""

    IN_TIME = auto()
    LATE = auto()
    DUPLICATE = auto()

    __hash__ = object.__hash__  # each is one object, and that of an enum is worked out in Python


_IN_TIME = Arrival.IN_TIME


@dataclass(slots=True)
class Disorder:
    """The arrivals of one stream, with what they tell about its frontier.

    Whether ids are compared is up to `identified`: without an id column nothing is a duplicate.

    >>> from cepheid.events import point
    >>> arrivals = Disorder(Duration.microseconds(2))
    >>> [arrivals.see(point("a", time, time)).name for time in (1, 5, 3, 3, 2)]
    ['IN_TIME', 'IN_TIME', 'IN_TIME', 'DUPLICATE', 'LATE']
    """

    allowed: Duration = Duration(0)  # noqa: RUF009
    identified: bool = True
    bound: int = MIN_TIME
    """Where the frontier is: every event still to come ends there or later."""
    counts: dict[Arrival, int] = field(default_factory=lambda: dict.fromkeys(Arrival, 0))
    kept: set[EventId] = field(default_factory=set)
    """The ids of events that may come again in time."""
    _by_end: list[tuple[int, int, EventId]] = field(default_factory=list)
    _kept: int = 0

    @property
    def frontier(self) -> Frontier:
        return Frontier(self.bound)

    def see(self, event: Event) -> Arrival:
        """Return what `event` is, count it, and move the frontier where it is in time."""
        arrival = self.judge(event)
        self.counts[arrival] += 1
        if arrival is Arrival.IN_TIME:
            if self.identified:
                self.remember((event.end,), (event.id,))
            self.promise(event.end - self.allowed.ticks)
        return arrival

    def take(self, end: int, name: EventId) -> int:
        """Count an event that is in time and did not come before, and return where the frontier is with it."""
        self.counts[_IN_TIME] += 1
        if self.identified:
            self._keep(end, name)
        bound = end - self.allowed.ticks
        if bound <= self.bound:
            return self.bound
        self.bound = bound
        if self._by_end:
            self._forget()
        return bound

    def take_many(self, count: int, last: int) -> int:
        """Count events that are in time, without ids, of which the `last` ends there; return where the frontier is."""
        self.counts[_IN_TIME] += count
        self.promise(last - self.allowed.ticks)
        return self.bound

    def promise(self, bound: int) -> None:
        """Move the frontier to `bound` where that is forward: a heartbeat, or the end of the input."""
        if bound > self.bound:
            self.bound = bound
            if self._by_end:
                self._forget()

    @property
    def held(self) -> int:
        """How many ids are kept."""
        return len(self.kept)

    def memory(self) -> list[tuple[int, EventId]]:
        """Return the ids that are kept, each with the end of its event."""
        return sorted(((end, name) for end, _, name in self._by_end), key=lambda one: (one[0], id_key(one[1])))

    def recall(self, bound: int, memory: Iterable[tuple[int, EventId]]) -> None:
        """Take up a frontier and ids that another had kept."""
        self.bound = bound
        for end, event_id in memory:
            self.remember((end,), (event_id,))

    def judge(self, event: Event) -> Arrival:
        """Return what `event` is, and leave everything as it was."""
        if event.end < self.bound:
            return Arrival.LATE
        return Arrival.DUPLICATE if self.kept and event.id in self.kept else Arrival.IN_TIME

    def remember(self, ends: Iterable[int], ids: Iterable[EventId]) -> None:
        """Keep the ids of events that were taken, each with the end of its event."""
        for end, event_id in zip(ends, ids, strict=True):
            self._keep(end, event_id)

    def _keep(self, end: int, name: EventId) -> None:
        self.kept.add(name)
        self._kept = number = self._kept + 1  # so that no two names are compared
        heappush(self._by_end, (end, number, name))

    def _forget(self) -> None:
        held, kept, bound = self._by_end, self.kept, self.bound
        while held and held[0][0] < bound:
            kept.discard(heappop(held)[2])
