"""Slices over columns: the rows of each key go through the body together."""

from typing import Final

import numpy as np
import pyarrow as pa

from cepheid.algebra.graphs import operations as op
from cepheid.algebra.graphs.layout import Graph, laid_out
from cepheid.algebra.graphs.operation import Apply
from cepheid.engine.pipes.columns.passing import Columns, in_columns_as, outputs_of, value_of
from cepheid.engine.pipes.columns.shapes import Column, NotInColumnsError, Slices, length, taken

_MOST_KEYS: Final = 1000
_STEADY: Final = (Apply, op.Window, op.Trim, op.Passthrough, op.Fork)
"""Operations that give one output for each value, but for some of the first."""


@in_columns_as(op.Slice)
def _sliced(operation: op.Slice, column: Column) -> Columns:
    if operation.gather != "map":
        raise NotInColumnsError
    graph = laid_out(operation.body)
    if not all(isinstance(node.operation, _STEADY) for node in graph.nodes) or len(graph.scopes) > 1:
        raise NotInColumnsError
    keys = value_of(operation.function, column)
    outputs = {key: _slice(graph, column, rows) for key, rows in _rows_by_key(keys)}
    return (Slices(outputs, np.arange(length(column))),)


def _rows_by_key(keys: Column) -> list[tuple[int | str, Column]]:
    """Return each key with its rows; a text that means all slices, or too many keys, are not for us."""
    values = keys.to_numpy(zero_copy_only=False) if isinstance(keys, pa.Array) else keys
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "iO":
        raise NotInColumnsError
    known, codes = np.unique(values, return_inverse=True)
    if len(known) > _MOST_KEYS or op.EVERY_SLICE in known.tolist():
        raise NotInColumnsError
    order = np.argsort(codes, kind="stable")
    return (
        list(zip(known.tolist(), np.split(order, np.cumsum(np.bincount(codes))[:-1]), strict=True))
        if len(known)
        else []
    )


def _slice(graph: Graph, column: Column, rows: Column) -> tuple[Column, Column]:
    """Return the rows of a slice that have an output, and the outputs."""
    (found,) = outputs_of(graph, taken(column, rows))
    if not isinstance(found, np.ndarray):
        raise NotInColumnsError
    return rows[len(rows) - len(found) :], found
