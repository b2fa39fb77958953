"""The value of an expression for one event or one match, as a function that is made once: for events pushed singly."""

from collections.abc import Callable, Mapping

from cepheid.algebra.evaluation import Scope, evaluate
from cepheid.algebra.expressions import Call, Expr, Field, IsBound, Literal, Lookup, Moment
from cepheid.algebra.functions import function_named
from cepheid.algebra.programs import Table
from cepheid.algebra.relations import Endpoint
from cepheid.diagnostics import internal_error
from cepheid.events import Value

Read = Callable[[str, str], Callable[..., Value]]
ReadMoment = Callable[[Endpoint], Callable[..., Value]]
Single = Callable[..., Value]  # of whatever the fields are read from


def single(
    expression: Expr, read: Read, moment: ReadMoment, bound: frozenset[str], tables: Mapping[str, Table]
) -> Single:
    """Return the function for an expression; `read` and `moment` say how fields and endpoints are read."""

    def made(one: Expr) -> Single:
        match one:
            case Literal(value):
                return lambda _: value
            case Field(part, name):
                return read(part, name)
            case Moment(endpoint):
                return moment(endpoint)
            case IsBound(name):
                return lambda _, known=name in bound: known
            case Call(function, arguments):
                return _call(function, [made(argument) for argument in arguments])
            case Lookup(table, keys, column):
                return _look_up(table, [made(key) for key in keys], column, tables)
            case _:
                raise internal_error(f"a kernel was given an expression that it cannot read: {one!r}")

    return made(expression)


def _call(function: str, arguments: list[Single]) -> Single:
    known = function_named(function)
    if known is None:
        raise LookupError(f"there is no function `{function}`")
    apply = known.apply
    if len(arguments) == 2:
        first, second = arguments
        return lambda source: apply(first(source), second(source))
    return lambda source: apply(*(argument(source) for argument in arguments))


def _look_up(table: str, keys: list[Single], column: str | None, tables: Mapping[str, Table]) -> Single:
    scope = Scope(tables=tables)

    def look(source: object) -> Value:
        return evaluate(Lookup(table, tuple(Literal(key(source)) for key in keys), column), scope)

    return look
