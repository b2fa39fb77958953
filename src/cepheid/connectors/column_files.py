"""Matches as a file of Parquet or Arrow, with one typed column for each value.

Which types values have is known when they were seen. Where one needs a wider type than those before it, what was
written is written again, one group of rows after the other, and the file is as if the type had been known.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copymode
from typing import Any, Final, Protocol

import pyarrow as pa

from cepheid.connectors.match_lists import Matches
from cepheid.connectors.wider_columns import is_exact, widened, wider

Table = Any  # pyarrow has no types
Schema = Any
ROW_GROUP: Final = 50_000
_ID: Final = "id"


class Layout(Protocol):
    """A format of files that hold tables in groups of rows."""

    def sink(self, path: Path, schema: Schema) -> Any:
        """Return what tables are written to with `write_table`."""

    def groups(self, path: Path) -> Iterator[Table]:
        """Yield what a file holds, one group of rows after the other."""


class ParquetLayout:
    """Files of Parquet."""

    def sink(self, path: Path, schema: Schema) -> Any:
        import pyarrow.parquet as pq  # heavy, and most output is none

        # No two ids are alike: a dictionary of them, or a search for what repeats in them, is lost time.
        said = {_leaf(field) for field in schema} - {_ID}
        # The differences of times and of ids of events are small, and are packed so that nothing repeats in them.
        packed = {_leaf(field) for field in schema if _is_whole(field)}
        return pq.ParquetWriter(
            path,
            schema,
            use_dictionary=[field.name for field in schema if _repeats(field)],
            column_encoding=dict.fromkeys(sorted(packed), "DELTA_BINARY_PACKED"),
            compression={leaf: "none" if leaf in packed or leaf == _ID else "snappy" for leaf in map(_leaf, schema)},
            write_statistics=sorted(said),
        )

    def groups(self, path: Path) -> Iterator[Table]:
        import pyarrow.parquet as pq

        with pq.ParquetFile(path, pre_buffer=False) as file:
            for number in range(file.num_row_groups):
                yield file.read_row_group(number)


class ArrowLayout:
    """Files of Arrow."""

    def sink(self, path: Path, schema: Schema) -> Any:
        return pa.ipc.new_file(str(path), schema)

    def groups(self, path: Path) -> Iterator[Table]:
        with pa.OSFile(str(path)) as opened, pa.ipc.open_file(opened) as file:
            for number in range(file.num_record_batches):
                yield pa.Table.from_batches([file.get_batch(number)])


class ColumnFileWriter:
    """A file of matches, in which each group of rows is written at once."""

    def __init__(self, path: Path, layout: Layout) -> None:
        self._path, self._layout = path, layout
        self._waiting: list[Table] = []
        self._rows = 0
        self._schema: Schema = None
        self._large: set[str] = set()  # columns with whole numbers that no float says
        self._sink: Any = None

    def write(self, matches: Matches) -> None:
        if len(matches) or not self._waiting:
            table = matches.table()
            self._waiting.append(table)
            self._rows += len(table)
        if self._rows >= ROW_GROUP:
            self._put()

    def flush(self) -> None:
        """Leave it: such a file can be read when it is closed, and not before."""

    def close(self) -> None:
        self._put()
        if self._sink is not None:
            self._sink.close()

    def _put(self) -> None:
        tables = [table for table in self._waiting if len(table)]
        schema = self._joined(tables or (self._waiting if self._schema is None else []))
        self._waiting, self._rows = [], 0
        if schema is not self._schema:
            self._become(schema)
        if tables:
            whole = pa.concat_tables([widened(table, schema) for table in tables])
            self._sink.write_table(whole.combine_chunks())

    def _joined(self, tables: list[Table]) -> Schema:
        """Return the schema that can say what was written and some tables."""
        schema = self._schema
        for table in tables:
            self._large |= {name for name in table.column_names if not is_exact(table.column(name))}
            both = table.schema if schema is None else self._wider(schema, table.schema)
            schema = schema if schema is not None and both.equals(schema, check_metadata=True) else both
        return schema

    def _wider(self, one: Schema, other: Schema) -> Schema:
        fields = [wider(field, other.field(field.name), exact=field.name not in self._large) for field in one]
        return pa.schema(fields)

    def _become(self, schema: Schema) -> None:
        """Go on with a schema, to which all is brought that was written."""
        self._schema = schema
        if self._sink is None:
            self._sink = self._layout.sink(self._path, schema)
            return
        self._sink.close()
        with _instead_of(self._path) as fresh:
            self._sink = self._layout.sink(fresh, schema)
            for table in self._layout.groups(self._path):
                self._sink.write_table(widened(table, schema))


def _leaf(field: Any) -> str:  # a pyarrow.Field
    """Return the name under which Parquet holds the values of a column."""
    return f"{field.name}.list.element" if pa.types.is_list(field.type) else str(field.name)


def _is_whole(field: Any) -> bool:
    """Say whether a column holds whole numbers, times, or lists of these."""
    kind = field.type.value_type if pa.types.is_list(field.type) else field.type
    return bool(pa.types.is_int64(kind) or pa.types.is_timestamp(kind))


def _repeats(field: Any) -> bool:
    """Say whether the same values may come often: names of rules and texts, but not ids."""
    return bool(field.name != _ID and (pa.types.is_dictionary(field.type) or pa.types.is_string(field.type)))


@contextmanager
def _instead_of(path: Path) -> Iterator[Path]:
    """Yield a file that takes the place of another."""
    fresh = path.with_name(f"{path.name}.part")
    try:
        yield fresh
        copymode(path, fresh)
        os.replace(fresh, path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
