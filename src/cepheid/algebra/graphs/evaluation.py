"""The value of a function of a front: the one meaning that every faster way is compared with."""

from collections.abc import Mapping, Sequence

from cepheid.algebra.expressions import Call, Expr, Field, IsBound, Literal, Variable
from cepheid.algebra.graphs.functions import Function
from cepheid.algebra.graphs.native_calls import NativeCall
from cepheid.algebra.graphs.objects import Thing, get, operation_named
from cepheid.algebra.graphs.refusals import refusal


def value_of(function: Function, front: Sequence[Thing], names: Mapping[str, Thing]) -> Thing:
    """Return what a function gives for a front, with these names in its context."""
    if function.call is not None:
        return function.call(*front[: function.arity])
    return None if function.term is None else evaluate(function.term, front, names)


def evaluate(node: Expr, front: Sequence[Thing], names: Mapping[str, Thing]) -> Thing:
    """Return the value of an expression; None wherever there is none."""
    match node:
        case Literal(value):
            return value
        case Variable(name):
            return front[int(name[1:])] if name.startswith("$") else names.get(name)
        case Field(part, name):
            return get(evaluate(Variable(part), front, names), name)
        case Call(function, arguments):
            return operation_named(function)(*(evaluate(argument, front, names) for argument in arguments))
        case NativeCall(_, function, arguments, in_context):
            given = [evaluate(argument, front, names) for argument in arguments]
            return function(names.get, *given) if in_context else function(*given)
        case IsBound(name):
            return name in names
        case _:
            raise refusal(f"a processor cannot compute `{type(node).__name__.lower()}`", "write a term over `p.x`")
