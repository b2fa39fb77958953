"""Whole tables in Arrow's form: a frame of any library, or a file of Parquet or Arrow."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq

from cepheid.connectors.arrow_columns import values_of
from cepheid.connectors.arrow_rows import unreadable_frame
from cepheid.connectors.byte_streams import readable
from cepheid.connectors.sources import ArrowStream
from cepheid.events import Value

Named = tuple[tuple[str, ...], list[tuple[Value, ...]]]


def rows_of_frame(frame: ArrowStream, name: str) -> Named:
    """Return the names of the columns of a frame, and its rows.

    >>> rows_of_frame(pa.table({"from": ["E"], "to": ["F"]}), "routes")
    (('from', 'to'), [('E', 'F')])
    """
    try:
        return _rows(pa.table(frame))
    except (pa.ArrowException, TypeError) as error:
        raise unreadable_frame(name, str(error).splitlines()[0].rstrip(".")) from None


def rows_of_file(path: Path) -> Named:
    """Return the names of the columns of a file, and its rows."""
    with readable(str(path)):
        return _rows(pq.read_table(path) if path.suffix in (".parquet", ".pq") else feather.read_table(path))


def _rows(table: Any) -> Named:  # pyarrow has no types: a Table
    columns = [values_of(column) for column in table.columns]
    return tuple(table.column_names), list(zip(*columns, strict=True))
