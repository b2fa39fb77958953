"""Events that are dated far after all before them: one wrong date must not make everything after it late.

A stream is as far as its latest event, so one event of the year 9999 would put all others behind it for ever. An event
that jumps ahead by more than is allowed therefore waits until the next one of its source comes, and is believed if that
one agrees: if it is as far ahead itself, or brings the other within reach. Otherwise it is set aside. Where the input
ends, there is nobody to disagree, and nothing that could be late.

A first event has none before it. It waits only where it lies beyond 2262, the last year that nanoseconds in 64 bits
can say, as dates do that stand for "never".
"""

from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from cepheid.events.event import Event

MOST_JUMP: Final = 366 * 86_400_000_000
"""How far an event may be ahead of the one before it, unless something else is said: a year."""
_LAST_LIKELY: Final = 2**63 // 1000

Mark = TypeVar("Mark")


@dataclass(slots=True)
class SortedOut(Generic[Mark]):
    """What is to be taken, in this order, and what is to be set aside; each with the mark that it came with."""

    taken: list[tuple[Event, Mark]] = field(default_factory=list)
    refused: list[tuple[Event, Mark]] = field(default_factory=list)


@dataclass(slots=True)
class Jumps(Generic[Mark]):
    """The events of each source that wait for another to agree; at most `most` ticks need nobody to agree, None any.

    >>> from cepheid.events import point
    >>> jumps = Jumps[int](100)
    >>> told = [jumps.see(point("a", time, time), 0, "", 5) for time in (10, 999, 11, 700, 701)]
    >>> [[event.end for event, _ in each.taken] for each in told], [event.end for event, _ in told[2].refused]
    ([[10], [], [11], [], [700, 701]], [999])
    """

    most: int | None = MOST_JUMP
    waiting: dict[str, tuple[Event, Mark]] = field(default_factory=dict)

    def is_far(self, time: int, latest: int | None) -> bool:
        """Say whether a time is too far ahead to be believed at once; `latest` is None where nothing came before."""
        if self.most is None:
            return False
        return time > _LAST_LIKELY if latest is None else time - latest > self.most

    def see(self, event: Event, mark: Mark, source: str, latest: int | None) -> SortedOut[Mark]:
        """Return what is to be done now that an event has come from a source, which had come as far as `latest`."""
        before = self.waiting.pop(source, None)
        if not self.is_far(event.end, latest):
            return self._near((event, mark), before, event.end if latest is None else max(latest, event.end))
        if before is not None and abs(event.end - before[0].end) <= (self.most or 0):
            return SortedOut([before, (event, mark)])
        self.waiting[source] = (event, mark)
        return SortedOut([], [] if before is None else [before])

    def rest(self) -> list[tuple[str, Event]]:
        """Return what still waits, with its source: nothing comes any more that could disagree."""
        left = [(source, event) for source, (event, _) in self.waiting.items()]
        self.waiting.clear()
        return left

    def _near(self, given: tuple[Event, Mark], before: tuple[Event, Mark] | None, latest: int) -> SortedOut[Mark]:
        if before is None:
            return SortedOut([given])
        if self.is_far(before[0].end, latest):
            return SortedOut([given], [before])
        return SortedOut([given, before])
