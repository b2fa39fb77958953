"""A graph over whole columns: each operation takes all of its inputs at once.

Operations say how they do so with `@in_columns_as`; one that does not goes row by row, and the whole graph with it.
"""

from collections.abc import Callable
from typing import Final, TypeAlias, TypeVar

import numpy as np

from cepheid.algebra.graphs.functions import Function
from cepheid.algebra.graphs.layout import INPUT, Graph, Wire
from cepheid.algebra.graphs.operation import Operation
from cepheid.engine.pipes.columns.shapes import Column, NotInColumnsError, length, part
from cepheid.engine.pipes.columns.terms import column_of

Columns: TypeAlias = tuple[Column, ...]
Taken: TypeAlias = Callable[..., Columns]
_Taken = TypeVar("_Taken", bound=Taken)

_OPERATIONS: Final[dict[type[Operation], Taken]] = {}


def in_columns_as(kind: type[Operation]) -> Callable[[_Taken], _Taken]:
    """Say how an operation takes whole columns: a function of it and of its inputs, which are of one length."""

    def registered(taken: _Taken) -> _Taken:
        _OPERATIONS[kind] = taken
        return taken

    return registered


def outputs_of(graph: Graph, whole: Column) -> Columns:
    """Return all outputs of a graph over one input."""
    wires: dict[Wire, Column] = {Wire(INPUT, 0): whole}
    for place, node in enumerate(graph.nodes):
        given = taken_by(node.operation, tuple(wires[wire] for wire in node.inputs))
        wires |= {Wire(place, output): column for output, column in enumerate(given)}
    return tuple(wires[wire] for wire in graph.outputs)


def taken_by(operation: Operation, inputs: Columns) -> Columns:
    """Return the outputs of one operation; longer inputs are cut to complete fronts."""
    take = _OPERATIONS.get(type(operation))
    if take is None or not inputs:
        raise NotInColumnsError
    count = min(map(length, inputs))
    return take(operation, *(column if length(column) == count else part(column, 0, count) for column in inputs))


def value_of(function: Function, *inputs: Column) -> Column:
    """Return the values of a function of columns, one for each row."""
    if function.term is None:
        raise NotInColumnsError
    found = column_of(function.term, inputs)
    if isinstance(found, int | float):
        return np.full(length(inputs[0]), found)
    if isinstance(found, str):
        raise NotInColumnsError
    return found
