"""Small files of every format that is read, with what a random number chooses in them."""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from tests.hostile.values import as_json, nested, some_rows

_PLAIN: Final = (
    *(pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()),
    *(pa.float16(), pa.float32(), pa.float64(), pa.date32(), pa.date64(), pa.time32("s"), pa.time64("us")),
    *(pa.timestamp(unit) for unit in ("s", "ms", "us", "ns")),
    *(pa.timestamp("us", "UTC"), pa.timestamp("ns", "Europe/Berlin"), pa.duration("s"), pa.duration("ns")),
    *(pa.decimal128(38, 3), pa.decimal256(70, 0), pa.binary(16)),
)
_OTHERS: Final[tuple[tuple[Any, list[object]], ...]] = (
    (pa.bool_(), [True, False, None]),
    (pa.null(), [None]),
    (pa.large_string(), ["A", "é", None]),
    (pa.string_view(), ["A", "B", None]),
    (pa.binary(), [b"A", b"\xff"]),
    (pa.binary_view(), [b"A", b"\xff"]),
    (pa.list_(pa.int64()), [[1], [], None]),
    (pa.list_(pa.uint64()), [[2**64 - 1], [1]]),
    (pa.list_view(pa.int64()), [[1], [], None]),
    (pa.struct([("a", pa.int64()), ("b", pa.string())]), [{"a": 1, "b": "x"}, None]),
    (pa.map_(pa.string(), pa.int64()), [[("k", 1)], []]),
    (pa.dictionary(pa.int8(), pa.string()), ["A", "B", None]),
    (pa.uuid(), [b"0123456789abcdef"]),
    (pa.list_(pa.timestamp("us")), [[1], [None]]),
)


@dataclass(frozen=True, slots=True)
class Made:
    """The bytes of a file, the ending of its name, and how many rows it holds."""

    data: bytes
    ending: str
    rows: int


def made_json(random: Random) -> Made:
    lines = [as_json(row) for row in some_rows(random)]
    if random.random() < 0.1:
        depth = random.choice([99, 101, 500, 2000, 100_000])
        lines.append(f'{{"type": "A", "time": 1, "x": {nested(depth)}}}')
    return Made("".join(f"{line}\n" for line in lines).encode(), ".jsonl", len(lines))


def made_csv(random: Random) -> Made:
    rows = some_rows(random)
    columns = ["type", "time", "x", "s"]
    random.shuffle(columns)
    text = io.StringIO()
    writer = csv.writer(text, delimiter=random.choice(",;\t|"), lineterminator=random.choice(["\n", "\r\n"]))
    writer.writerow(columns)
    writer.writerows([_cell(row.get(column)) for column in columns] for row in rows)
    return Made(text.getvalue().encode(errors="backslashreplace"), ".csv", len(rows))


def _cell(value: object) -> object:
    return f"{value:.3g}" if isinstance(value, float) else "9" * 500 if value == 10**5000 else value


def made_parquet(random: Random) -> Made:
    table = some_table(random)
    sink = io.BytesIO()
    compression = random.choice(["none", "snappy", "zstd"])
    try:
        pq.write_table(table, sink, compression=compression, use_dictionary=random.random() < 0.5)
    except (pa.ArrowException, OSError):  # there are types that Parquet has not, and times that it does not hold
        sink = io.BytesIO()
        table = pa.table({"type": ["A", "B"], "time": [1, 2]})
        pq.write_table(table, sink, compression=compression)
    return Made(sink.getvalue(), ".parquet", table.num_rows)


def made_groups(random: Random) -> Made:
    """Some hundred rows of plain columns in order, a few types among ten, in several groups of a Parquet file."""
    count = random.randint(100, 600)
    columns: dict[str, Any] = {
        "type": pa.array(random.choices("ABCDEFGHIJ", k=count)),
        "time": pa.array(range(count)),
        "x": pa.array([random.random() for _ in range(count)]),
        "s": pa.array(random.choices([1, 2, 300], k=count), pa.int32()),
    }
    sink = io.BytesIO()
    compression, in_group = random.choice(["none", "snappy", "zstd"]), random.choice([count, count // 3, 50])
    dictionaries: Any = random.choice([True, False, ["type"]])
    pq.write_table(
        pa.table(columns), sink, row_group_size=in_group, compression=compression, use_dictionary=dictionaries
    )
    return Made(sink.getvalue(), ".parquet", count)


def made_arrow_file(random: Random) -> Made:
    return _made_arrow(random, pa.ipc.new_file)


def made_arrow_stream(random: Random) -> Made:
    return _made_arrow(random, pa.ipc.new_stream)


def _made_arrow(random: Random, new: Callable[..., Any]) -> Made:
    table = some_table(random)
    sink = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(compression=random.choice([None, None, "lz4", "zstd"]))
    with new(sink, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=random.choice([2, 100]))
    return Made(sink.getvalue(), ".arrow", table.num_rows)


def some_table(random: Random) -> Any:  # pyarrow has no types
    """A table with a type and a time, and two columns of any kind; now and then the former are of any kind too."""
    count = random.randint(0, 8)
    types = pa.array(random.choices("ABC", k=count), pa.string())
    times = pa.array(range(count), pa.int64())
    columns = {"type": types, "time": times, "x": any_column(random, count), "s": any_column(random, count)}
    if random.random() < 0.3:
        columns["time"] = any_column(random, count)
    if random.random() < 0.1:
        columns["type"] = any_column(random, count)
    return pa.table(columns)


def any_column(random: Random, count: int) -> Any:
    """A column of any type, numbers and moments of any bits among them."""
    if random.random() < 0.5:
        kind = random.choice(_PLAIN)
        return pa.Array.from_buffers(kind, count, [None, pa.py_buffer(random.randbytes(count * kind.bit_width // 8))])
    kind, values = random.choice(_OTHERS)
    return pa.array(random.choices(values, k=count), kind)


MAKERS: Final = (made_json, made_csv, made_parquet, made_groups, made_arrow_file, made_arrow_stream)
