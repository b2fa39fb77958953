"""Why a rule is left to the interpreter."""

from cepheid.algebra.expressions import Call, Expr, Field, IsBound, Literal, Lookup, Moment, Variable
from cepheid.algebra.relations import Axis, Endpoint
from cepheid.algebra.traversal import walk


class Declined(Exception):  # noqa: N818  # nothing went wrong
    """The kernels have no shape for a rule; the message says what it has that they lack."""


class Never(Declined):
    """A pattern can never match; the message says why."""


_READABLE = (Literal, Field, Moment, Call, Lookup, IsBound, Endpoint)


def readable(
    expression: Expr | None, *, hull: bool, also: tuple[str, ...] = (), variables: bool = False, places: bool = False
) -> None:
    """Decline an expression that columns cannot give.

    `hull`: the whole match can be read; `also`: what else can be; `variables`: those of runs can;
    `places`: so can where something stands in the stream.
    """
    for node in walk(expression):
        if variables and isinstance(node, Variable):
            continue
        if isinstance(node, Expr) and not isinstance(node, _READABLE):
            raise Declined("it reads variables or folds")
        if isinstance(node, Endpoint) and node.axis is Axis.TIME and node.part in also:
            continue
        axes = (Axis.TIME, Axis.POSITION) if places else (Axis.TIME,)
        if isinstance(node, Endpoint) and not (node.axis in axes and _is_read(node.part, hull)):
            raise Declined("it reads positions or hulls of parts")


def _is_read(part: str, hull: bool) -> bool:
    return not part.startswith("$") or (hull and part == "$pattern")
