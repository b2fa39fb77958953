"""Until when one value of a step can be at most another, as functions of the time and the position of its record.

    2 * now() <= 2 * q + 5          where both are sums
    (now() - q) / 1 s <= 10         where what is done to a sum can be undone
    max(now(), v) <= q + 5          where one of several is chosen, for those that it is chosen from

No limit is earlier than the last moment at which it can be, and some are later, where floats are rounded.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce

from cepheid.algebra.expressions import Call, Expr, Variable
from cepheid.analysis.plans.choices_in_terms import NULL_OF_NULL, Chosen, choice_in
from cepheid.analysis.plans.inverses import undone
from cepheid.analysis.plans.latest import NEVER, NO_LIMIT, Latest
from cepheid.analysis.plans.linear_forms import Known, Linear, Real
from cepheid.analysis.plans.linear_terms import linear
from cepheid.events.values import GREATEST_INTEGER, LEAST_INTEGER

Reading = Callable[["Comparison", Expr, Expr], Latest]
Pair = tuple[Expr, Expr, Expr]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Reads until when one value can be at most another.

    `condition` reads a condition, and `room` is how many values may still be chosen from, there or here.
    """

    known: Known
    lead: str
    anchored: bool
    room: int
    condition: Callable[[Expr, int], Latest]

    def at_most(self, less: Expr, more: Expr, *, strict: bool = False) -> Latest:
        """Return until when one value can be at most another, or below it where that is strict."""
        one, other = self._linear(less), self._linear(more)
        if one is None or other is None:
            if self._is_null(less) or self._is_null(more):
                return NEVER
            return self._chosen(less, more, lambda some, a, b: some.at_most(a, b, strict=strict), for_null=False)
        found = self._not_above(one.minus(other), strict)
        if one.rounded or other.rounded:
            return found.both(self._undone(less, more, one, other, strict=strict))
        return found

    def null(self, left: Expr, right: Expr) -> Latest:
        """Return until when a comparison can be null.

        Of whole numbers it is where one of them overflows, and what is too large is not below what is no larger.
        """
        one, other = self._linear(left), self._linear(right)
        if one is None or other is None:
            return self._chosen(left, right, Comparison.null, for_null=True)
        if one.is_sure and other.is_sure:
            return NEVER
        for less, more in ((one, other), (other, one)):
            exact = less.whole and more.whole and less.steady and more.steady
            if exact and less.most <= GREATEST_INTEGER and more.least >= LEAST_INTEGER:
                return self._not_above(less.minus(more), strict=False)
        return NO_LIMIT

    def _is_null(self, expression: Expr) -> bool:
        """Say whether a value is null because a variable is, which a run knows by itself."""
        match expression:
            case Variable(name):
                return not self.anchored and name not in self.known
            case Call(function, arguments) if function in NULL_OF_NULL:
                return any(map(self._is_null, arguments))
            case _:
                return False

    def _linear(self, expression: Expr) -> Linear | None:
        return linear(expression, self.known, self.lead)

    def _chosen(self, less: Expr, more: Expr, read: Reading, *, for_null: bool) -> Latest:
        """Return the same of the values from which one of the two is chosen."""
        pairs, chosen = _pairs(less, more)
        if not pairs or self.room < len(pairs):
            return NO_LIMIT
        inner = replace(self, room=self.room // len(pairs))
        found = [self.condition(when, inner.room).both(read(inner, one, other)) for when, one, other in pairs]
        return reduce(Latest.both if chosen and not for_null else Latest.either, found)

    def _undone(self, less: Expr, more: Expr, one: Linear, other: Linear, *, strict: bool) -> Latest:
        """Return until when it can be where one side is a constant and what was done to the other can be undone."""
        known, lead = self.known, self.lead
        if not any(other.basis) and math.isfinite(other.high):
            found, bound = undone(less, known, lead), other.high
        elif not any(one.basis) and math.isfinite(one.low):
            found, bound = undone(more, known, lead), -one.low
            found = None if found is None else found.negated()
        else:
            return NO_LIMIT
        above = None if found is None else found.least_above(bound, strict=strict)
        return NO_LIMIT if above is None else self._not_above(above, strict=False)

    def _not_above(self, above: Linear, strict: bool) -> Latest:
        """Return until when something is not above zero, or where that is strict, is below it.

        A position is never negative, and a later record has a later one, and no earlier time.
        """
        anchored = self.anchored
        moved, further = (above.now + above.start, above.index + above.place) if anchored else (0, 0)
        if moved or further < 0 or above.index < 0 or not math.isfinite(above.low):
            return NO_LIMIT
        if not above.now and not above.index and (above.low > 0 or (strict and above.low == 0)):
            return NEVER
        time = _most(above, above.now, strict) if above.now > 0 else math.inf
        counts = above.index > 0 and (above.now == 0 or (anchored and above.now > 0))
        return Latest(((time, _most(above, above.index, strict) if counts else math.inf),))


def _pairs(less: Expr, more: Expr) -> tuple[list[Pair], bool]:
    """Return two values for each that one of them may be chosen from, and whether what holds must hold for all."""
    choice = choice_in(less)
    if choice is not None:
        return [(when, one, more) for when, one in choice.options], choice.chosen is Chosen.GREATEST
    choice = choice_in(more)
    if choice is not None:
        return [(when, less, one) for when, one in choice.options], choice.chosen is Chosen.LEAST
    return [], False


def _most(above: Linear, factor: Real, strict: bool) -> int:
    """Return the greatest whole number whose `factor` times, plus at least `low`, is not above zero."""
    if isinstance(above.low, int) and isinstance(factor, int):
        return (-above.low - strict) // factor
    most = Fraction(-above.low) / Fraction(factor)
    return math.ceil(most) - 1 if strict else math.floor(most)
