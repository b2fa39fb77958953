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


def is_length(call: Call, side: int) -> bool:
    """Say whether a number that is the operand of `call` on this side would be a length of time."""
    beside = _kind(call.arguments[1 - side])
    if call.function in _COMPARISONS:
        return beside is _Kind.LENGTH
    if call.function == "-" and side == 0:
        return beside is _Kind.LENGTH
    return call.function in ("+", "-") and beside is not None


def _kind(expression: Expr) -> _Kind | None:
    match expression:
        case Moment(endpoint):
            return _Kind.POINT if endpoint.axis is Axis.TIME else None
        case Call("-", (left, right)):
            return _difference(_kind(left), _kind(right))
        case Call("+", (left, right)):
            kinds = (_kind(left), _kind(right))
            return _Kind.POINT if _Kind.POINT in kinds else _kind(left) or _kind(right)
        case Call("neg" | "abs", (operand,)):
            return _kind(operand)
        case _:
            return None


def _difference(left: _Kind | None, right: _Kind | None) -> _Kind | None:
    if left is _Kind.POINT:
        return _Kind.LENGTH if right is _Kind.POINT else _Kind.POINT
    return left or right
