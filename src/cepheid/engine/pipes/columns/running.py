"""A processor over a whole table of Arrow."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from cepheid.algebra.graphs.layout import laid_out
from cepheid.algebra.graphs.processors import Processor
from cepheid.engine.pipes.columns import aggregates, machines, quantifiers, simple, slices
from cepheid.engine.pipes.columns.passing import outputs_of
from cepheid.engine.pipes.columns.shapes import NotInColumnsError, as_arrow

__all__ = ["aggregates", "in_columns", "is_arrow", "machines", "quantifiers", "rows_of", "simple", "slices"]


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
            return as_arrow(outputs_of(graph, table)[0])
    except NotInColumnsError:
        return None
