"""Values of a run as what they are beside its first record: the first record's time or position, plus so much.

    q = now() of the first record            start + [0, 0]
    p = index() of a record within 5         place + [0, 5]
    now() <= q + 5 s                         now - start <= 5 s

Only whole numbers are followed: what is rounded may be more than it seems.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from cepheid.algebra.expressions import Call, Expr, Literal, Moment, Variable
from cepheid.algebra.relations import Axis, Edge

Known = Mapping[str, "Linear | None"]
_MOST: Final = 2**200  # what is further away could not be a float any more


@dataclass(frozen=True, slots=True)
class Linear:
    """`now` times the time of the record, `index` its position, `start` and `place` those of the first, and a range."""

    low: float = 0
    high: float = 0
    now: int = 0
    index: int = 0
    start: int = 0
    place: int = 0

    @classmethod
    def between(cls, low: float, high: float, *parts: int) -> "Linear":
        """Return what lies in a range, which is made wider where its ends are too far away to be reckoned with."""
        return cls(
            -math.inf if low < -_MOST else min(low, _MOST), math.inf if high > _MOST else max(high, -_MOST), *parts
        )

    def plus(self, other: "Linear") -> "Linear":
        return Linear.between(
            self.low + other.low,
            self.high + other.high,
            self.now + other.now,
            self.index + other.index,
            self.start + other.start,
            self.place + other.place,
        )

    def times(self, number: int) -> "Linear":
        ends = (_product(self.low, number), _product(self.high, number))
        parts = (number * part for part in (self.now, self.index, self.start, self.place))
        return Linear.between(min(ends), max(ends), *parts)

    def hull(self, other: "Linear") -> "Linear | None":
        """Return what is either of two, None where they do not rest on the same."""
        if replace(self, low=0, high=0) != replace(other, low=0, high=0):
            return None
        return replace(self, low=min(self.low, other.low), high=max(self.high, other.high))

    @property
    def number(self) -> int | None:
        """The whole number that this always is, None where it is not."""
        fixed = self == Linear(self.low, self.low) and math.isfinite(self.low)
        return int(self.low) if fixed else None


def linear(expression: Expr, known: Known, lead: str) -> Linear | None:
    """Return the value of an expression of a step, None where nothing is known about it."""
    match expression:
        case Literal(int() as number) if not isinstance(number, bool):
            return Linear.between(number, number)
        case Variable(name):
            return known.get(name)
        case Moment(endpoint) if endpoint.part == lead:
            if endpoint.axis is Axis.POSITION:
                return Linear(index=1)
            return Linear(now=1) if endpoint.axis is Axis.TIME and endpoint.edge is Edge.END else None
        case Call(function, arguments) if function in _OPERATIONS:
            values = [linear(argument, known, lead) for argument in arguments]
            told = [value for value in values if value is not None]
            return _OPERATIONS[function](told) if len(told) == len(values) else None
        case _:
            return None


def _scaled(factors: list[Linear]) -> Linear | None:
    one, other = factors
    if one.number is not None:
        return other.times(one.number)
    return None if other.number is None else one.times(other.number)


def _product(end: float, number: int) -> float:
    return 0 if number == 0 else end * number


_OPERATIONS: Final[Mapping[str, Callable[[list[Linear]], Linear | None]]] = {
    "+": lambda values: values[0].plus(values[1]),
    "-": lambda values: values[0].plus(values[1].times(-1)),
    "neg": lambda values: values[0].times(-1),
    "*": _scaled,
}
