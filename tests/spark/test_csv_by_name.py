"""Files of comma-separated values are read by the names of their columns, whatever order each file has them in."""

import os
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import Row, SparkSession
from pyspark.sql.types import StructType

from cepheid.spark.csv_by_name import has_headers, read_by_name, schema_by_name
from cepheid.spark.csv_cells import BROKEN, Cells, taking_apart
from cepheid.spark.event_columns import CORRUPT_RECORD, FILE
from cepheid.spark.whole_input import frame_of

FILES = {
    "1.csv": "type,time,user,amount\nA,1,ann,1.5\nF,6,\u0001f\u0001,\nB,2,bob,2\n",
    "2.csv": '\ufeffamount,user,more,time,type\n9.5,"x, y",m,3,C\n8,cid,m,soon,D\n7,dan,m,4\n',
    "3.csv": "user,type,time\neve,E,5\n",
}
OPTIONS = {"header": "true", "inferSchema": "true"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number, (name, text) in enumerate(FILES.items()):
        (tmp_path / name).write_text(text, encoding="utf-8")
        os.utime(tmp_path / name, (1_000_000 + number, 1_000_000 + number))
    return tmp_path


def said(rows: list[Row]) -> dict[str, tuple[object, ...]]:
    return {row["user"]: (row["type"], row["time"], row["amount"]) for row in rows if row[CORRUPT_RECORD] is None}


GOOD = {
    "ann": ("A", 1, 1.5),
    "bob": ("B", 2, 2.0),
    "x, y": ("C", 3, 9.5),
    "eve": ("E", 5, None),
    "\u0001f\u0001": ("F", 6, None),
}


def test_values_stay_under_their_names_whatever_the_order(spark: SparkSession, folder: Path) -> None:
    schema = StructType().add("time", "long").add("type", "string").add("amount", "double")
    schema = schema.add("user", "string").add(CORRUPT_RECORD, "string")
    rows = read_by_name(spark.read, str(folder), schema, OPTIONS).collect()
    assert said(rows) == GOOD
    malformed = {(row[CORRUPT_RECORD], Path(row[FILE]).name) for row in rows if row[CORRUPT_RECORD] is not None}
    assert malformed == {("soon,D,8,cid", "2.csv"), ("7,dan,m,4", "2.csv")}


def _batches(lines: list[str], size: int, file: str = "f.csv") -> list[object]:
    table = pa.table({"line": lines, FILE: [file] * len(lines)})
    return list(table.to_batches(max_chunksize=size))


@pytest.mark.parametrize("size", [1, 7, 1000, 20_000])
@pytest.mark.parametrize("spans", [False, True])
def test_no_record_is_lost_between_batches(size: int, spans: bool) -> None:
    """Neither where a batch ends, nor where many records are told at once, nor where the next file begins."""
    count = 30 if size < 1000 else 25_000
    some = [f'{number},"a, {number}"' if number % 5 == 0 else f"{number},b" for number in range(count)]
    batches = [*_batches(["number,text", *some], size), *_batches(["text,number", "x,-1", "y", "z,-2"], size, "g.csv")]
    told = list(taking_apart(["number", "text"], Cells(spans_lines=spans))(iter(batches)))
    rows = [row for batch in told for row in batch.to_pylist()]
    assert sorted(int(row["number"]) for row in rows if row["number"] is not None) == [-2, -1, *range(count)]
    assert [row["text"] for row in rows if row["number"] == "5"] == ["a, 5"]
    assert [(row[FILE], row[BROKEN]) for row in rows if row[BROKEN] is not None] == [("g.csv", "y")]


def test_types_are_inferred_by_name(spark: SparkSession, folder: Path) -> None:
    found = schema_by_name(spark, str(folder), OPTIONS)
    kinds = {field.name: field.dataType.simpleString() for field in found.fields}
    assert kinds == {"type": "string", "time": "string", "user": "string", "amount": "double", "more": "string"}
    rows = frame_of(str(folder), spark).collect()
    assert said(rows) == {
        **{user: (kind, str(time), n) for user, (kind, time, n) in GOOD.items()},
        "cid": ("D", "soon", 8.0),
    }


def test_a_record_may_span_lines_where_that_is_said() -> None:
    lines = ['a,"b', 'c",d']
    assert [cells for _, cells in Cells(spans_lines=True).of(lines)] == [["a", "b\nc", "d"]]
    assert [len(cells) for _, cells in Cells().of(lines)] == [2, 2]
    assert [cells for _, cells in Cells(separator=";", quote="'").of(["'a;b';c"])] == [["a;b", "c"]]


def test_files_without_a_header_are_read_by_position() -> None:
    assert has_headers({"header": "true"})
    assert not has_headers({})
    assert not has_headers({"header": "false"})
