"""Frames of Spark are tables of a connection, and come partition by partition."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession

from cepheid import dbapi

PARTITIONS = 8
ROWS = 4_000


def test_a_frame_of_spark_is_a_table(spark: SparkSession) -> None:
    frame = spark.createDataFrame([("A", 3), ("B", 5), ("A", 7)], "symbol string, price long")
    cursor = dbapi.connect({"stocks": frame, "names": [{"symbol": "A", "name": "Alpha"}]}).cursor()
    cursor.execute("SELECT symbol, price FROM stocks WHERE price > ?", [4])
    assert cursor.fetchall() == [("B", 5), ("A", 7)]
    cursor.execute(
        "SELECT n.name, SUM(s.price) AS total FROM stocks AS s JOIN names AS n USING (symbol) GROUP BY n.name"
    )
    assert cursor.fetchall() == [("Alpha", 10)]


def noted(spark: SparkSession, folder: Path) -> DataFrame:
    """A frame of some partitions, each of which leaves a file behind when it is computed."""

    def note(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if batch.num_rows:
                (folder / str(batch.column(0)[0].as_py())).touch()
            yield batch

    return spark.range(0, ROWS, 1, PARTITIONS).mapInArrow(note, "id long")


def test_partitions_are_computed_as_rows_are_fetched(spark: SparkSession, tmp_path: Path) -> None:
    cursor = dbapi.connect({"numbers": noted(spark, tmp_path)}).cursor()
    cursor.execute("SELECT id * 2 AS twice FROM numbers WHERE id % 2 = 1")
    assert cursor.fetchmany(3) == [(2,), (6,), (10,)]
    computed = len(list(tmp_path.iterdir()))
    assert computed < PARTITIONS
    cursor.fetchmany(ROWS // PARTITIONS)
    assert computed < len(list(tmp_path.iterdir())) < PARTITIONS
    assert len(cursor.fetchall()) == ROWS // 2 - 3 - ROWS // PARTITIONS
    assert len(list(tmp_path.iterdir())) == PARTITIONS


@pytest.mark.parametrize("text", ["SELECT COUNT(*) AS n FROM numbers", "SELECT MAX(id) + 1 AS n FROM numbers"])
def test_what_needs_all_rows_never_holds_them(
    spark: SparkSession, tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def whole(*_: object, **__: object) -> None:
        raise AssertionError("a table was made of all rows")

    frame = noted(spark, tmp_path)
    monkeypatch.setattr(pa, "table", whole)
    assert dbapi.connect({"numbers": frame}).cursor().execute(text).fetchall() == [(ROWS,)]


def test_a_frame_that_is_read_twice_has_one_answer(spark: SparkSession) -> None:
    cursor = dbapi.connect({"numbers": spark.range(0, 10, 1, 3)}).cursor()
    cursor.execute("SELECT COUNT(*) AS n FROM numbers AS x JOIN numbers AS y ON x.id = y.id + 1")
    assert cursor.fetchall() == [(9,)]
