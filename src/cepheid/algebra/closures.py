"""Expressions, relations and keys as functions that are made once: what `evaluation` says, many times faster.

`evaluate` is the meaning. It looks at the kind of every node whenever it is asked; here that is done once for each
expression, and `tests/properties/test_closures.py` compares the two. `holds`, `stands` and `agree` are those of
`evaluation`, for whoever asks often about the same nodes.
"""

from collections.abc import Callable, Mapping, Sequence

from cepheid.algebra.evaluation import Scope, evaluate, moment
from cepheid.algebra.expressions import TYPE, Call, Expr, Field, Literal, Moment, Variable
from cepheid.algebra.functions import function_named, is_built_in
from cepheid.algebra.relations import Axis, Difference, Edge, Endpoint, Relation
from cepheid.algebra.remembering import ByIdentity
from cepheid.events import Value, values

Closure = Callable[[Scope], Value]
Test = Callable[[Scope], bool]
Key = tuple[object, ...]


@ByIdentity
def closure(expression: Expr) -> Closure:
    """Return the function that gives the value of an expression under a scope."""
    match expression:
        case Literal(value):
            return lambda _: value
        case Field(part, name) if name != TYPE:
            return _field(part, name)
        case Variable(name):
            return lambda scope: scope.variables.get(name)
        case Moment(endpoint):
            return lambda scope: moment(endpoint, scope)
        case Call(function, arguments) if is_built_in(function):
            return _call(function, [closure(argument) for argument in arguments])
        case _:  # what is rare, or may be registered anew
            return lambda scope: evaluate(expression, scope)


@ByIdentity
def relation_test(relation: Relation) -> Test:
    """Return the function that says whether every difference of a relation holds."""
    every = [_difference(one) for one in relation]
    if len(every) == 1:
        return every[0]

    def stands_in(scope: Scope) -> bool:
        for differs in every:  # noqa: SIM110  # a generator takes three times as long
            if not differs(scope):
                return False
        return True

    return stands_in


@ByIdentity
def equality_test(equal: Sequence[tuple[Expr, Expr]]) -> Test:
    """Return the function that says whether both sides of every equality have the same value."""
    sides = [(closure(left), closure(right)) for left, right in equal]
    equals = values.equal

    def agrees(scope: Scope) -> bool:
        for left, right in sides:  # noqa: SIM110  # a generator takes three times as long
            if equals(left(scope), right(scope)) is not True:
                return False
        return True

    return agrees


@ByIdentity
def key_maker(expressions: Sequence[Expr]) -> Callable[[Scope], Key | None]:
    """Return the function that gives the key which some expressions make, None where one of them is null."""
    parts = [closure(one) for one in expressions]
    key_of = values.key_of
    if len(parts) == 1:
        only = parts[0]
        return lambda scope: None if (key := key_of(only(scope))) is None else (key,)

    def key_under(scope: Scope) -> Key | None:
        key = tuple([key_of(part(scope)) for part in parts])
        return None if None in key else key

    return key_under


def holds(condition: Expr | None, scope: Scope) -> bool:
    """Say whether a condition is true; null is not, and no condition is always true."""
    return condition is None or closure(condition)(scope) is True


def stands(relation: Relation, scope: Scope) -> bool:
    """Say whether every difference of `relation` holds; one with an unbound end does not."""
    return not relation or relation_test(relation)(scope)


def agree(equal: Sequence[tuple[Expr, Expr]], scope: Scope) -> bool:
    """Say whether both sides of every equality have the same value; null equals nothing."""
    return not equal or equality_test(equal)(scope)


def _field(part: str, name: str) -> Closure:
    def read(scope: Scope) -> Value:
        bound = scope.parts.get(part)
        if bound is not None:
            return bound.fields.get(name)
        record = scope.variables.get(part)
        return record.get(name) if isinstance(record, Mapping) else None

    return read


def _call(function: str, arguments: list[Closure]) -> Closure:
    known = function_named(function)
    assert known is not None
    apply = known.apply
    if function == "and" and len(arguments) == 2:
        return _conjunction(*arguments)
    if len(arguments) == 1:
        only = arguments[0]
        return lambda scope: apply(only(scope))
    if len(arguments) == 2:
        first, second = arguments
        return lambda scope: apply(first(scope), second(scope))
    return lambda scope: apply(*[argument(scope) for argument in arguments])


def _conjunction(first: Closure, second: Closure) -> Closure:
    """False decides alone, so that the second is not asked then."""

    def both(scope: Scope) -> Value:
        left = first(scope)
        return False if left is False else values.and_(left, second(scope))

    return both


def _difference(difference: Difference) -> Test:
    if difference.later.axis is Axis.ARRIVAL:
        return _arrivals(difference)
    later, earlier = _moment(difference.later), _moment(difference.earlier)
    low, high = difference.low, difference.high

    def differs(scope: Scope) -> bool:
        one, other = later(scope), earlier(scope)
        if one is None or other is None:
            return False
        distance = one - other
        return (low is None or low <= distance) and (high is None or distance <= high)

    return differs


def _moment(endpoint: Endpoint) -> Callable[[Scope], int | None]:
    part = endpoint.part
    if endpoint.axis is not Axis.TIME:
        return lambda scope: moment(endpoint, scope)
    if endpoint.edge is Edge.START:
        return lambda scope: None if (bound := scope.parts.get(part)) is None else bound.start
    return lambda scope: None if (bound := scope.parts.get(part)) is None else bound.end


def _arrivals(difference: Difference) -> Test:
    parts = (difference.later.part, difference.earlier.part)
    starts = [one.edge is Edge.START for one in (difference.later, difference.earlier)]
    strictly = difference.low == 1

    def comes_after(scope: Scope) -> bool:
        later, earlier = scope.parts.get(parts[0]), scope.parts.get(parts[1])
        if later is None or earlier is None:
            return False
        one = later.first if starts[0] else later.last
        other = earlier.first if starts[1] else earlier.last
        return one > other if strictly else one >= other

    return comes_after
