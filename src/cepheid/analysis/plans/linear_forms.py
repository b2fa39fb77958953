"""Values of a run as what they are beside its first record: the first record's time or position, plus so much.

    q = now() of the first record            start + [0, 0]
    p = index() of a record within 5         place + [0, 5]
    now() <= q + 5 s                         now - start <= 5 s

What is rounded lies in a range around the exact value: a quotient of times is known up to the error of a float.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from cepheid.events import MAX_TIME, MIN_TIME, Value
from cepheid.events.values import GREATEST_INTEGER, LEAST_INTEGER, is_number

Known = Mapping[str, "Linear | None"]
Real = float | Fraction
"""A whole number or a fraction, which are exact, or an infinity."""
Basis = tuple[Real, Real, Real, Real]
_MOST: Final = 2**200  # what is further away could not be a float any more
_ROUNDED: Final = Fraction(1, 2**51)  # so much of its operands an operation on floats is off, at most
_LAST_PLACE: Final = 2**62  # nobody has seen so many records


@dataclass(frozen=True, slots=True)
class Linear:
    """`now` times the time of the record, `index` its position, `start` and `place` those of the first, and a range.

    If it is a whole number, no value of it lies outside `least` and `most`, where these leave 64 bits it may be null.
    `steady`: what it is computed from is never null. `rounded`: there is more to it than sums and products of wholes.
    """

    low: Real = 0
    high: Real = 0
    now: Real = 0
    index: Real = 0
    start: Real = 0
    place: Real = 0
    least: Real = 0
    most: Real = 0
    whole: bool = True
    steady: bool = True
    rounded: bool = False

    @classmethod
    def constant(cls, number: float) -> "Linear":
        """Return a finite number."""
        exact: Real = number if isinstance(number, int) else Fraction(number)
        return cls(exact, exact, least=exact, most=exact, whole=isinstance(number, int))

    @classmethod
    def of(cls, value: Value) -> "Linear | None":
        """Return a value, None where it is no number, or one that is too far away to be reckoned with."""
        return cls.constant(value) if is_number(value) and -_MOST <= value <= _MOST else None

    def plus(self, other: "Linear") -> "Linear":
        """Return the exact sum."""
        low, high = _near(self.low + other.low), _near(self.high + other.high)
        now, index = self.now + other.now, self.index + other.index
        return self._with(low, high, (now, index, self.start + other.start, self.place + other.place))

    def minus(self, other: "Linear") -> "Linear":
        """Return the exact difference."""
        low, high = _near(self.low - other.high), _near(self.high - other.low)
        now, index = self.now - other.now, self.index - other.index
        return self._with(low, high, (now, index, self.start - other.start, self.place - other.place))

    def times(self, number: Real) -> "Linear":
        """Return the exact product."""
        low, high = _near(_product(self.low, number)), _near(_product(self.high, number))
        basis = (number * self.now, number * self.index, number * self.start, number * self.place)
        return self._with(low, high, basis) if number >= 0 else self._with(high, low, basis)

    def wider(self, below: Real, above: Real) -> "Linear":
        """Return what may be so much less, or so much more."""
        return self._with(_near(self.low - below), _near(self.high + above), self.basis)

    def _with(self, low: Real, high: Real, basis: Basis) -> "Linear":
        return Linear(low, high, *basis, self.least, self.most, self.whole, self.steady, self.rounded)

    def hull(self, other: "Linear") -> "Linear | None":
        """Return what is either of two, None where they do not rest on the same."""
        if self.basis != other.basis:
            return None
        ends = (min(self.low, other.low), max(self.high, other.high))
        return replace(
            self,
            low=ends[0],
            high=ends[1],
            least=min(self.least, other.least),
            most=max(self.most, other.most),
            whole=self.whole and other.whole,
            steady=self.is_sure and other.is_sure,
            rounded=self.rounded or other.rounded,
        )

    @property
    def basis(self) -> Basis:
        return self.now, self.index, self.start, self.place

    @property
    def is_finite(self) -> bool:
        """Is its range finite, and are all its values? Of floats, nothing else is followed: they may be no number."""
        return math.inf not in (abs(self.low), abs(self.high), abs(self.least), abs(self.most))

    @property
    def is_sure(self) -> bool:
        """Is it never null?"""
        return self.steady and not (self.whole and (self.least < LEAST_INTEGER or self.most > GREATEST_INTEGER))

    @property
    def size(self) -> Real:
        """How far from zero it is at most, where it is not null."""
        size: Real = -self.least if -self.least > self.most else self.most
        return 2**63 if self.whole and size > 2**63 else size

    @property
    def number(self) -> float | None:
        """The number that this always is, None where it is not."""
        if self.low != self.high or any(self.basis) or not self.is_sure or abs(self.low) == math.inf:
            return None
        return int(self.low) if self.whole else float(self.low)


TIME: Final = Linear(now=1, least=MIN_TIME, most=MAX_TIME)
POSITION: Final = Linear(index=1, most=_LAST_PLACE)


def computed(form: Linear, least: Real, most: Real, operands: tuple[Linear, ...], *, whole: bool) -> Linear | None:
    """Return the result of an operation, None where a float is not known to be finite."""
    steady, inexact = True, not whole
    for one in operands:
        steady, inexact = steady and one.is_sure, inexact or one.rounded
    made = Linear(form.low, form.high, *form.basis, least, most, whole, steady, inexact)
    return made if whole or made.is_finite else None


def rounded(form: Linear, size: Real, operands: tuple[Linear, ...]) -> Linear | None:
    """Return the result of an operation on floats whose operands were as large as `size`."""
    if size == math.inf:
        return None
    error = size * _ROUNDED
    return computed(form.wider(error, error), -size - error, size + error, operands, whole=False)


def _near(end: Real) -> Real:
    """Return an end of a range, which is made wider where it is too far away to be reckoned with."""
    if -_MOST <= end <= _MOST:
        return end
    return math.inf if end > 0 else -math.inf


def _product(end: Real, number: Real) -> Real:
    return 0 if number == 0 else end * number
