"""Lengths of time as users give them, and which expressions speak of time."""

from typing import TypeAlias

from cepheid.algebra.expressions import Aggregate, Call, Expr, Moment
from cepheid.algebra.relations import Axis, Ticks
from cepheid.events import Duration

Length: TypeAlias = str | int | Duration

_KEEPS_TIME = frozenset({"+", "-", "neg", "abs", "min", "max", "coalesce"})


def ticks(length: Length) -> Ticks:
    """Return the ticks of a length of time; a plain number is in ticks, whatever unit the events have.

    >>> ticks("5 ms"), ticks(7)
    (5000, 7)
    """
    if isinstance(length, Duration):
        return length.ticks
    return Duration.parse(length).ticks if isinstance(length, str) else length


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
