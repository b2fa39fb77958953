"""Rows of some types in a group of rows of Parquet: polars decodes numbers where they are wanted, and nowhere else.

Arrow decodes whole columns, of which most rows may be of types that nobody reads. It still reads all that is no number:
types, which are counted, and texts, which are checked. Where polars is not there, or the columns leave anything in
doubt, the answer is None, and somebody reads all rows.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import types

from cepheid.connectors.arrow_checking import checked
from cepheid.connectors.arrow_rows import BatchRows
from cepheid.connectors.chunks import Chunk
from cepheid.connectors.column_reading import can_be_columns, read_columns, types_of_column
from cepheid.connectors.event_columns import ColumnChunk, EventColumns, Rows
from cepheid.connectors.records import FormSeen, Reading
from cepheid.connectors.time_columns import form_of_column
from cepheid.diagnostics import DataPlace

Column = Any  # pyarrow and polars have no types
MANY_ROWS = 1 << 22
"""Loading polars takes as long as it saves in a file of so many rows."""
_MOST = 2
"""Where more than one row in so many is wanted, decoding all of them costs no more."""


@dataclass(frozen=True, slots=True)
class Picking:
    """Which rows of a file are wanted, by their types, and which of its columns polars reads, and Arrow."""

    path: Path
    metadata: Any
    schema: Any
    types: frozenset[str]
    reading: Reading
    numbers: Sequence[str]
    others: Sequence[str]
    scan: Any
    """All of the file as polars will read it: who asks for the rows of several groups has it read the metadata once."""

    def chunk(self, group: int, row: int, before: int, form: FormSeen) -> ColumnChunk | None:
        """Return the wanted rows of a group; `row` rows of the file come before them, and `before` positions."""
        whole = self._others(group) if _has_all_times(self.metadata.row_group(group), self._time) else None
        kinds = None if whole is None else _encoded(types_of_column(whole.column(self.reading.columns.type)))
        if whole is None or kinds is None:
            return None
        count = _count_of(kinds, self.types)
        numbers = None if _MOST * count > len(kinds) else self._numbers(row, len(kinds))
        if numbers is None or numbers.num_rows != count:
            return None
        rows = np.asarray(numbers.column(_index_of(self.schema))).astype(np.int64) - row
        batch = self._batch(whole, kinds, rows, numbers)
        events = None if batch is None else self._events(batch, rows, before)
        if batch is None or events is None:
            return None
        if form.form is None and len(rows):
            form.form = form_of_column(self.schema.field(self._time).type, self.reading.unit)
        origin = _PickedRows(BatchRows(str(self.path), row, batch), rows)
        return ColumnChunk(events, (), lambda: Chunk(events.objects(), range(len(rows)), (), origin), types=kinds)

    @property
    def _time(self) -> str:
        return self.reading.columns.time

    def _batch(self, whole: Any, kinds: Column, rows: Rows, numbers: Any) -> Any | None:  # RecordBatches
        """Return the wanted rows; None where polars found others than these."""
        some = pa.DictionaryArray.from_arrays(np.asarray(kinds.indices)[rows], kinds.dictionary, safe=False)
        if _count_of(some, self.types) != len(rows):
            return None
        own, picked = self.reading.columns.type, pa.array(rows)
        read = {name: whole.column(name).take(picked) for name in self.others if name != own}
        read[own] = some.cast(self.schema.field(own).type)
        columns = [read[name] if name in read else numbers.column(name) for name in self.schema.names]
        return pa.RecordBatch.from_arrays(columns, schema=self.schema)

    def _others(self, group: int) -> Any | None:  # a RecordBatch
        """Return what Arrow reads of a group, if nothing is wrong with it."""
        import pyarrow.parquet as pq  # heavy, and most input is none

        rows = self.metadata.row_group(group).num_rows
        with pq.ParquetFile(self.path, metadata=self.metadata, pre_buffer=False) as file:
            batches = [*file.iter_batches(max(rows, 1), [group], list(self.others), use_threads=False)]
        if [batch.num_rows for batch in batches] != [rows]:
            return None
        batch, unfit = checked(batches[0], str(self.path))
        return None if unfit else batch

    def _numbers(self, row: int, count: int) -> Any | None:  # a RecordBatch
        """Return the numbers of the wanted rows as polars reads them, where they are of the types that Arrow has.

        Beside them stands which rows of the file they are.
        """
        import polars as pl  # as above
        from polars.exceptions import PanicException

        some = self.scan.slice(row, count)
        wanted = some.filter(pl.col(self.reading.columns.type).is_in(sorted(self.types)))
        try:
            found = wanted.select(_index_of(self.schema), *self.numbers).collect().to_arrow().combine_chunks()
        except PanicException:  # which is no Exception: damaged pages may bring it
            return None
        if any(found.schema.field(name).type != self.schema.field(name).type for name in self.numbers):
            return None
        batches = found.to_batches()
        return batches[0] if len(batches) == 1 else None

    def _events(self, batch: Any, rows: Rows, before: int) -> EventColumns | None:
        read = dict(zip(self.schema.names, batch.columns, strict=True))
        found = read_columns(read, self.reading, (), before)
        return None if found is None or len(found.rows) else replace(found.events, numbers=rows + (before + 1))


@dataclass(frozen=True, slots=True)
class _PickedRows:
    """Where rows stand that were picked out of others."""

    picked: BatchRows
    rows: Rows

    def place(self, row: int) -> DataPlace:
        return self.picked.place(int(self.rows[row]))

    def raw(self, row: int) -> object:
        return self.picked.raw(row)


def picking_of(
    file: Any, path: Path, columns: Sequence[str], reading: Reading, wanted: frozenset[str]
) -> Picking | None:
    """Return how the rows of some types are picked out of a file; None where all of them have to be read."""
    schema, own = pa.schema([file.schema_arrow.field(name) for name in columns]), reading.columns
    known = can_be_columns(reading) and reading.tick == 1 and own.start is None and own.otherwise is None
    if not known or reading.nested or not {own.time, own.type} <= {*columns}:
        return None
    numbers = [one.name for one in schema if one.name == own.time or _is_number(one.type)]
    others = [name for name in columns if name not in numbers]
    plain = own.type in others and all(_is_text(schema.field(name).type) for name in others)
    if not plain or not _is_exact(schema.field(own.time).type) or any(name.startswith("^") for name in numbers):
        return None  # what begins so is a pattern for polars
    if not _is_polars_there(file):
        return None
    return Picking(path, file.metadata, schema, wanted, reading, numbers, others, _scanned(path, schema))


def _index_of(schema: Any) -> str:
    """Return what the numbers of rows are called, which no column is."""
    return "".join(schema.names) + "."


def _scanned(path: Path, schema: Any) -> Any:  # a LazyFrame
    import polars as pl  # heavy, and it need not be there

    return pl.scan_parquet(path, glob=False, hive_partitioning=False, row_index_name=_index_of(schema))


def _is_polars_there(file: Any) -> bool:
    """Say whether polars is there, and is loaded already where that is not worth while."""
    if "polars" not in sys.modules and file.metadata.num_rows < MANY_ROWS:
        return False
    try:
        import polars  # noqa: F401  # whether it is there
    except ImportError:
        return False
    return True


def _count_of(kinds: Column, wanted: frozenset[str]) -> int:
    """Return how many rows are of some types; a type may stand in the dictionary twice."""
    codes, names = np.asarray(kinds.indices), kinds.dictionary.to_pylist()
    return sum(int(np.count_nonzero(codes == code)) for code, name in enumerate(names) if name in wanted)


def _encoded(kinds: Column | None) -> Column | None:
    if kinds is None or kinds.null_count:
        return None
    return kinds if types.is_dictionary(kinds.type) else kinds.dictionary_encode()


def _has_all_times(group: Any, column: str) -> bool:
    """Say whether no row of a group is without a time, by its statistics."""
    said = [group.column(number) for number in range(group.num_columns)]
    of_times = [one.statistics for one in said if one.path_in_schema == column]
    return len(of_times) == 1 and of_times[0] is not None and of_times[0].null_count == 0


def _is_exact(kind: Any) -> bool:  # pyarrow's DataType
    """Say whether a column has times each of which is a whole number of ticks."""
    return bool((types.is_integer(kind) and kind != pa.uint64()) or (types.is_timestamp(kind) and kind.unit != "ns"))


def _is_number(kind: Any) -> bool:
    whole = types.is_integer(kind) and kind != pa.uint64()
    return bool(whole or types.is_float32(kind) or types.is_float64(kind) or types.is_boolean(kind))


def _is_text(kind: Any) -> bool:
    plain = kind.value_type if types.is_dictionary(kind) else kind
    return bool(types.is_string(plain) or types.is_large_string(plain))
