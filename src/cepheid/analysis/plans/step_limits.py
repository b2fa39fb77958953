"""Until when a step of a chain can take a record, as its condition says.

`now() <= q + 5 s` holds for no record after that time, and `index() <= p + 5` for none after that position. What HBL
calls Never is that such a moment has passed: no later record can satisfy the step.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final

from cepheid.algebra.expressions import Call, Expr, Literal, Moment
from cepheid.algebra.patterns import Atom
from cepheid.algebra.traversal import walk
from cepheid.analysis.plans.comparisons import Comparison
from cepheid.analysis.plans.latest import NEVER, NO_LIMIT, Latest
from cepheid.analysis.plans.linear_forms import Known, Linear
from cepheid.events import Value

_OPPOSITE: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_COMPARED: Final = frozenset(["==", "!=", *_OPPOSITE])
_MOST_CHOSEN: Final = 64
"""Where a condition chooses from more values than so many, no limit is read."""


def last_chance(lead: Atom, variables: Mapping[str, Value]) -> Latest:
    """Return until when a record can satisfy a lead, under the variables of a run that waits for it."""
    known = {name: Linear.of(value) for name, value in variables.items() if value is not None}
    return StepLimits(lead.name, known, anchored=False).of(lead.where)


def ends_by_itself(lead: Atom, names: Iterable[str]) -> bool:
    """Say whether a lead ends the wait for it some time, where its variables have values, whichever these are."""
    latest = StepLimits(lead.name, {name: Linear.constant(1) for name in names}, anchored=False).of(lead.where)
    return all(math.isfinite(time) or math.isfinite(records) for time, records in latest.ways)


def says_until_when(lead: Atom) -> bool:
    """Say whether a lead compares the time or the position of its record with anything."""
    return any(isinstance(node, Moment) for node in walk(lead.where))


@dataclass(frozen=True, slots=True)
class StepLimits:
    """Reads conditions; `anchored`: limits are counted from the first record of the run, else from zero.

    A condition is true, false, or neither, which is null. Until when it can be each of them is read by itself.
    """

    lead: str
    known: Known
    anchored: bool
    room: int = _MOST_CHOSEN

    def of(self, where: Expr | None, truth: bool | None = True) -> Latest:
        """Return until when a condition can be true, or false, or null."""
        match where:
            case Literal(value):
                return NO_LIMIT if truth is (value if isinstance(value, bool) else None) else NEVER
            case Call("not", (inner,)):
                return self.of(inner, None if truth is None else not truth)
            case Call("and" | "or" as function, (left, right)):
                return self._joined(left, right, truth, decides=function == "or")
            case Call("coalesce", (inner, Literal(bool() as default))):
                known = self.of(inner, truth)
                return known.either(self.of(inner, None)) if truth is default else known
            case Call("if", (condition, yes, no)):
                return self._chosen(condition, yes, no, truth)
            case Call("in", (item, Literal(tuple() as several))) if truth:
                return reduce(Latest.either, [self.of(Call("==", (item, Literal(one)))) for one in several], NEVER)
            case Call(function, (left, right)) if function in _COMPARED:
                return self._compared(function, left, right, truth)
            case _:
                return NO_LIMIT

    def _joined(self, left: Expr, right: Expr, truth: bool | None, *, decides: bool) -> Latest:
        """Return until when one of two conditions decides, or else both are so, or neither decides and one is null."""
        one, other = self.of(left, truth), self.of(right, truth)
        if truth is not None:
            return one.either(other) if truth is decides else one.both(other)
        agrees = [self.of(part, not decides) for part in (left, right)]
        return one.both(other).either(one.both(agrees[1])).either(agrees[0].both(other))

    def _chosen(self, condition: Expr, yes: Expr, no: Expr, truth: bool | None) -> Latest:
        inner = replace(self, room=self.room // 3)
        if not inner.room:
            return NO_LIMIT
        otherwise = inner.of(condition, False).either(inner.of(condition, None))
        return inner.of(condition).both(inner.of(yes, truth)).either(otherwise.both(inner.of(no, truth)))

    def _compared(self, function: str, left: Expr, right: Expr, truth: bool | None) -> Latest:
        comparison = Comparison(self.known, self.lead, self.anchored, self.room, self._with_room)
        if truth is None:
            return comparison.null(left, right)
        if function in ("==", "!="):
            equal = truth is (function == "==")
            return comparison.at_most(left, right).both(comparison.at_most(right, left)) if equal else NO_LIMIT
        sign = function if truth else _OPPOSITE[function]
        less, more = (left, right) if sign in ("<", "<=") else (right, left)
        return comparison.at_most(less, more, strict=sign in ("<", ">"))

    def _with_room(self, condition: Expr, room: int) -> Latest:
        return replace(self, room=room).of(condition)
