"""The value of an expression under what is bound: the one meaning that every tier must agree with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from cepheid.algebra.expressions import (
    TYPE,
    Aggregate,
    Call,
    Expr,
    Field,
    IsBound,
    Literal,
    Lookup,
    Moment,
    Variable,
)
from cepheid.algebra.functions import function_named
from cepheid.algebra.programs import Row, Table
from cepheid.algebra.relations import Axis, Difference, Edge, Endpoint, Relation
from cepheid.algebra.remembering import ByIdentity
from cepheid.events import OrderKey, Value, arithmetic, values


class Extent(Protocol):
    """What a name stands for: an interval of time and of positions, with fields."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def low(self) -> int | None: ...
    @property
    def high(self) -> int | None: ...
    @property
    def first(self) -> OrderKey: ...
    @property
    def last(self) -> OrderKey: ...
    @property
    def fields(self) -> Mapping[str, Value]: ...
    @property
    def type(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Scope:
    """What an expression can read; `evaluation` is another way to compute, for objects that are no values."""

    parts: Mapping[str, Extent] = field(default_factory=dict)
    variables: Mapping[str, Value] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    items: Sequence["Scope"] = ()
    evaluation: Callable[[Expr, "Scope"], Value] | None = None

    def with_parts(self, **parts: Extent) -> "Scope":
        return replace(self, parts={**self.parts, **parts})


def evaluate(expression: Expr, scope: Scope) -> Value:
    """Return the value of `expression`, null wherever there is none."""
    match expression:
        case Literal(value):
            return value
        case Field(part, name):
            return _field(scope, part, name)
        case Moment(endpoint):
            return moment(endpoint, scope)
        case Variable(name):
            return scope.variables.get(name)
        case Call(function, arguments):
            return _call(function, [evaluate(argument, scope) for argument in arguments])
        case Aggregate(function, argument):
            return _aggregate(function, argument, scope)
        case Lookup(table, keys, column):
            return _look_up(scope.tables.get(table), [evaluate(key, scope) for key in keys], column)
        case IsBound(name):
            return name in scope.parts or name in scope.variables
        case _:
            raise AssertionError(f"not an expression: {expression!r}")


def computed(expression: Expr, scope: Scope) -> Value:
    """Return the value of an expression, in the way that the scope asks for."""
    return evaluate(expression, scope) if scope.evaluation is None else scope.evaluation(expression, scope)


def holds(condition: Expr | None, scope: Scope) -> bool:
    """Say whether a condition is true; null is not, and no condition is always true."""
    return condition is None or computed(condition, scope) is True


def moment(endpoint: Endpoint, scope: Scope) -> int | None:
    """Return the time or position of an endpoint; null where its part is not bound or is no record."""
    part = scope.parts.get(endpoint.part)
    if part is None:
        return None
    if endpoint.axis is Axis.TIME:
        return part.start if endpoint.edge is Edge.START else part.end
    return part.low if endpoint.edge is Edge.START else part.high


def stands(relation: Relation, scope: Scope) -> bool:
    """Say whether every difference of `relation` holds; one with an unbound end does not."""
    return all(_differs(difference, scope) for difference in relation)


def agree(equal: Sequence[tuple[Expr, Expr]], scope: Scope) -> bool:
    """Say whether both sides of every equality have the same value; null equals nothing."""
    return all(values.equal(evaluate(left, scope), evaluate(right, scope)) is True for left, right in equal)


def _differs(difference: Difference, scope: Scope) -> bool:
    if difference.later.axis is Axis.ARRIVAL:
        return _comes_after(difference, scope)
    later, earlier = moment(difference.later, scope), moment(difference.earlier, scope)
    if later is None or earlier is None:
        return False
    distance = later - earlier
    return (difference.low is None or difference.low <= distance) and (
        difference.high is None or distance <= difference.high
    )


def _comes_after(difference: Difference, scope: Scope) -> bool:
    later, earlier = (_arrival(one, scope) for one in (difference.later, difference.earlier))
    if later is None or earlier is None:
        return False
    return later > earlier if difference.low == 1 else later >= earlier


def _arrival(endpoint: Endpoint, scope: Scope) -> OrderKey | None:
    part = scope.parts.get(endpoint.part)
    if part is None:
        return None
    return part.first if endpoint.edge is Edge.START else part.last


def _field(scope: Scope, part: str, name: str) -> Value:
    bound = scope.parts.get(part)
    if bound is not None:
        return bound.type if name == TYPE else bound.fields.get(name)
    record = scope.variables.get(part)
    return record.get(name) if isinstance(record, Mapping) else None


def _call(function: str, arguments: list[Value]) -> Value:
    known = function_named(function)
    if known is None:
        raise LookupError(f"there is no function `{function}`")
    return known.apply(*arguments)


def _look_up(table: Table | None, keys: list[Value], column: str | None) -> Value:
    if table is None:
        return None
    known = tuple(map(values.key_of, keys))
    if None in known:
        return None
    row = rows_by_key(table).get(known)
    # Lists and records with a null inside have a key, but they equal nothing.
    if row is None or any(values.equal(cell, key) is not True for cell, key in zip(row, keys, strict=False)):
        return False if column is None else None
    return True if column is None else row[table.columns.index(column)]


@ByIdentity
def rows_by_key(table: Table) -> Mapping[tuple[object, ...], Row]:
    """Return the first row of every key; one with a null in it is found by nobody."""
    found: dict[tuple[object, ...], Row] = {}
    for row in table.rows:
        key = tuple(map(values.key_of, row[: table.key_count]))
        if None not in key:
            found.setdefault(key, row)
    return found


def _aggregate(function: str, argument: Expr | None, scope: Scope) -> Value:
    if argument is None:
        return len(scope.items)
    present: list[Value] = [value for item in scope.items if (value := evaluate(argument, item)) is not None]
    return AGGREGATES[function](present)


def _sum(present: list[Value]) -> Value:
    total: Value = present[0] if present else None
    for value in present[1:]:
        total = arithmetic.add(total, value)
    return total


def _average(present: list[Value]) -> Value:
    return arithmetic.divide(_sum(present), len(present))


def _extreme(call: str) -> Callable[[list[Value]], Value]:
    return lambda present: _call(call, present) if present else None


AGGREGATES: Mapping[str, Callable[[list[Value]], Value]] = {
    "count": len,
    "sum": _sum,
    "avg": _average,
    "min": _extreme("min"),
    "max": _extreme("max"),
    "first": lambda present: present[0] if present else None,
    "last": lambda present: present[-1] if present else None,
    "list": tuple,
}
