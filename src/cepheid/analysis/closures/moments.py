"""How far from the end of the match the time that an expression names can lie.

Only expressions that never fall when a time rises are understood: endpoints, plus or minus a constant, `min`, `max`,
`avg` and `floor` of such.
"""

from collections.abc import Callable

from cepheid.algebra.expressions import Call, Expr, Literal, Moment
from cepheid.algebra.relations import Axis, Endpoint

Distance = Callable[[Endpoint], int | None]


def lowest_offset(expression: Expr, distance: Distance) -> int | None:
    """Return how far before the end of the match `expression` can lie at most; None if it can lie anywhere.

    `distance` says how far before that end an endpoint can lie.
    """
    match expression:
        case Moment(endpoint) if endpoint.axis is Axis.TIME:
            return distance(endpoint)
        case Call("+", (inner, Literal(int() as moved))) | Call("+", (Literal(int() as moved), inner)):
            return _moved(lowest_offset(inner, distance), -moved)
        case Call("-", (inner, Literal(int() as moved))):
            return _moved(lowest_offset(inner, distance), moved)
        case Call("min" | "avg", arguments):
            offsets = [lowest_offset(argument, distance) for argument in arguments]
            return None if None in offsets else max(offset for offset in offsets if offset is not None)
        case Call("max", arguments):
            offsets = [lowest_offset(argument, distance) for argument in arguments]
            return min((offset for offset in offsets if offset is not None), default=None)
        case Call("floor", (inner,)):
            return _moved(lowest_offset(inner, distance), 1)
        case _:
            return None


def highest_offset(expression: Expr, distance: Distance) -> int | None:
    """Return how far after the end of the match `expression` can lie at most; None if it can lie anywhere.

    `distance` says how far after that end an endpoint can lie: mostly not at all.
    """
    match expression:
        case Moment(endpoint) if endpoint.axis is Axis.TIME:
            return distance(endpoint)
        case Call("+", (inner, Literal(int() as moved))) | Call("+", (Literal(int() as moved), inner)):
            return _moved(highest_offset(inner, distance), moved)
        case Call("-", (inner, Literal(int() as moved))):
            return _moved(highest_offset(inner, distance), -moved)
        case Call("max" | "avg", arguments):
            offsets = [highest_offset(argument, distance) for argument in arguments]
            return None if None in offsets else max(offset for offset in offsets if offset is not None)
        case Call("min", arguments):
            offsets = [highest_offset(argument, distance) for argument in arguments]
            return min((offset for offset in offsets if offset is not None), default=None)
        case Call("floor", (inner,)):
            return highest_offset(inner, distance)
        case _:
            return None


def _moved(offset: int | None, by: int) -> int | None:
    return None if offset is None else offset + by
