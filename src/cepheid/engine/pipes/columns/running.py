"""A graph over a whole table: every operation takes all of its inputs at once."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

import numpy as np
import pyarrow as pa

from cepheid.algebra.graphs import operations as op
from cepheid.algebra.graphs.functions import Function
from cepheid.algebra.graphs.layout import INPUT, Graph, Wire, laid_out
from cepheid.algebra.graphs.operation import Apply, Operation
from cepheid.algebra.graphs.processors import Processor
from cepheid.analysis.graphs.aggregation import Aggregation, aggregation_of
from cepheid.engine.pipes.columns.terms import Column, NotInColumnsError, column_of
from cepheid.engine.pipes.columns.window_sums import window_sums

Columns: TypeAlias = tuple[Column, ...]
Taken: TypeAlias = Callable[..., Columns]


def is_arrow(trace: Any) -> bool:  # whatever a user has
    """Say whether a trace is a table of Arrow."""
    return isinstance(trace, pa.Table | pa.RecordBatch)


def rows_of(trace: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table as records."""
    for batch in trace.to_batches() if isinstance(trace, pa.Table) else [trace]:
        yield from batch.to_pylist()


def in_columns(processor: Processor, trace: Any) -> Any:
    """Return the output over a table, as a table or an array of Arrow; None where it cannot be had in columns."""
    graph = laid_out(processor)
    if graph.inputs != 1 or len(graph.outputs) != 1 or len(graph.scopes) > 1:
        return None
    table = trace if isinstance(trace, pa.Table) else pa.Table.from_batches([trace])
    try:
        with np.errstate(all="ignore"):
            found = outputs_of(graph, table)[0]
    except NotInColumnsError:
        return None
    return found if isinstance(found, pa.Table | pa.Array | pa.ChunkedArray) else pa.array(found)


def outputs_of(graph: Graph, whole: Column) -> Columns:
    """Return all outputs of a graph over one input."""
    wires: dict[Wire, Column] = {Wire(INPUT, 0): whole}
    for place, node in enumerate(graph.nodes):
        given = _taken(node.operation, tuple(wires[wire] for wire in node.inputs))
        wires |= {Wire(place, output): column for output, column in enumerate(given)}
    return tuple(wires[wire] for wire in graph.outputs)


def _taken(operation: Operation, inputs: Columns) -> Columns:
    taken = _OPERATIONS.get(type(operation))
    if taken is None or not inputs:
        raise NotInColumnsError
    count = min(map(length, inputs))
    return taken(operation, *(column if length(column) == count else part(column, 0, count) for column in inputs))


def length(column: Column) -> int:
    """Return how many rows a column or a table has."""
    return int(column.num_rows) if isinstance(column, pa.Table) else len(column)


def part(column: Column, first: int, last: int) -> Column:
    """Return the rows from one place to before another."""
    if isinstance(column, np.ndarray):
        return column[first:last]
    return column.slice(first, max(0, min(last, length(column)) - first))


def _those(column: Column, truths: Column) -> Column:
    if not isinstance(truths, np.ndarray) or truths.dtype != np.bool_:
        raise NotInColumnsError
    return column[truths] if isinstance(column, np.ndarray) else column.filter(pa.array(truths))


def _every(column: Column, step: int) -> Column:
    return column[::step] if isinstance(column, np.ndarray) else column.take(np.arange(0, length(column), step))


def _value(function: Function, *inputs: Column) -> Column:
    if function.term is None:
        raise NotInColumnsError
    found = column_of(function.term, inputs)
    if not isinstance(found, np.ndarray | pa.Table | pa.Array | pa.ChunkedArray):
        raise NotInColumnsError
    return found


def _decimated(operation: op.Decimate, column: Column) -> Columns:
    if operation.last:
        raise NotInColumnsError
    return (_every(column, operation.step),)


def _windowed(operation: op.Window, column: Column) -> Columns:
    aggregation = aggregation_of(operation.body)
    if aggregation is None or not isinstance(column, np.ndarray) or column.dtype != np.float64:
        raise NotInColumnsError
    return (_aggregated(aggregation, operation.size, column),)


def _aggregated(aggregation: Aggregation, size: int, column: Column) -> Column:
    nodes = aggregation.graph.nodes
    wires: dict[Wire, Column] = {Wire(INPUT, 0): column}
    constants: dict[Wire, int] = {}
    count = max(0, len(column) - size + 1)
    for place in aggregation.before:
        operation = nodes[place].operation
        if isinstance(operation, op.TurnInto) and type(operation.value) is int and abs(operation.value) < 1 << 20:
            constants[Wire(place, 0)] = operation.value
        else:
            given = _taken(operation, tuple(wires[wire] for wire in nodes[place].inputs if wire in wires))
            wires |= {Wire(place, output): values for output, values in enumerate(given)}
    slid = {
        Wire(place, 0): _slid(nodes[place].operation, nodes[place].inputs[0], wires, constants, size)
        for place in aggregation.cumulations
    }
    wires = {wire: values[len(values) - count :] for wire, values in wires.items()} | slid
    for place in aggregation.behind:
        given = _taken(nodes[place].operation, tuple(_full(wires, wire, count) for wire in nodes[place].inputs))
        wires |= {Wire(place, output): values for output, values in enumerate(given)}
    return _full(wires, aggregation.graph.outputs[0], count)


def _full(wires: Mapping[Wire, Column], wire: Wire, count: int) -> Column:
    if wire not in wires:
        raise NotInColumnsError
    return wires[wire]


def _slid(
    operation: Operation, wire: Wire, wires: Mapping[Wire, Column], constants: Mapping[Wire, int], size: int
) -> Column:
    """Return what a cumulation gives for each window: a sum of floats, or of a constant; extremes go by rows."""
    if not isinstance(operation, op.Cumulate) or operation.known != "+" or operation.initial != 0:
        raise NotInColumnsError
    if wire in constants:
        count = max(0, len(wires[Wire(INPUT, 0)]) - size + 1)
        return np.full(count, constants[wire] * size, dtype=np.int64)
    values = wires.get(wire)
    sums = window_sums(values, size) if isinstance(values, np.ndarray) and values.dtype == np.float64 else None
    if sums is None:
        raise NotInColumnsError
    return sums


_OPERATIONS: Final[Mapping[type[Operation], Taken]] = {
    op.Passthrough: lambda operation, *columns: columns,
    op.Fork: lambda operation, column: (column,) * operation.count,
    op.Trim: lambda operation, column: (part(column, operation.count, length(column)),),
    op.Prefix: lambda operation, column: (part(column, 0, operation.count),),
    op.Decimate: _decimated,
    op.Where: lambda operation, column: (_those(column, _value(operation.function, column)),),
    op.Filter: lambda operation, *columns: tuple(_those(column, columns[-1]) for column in columns[:-1]),
    op.Window: _windowed,
    Apply: lambda operation, *columns: tuple(_value(function, *columns) for function in operation.functions),
}
