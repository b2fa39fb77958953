"""Events from files, by the ending of their name: JSON lines, comma-separated values, Parquet and Arrow.

A file whose name says nothing is judged by its first bytes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

import pyarrow as pa

from cepheid.connectors.arrow_checking import each_of, names_of
from cepheid.connectors.arrow_rows import (
    MOST_ROWS,
    PORTIONS,
    arrow_chunks,
    check_columns,
    is_read,
    nested_names,
    parts_of,
    wide,
)
from cepheid.connectors.byte_streams import open_bytes, readable
from cepheid.connectors.column_reading import unnoted
from cepheid.connectors.csv_input import csv_chunks
from cepheid.connectors.event_columns import AnyChunk
from cepheid.connectors.json_lines import json_chunks
from cepheid.connectors.logs import looks_like
from cepheid.connectors.missing_columns import refuse_missing, refuse_twice, watched
from cepheid.connectors.records import FormSeen, Reading
from cepheid.connectors.wanted_rows import Picking, picking_of
from cepheid.diagnostics import CepheidError, Diagnostic, unreadable
from cepheid.events import Rounding

ReadFile: TypeAlias = Callable[[Path, Reading, FormSeen, int], Iterator[AnyChunk]]

PACKED: Final = (".gz", ".bz2", ".zst", ".lz4")
READ_AT_ONCE: Final = 1 << 20
_ARROW_FILE = b"ARROW1"


def read_json_lines(path: Path, reading: Reading, form: FormSeen, before: int) -> Iterator[AnyChunk]:
    """Yield the events of a file of JSON lines."""
    with open_bytes(path) as stream:
        yield from watched(json_chunks(stream, str(path), reading, form, before), reading.columns, str(path))


def read_csv(path: Path, reading: Reading, form: FormSeen, before: int) -> Iterator[AnyChunk]:
    """Yield the events of a file of comma-separated values."""
    with open_bytes(path) as stream:
        yield from csv_chunks(stream, str(path), reading, form, before)


def read_parquet(path: Path, reading: Reading, form: FormSeen, before: int) -> Iterator[AnyChunk]:
    """Yield the events of a Parquet file."""
    # Reading ahead would keep all column chunks of the file until its end.
    import pyarrow.parquet as pq  # heavy, and most input is none

    with readable(str(path)), pq.ParquetFile(path, pre_buffer=False, buffer_size=READ_AT_ONCE) as file:
        batches = file.iter_batches(batch_size=PORTIONS * MOST_ROWS, columns=_read_of(file, path, reading))
        whole = _complete(batches, file.metadata.num_rows, str(path))
        yield from arrow_chunks(whole, file.schema_arrow, str(path), reading, form, before)


def parquet_parts(
    path: Path, reading: Reading, form: FormSeen, before: int, rows: int, wanted: frozenset[str] | None = None
) -> Iterator["RowGroup"]:
    """Yield the row groups of a Parquet file, unread; so many rows of each will be read at once.

    Of rows that are not of the `wanted` types, threads of their own need no more than how many there are.
    """
    import pyarrow.parquet as pq  # as above

    with readable(str(path)), pq.ParquetFile(path) as file:
        check_columns(file.schema_arrow, str(path), reading, form)
        metadata, columns = file.metadata, _read_of(file, path, reading)
        picking = None if wanted is None else picking_of(file, path, columns, reading, wanted)
    row = 0
    for number in range(metadata.num_row_groups):
        count = metadata.row_group(number).num_rows
        yield RowGroup(path, metadata, number, count, columns, reading, form, before + row, row, rows, picking)
        row += count


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows of a Parquet file that nobody has read; `row` of the file come before them."""

    path: Path
    metadata: Any  # pyarrow has no types
    number: int
    count: int
    columns: list[str]
    reading: Reading
    form: FormSeen
    before: int
    row: int
    at_once: int
    picking: Picking | None = None
    picks: bool = False
    rounding: Rounding | None = None

    def __len__(self) -> int:
        return self.count

    def chunks(self) -> Iterator[AnyChunk]:
        """Yield the events."""
        picked = self._picked() if self.picks else None
        if picked is None:
            yield from self._whole()
        else:
            yield picked

    def _picked(self) -> AnyChunk | None:
        """Return the rows that are wanted; None where all have to be read, also where something cannot be read."""
        try:
            return None if self.picking is None else self.picking.chunk(self.number, self.row, self.before, self.form)
        except Exception:  # noqa: BLE001  # polars has errors of its own; who reads all rows finds the reason
            return None

    def _whole(self) -> Iterator[AnyChunk]:
        import pyarrow.parquet as pq  # as above

        name = str(self.path)
        with (
            readable(name),
            pq.ParquetFile(self.path, metadata=self.metadata, pre_buffer=False, buffer_size=READ_AT_ONCE) as file,
        ):
            # In memory that is used again, where that gives the same pieces as reading the whole file.
            size = self.count if self.row % (PORTIONS * MOST_ROWS) else PORTIONS * MOST_ROWS
            batches = file.iter_batches(max(size, 1), [self.number], self.columns, use_threads=False)
            whole = _complete(each_of(batches, name), self.count, name)
            pieces = wide(_as_whole(whole, self.row), self.reading, self.at_once)
            for part in parts_of(pieces, name, self.reading, self.form, self.before, self.row):
                yield from part.chunks()

    def need_not_be_first(self, rows: int) -> bool:
        """Say whether so many rows are all in this file, and are picked; the type of their times says the form."""
        return self.picking is not None and self.metadata.num_rows == rows

    def apart(self) -> "RowGroup":
        """Return the same rows for a thread of their own: what is rounded is noted when they are settled."""
        return replace(self, reading=unnoted(self.reading), rounding=self.reading.rounding, picks=True)

    def settle(self) -> None:
        """Note what was rounded in these rows, after all rows before them."""
        if self.rounding is not None:
            self.rounding.add(self.reading.rounding)


