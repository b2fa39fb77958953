"""What the statistics of Parquet files say about the times in them, without reading any."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from cepheid.connectors.files import is_parquet
from cepheid.connectors.outlook import Outlook, outlook_of
from cepheid.connectors.records import Reading

MOST_ROWS_OF_A_PART = 1 << 21
"""A part that is put in order for itself is held in memory, so it must not be longer."""


def outlook_of_files(paths: Sequence[Path], reading: Reading) -> Outlook | None:
    """Return what is known of the times in some files; None where one of them has no statistics.

    What they say is compared with the times that are read later on, so that a file that says something else is refused.
    """
    column, ends, rows = reading.columns.time, [], []
    for path in paths:
        groups = _groups(path, column) if is_parquet(path) else None
        if groups is None:
            return None
        ends += [times for times, _ in groups]
        rows += [count for _, count in groups]
    found = outlook_of(ends, reading)
    if found is None:
        return None
    apart = found.in_order and max(rows) <= MOST_ROWS_OF_A_PART
    return replace(found, in_order=False, parts=tuple(rows) if apart else ())


def _groups(path: Path, column: str) -> list[tuple[Any, int]] | None:
    """Return the least and the greatest time of each row group, and how many rows it has; None if it does not say."""
    import pyarrow.parquet as pq

    with suppress(OSError, pa.ArrowException, KeyError, ValueError, UnicodeDecodeError):  # told when it is read
        with pq.ParquetFile(path) as file:
            names, metadata = list(file.schema_arrow.names), file.metadata
            kind, place = file.schema_arrow.field(column).type, _place(metadata, column)
            if names.count(column) != 1 or place is None:
                return None
            _try(file, place)
            groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
            stored = {group.column(place).physical_type for group in groups}
            if stored != {metadata.schema.column(place).physical_type}:
                return None  # to ask for statistics that are of another type would end the process
            said = [(group.column(place).statistics, group.num_rows) for group in groups]
        if all(one is not None and one.has_min_max for one, _ in said):
            return [(pa.array([one.min_raw, one.max_raw]).cast(_stored(kind)), rows) for one, rows in said]
    return None


def _try(file: Any, place: int) -> None:  # a ParquetFile
    """Begin to read a column in each row group, which is an error where its header is damaged.

    Where only the metadata of such a column is asked for, nobody catches what Arrow throws, and the process ends.
    """
    for number in range(file.metadata.num_row_groups):
        next(file.reader.iter_batches(0, [number], [place], False), None)  # no row, so that nothing is decoded


def _place(metadata: Any, column: str) -> int | None:  # pyarrow has no types
    paths = [metadata.schema.column(number).path for number in range(metadata.num_columns)]
    return paths.index(column) if paths.count(column) == 1 else None


def _stored(kind: Any) -> Any:  # pyarrow's DataType
    """Return the type that a column is stored in; there are no seconds in Parquet."""
    return pa.timestamp("ms", kind.tz) if pa.types.is_timestamp(kind) and kind.unit == "s" else kind
