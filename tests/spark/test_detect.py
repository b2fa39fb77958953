"""`detect` takes frames in the forms that users have, and says what it cannot take before anything runs."""

from datetime import datetime

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import cepheid
from cepheid import CepheidError
from cepheid.languages.cep import read_program
from cepheid.spark import detect
from tests.spark.plans import optimized_plan

ROWS = [("A", 1, "x", 2.0), ("B", 2, "x", 5.0), ("A", 3, "y", 1.0), ("B", 9, "y", 7.0), ("C", 9, "y", 0.0)]
PAIR = "rule pair: a: A then b: B within 5 s on a.user == b.user emits Pair(user = a.user, rise = b.v - a.v)"


@pytest.fixture(scope="module")
def events(spark: SparkSession) -> DataFrame:
    return spark.createDataFrame(ROWS, "type string, time long, user string, v double").cache()


@pytest.fixture(scope="module")
def query() -> cepheid.CompiledQuery:
    return cepheid.compile(read_program(PAIR), time_unit="s")


def _told(frame: DataFrame) -> list[tuple[object, ...]]:
    return sorted((row["match"], row["start"], row["end"], tuple(row["values"])) for row in frame.collect())


def test_a_frame_becomes_typed_matches(events: DataFrame, query: cepheid.CompiledQuery) -> None:
    found = events.transform(detect(query))
    assert _told(found) == [("pair", 1, 2, ("x", 3.0))]
    types = {field.name: field.dataType.simpleString() for field in found.schema.fields}
    assert types["values"] == "struct<user:string,rise:double>"
    assert (types["start"], types["evidence"]) == ("bigint", "array<string>")


def test_times_come_out_as_they_came_in(events: DataFrame, query: cepheid.CompiledQuery) -> None:
    stamped = events.withColumn("time", F.timestamp_seconds("time"))
    (row,) = detect(stamped, query, evidence=False).collect()
    assert (row["start"], row["end"]) == tuple(datetime(1970, 1, 1, 0, 0, second) for second in (1, 2))
    assert row["evidence"] == []


def test_frames_by_type_are_one_input(events: DataFrame, query: cepheid.CompiledQuery) -> None:
    frames = {name: events.where(F.col("type") == name).drop("type") for name in ("A", "B")}
    assert _told(detect(frames, query)) == [("pair", 1, 2, ("x", 3.0))]


def test_several_queries_run_in_one_pass(events: DataFrame, query: cepheid.CompiledQuery) -> None:
    other = cepheid.compile(read_program("rule lone: c: C emits Lone(v = c.v)"), time_unit="s")
    rows = detect(events, {"pairs": query, "lone": other}).collect()
    assert sorted((row["query"], row["match"]) for row in rows) == [("lone", "lone"), ("pairs", "pair")]


def test_rows_that_say_nothing_come_out_with_the_reason(spark: SparkSession, query: cepheid.CompiledQuery) -> None:
    rows_given = [("A", None, "x", 1.0), (None, 3, "x", 1.0)]
    frame = spark.createDataFrame(rows_given, "type string, time long, user string, v double")
    rows = detect(frame, query).collect()
    assert sorted(row["rejected"]["reason"] for row in rows) == ["no time in `time`", "no type in `type`"]
    assert {row["tag"] for row in rows} == {"corrupt"}


def test_conditions_on_one_event_are_checked_before_the_exchange(events: DataFrame) -> None:
    chosen = cepheid.compile(read_program("rule r: a: A[v > 1.5] then b: B within 5 s emits R"), time_unit="s")
    assert "> 1.5" in optimized_plan(detect(events, chosen))


@pytest.mark.parametrize(
    ("options", "code", "hint"),
    [
        ({"time": "tme"}, "missing-column", 'did you mean `detect(events, query, time="time")`?'),
        ({"type": "kind"}, "missing-column", 'name one of its columns: `detect(events, query, type="type")`'),
        (
            {"time": "flag"},
            "bad-time-column",
            'name a column of timestamps or numbers: `detect(events, query, time="ts")`',
        ),
        ({"start": "time"}, "conflicting-options", "write `compile(text, intervals=True)`"),
    ],
)
def test_what_cannot_run_is_refused_at_once(
    events: DataFrame, query: cepheid.CompiledQuery, options: dict[str, str], code: str, hint: str
) -> None:
    frame = events.withColumn("flag", F.lit(True))
    with pytest.raises(CepheidError) as refused:
        detect(frame, query, **options)
    assert refused.value.diagnostics[0].code == code
    assert refused.value.diagnostics[0].hints == (hint,)


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (
            "rule key: a: A then b: B within 1 s choose latest-start per a.rise, b.rise emits Key",
            "it chooses by a key of both of its parts",
        ),
        (
            f"{PAIR}\nrule rise: p: Pair then q: Pair within 9 s on p.rise == q.rise emits Rise",
            "`pair` runs apart from rules that it reads, or that read it",
        ),
    ],
)
def test_what_has_no_kernel_is_refused_where_one_is_demanded(events: DataFrame, rules: str, reason: str) -> None:
    with pytest.raises(CepheidError) as refused:
        detect(events, cepheid.compile(read_program(rules), time_unit="s"), engine="kernels")
    (told,) = refused.value.diagnostics
    assert (told.code, told.hints) == ("no-kernel", ('detect(events, query, engine="auto")',))
    assert reason in told.message
