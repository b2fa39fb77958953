"""Lengths of time as users give them, and which expressions speak of time."""

from dataclasses import replace
from typing import TypeAlias, TypeVar

from cepheid.algebra.expressions import Aggregate, Call, Expr, Literal, Moment
from cepheid.algebra.patterns import Suppress
from cepheid.algebra.programs import Arrival, Stream
from cepheid.algebra.relations import Axis, Difference, Ticks
from cepheid.algebra.traversal import transform
from cepheid.events import Duration

T = TypeVar("T")

Length: TypeAlias = str | int | Duration

_KEEPS_TIME = frozenset({"+", "-", "neg", "abs", "min", "max", "coalesce"})


class Bare(int):
    """A length that was given as a number: so many units of the query, and so many ticks besides."""

    units: int
    more: int

    def __new__(cls, units: int, more: int = 0) -> "Bare":
        made = super().__new__(cls, units + more)
        made.units, made.more = units, more
        return made

    def __add__(self, other: int) -> "Bare":
        if isinstance(other, Bare):
            return Bare(self.units + other.units, self.more + other.more)
        return Bare(self.units, self.more + other)

    __radd__ = __add__

    def __sub__(self, other: int) -> "Bare":
        return self + -other

    def __neg__(self) -> "Bare":
        return self * -1

    def __mul__(self, times: int) -> "Bare":
        return Bare(self.units * times, self.more * times)

    def __getnewargs__(self) -> tuple[int, int]:  # type: ignore[override]  # two numbers make it
        return self.units, self.more


def ticks(length: Length) -> Ticks:
    """Return the ticks of a length of time; a plain number is in the unit that the query will have.

    >>> ticks("5 ms"), ticks(7)
    (5000, 7)
    """
    if isinstance(length, Duration):
        return length.ticks
    if isinstance(length, str):
        return Duration.parse(length).ticks
    return Bare(length) if length else 0


def in_unit(node: T, unit: Ticks) -> T:
    """Return `node` with every length that was given as a number in a unit of so many ticks."""

    def scaled(item: object) -> object:
        match item:
            case Difference(low=low, high=high) if item.later.axis is Axis.TIME:
                ends = [None if one is None else _of_unit(one, unit) for one in (low, high)]
                return replace(item, low=ends[0], high=ends[1])
            case Literal(value=Bare() as value):
                return Literal(_of_unit(value, unit))
            case Arrival(per=per):
                return replace(item, per=_of_unit(per, unit))
            case Suppress(apart=apart):
                return replace(item, apart=_of_unit(apart, unit))
            case Stream(disorder=disorder):
                return replace(item, disorder=_of_unit(disorder, unit))
            case _:
                return item

    return transform(node, scaled)


def _of_unit(length: Ticks, unit: Ticks) -> Ticks:
    return length.units * unit + length.more if isinstance(length, Bare) else length


def is_temporal(expression: Expr) -> bool:
    """Say whether an expression is a time or a length of time, so that a string beside it is a duration."""
    match expression:
        case Moment(endpoint):
            return endpoint.axis is Axis.TIME
        case Call(function, arguments) if function in _KEEPS_TIME:
            return any(is_temporal(argument) for argument in arguments)
        case Aggregate("min" | "max" | "first" | "last" | "avg" | "sum", Expr() as argument):
            return is_temporal(argument)
        case _:
            return False
