"""Pipes over frames of Spark: what comes out is what comes out in one process."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, Row, SparkSession

from cepheid import pipes as p
from cepheid.diagnostics import CepheidError
from cepheid.spark import pipe
from cepheid.spark.pipes.parts import parts_of
from tests.spark.plans import partitions, plans
from tests.spark.streams import taken_in

SCHEMA = "time long, symbol string, close double"
close = p.apply(p.field("close"))
mean = p.cumulate(p.add) / (p.turn_into(1) | p.cumulate(p.add))
high = p.where(p.field("close") > 3)
means = p.slice(p.field("symbol"), close | p.window(mean, 2))


def rows(count: int, first: int = 0) -> list[dict[str, Any]]:
    chance = random.Random(first)
    return [
        {"time": first + place, "symbol": chance.choice("abc"), "close": chance.randrange(80) / 8}
        for place in range(count)
    ]


def frame(spark: SparkSession, told: Sequence[dict[str, Any]]) -> DataFrame:
    """Rows in several partitions, and in no order."""
    shuffled = random.Random(1).sample(told, len(told))
    return spark.createDataFrame([tuple(row.values()) for row in shuffled], SCHEMA).repartition(3)


def ordered(found: DataFrame) -> list[Row]:
    return sorted(found.collect(), key=lambda row: (row["time"], row["ordinal"]))


def test_what_keeps_nothing_runs_everywhere(spark: SparkSession) -> None:
    twice = high | p.stutter(2) | p.apply(p.field("close") * 2)
    assert parts_of(twice).rest is None
    given = frame(spark, rows(40))
    found = given.transform(pipe(twice, order_by="time", schema="twice double"))
    assert [row["twice"] for row in ordered(found)] == twice.run(rows(40))
    assert partitions(found) == partitions(given)


def test_a_slice_is_the_key_that_rows_are_shuffled_by(spark: SparkSession) -> None:
    found = pipe(frame(spark, rows(60)), high | means, order_by="time", schema="mean double", buckets=4)
    last: dict[str, float] = {}
    maps: dict[int, dict[str, float]] = {}
    for row in ordered(found):
        last = {**last, row["key"]: row["mean"]}
        maps[row["time"]] = last
    expected = (high | means).run(rows(60))
    assert list(maps.values()) == [one for place, one in enumerate(expected) if one and one != expected[place - 1]]
    assert "hashpartitioning(bucket" in plans(found)


@pytest.mark.parametrize(
    "processor",
    [
        close | p.window(mean, 3) | p.decimate(2, last=True),
        high | means | p.apply(len),
        high | means | p.apply(p.x["a"]) | p.window(p.cumulate(p.maximum), 3),
        p.fan(close, close | p.trim(1)) | p.apply(p.x < p.y) | p.keep_last(),
    ],
)
def test_the_rest_runs_in_one_partition_with_a_note(spark: SparkSession, processor: p.Processor) -> None:
    with pytest.warns(RuntimeWarning, match="one-partition: .* runs in one partition"):
        found = pipe(frame(spark, rows(50)), processor, order_by=["time"], schema="value double")
    told = [row["value"] for row in ordered(found)]
    assert told == [None if one is None else float(one) for one in processor.run(rows(50))]


def test_values_without_a_schema_are_json(spark: SparkSession) -> None:
    found = pipe(frame(spark, rows(3)), p.apply(p.record_of(a=p.field("time"), b=p.list_of(1, "x"))), order_by="time")
    assert [row["value"] for row in ordered(found)] == [f'{{"a": {time}, "b": [1, "x"]}}' for time in range(3)]


def test_functions_of_users_are_sent_along(spark: SparkSession) -> None:
    @p.processor(initial=0)
    def numbered(before: int, row: dict[str, Any]) -> tuple[int, list[str]]:
        return before + 1, [f"{row['symbol']}{before}"]

    processor = p.slice(lambda row: row["symbol"], numbered)
    found = pipe(frame(spark, rows(12)), processor, order_by="time", schema="name string")
    assert [row["name"] for row in ordered(found)] == [
        one[row["symbol"]] for row, one in zip(rows(12), processor.run(rows(12)), strict=True)
    ]


def test_what_cannot_run_says_so(spark: SparkSession) -> None:
    given = frame(spark, rows(3))
    with pytest.raises(CepheidError, match="no-order"):
        pipe(given, close | p.window(mean, 2))
    with pytest.raises(CepheidError, match="one input and one output"):
        pipe(given, p.fork(2), order_by="time")
    with pytest.raises(CepheidError, match="argument-count"):
        pipe(given, "close")  # type: ignore[call-overload]  # on purpose


def written(spark: SparkSession, folder: Path, name: str, told: Sequence[dict[str, Any]]) -> None:
    spark.createDataFrame([tuple(row.values()) for row in told], SCHEMA).coalesce(1).write.parquet(
        f"{folder}/in/{name}"
    )


def streamed(spark: SparkSession, folder: Path, processor: p.Processor, **options: Any) -> list[Row]:
    """Run a stream over what is there and was not read yet."""
    stream = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).parquet(f"{folder}/in/*")
    results = stream.transform(pipe(processor, order_by="time", schema="value double", buckets=2, **options))
    return sorted(taken_in(results, folder / "checkpoint"), key=lambda row: (row["time"], row["ordinal"]))


def test_a_stream_goes_on_where_it_was(spark: SparkSession, tmp_path: Path) -> None:
    """Slices by key; each restart goes on from the snapshots, and nothing comes twice."""
    found: list[Row] = []
    for number in range(3):
        written(spark, tmp_path, str(number), rows(20, 20 * number))
        found += streamed(spark, tmp_path, high | means, keys=3)
        assert streamed(spark, tmp_path, high | means, keys=3) == []
    told = [*rows(20, 0), *rows(20, 20), *rows(20, 40)]
    copies = {key: (high | close | p.window(mean, 2)).start() for key in "abc"}
    expected = [(row["symbol"], value) for row in told for value in copies[row["symbol"]].push(row)]
    assert [(row["key"], row["value"]) for row in found] == expected


def test_a_stream_in_one_partition_goes_on_and_another_pipe_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    processor = close | p.window(mean, 3)
    found: list[Row] = []
    for number in range(2):
        written(spark, tmp_path, str(number), rows(10, 10 * number))
        with pytest.warns(RuntimeWarning, match="one-partition"):
            found += streamed(spark, tmp_path, processor)
    assert [row["value"] for row in found] == processor.run([*rows(10, 0), *rows(10, 10)])
    written(spark, tmp_path, "2", rows(10, 20))
    with pytest.warns(RuntimeWarning), pytest.raises(Exception, match="state-mismatch"):
        streamed(spark, tmp_path, close | p.window(mean, 4))


def test_what_a_stream_would_keep_for_ever_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    written(spark, tmp_path, "0", rows(3))
    with pytest.raises(CepheidError, match="unbounded-state"):
        streamed(spark, tmp_path, means)
