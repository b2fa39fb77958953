"""Rules with different keys run on Spark as stages: in whole frames, and in streams that are stopped and go on."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F

import cepheid
from cepheid.engine import Detector
from cepheid.events import Event, Value
from cepheid.languages.cep import read_program
from cepheid.spark import detect
from cepheid.spark.key_hashes import hashed_long, hashed_value
from cepheid.spark.lanes import lanes_of
from cepheid.spark.state_view import states
from tests.spark.streams import taken_in

RULES = """
rule seen: a: Pay then b: Pay within 6 on a.card == b.card emits Seen(account = b.account)
rule mule: (s: Seen then t: Move within 8 on s.account == t.account choose recent)
    unless x: Stop between s and t on x.account == s.account
    emits Mule(bank = t.bank, account = t.account)
rule ring: m: Mule then n: Mule within 40 on m.bank == n.bank emits Ring(bank = m.bank)
"""
SCHEMA = "type string, time long, id long, card string, account long, bank string"
DISORDER, COUNT, LATER = 3, 240, 10_000
OPTIONS = {"id": "id", "heartbeat": "Beat", "values": "json"}


@pytest.fixture(scope="module")
def query() -> cepheid.CompiledQuery:
    return cepheid.compile(read_program(RULES), time_unit="us", disorder=f"{DISORDER} us")


def _rows() -> list[tuple[str, int, int, str, int, str]]:
    """Return events in the order in which they come, a little late some of them."""
    random = Random(7)
    kinds = ["Pay"] * 5 + ["Move"] * 3 + ["Stop"]
    drawn = [
        (
            random.choice(kinds),
            number,
            number,
            random.choice("abcdefg"),
            random.randrange(6),
            random.choice(["north", "süd"]),
        )
        for number in range(COUNT)
    ]
    return sorted(drawn, key=lambda row: row[1] + random.random() * DISORDER)


def _expected(query: cepheid.CompiledQuery) -> list[str]:
    detector = Detector(query.plan, disorder=DISORDER, identified=True)
    found = [match for row in _rows() for match in detector.push(_event(row))]
    found += detector.advance(LATER - DISORDER)
    return sorted(str((one.name, one.start, one.end, one.known, one.id, list(one.evidence))) for one in found)


def _event(row: Sequence[object]) -> Event:
    kind, time, number, *values = row
    assert isinstance(kind, str)
    assert isinstance(time, int)
    assert isinstance(number, int)
    return Event(kind, time, time, number, dict(zip(("card", "account", "bank"), map(_value, values), strict=True)))


def _value(value: object) -> Value:
    assert value is None or isinstance(value, int | str)
    return value


def _told(rows: Sequence[Row]) -> list[str]:
    names = ("match", "start", "end", "known", "id", "evidence")
    return sorted(str(tuple(row[name] for name in names)) for row in rows if row["tag"] == "match")


def test_three_keys_are_three_stages(query: cepheid.CompiledQuery) -> None:
    told = [(lane.name, lane.level, set((lane.key or {}).values())) for lane in lanes_of(0, query)]
    assert told == [("seen", 0, {("card",)}), ("mule", 1, {("account",)}), ("ring", 2, {("bank",)})]


def test_stages_of_a_frame_have_the_matches_of_one_detector(spark: SparkSession, query: cepheid.CompiledQuery) -> None:
    frame = spark.createDataFrame(_rows(), SCHEMA).repartition(3)
    expected = _expected(query)
    assert all(any(f"('{name}'" in one for one in expected) for name in ("seen", "mule", "ring"))
    assert _told(detect(frame, query, **OPTIONS).collect()) == expected


def test_stages_of_a_stream_go_on_where_they_were(
    spark: SparkSession, query: cepheid.CompiledQuery, tmp_path: Path
) -> None:
    rows = _rows()
    _write(spark, tmp_path, "1", rows[:100])
    found = _run(spark, tmp_path, query)
    held = {rules: size for one in states(spark, tmp_path / "checkpoint") for rules, size in [(one.rules, one.size)]}
    assert sorted(held) == [("mule",), ("ring",), ("seen",)]
    _write(spark, tmp_path, "2", rows[100:])
    _write(spark, tmp_path, "3", [("Beat", LATER, -1, None, None, None)])
    found += _run(spark, tmp_path, query)
    assert _told(found) == _expected(query)
    assert [row["tag"] for row in found if row["tag"] != "match"] == []


def _write(spark: SparkSession, folder: Path, name: str, rows: Sequence[tuple[object, ...]]) -> None:
    spark.createDataFrame(list(rows), SCHEMA).coalesce(1).write.parquet(f"{folder}/in/{name}")


def _run(spark: SparkSession, folder: Path, query: cepheid.CompiledQuery) -> list[Row]:
    stream = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).parquet(f"{folder}/in/*")
    return taken_in(detect(stream, query, buckets=3, **OPTIONS), folder / "checkpoint")


def test_values_have_the_hashes_of_columns(spark: SparkSession) -> None:
    texts, numbers = ["", "a", "ann", "anna", "süd", "日本語", "x" * 37], [0.0, 1.0, -1.5, 1e300, float("inf")]
    longs = [0, 1, -1, 7, -3, 2**40 + 5, -(2**62)]
    hashed = _hashes(spark.createDataFrame([(one,) for one in texts], "v string"), "v")
    assert hashed == {one: hashed_value(one) for one in texts}
    hashed = _hashes(spark.createDataFrame([(one,) for one in numbers], "v double"), "v")
    assert hashed == {one: hashed_value(one) for one in numbers}
    hashed = _hashes(spark.createDataFrame([(one,) for one in longs], "v long"), "v")
    assert hashed == {one: hashed_long(one) for one in longs}
    (row,) = spark.sql("select hash(true), hash(false), hash(double('NaN')), hash(cast(null as string))").collect()
    assert list(row) == [hashed_value(one) for one in (True, False, float("nan"), None)]


def _hashes(frame: DataFrame, name: str) -> dict[object, int]:
    return {row[0]: row[1] for row in frame.select(name, F.hash(name)).collect()}
