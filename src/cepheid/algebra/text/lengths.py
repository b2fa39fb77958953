"""Which numbers in an expression are lengths of time: those that are compared with one, or added to a time.

start(b) - end(a) <= 5 s        end(a) + 250 ms        start(a) >= 1700000000000000
"""

from enum import Enum, auto

from cepheid.algebra.expressions import Call, Expr, Moment
from cepheid.algebra.relations import Axis

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


class _Kind(Enum):
    POINT = auto()
    LENGTH = auto()


_LEVELS = 64  # what is nested deeper is no length that somebody writes


def is_length(call: Call, side: int) -> bool:
    """Say whether a number that is the operand of `call` on this side would be a length of time."""
    beside = _kind(call.arguments[1 - side])
    if call.function in _COMPARISONS:
        return beside is _Kind.LENGTH
    if call.function == "-" and side == 0:
        return beside is _Kind.LENGTH
    return call.function in ("+", "-") and beside is not None


def _kind(expression: Expr, levels: int = _LEVELS) -> _Kind | None:
    below = levels - 1
    match expression:
        case Call() if not levels:
            return None
        case Moment(endpoint):
            return _Kind.POINT if endpoint.axis is Axis.TIME else None
        case Call("-", (left, right)):
            return _difference(_kind(left, below), _kind(right, below))
        case Call("+", (left, right)):
            kinds = (_kind(left, below), _kind(right, below))
            return _Kind.POINT if _Kind.POINT in kinds else kinds[0] or kinds[1]
        case Call("neg" | "abs", (operand,)):
            return _kind(operand, below)
        case _:
            return None


def _difference(left: _Kind | None, right: _Kind | None) -> _Kind | None:
    if left is _Kind.POINT:
        return _Kind.LENGTH if right is _Kind.POINT else _Kind.POINT
    return left or right
