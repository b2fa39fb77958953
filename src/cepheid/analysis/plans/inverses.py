"""Undoing what is monotone: where a function of a number is at most so much, the number is at most so much itself.

    (now() - q) / 1 s <= 10        now() - q <= 10 s
    floor(index() / 10) < 3        index() <= 29

The number is found by trying, with the very operations that the condition does, so that rounding is as it is there.
"""

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cepheid.algebra.expressions import Call, Expr
from cepheid.analysis.plans.linear_forms import Known, Linear, Real
from cepheid.analysis.plans.linear_terms import linear

Number = int | float


@dataclass(frozen=True, slots=True)
class Done:
    """An operation that is done to a number, beside a constant where there is one."""

    function: str
    constant: Number | None = None
    before: bool = False

    def to(self, number: Number) -> Number:
        if self.constant is None:
            return _ALONE[self.function](number)
        do = _BESIDE[self.function]
        return do(self.constant, number) if self.before else do(number, self.constant)

    @property
    def falls(self) -> bool:
        """Is the result less where the number is greater?"""
        if self.function in ("*", "/", "//"):
            return self.constant is not None and self.constant < 0
        return self.function == "neg" or (self.function == "-" and self.before)


@dataclass(frozen=True, slots=True)
class Undone:
    """What is done to a number, the last first."""

    number: Linear
    done: tuple[Done, ...] = ()

    def least_above(self, bound: Real, *, strict: bool) -> Linear | None:
        """Return what is not above zero where the result is not above a bound, or is below it where that is strict."""
        falls = sum(one.falls for one in self.done) % 2 == 1
        most = _greatest(self.done, falls, bound, strict)
        return None if most is None else self.number.times(-1 if falls else 1).plus(Linear.constant(-most))

    def negated(self) -> "Undone":
        return Undone(self.number, (Done("neg"), *self.done))


def undone(expression: Expr, known: Known, lead: str) -> Undone | None:
    """Return what an expression does to a whole number that is known, None where it does more than what is monotone."""
    form = linear(expression, known, lead)
    if form is not None and form.whole and (not form.rounded or not isinstance(expression, Call)):
        return Undone(form)
    match expression:
        case Call(function, (inner,)) if function in _ALONE:
            return _with(undone(inner, known, lead), Done(function))
        case Call(function, (one, other)) if function in _BESIDE:
            return _beside(function, one, other, known, lead)
        case _:
            return None


def _beside(function: str, one: Expr, other: Expr, known: Known, lead: str) -> Undone | None:
    left, right = (linear(side, known, lead) for side in (one, other))
    if right is not None and right.number is not None:
        if right.number == 0 and function in ("*", "/", "//"):
            return None
        if function == "//" and not (right.whole and left is not None and left.whole):
            return None  # of floats it is not rounded as one would think
        return _with(undone(one, known, lead), Done(function, right.number))
    if left is None or left.number is None or function not in ("+", "-", "*") or (function == "*" and not left.number):
        return None
    return _with(undone(other, known, lead), Done(function, left.number, before=True))


def _with(inner: Undone | None, done: Done) -> Undone | None:
    return None if inner is None else Undone(inner.number, (done, *inner.done))


@lru_cache(4096)
def _greatest(done: tuple[Done, ...], falls: bool, bound: Real, strict: bool) -> int | None:
    """Return the greatest number, or where it falls, the greatest negative of one, whose result is in a bound.

    None is a number that no value is greater than, or one that is not known.
    """

    def fits(number: int) -> bool:
        result: Number = -number if falls else number
        for one in reversed(done):
            result = one.to(result)
        return result < bound if strict else result <= bound

    low, high = -(2**64), 2**64
    try:
        if fits(high):
            return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if fits(middle) else (low, middle)
    except (OverflowError, ValueError):  # no float is as large, and so nothing is known
        return None
    return low


def _quotient(number: Number, divisor: Number) -> Number:
    return float(number) / float(divisor)


_ALONE: Final[Mapping[str, Callable[[Number], Number]]] = {
    "neg": operator.neg,
    "floor": math.floor,
    "ceil": math.ceil,
    "round": round,
    "int": int,
    "float": float,
}
_BESIDE: Final[Mapping[str, Callable[[Number, Number], Number]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _quotient,
    "//": operator.floordiv,
}
