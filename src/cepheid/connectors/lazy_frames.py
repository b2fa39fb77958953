"""Queries of other libraries whose rows are made when somebody reads them: lazy frames of polars, relations of DuckDB.

Each is read once, batch by batch. What it says the second time is for its library to know, so nobody asks twice.
"""

from collections.abc import Iterator
from typing import Any, Protocol, TypeAlias

import pyarrow as pa

from cepheid.connectors.arrow_rows import MOST_ROWS
from cepheid.diagnostics import CepheidError, unreadable

Reader = Any  # pyarrow has no types: a RecordBatchReader
_RELATIONS = ("fetch_record_batch", "sql_query")  # what a class of DuckDB has; a frame may have columns of any name


class LazyFrame(Protocol):
    """A lazy frame of polars."""

    def collect(self) -> Any:
        """Return a frame of all rows."""


class Relation(Protocol):
    """A query of DuckDB."""

    def fetch_record_batch(self, rows_per_batch: int = ..., /) -> Any:
        """Run the query, and return its rows."""


Lazy: TypeAlias = LazyFrame | Relation


def is_lazy(events: object) -> bool:
    """Say whether something is a query of polars or DuckDB.

    >>> is_lazy([]), is_lazy(pa.table({}))
    (False, False)
    """
    return _is_lazy_frame(events) or any(hasattr(type(events), name) for name in _RELATIONS)


def rows_of_lazy(events: Any, name: str) -> Reader:  # polars and DuckDB need not be there
    """Return the rows of a query as they are made."""
    try:
        if hasattr(type(events), "fetch_record_batch"):
            read = events.fetch_record_batch(MOST_ROWS)
        else:
            read = _batches(events) if _is_lazy_frame(events) else pa.RecordBatchReader.from_stream(events)
        return pa.RecordBatchReader.from_batches(read.schema, _told(read, name))
    except Exception as error:  # noqa: BLE001  # each library has its own
        raise _failed(name, error) from None


def _is_lazy_frame(events: object) -> bool:
    return type(events).__name__ == "LazyFrame" and hasattr(type(events), "collect")


def _batches(frame: Any) -> Reader:
    """Return the rows of a lazy frame; where polars cannot hand them out as they are made, all of them."""
    if not hasattr(frame, "collect_batches"):
        return pa.RecordBatchReader.from_stream(frame.collect())
    frames = frame.collect_batches(chunk_size=MOST_ROWS, maintain_order=True)
    empty = pa.table(frame.clear().collect())
    made = (batch for one in frames for batch in pa.RecordBatchReader.from_stream(one))
    return pa.RecordBatchReader.from_batches(empty.schema, made)


def _told(batches: Reader, name: str) -> Iterator[Any]:
    try:
        yield from batches
    except Exception as error:  # noqa: BLE001  # each library has its own
        raise _failed(name, error) from None


def _failed(name: str, error: Exception) -> CepheidError:
    return unreadable(name, str(error).partition("\n")[0].rstrip(".") or type(error).__name__)
