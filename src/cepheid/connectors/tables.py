"""Whole tables in Arrow's form: a frame of any library, or a file of Parquet or Arrow."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather as feather

from cepheid.connectors.arrow_checking import names_of
from cepheid.connectors.arrow_columns import values_of
from cepheid.connectors.arrow_rows import unreadable_frame
from cepheid.connectors.byte_streams import readable
from cepheid.connectors.sources import ArrowStream
from cepheid.events import Value

Named = tuple[tuple[str, ...], list[tuple[Value, ...]]]

_AT_ONCE = 4096


def rows_of_frame(frame: ArrowStream, name: str) -> Named:
    """Return the names of the columns of a frame, and its rows.

    >>> rows_of_frame(pa.table({"from": ["E"], "to": ["F"]}), "routes")
    (('from', 'to'), [('E', 'F')])
    """
    with _readable_frame(name):
        return _rows(pa.table(frame), name)


def records_of_frame(frame: ArrowStream, name: str) -> Iterator[dict[str, Value]]:
    """Return the rows of a frame as mappings, read batch by batch: Spark computes a partition when it is reached.

    >>> next(records_of_frame(pa.table({"from": ["E"], "to": ["F"]}), "routes"))
    {'from': 'E', 'to': 'F'}
    """
    with _readable_frame(name):
        reader = pa.RecordBatchReader.from_stream(frame)
        columns = tuple(names_of(reader.schema, name))
    while True:
        with _readable_frame(name):
            batch = next(reader, None)
            if batch is None:
                return
            batch.validate(full=True)
        for first in range(0, batch.num_rows, _AT_ONCE):
            rows = zip(*map(values_of, batch.slice(first, _AT_ONCE).columns), strict=True)
            yield from (dict(zip(columns, row, strict=True)) for row in rows)


@contextmanager
def _readable_frame(name: str) -> Iterator[None]:
    """Turn what the library of a frame raises into an error of its own."""
    try:
        yield
    except (pa.ArrowException, TypeError, ValueError, ArithmeticError) as error:
        raise unreadable_frame(name, str(error).partition("\n")[0].rstrip(".")) from None


def rows_of_file(path: Path) -> Named:
    """Return the names of the columns of a file, and its rows."""
    import pyarrow.parquet as pq  # heavy, and most tables are none

    with readable(str(path)):
        is_parquet = path.suffix in (".parquet", ".pq")
        return _rows(pq.read_table(path) if is_parquet else feather.read_table(path, memory_map=False), str(path))


def _rows(table: Any, name: str) -> Named:  # pyarrow has no types: a Table
    table.validate(full=True)
    columns = [values_of(column) for column in table.columns]
    return tuple(names_of(table.schema, name)), list(zip(*columns, strict=True))
