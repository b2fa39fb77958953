"""Until when something can hold: in some ways, each with a last time and a last position."""

import math
from dataclasses import dataclass
from typing import Final

_MOST_WAYS: Final = 8

Way = tuple[float, float]
"""A last time and a last position: what holds in this way holds up to both."""


@dataclass(frozen=True, slots=True)
class Latest:
    """Until when a condition can hold, in each of the ways in which it can: only when all have passed it never can.

    `now() <= q + 5 s or index() <= p + 5` has two ways, one without a last position and one without a last time.
    """

    ways: tuple[Way, ...]

    @property
    def time(self) -> float:
        """The last time at which it can hold."""
        return max((time for time, _ in self.ways), default=-math.inf)

    @property
    def records(self) -> float:
        """The last position at which it can hold."""
        return max((records for _, records in self.ways), default=-math.inf)

    def both(self, other: "Latest") -> "Latest":
        if self is NO_LIMIT or other is NO_LIMIT:
            return other if self is NO_LIMIT else self
        crossed = [(min(a, c), min(b, d)) for a, b in self.ways for c, d in other.ways]
        return Latest(_longest(crossed))

    def either(self, other: "Latest") -> "Latest":
        if not self.ways or not other.ways:
            return self if self.ways else other
        return Latest(_longest([*self.ways, *other.ways]))

    def is_past(self, time: int, position: int) -> bool:
        """Say whether it can hold for nothing that comes at a time and a position or later."""
        return all(last < time or records < position for last, records in self.ways)


def _longest(ways: list[Way]) -> tuple[Way, ...]:
    """Leave out ways that end before another in both; where there are very many, they are taken for one."""
    kept = [way for way in dict.fromkeys(ways) if not any(_outlasts(other, way) for other in ways)]
    if len(kept) > _MOST_WAYS:
        return ((max(time for time, _ in kept), max(records for _, records in kept)),)
    return tuple(sorted(kept))


def _outlasts(other: Way, way: Way) -> bool:
    return other != way and other[0] >= way[0] and other[1] >= way[1]


NO_LIMIT: Final = Latest(((math.inf, math.inf),))
NEVER: Final = Latest(())
