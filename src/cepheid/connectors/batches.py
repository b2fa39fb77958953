"""The rows of a batch of events, whatever it is: a table or a record batch of Arrow, a frame, or objects."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias

import pyarrow as pa

from cepheid.connectors.arrow_rows import MOST_ROWS, unreadable_frame
from cepheid.diagnostics import CepheidError, unreadable

Batch: TypeAlias = Any
"""A `pyarrow.Table` or `RecordBatch`, a frame of pandas or polars, a list of these, or mappings and events."""

_AT_ONCE = 4096
_NO_LISTS = (str, bytes, bytearray, memoryview, Mapping)


def lists_of_batch(events: Batch) -> Iterator[Sequence[object]]:
    """Yield the rows of a batch as mappings, and objects as they are, in lists; what is no list comes one by one.

    >>> list(lists_of_batch(pa.table({"type": ["A"], "time": [1]})))
    [[{'type': 'A', 'time': 1}]]
    """
    if (table := table_of_batch(events)) is not None:
        return map(_rows, _validated(table).to_batches(_AT_ONCE))
    if isinstance(events, list | tuple):
        are_tables = bool(events) and all(map(_hands_out_arrow, events))
        return chain.from_iterable(map(lists_of_batch, events)) if are_tables else iter((events,))
    if not isinstance(events, Iterable) or isinstance(events, _NO_LISTS):
        raise _no_batch(events)
    return ([event] for event in events)


def _no_batch(given: object) -> CepheidError:
    reason = f"`{type(given).__name__}` is neither a table nor a list of events"
    hint = '`query.run(events)` reads files and queries; push tables, or lists such as `[{"type": "A", "time": 12}]`'
    return unreadable("batch", reason, hint)


def table_of_batch(events: Batch) -> Any | None:  # a pyarrow.Table
    """Return a batch as a table, whose values nobody has looked at; None where it is none."""
    if isinstance(events, pa.Table):
        return events
    if isinstance(events, pa.RecordBatch):
        return pa.Table.from_batches([events])
    if not _hands_out_arrow(events):
        return None
    try:
        return (
            pa.table(events)
            if hasattr(events, "__arrow_c_stream__")
            else pa.Table.from_batches([pa.record_batch(events)])
        )
    except (pa.ArrowException, TypeError, ValueError) as reason:
        raise unreadable_frame("batch", str(reason)) from None


def _hands_out_arrow(given: object) -> bool:
    return hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__")


def parts_of_table(table: Any) -> Iterator[Any]:
    """Yield the rows of a table as record batches, each of which can be read at once."""
    few = table.num_rows < MOST_ROWS * max((column.num_chunks for column in table.columns), default=1) // 4
    whole = _validated(table).combine_chunks() if few else table
    return iter(whole.to_batches(MOST_ROWS))


def _validated(table: Any) -> Any:
    try:
        table.validate(full=True)
    except pa.ArrowException as reason:
        raise unreadable_frame("batch", str(reason)) from None
    return table


def _rows(batch: Any) -> list[object]:  # a pyarrow.RecordBatch
    """Return the rows of a batch; Arrow looks up in dictionaries faster as a whole than value by value."""
    coded = [pa.types.is_dictionary(column.type) for column in batch.columns]
    if any(coded):
        plain = [
            column.dictionary_decode() if is_coded else column
            for column, is_coded in zip(batch.columns, coded, strict=True)
        ]
        batch = pa.RecordBatch.from_arrays(plain, batch.schema.names)
    rows: list[object] = batch.to_pylist()
    return rows
