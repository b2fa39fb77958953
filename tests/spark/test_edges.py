"""What a frame says is read as everywhere else: without a zone it is UTC, and what is too fine is rounded."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

import cepheid
from cepheid import CepheidError
from cepheid.events import MAX_TIME
from cepheid.spark import detect
from cepheid.spark.times import TimeForm
from tests.cli.console import cepheid as command
from tests.spark.streams import taken_in

QUERY = "Pair = (A ; B) within 5 s"
MOMENTS = [datetime(1969, 12, 31, 23, 59, 59, 250_000), datetime(2024, 3, 10, 2, 30, 0, 1)]
"""One before 1970, and one that a clock in New York never showed."""


@pytest.fixture(params=["UTC", "America/New_York"])
def anywhere(spark: SparkSession, request: pytest.FixtureRequest) -> Iterator[SparkSession]:
    spark.conf.set("spark.sql.session.timeZone", request.param)
    yield spark
    spark.conf.set("spark.sql.session.timeZone", "UTC")


def ticks(moment: datetime) -> int:
    return round((moment - datetime(1970, 1, 1)).total_seconds() * 10**6)


def told(output: str) -> dict[str, object]:
    """The one match of an output, without the id that depends on what events are called."""
    return {name: value for name, value in json.loads(output).items() if name != "id"}


def read_as(frame: DataFrame, kind: T.DataType, tick: int = 1) -> list[int | None]:
    form = TimeForm(kind, "s", tick, MAX_TIME)
    return [row[0] for row in frame.select(form.checked(form.ticks(F.col("time")))).collect()]


def test_a_timestamp_without_a_zone_is_utc_wherever_spark_is(anywhere: SparkSession, tmp_path: Path) -> None:
    pq.write_table(pa.table({"time": pa.array(MOMENTS, pa.timestamp("us"))}), tmp_path / "events.parquet")
    frame = anywhere.read.parquet(str(tmp_path))
    assert frame.schema["time"].dataType == T.TimestampNTZType()
    assert read_as(frame, T.TimestampNTZType()) == list(map(ticks, MOMENTS))
    form = TimeForm(T.TimestampNTZType(), "s")
    assert [row[0] for row in frame.select(form.shown(form.ticks(F.col("time")))).collect()] == MOMENTS


def test_a_text_without_an_offset_is_utc_wherever_spark_is(anywhere: SparkSession) -> None:
    texts = ["2024-03-10T02:30:00.000001", "2024-03-10 02:30:00.000001Z", "2024-03-09T21:30:00.000001-05:00", "soon"]
    frame = anywhere.createDataFrame([(text,) for text in [*texts, "2024-03-10"]], "time string")
    whole = ticks(datetime(2024, 3, 10))
    assert read_as(frame, T.StringType()) == [ticks(MOMENTS[1])] * 3 + [None, whole]


def test_what_is_finer_than_a_microsecond_is_rounded_as_in_one_process(spark: SparkSession) -> None:
    numbers = [0.3333333, 1763290582.1234567, -0.3333333, 0.25, 4_000_000_000_001.5, float("nan"), float("inf")]
    frame = spark.createDataFrame([(number,) for number in numbers], "time double")
    here = cepheid.compile("A", language="algebra").run([{"type": "A", "time": number} for number in numbers])
    expected = [match.end for match in here]
    found = read_as(frame, T.DoubleType())
    assert sorted(one / 10**6 for one in found if one is not None) == expected
    assert (len(expected), found[5:]) == (5, [None, None])
    assert read_as(frame, T.DoubleType(), 1000)[:4] == [None, None, None, 250_000]
    texts = ["1970-01-01T00:00:00.3333333Z", "1970-01-01T00:00:59.9999999Z"]
    frame = spark.createDataFrame([(text,) for text in texts], "time string")
    assert read_as(frame, T.StringType()) == [333_333, 60_000_000]
    assert read_as(frame, T.StringType(), 1000) == [None, None]


def test_a_text_that_is_a_number_is_one_as_in_one_process(spark: SparkSession) -> None:
    """A file of JSON with numbers and texts for times has a column of texts for Spark."""
    texts = ["2024", " 5 ", "-1.5e3", "1763290582.123456", "0.3333333", "2024-03-10", "9" * 60, "5 s", "."]
    frame = spark.createDataFrame([(text,) for text in texts], "time string")
    here = cepheid.compile("A", language="algebra").run([{"type": "A", "time": text} for text in texts])
    found = read_as(frame, T.StringType())
    assert sorted(one / 10**6 for one in found if one is not None) == [match.end for match in here]
    assert found[6:] == [None, None, None]
    assert read_as(frame, T.StringType(), 1000)[2:5] == [-1_500_000_000, None, None]


def test_columns_may_have_any_name_and_far_events_are_set_aside(spark: SparkSession, tmp_path: Path) -> None:
    """In whole frames and in streams: what one column is called, or one event says, stops nothing."""
    far = 2**61
    events = [("A", 1, 7, 1.0, "x"), ("A", far, 7, 1.0, "x"), ("A", -far, 7, 1.0, "x"), ("B", 3, 7, 2.0, "y")]
    schema = "`__type` string, time bigint, `__end` bigint, `a.b` double, `x``y` string"
    frame = spark.createDataFrame([*events, ("A", 5, 7, 3.0, "z")], schema)
    frame.coalesce(1).write.parquet(str(tmp_path / "in"))
    a, b = cepheid.event("A"), cepheid.event("B")
    values = {"sum": a["a.b"] + b["a.b"], "text": b["x`y"]}
    pair = cepheid.query((a >> b).within("5 s"), name="Pair", values=values, by="__end")
    query = cepheid.compile(pair, time_unit="us", disorder="0 s")
    whole = detect(spark.read.parquet(str(tmp_path / "in")), query, type="__type").collect()
    stream = spark.readStream.schema(frame.schema).parquet(str(tmp_path / "in"))
    found = taken_in(detect(stream, query, type="__type", buckets=2), tmp_path / "checkpoint")
    for rows in (whole, found):
        [match] = [row for row in rows if row["tag"] == "match"]
        assert (match["start"], match["end"], match["values"].asDict()) == (1, 3, {"sum": 3.0, "text": "y"})
        aside = [row["rejected"] for row in rows if row["tag"] == "corrupt"]
        assert [one["reason"] for one in aside] == ["`time` is too far away"] * 2
        assert json.loads(aside[0]["record"])["a.b"] == 1.0


def test_naive_timestamps_of_parquet_run_on_spark(spark: SparkSession, tmp_path: Path) -> None:
    times = pa.array([1_000_000, 2_000_000], pa.timestamp("us"))
    pq.write_table(pa.table({"type": ["A", "B"], "time": times}), tmp_path / "events.parquet")
    arguments = (
        "run",
        QUERY,
        "--language",
        "algebra",
        "--input",
        str(tmp_path / "events.parquet"),
        "--no-evidence",
        "--quiet",
    )
    assert told(command(*arguments, "--on", "spark").output) == told(command(*arguments).output) != {}


def test_rounding_is_said_once_on_spark_too(spark: SparkSession, tmp_path: Path) -> None:
    lines = ['{"type": "A", "time": 0.3333333}', '{"type": "B", "time": 1.6666666}']
    (tmp_path / "events.jsonl").write_text("\n".join(lines), encoding="utf-8")
    arguments = ("run", QUERY, "--language", "algebra", "--input", str(tmp_path / "events.jsonl"), "--no-evidence")
    here, there = command(*arguments), command(*arguments, "--on", "spark")
    assert (told(there.output), there.status) == (told(here.output), 0)
    warning = "warning[rounded-time]: `0.3333333` is finer than a microsecond"
    assert here.said.count(warning) == there.said.count(warning) == 1


def test_a_text_and_a_built_query_are_compiled(spark: SparkSession) -> None:
    events = spark.createDataFrame([("A", 1), ("B", 2)], "type string, time long")
    built = cepheid.query((cepheid.event("A") >> cepheid.event("B")).within("5 s"), name="Pair")
    etalis = "pair() <- (a() SEQ b()).5."
    native = "a: A then b: B within 5 s emits Pair"
    [row] = detect(events, native, order_by=["time"]).collect()
    assert (row["match"], row["start"], row["end"]) == ("Pair", 1, 2)
    for query in (QUERY, built, cepheid.program(built), cepheid.compile(QUERY, language="algebra")):
        [row] = detect(events, query, language="algebra").collect()
        assert (row["match"], row["start"], row["end"]) == ("Pair", 1, 2)
    small = events.withColumn("type", F.lower("type"))
    [row] = detect(small, etalis, language="etalis").collect()
    assert (row["start"], row["end"]) == (1, 2)
    assert len(events.transform(detect([QUERY, QUERY], language="algebra")).collect()) == 2


def test_what_is_no_query_is_refused(spark: SparkSession) -> None:
    events = spark.createDataFrame([("A", 1)], "type string, time long")
    with pytest.raises(CepheidError, match="expected a query, got `int`"):
        detect(events, 7)  # type: ignore[call-overload]  # a mistake is tried
    with pytest.raises(CepheidError, match="missing-operand"):
        detect(events, "A ;", language="algebra")


def test_rows_of_no_template_are_set_aside_on_spark_as_well(spark: SparkSession) -> None:
    rules = """
    template Transfer { id : TransactionId, amount : Integer, via : [AccountId; 1] }
    template Closed { id : TransactionId, reason : String }
    rule Large where t : Transfer { amount > 1000 } then
    """
    rows = [
        ("Transfer", 1, "t1", 2000.0, ["x"]),
        ("Transfer", 2, "t2", None, ["x"]),
        ("Transfer", 3, "t3", 2000.5, ["x"]),
        ("Transfer", 4, "t4", 2000.0, ["x", "y"]),
        ("Transfr", 5, "t5", 2000.0, ["x"]),
        ("Closed", 6, "t6", None, None),
    ]
    events = spark.createDataFrame(rows, "type string, time long, id string, amount double, via array<string>")
    found = detect(events, rules, language="parte").collect()
    assert [row["start"] for row in found if row["tag"] == "match"] == [1]
    assert sorted(row["rejected"]["reason"] for row in found if row["tag"] == "corrupt") == [
        "`Closed` has no `reason`",
        "`Transfer` has no `amount`",
        "expected `Integer`, got `double`",
        "expected `[AccountId; 1]`, got `array<string>`",
        "there is no template `Transfr`",
    ]