def _complete(batches: Iterator[Any], count: int, name: str) -> Iterator[Any]:
    """Yield batches, which must have so many rows: Arrow ends early in silence where a column says it has none."""
    for batch in batches:
        count -= batch.num_rows
        yield batch
    if count:
        raise unreadable(name, "it has another number of rows than it says")


def _as_whole(batches: Iterator[Any], row: int) -> Iterator[Any]:
    """Yield the rows of batches in the pieces in which the whole file is read; `row` rows come before them."""
    size = PORTIONS * MOST_ROWS
    for batch in batches:
        first = 0
        while first < batch.num_rows:
            count = min(size - (row + first) % size, batch.num_rows - first)
            yield batch.slice(first, count)
            first += count
        row += batch.num_rows


def _read_of(file: Any, path: Path, reading: Reading) -> list[str]:  # pyarrow has no types: a ParquetFile
    """Return the columns that are read; of a column that is there twice nobody can say which."""
    names = names_of(file.schema_arrow, str(path))
    refuse_missing(reading.columns, (*names, *nested_names(file.schema_arrow, reading)), str(path))
    refuse_twice(names, reading, str(path))
    return [name for name in names if is_read(name, reading)]


def read_arrow(path: Path, reading: Reading, form: FormSeen, before: int) -> Iterator[AnyChunk]:
    """Yield the events of an Arrow file, which may also hold a stream."""
    # A file that is mapped and then cut short by somebody else would end the process.
    with readable(str(path)), pa.OSFile(str(path)) as bytes_:
        if bytes_.read(len(_ARROW_FILE)) == _ARROW_FILE:
            file = pa.ipc.open_file(bytes_)
            batches = (file.get_batch(index) for index in range(file.num_record_batches))
            yield from arrow_chunks(batches, file.schema, str(path), reading, form, before)
        else:
            bytes_.seek(0)
            stream = pa.ipc.open_stream(bytes_)
            yield from arrow_chunks(stream, stream.schema, str(path), reading, form, before)


READERS: Final[dict[str, ReadFile]] = {
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".json": read_json_lines,
    ".csv": read_csv,
    ".tsv": read_csv,
    ".parquet": read_parquet,
    ".pq": read_parquet,
    ".arrow": read_arrow,
    ".arrows": read_arrow,
    ".feather": read_arrow,
    ".ipc": read_arrow,
}


def reader_of(path: Path, reading: Reading) -> ReadFile:
    """Return what reads a file: as somebody said, by its name, or else by its first bytes."""
    if reading.lines is not None or reading.kind is not None:
        return read_csv if reading.kind == "csv" else read_json_lines
    found = READERS.get(_suffix(path)) or _by_content(path)
    if found is None:
        raise _unknown_format(path)
    return found


def is_parquet(path: Path) -> bool:
    """Say whether a file is one of Parquet."""
    return (READERS.get(_suffix(path)) or _by_content(path)) is read_parquet


def is_known(path: Path) -> bool:
    """Say whether the name of a file says what it holds."""
    return _suffix(path) in READERS


def _suffix(path: Path) -> str:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in PACKED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def _by_content(path: Path) -> ReadFile | None:
    with open_bytes(path) as stream:
        start = stream.read(64).lstrip()
    beginnings = {b"{": read_json_lines, b"[": read_json_lines, b"PAR1": read_parquet, _ARROW_FILE: read_arrow}
    return next((reader for bytes_, reader in beginnings.items() if start.startswith(bytes_)), None)


def _first_lines(path: Path) -> str:
    with open_bytes(path) as stream:
        lines = stream.read(4096).decode(errors="replace").split("\n")
    return "\n".join(lines[:-1] or lines)


def _unknown_format(path: Path) -> CepheidError:
    kinds = ", ".join(f"`{suffix}`" for suffix in (".jsonl", ".csv", ".parquet", ".arrow"))
    message = f"it is not clear what `{path}` holds"
    like = looks_like(_first_lines(path))
    named = f"give its name the ending {kinds.replace(', `.arrow`', ' or `.arrow`')}"
    first = (
        f'it looks like `{like}`: add `--input-format {like}`, or in Python `input_format="{like}"`' if like else named
    )
    hints = (first, "say how its lines are read: `--pattern '%{TIMESTAMP_ISO8601:time} %{GREEDYDATA:line}'`")
    return CepheidError(Diagnostic("unknown-format", message, hints=hints))
