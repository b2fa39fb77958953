"""The values of an expression for many events or matches at once, the same values that `algebra.evaluation` gives.

Arrays are used where they give the very same answers; all else is done value by value, with the functions of the
algebra themselves.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from cepheid.algebra.evaluation import Scope, evaluate
from cepheid.algebra.expressions import Call, Expr, Field, IsBound, Literal, Lookup, Moment, Variable
from cepheid.algebra.functions import function_named
from cepheid.algebra.programs import Table
from cepheid.algebra.relations import Endpoint, start
from cepheid.diagnostics import internal_error
from cepheid.engine.kernels.columns.arithmetic_columns import OPERATIONS
from cepheid.engine.kernels.columns.columns import Column, Kind, column_of, constant, nulls, values_of
from cepheid.engine.kernels.columns.lookups import looked_up
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.typed_arrays import Mask
from cepheid.events import Value

RUN = "$run"
"""What the run of a chain is called, which says what the variables are."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What expressions over `count` rows can read: fields and endpoints of parts, and tables."""

    count: int
    words: Words
    fields: Callable[[str, str], Column | None]
    moments: Callable[[Endpoint], Column | None]
    bound: frozenset[str] = frozenset()
    tables: Mapping[str, Table] = field(default_factory=dict)


def column_for(expression: Expr, frame: Frame) -> Column:
    """Return the value of `expression` in every row."""
    match expression:
        case Literal(value):
            return constant(value, frame.count, frame.words)
        case Field(part, name):
            return _or_nulls(frame.fields(part, name), frame)
        case Moment(endpoint):
            return _or_nulls(frame.moments(endpoint), frame)
        case Call(function, arguments):
            return _call(function, [column_for(argument, frame) for argument in arguments], frame)
        case Lookup():
            return _look_up(expression, frame)
        case Variable(name):
            return _or_nulls(frame.fields(RUN, variable_field(name)), frame)
        case IsBound(name):
            return _is_bound(name, frame)
        case _:
            raise internal_error(f"a kernel was given an expression that it cannot read: {expression!r}")


def _is_bound(name: str, frame: Frame) -> Column:
    """Say where there is a part of a name: of several alternatives only one is taken, and others lie nowhere."""
    is_known = name in frame.bound
    moment = frame.moments(start(name)) if is_known else None
    return constant(is_known, frame.count, frame.words) if moment is None else Column(Kind.BOOL, moment.present)


def variable_field(name: str) -> str:
    """Return what a run calls a variable."""
    return f"$variable {name}"


def _or_nulls(column: Column | None, frame: Frame) -> Column:
    return nulls(frame.count) if column is None else column


def where_true(condition: Expr | None, frame: Frame) -> Mask | None:
    """Return the rows in which a condition is true, None where that is all of them."""
    if condition is None:
        return None
    found = column_for(condition, frame)
    if found.kind is Kind.OBJECT:
        return np.fromiter((value is True for value in found.data), np.bool_, frame.count)
    if found.kind is not Kind.BOOL:
        return np.zeros(frame.count, np.bool_)
    return np.asarray(found.data, np.bool_) if found.valid is None else found.data & found.valid


def _call(function: str, arguments: list[Column], frame: Frame) -> Column:
    operation = OPERATIONS.get(function)
    found = None if operation is None else operation(*arguments)
    if found is not None:
        return found
    known = function_named(function)
    if known is None:
        raise LookupError(f"there is no function `{function}`")
    return _one_by_one(known.apply, arguments, frame)


def _one_by_one(apply: Callable[..., Value], arguments: list[Column], frame: Frame) -> Column:
    if not arguments:
        return constant(apply(), frame.count, frame.words)
    rows = zip(*(values_of(argument, frame.words) for argument in arguments), strict=True)
    return column_of([apply(*row) for row in rows], frame.words)


def _look_up(lookup: Lookup, frame: Frame) -> Column:
    keys, table = [column_for(key, frame) for key in lookup.keys], frame.tables.get(lookup.table)
    found = None if table is None else looked_up(table, keys, lookup.column, frame.words)
    return _one_by_one(_looking_up(lookup, frame), keys, frame) if found is None else found


def _looking_up(lookup: Lookup, frame: Frame) -> Callable[..., Value]:
    scope = Scope(tables=frame.tables)
    return lambda *keys: evaluate(Lookup(lookup.table, tuple(map(Literal, keys)), lookup.column), scope)
