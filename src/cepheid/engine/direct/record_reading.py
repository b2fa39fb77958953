"""Expressions over one record and the variables of a run, as functions that are made once.

They say what `closures` says; nobody makes a scope for what is common. What is rare is left to `closures`. What reads
no more than fields can be given the event itself, before anybody makes a record of it.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from cepheid.algebra.closures import closure
from cepheid.algebra.evaluation import Scope
from cepheid.algebra.expressions import TYPE, Call, Expr, Field, Literal, Variable
from cepheid.algebra.functions import function_named, is_built_in
from cepheid.algebra.instances import Instance
from cepheid.algebra.programs import Table
from cepheid.events import Value, values

Tables = Mapping[str, Table]
Variables = Mapping[str, Value]


class Fielded(Protocol):
    """An event, or the record that is made of it."""

    fields: Mapping[str, Value]


Read = Callable[[Fielded, Variables], Value]
Test = Callable[[Fielded, Variables], bool]
Lets = Sequence[tuple[str, Read]]
"""The variables that a step sets, in this order."""
_OF_NUMBERS: Mapping[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def reader(expression: Expr, name: str, tables: Tables) -> Read:
    """Return the function that gives the value of an expression, where the record is called by a name."""
    match expression:
        case Literal(value):
            return lambda record, variables: value
        case Field(part, attribute) if part == name and attribute != TYPE:
            return lambda record, variables: record.fields.get(attribute)
        case Variable(variable):
            return lambda record, variables: variables.get(variable)
        case Call(function, (left, right)) if is_built_in(function):
            return _call(function, reader(left, name, tables), reader(right, name, tables))
        case _:
            return _closed(expression, name, tables)


def _closed(expression: Expr, name: str, tables: Tables) -> Read:
    """Return the function that asks a closure, which may read all of a record."""
    read = closure(expression)

    def value(record: Fielded, variables: Variables) -> Value:
        assert isinstance(record, Instance)
        return read(Scope({name: record}, variables, tables))

    return value


def reads_fields(expression: Expr, name: str) -> bool:
    """Say whether what gives the value of an expression reads no more of a record than its fields."""
    match expression:
        case Literal() | Variable():
            return True
        case Field(part, attribute):
            return part == name and attribute != TYPE
        case Call(function, (left, right)) if is_built_in(function):
            return reads_fields(left, name) and reads_fields(right, name)
        case _:
            return False


def bound_by(lets: Lets, record: Fielded, variables: Variables) -> Variables:
    """Return what variables are when a record has set some of them."""
    bound = dict(variables)
    for let, value in lets:
        bound[let] = value(record, bound)
    return bound


def test_of(conditions: Sequence[Expr], name: str, tables: Tables) -> Test | None:
    """Return the function that says whether all of some conditions hold; None: there are none."""
    tests = [_test(one, name, tables) for one in conditions]
    if len(tests) < 2:
        return tests[0] if tests else None
    if len(tests) == 2:
        first, second = tests
        return lambda record, variables: first(record, variables) and second(record, variables)

    def all_hold(record: Fielded, variables: Variables) -> bool:
        for holds in tests:  # noqa: SIM110  # a generator takes three times as long
            if not holds(record, variables):
                return False
        return True

    return all_hold


def _test(condition: Expr, name: str, tables: Tables) -> Test:
    match condition:
        case Call(sign, (Field(part, attribute), Literal(int() as limit))) if sign in _OF_NUMBERS and part == name:
            if attribute != TYPE and type(limit) is int:
                return _compared(sign, attribute, limit)
    read = reader(condition, name, tables)
    return lambda record, variables: read(record, variables) is True


def _compared(sign: str, attribute: str, limit: int) -> Test:
    """A field is compared with a whole number."""
    of_numbers, known = _OF_NUMBERS[sign], function_named(sign)
    assert known is not None
    apply = known.apply

    def holds(record: Fielded, variables: Variables) -> bool:
        value = record.fields.get(attribute)
        return of_numbers(value, limit) if type(value) is int else apply(value, limit) is True

    return holds


def _call(function: str, left: Read, right: Read) -> Read:
    known = function_named(function)
    assert known is not None
    apply = known.apply
    if function == "and":  # false decides alone, so that the second is not asked then
        return lambda record, variables: (
            False if (one := left(record, variables)) is False else values.and_(one, right(record, variables))
        )
    return lambda record, variables: apply(left(record, variables), right(record, variables))
