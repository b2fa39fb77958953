"""Windows over known aggregates of columns: all of them slide at once."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from cepheid.algebra.graphs import operations as op
from cepheid.algebra.graphs.layout import INPUT, Wire
from cepheid.algebra.graphs.operation import Operation
from cepheid.analysis.graphs.aggregation import Aggregation, aggregation_of
from cepheid.engine.pipes.columns.passing import Columns, in_columns_as, taken_by
from cepheid.engine.pipes.columns.shapes import Column, NotInColumnsError
from cepheid.engine.pipes.columns.window_sums import window_sums, window_sums_of_integers

_SMALL: Final = 1 << 20


@in_columns_as(op.Window)
def _windowed(operation: op.Window, column: Column) -> Columns:
    aggregation = aggregation_of(operation.body)
    if aggregation is None or not isinstance(column, np.ndarray) or column.dtype.kind not in "fi":
        raise NotInColumnsError
    return (_aggregated(aggregation, operation.size, column),)


def _aggregated(aggregation: Aggregation, size: int, column: Column) -> Column:
    nodes = aggregation.graph.nodes
    wires: dict[Wire, Column] = {Wire(INPUT, 0): column}
    constants: dict[Wire, int] = {}
    count = max(0, len(column) - size + 1)
    for place in aggregation.before:
        operation = nodes[place].operation
        if isinstance(operation, op.TurnInto) and type(operation.value) is int and abs(operation.value) < _SMALL:
            constants[Wire(place, 0)] = operation.value
        else:
            given = taken_by(operation, tuple(wires[wire] for wire in nodes[place].inputs if wire in wires))
            wires |= {Wire(place, output): values for output, values in enumerate(given)}
    slid = {
        Wire(place, 0): _slid(nodes[place].operation, nodes[place].inputs[0], wires, constants, size)
        for place in aggregation.cumulations
    }
    wires = {wire: values[len(values) - count :] for wire, values in wires.items()} | slid
    for place in aggregation.behind:
        given = taken_by(nodes[place].operation, tuple(_full(wires, wire) for wire in nodes[place].inputs))
        wires |= {Wire(place, output): values for output, values in enumerate(given)}
    return _full(wires, aggregation.graph.outputs[0])


def _full(wires: Mapping[Wire, Column], wire: Wire) -> Column:
    if wire not in wires:
        raise NotInColumnsError
    return wires[wire]


def _slid(
    operation: Operation, wire: Wire, wires: Mapping[Wire, Column], constants: Mapping[Wire, int], size: int
) -> Column:
    """Return what a cumulation gives for each window: a sum of numbers, or of a constant; extremes go by rows."""
    if not isinstance(operation, op.Cumulate) or operation.known != "+" or type(operation.initial) is not int:
        raise NotInColumnsError
    if operation.initial != 0:
        raise NotInColumnsError
    if wire in constants:
        count = max(0, len(wires[Wire(INPUT, 0)]) - size + 1)
        return np.full(count, constants[wire] * size, dtype=np.int64)
    values = wires.get(wire)
    sums: Column = None
    if isinstance(values, np.ndarray) and values.dtype == np.float64:
        sums = window_sums(values, size)
    elif isinstance(values, np.ndarray) and values.dtype == np.int64:
        sums = window_sums_of_integers(values, size)
    if sums is None:
        raise NotInColumnsError
    return sums
