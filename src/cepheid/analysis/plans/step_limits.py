"""Until when a step of a chain can take a record, as its condition says.

`now() <= q + 5 s` holds for no record after that time, and `index() <= p + 5` for none after that position. What HBL
calls Never is that such a moment has passed: no later record can satisfy the step.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from cepheid.algebra.expressions import Call, Expr, Literal, Moment
from cepheid.algebra.patterns import Atom
from cepheid.algebra.traversal import walk
from cepheid.analysis.plans.linear_forms import Known, Linear, linear
from cepheid.events import Value

_OPPOSITE: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


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
        crossed = [(min(a, c), min(b, d)) for a, b in self.ways for c, d in other.ways]
        return Latest(_longest(crossed))

    def either(self, other: "Latest") -> "Latest":
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


_MOST_WAYS: Final = 8
_NO_LIMIT: Final = Latest(((math.inf, math.inf),))


def last_chance(lead: Atom, variables: Mapping[str, Value]) -> Latest:
    """Return until when a record can satisfy a lead, under the variables of a run that waits for it."""
    known = {name: Linear(value, value) for name, value in variables.items() if type(value) is int}
    return StepLimits(lead.name, known, anchored=False).of(lead.where)


def ends_by_itself(lead: Atom, names: Iterable[str]) -> bool:
    """Say whether a lead ends the wait for it some time, where its variables have values, whichever these are."""
    latest = StepLimits(lead.name, {name: Linear(0, 0) for name in names}, anchored=False).of(lead.where)
    return all(math.isfinite(time) or math.isfinite(records) for time, records in latest.ways)


def says_until_when(lead: Atom) -> bool:
    """Say whether a lead compares the time or the position of its record with anything."""
    return any(isinstance(node, Moment) for node in walk(lead.where))


@dataclass(frozen=True, slots=True)
class StepLimits:
    """Reads conditions; `anchored`: limits are counted from the first record of the run, else from zero."""

    lead: str
    known: Known
    anchored: bool

    def of(self, where: Expr | None, *, denied: bool = False) -> Latest:
        """Return until when a condition can hold, or where it is denied, until when it can fail."""
        match where:
            case Call("not", (inner,)):
                return self.of(inner, denied=not denied)
            case Call("and" | "or" as function, (left, right)):
                one, other = (self.of(part, denied=denied) for part in (left, right))
                return one.both(other) if (function == "and") is not denied else one.either(other)
            case Call("coalesce", (inner, Literal(False))):  # what is compared is known, so it is not null
                return self.of(inner, denied=denied)
            case Call("==", (left, right)) if not denied:
                return self._compared("<=", left, right).both(self._compared(">=", left, right))
            case Call(function, (left, right)) if function in _OPPOSITE:
                return self._compared(_OPPOSITE[function] if denied else function, left, right)
            case _:
                return _NO_LIMIT

    def _compared(self, sign: str, left: Expr, right: Expr) -> Latest:
        one, other = linear(left, self.known, self.lead), linear(right, self.known, self.lead)
        if one is None or other is None:
            return _NO_LIMIT
        above = one.plus(other.times(-1)) if sign in ("<", "<=") else other.plus(one.times(-1))
        if not math.isfinite(above.low):
            return _NO_LIMIT
        strict = sign in ("<", ">")
        if above.now > 0 and not above.index and (above.start, above.place) == (self._anchor(above.now), 0):
            return Latest(((_most(above, above.now, strict), math.inf),))
        if above.index > 0 and not above.now and (above.start, above.place) == (0, self._anchor(above.index)):
            return Latest(((math.inf, _most(above, above.index, strict)),))
        return _NO_LIMIT

    def _anchor(self, factor: int) -> int:
        return -factor if self.anchored else 0


def _most(above: Linear, factor: int, strict: bool) -> int:
    """Return the greatest number whose `factor` times, plus at least `low`, is not above zero."""
    return (-int(above.low) - strict) // factor
