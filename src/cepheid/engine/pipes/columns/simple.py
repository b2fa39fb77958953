"""How the built-in operations that keep little take whole columns."""

import numpy as np

from cepheid.algebra.graphs import operations as op
from cepheid.algebra.graphs.operation import Apply
from cepheid.engine.pipes.columns.passing import Columns, in_columns_as, value_of
from cepheid.engine.pipes.columns.shapes import Column, NotInColumnsError, Records, chosen, length, part, taken
from cepheid.engine.pipes.columns.terms import truths_of


@in_columns_as(op.Passthrough)
def _passed(operation: op.Passthrough, *columns: Column) -> Columns:
    return columns


@in_columns_as(op.Fork)
def _forked(operation: op.Fork, column: Column) -> Columns:
    return (column,) * operation.count


@in_columns_as(op.Trim)
def _trimmed(operation: op.Trim, column: Column) -> Columns:
    return (part(column, operation.count, length(column)),)


@in_columns_as(op.Prefix)
def _first(operation: op.Prefix, column: Column) -> Columns:
    return (part(column, 0, operation.count),)


@in_columns_as(op.Decimate)
def _decimated(operation: op.Decimate, column: Column) -> Columns:
    if operation.last:
        raise NotInColumnsError
    return (taken(column, np.arange(0, length(column), operation.step)),)


@in_columns_as(op.Where)
def _where(operation: op.Where, column: Column) -> Columns:
    return (chosen(column, truths_of(value_of(operation.function, column))),)


@in_columns_as(op.Filter)
def _filtered(operation: op.Filter, *columns: Column) -> Columns:
    mask = truths_of(columns[-1])
    return tuple(chosen(column, mask) for column in columns[:-1])


@in_columns_as(op.Collate)
def _collated(operation: op.Collate, *columns: Column) -> Columns:
    return (Records(dict(zip(operation.names or range(len(columns)), columns, strict=True))),)


@in_columns_as(Apply)
def _applied(operation: Apply, *columns: Column) -> Columns:
    return tuple(value_of(function, *columns) for function in operation.functions)


@in_columns_as(op.Successive)
def _successive(operation: op.Successive, column: Column) -> Columns:
    count = max(0, length(column) - operation.size + 1)
    return (value_of(operation.function, *(part(column, first, first + count) for first in range(operation.size))),)
