"""A stream that is stopped goes on where it was: nothing is lost, nothing comes twice, and changes are noticed."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import Row, SparkSession

import cepheid
from cepheid.api import CompiledQuery
from cepheid.diagnostics import CepheidError
from cepheid.spark import detect
from cepheid.spark.state_view import states
from tests.spark.streams import taken_in

SCHEMA = "type string, time long, user string"
PAIR = "(A ; B) within 10 s"


def _write(spark: SparkSession, folder: Path, name: str, rows: Sequence[tuple[str | None, int, str]]) -> None:
    spark.createDataFrame(list(rows), SCHEMA).coalesce(1).write.parquet(f"{folder}/in/{name}")


def _run(spark: SparkSession, folder: Path, query: CompiledQuery, engine: str = "auto") -> list[Row]:
    """Run a stream over what is there and was not read yet."""
    stream = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).parquet(f"{folder}/in/*")
    return taken_in(detect(stream, query, buckets=2, engine=engine), folder / "checkpoint")


def _told(rows: Sequence[Row]) -> list[tuple[str, int, int]]:
    return [(row["tag"], row["start"], row["end"]) for row in rows]


def test_a_stream_goes_on_where_it_was(spark: SparkSession, tmp_path: Path) -> None:
    query = cepheid.compile(PAIR, disorder="0 s", language="algebra")
    _write(spark, tmp_path, "1", [("A", 1, "x"), ("C", 2, "x"), (None, 2, "x")])
    assert [row["tag"] for row in _run(spark, tmp_path, query)] == ["corrupt"]
    assert _run(spark, tmp_path, query) == []
    _write(spark, tmp_path, "2", [("B", 5, "y"), ("C", 6, "x")])
    assert _told(_run(spark, tmp_path, query)) == [("match", 1, 5)]
    _write(spark, tmp_path, "3", [("B", 3, "y"), ("A", 30, "y")])
    (late,) = _run(spark, tmp_path, query)
    assert (late["tag"], late["start"], late["rejected"]["reason"]) == (
        "late",
        3,
        "it came more than 0 s after a later one",
    )


def test_a_changed_rule_is_refused_and_declared_rates_are_no_change(spark: SparkSession, tmp_path: Path) -> None:
    _write(spark, tmp_path, "1", [("A", 1, "x")])
    _run(spark, tmp_path, cepheid.compile(f"Pair = {PAIR}", disorder="0 s", language="algebra"))
    _write(spark, tmp_path, "2", [("B", 5, "x"), ("C", 6, "x")])
    with pytest.raises(StreamingQueryException, match="another version of `Pair`"):
        _run(spark, tmp_path, cepheid.compile("Pair = (A ; B) within 20 s", disorder="0 s", language="algebra"))
    declared = cepheid.compile(f"Pair = {PAIR}", disorder="0 s", rates={"A": "5/s"}, language="algebra")
    assert _told(_run(spark, tmp_path, declared)) == [("match", 1, 5)]


@pytest.mark.parametrize("engine", ["interpreter", "kernels"])
def test_a_checkpoint_tells_what_waits_in_it(spark: SparkSession, tmp_path: Path, engine: str) -> None:
    _write(spark, tmp_path, "1", [("A", 1, "x"), ("C", 2, "x")])
    _run(spark, tmp_path, cepheid.compile(f"Pair = {PAIR}", disorder="0 s", language="algebra"), engine)
    (held,) = [one for one in states(spark, tmp_path / "checkpoint") if one.entries]
    assert (held.query, held.rules, held.entries) == ("query", ("Pair",), 1)
    if engine == "kernels":
        _damage(tmp_path / "checkpoint" / "commits")
        with pytest.raises(CepheidError, match=r"damaged-checkpoint\]: .*Spark cannot read it"):
            list(states(spark, tmp_path / "checkpoint"))
        return
    (waiting,) = held.waiting
    assert (waiting.rule, waiting.share, waiting.start, waiting.end) == ("Pair", 0.5, 1_000_000, 1_000_000)


def _damage(log: Path) -> None:
    """Write something else into the last entry of a log."""
    last = max((one for one in log.iterdir() if one.name.isdigit()), key=lambda one: int(one.name))
    last.write_text("nonsense", encoding="utf-8")
    (log / f".{last.name}.crc").unlink()
