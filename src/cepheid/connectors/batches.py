"""The rows of a batch of events, whatever it is: a table or a record batch of Arrow, a frame, or objects."""

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import pyarrow as pa

from cepheid.connectors.arrow_rows import unreadable_frame

Batch: TypeAlias = Any
"""A `pyarrow.Table` or `RecordBatch`, a frame of pandas or polars, or an iterable of mappings and events."""

_AT_ONCE = 4096


def rows_of_batch(events: Batch) -> Iterator[object]:
    """Yield the rows of a batch as mappings, and objects as they are.

    >>> list(rows_of_batch(pa.table({"type": ["A"], "time": [1]})))
    [{'type': 'A', 'time': 1}]
    """
    if hasattr(events, "__arrow_c_stream__") or hasattr(events, "__arrow_c_array__"):
        return _rows(_table(events))
    if not isinstance(events, Iterable):
        raise unreadable_frame("batch", f"`{type(events).__name__}` is neither a table nor a list of events")
    return iter(events)


def _table(events: Batch) -> Any:  # a pyarrow.Table
    try:
        streams = hasattr(events, "__arrow_c_stream__")
        whole = pa.table(events) if streams else pa.Table.from_batches([pa.record_batch(events)])
        whole.validate(full=True)
    except (pa.ArrowException, TypeError, ValueError) as reason:
        raise unreadable_frame("batch", str(reason)) from None
    return whole


def _rows(table: Any) -> Iterator[object]:
    for batch in table.to_batches(_AT_ONCE):
        yield from batch.to_pylist()
