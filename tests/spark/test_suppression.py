"""A sink that suppresses gets one match per key and span of time, and the same ones where a batch is repeated."""

import random
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from cepheid.diagnostics import CepheidError
from cepheid.spark.pipelines import read_pipeline
from cepheid.spark.pipelines.suppression import SuppressingSink, Suppression, let_pass
from tests.cli.console import cepheid as command

SCHEMA = "tag string, query string, match string, end long, known long, id string, values struct<user: string>"
PIPELINE = """
[pipeline]
checkpoint = "checkpoint"
buckets = 2
[sources.events]
format = "json"
path = "events"
schema = "type string, time long, user string"
[queries.seen]
text = "Seen = a:A emits user = a.user"
language = "algebra"
[sinks.found]
format = "json"
path = "found"
suppress = "10 s"
suppress_by = ["user"]
"""


class Kept:
    """A sink that keeps the ids of what it gets."""

    def __init__(self) -> None:
        self.batches: dict[int, list[str]] = {}

    def write(self, results: DataFrame, batch: int) -> None:
        self.batches[batch] = sorted(row["id"] for row in results.select("id").collect())


def naive(matches: list[tuple[str, int, str]], span: int) -> set[str]:
    """Return what passes where nothing is forgotten."""
    passed: dict[str, list[int]] = {}
    names = set()
    for key, at, name in sorted(matches, key=lambda one: (one[1], one[2])):
        if all(at - other > span for other in passed.get(key, [])):
            passed.setdefault(key, []).append(at)
            names.add(name)
    return names


@pytest.mark.parametrize("seed", range(30))
def test_batches_let_pass_what_one_batch_would_and_keep_the_keys_of_one_span(seed: int) -> None:
    drawn, span = random.Random(seed), 10
    times = sorted(drawn.sample(range(300), 80))
    matches = [(drawn.choice("xyz"), at, str(number)) for number, at in enumerate(times)]
    last: dict[str, int] = {}
    found: set[str] = set()
    for first in range(0, len(matches), 16):
        some = matches[first : first + 16]
        passed, last = let_pass(some, last, span)
        assert all(some[-1][1] - at <= span for at in last.values())
        found |= passed
    assert found == naive(matches, span)


def rows(*said: tuple[int, str, str]) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = [("match", "q", "Seen", at, at, name, (user,)) for at, user, name in said]
    return [*found, ("late", "q", None, 0, None, None, None)]


def test_a_batch_that_is_repeated_lets_the_same_matches_pass(spark: SparkSession, tmp_path: Path) -> None:
    kept = Kept()
    sink = SuppressingSink(kept, Suppression(10_000_000, ("user",)), tmp_path / "notes", "s")
    first = spark.createDataFrame(rows((1, "x", "a"), (2, "x", "b"), (3, "y", "c")), SCHEMA).where("tag = 'match'")
    second = spark.createDataFrame(rows((10, "x", "d"), (12, "x", "e"), (13, "y", "f")), SCHEMA).where("tag = 'match'")
    for batch, results in ((0, first), (0, first), (3, second), (3, second)):
        sink.write(results, batch)
    assert kept.batches == {0: ["a", "c"], 3: ["e"]}
    sink.write(first, 9)
    assert sorted(one.name for one in (tmp_path / "notes").iterdir()) == ["3", "9"]
    other = SuppressingSink(kept, Suppression(5_000_000, ("user",)), tmp_path / "notes", "s")
    other.write(second, 10)
    assert kept.batches[10] == ["d", "f"]  # with another span it begins anew


def test_a_pipeline_suppresses_across_restarts(spark: SparkSession, tmp_path: Path) -> None:
    file = tmp_path / "pipeline.toml"
    file.write_text(PIPELINE, encoding="utf-8")
    (tmp_path / "events").mkdir()
    for number, times in enumerate(((1, 4), (8, 12, 30))):
        every = [(at + later, user) for at in times for later, user in enumerate("xy")]
        lines = [f'{{"type": "A", "time": {at}, "user": "{user}"}}\n' for at, user in every]
        (tmp_path / "events" / f"{number}.json").write_text("".join(lines), encoding="utf-8")
        answer = command("pipeline", "run", str(file), "--once")
        assert answer.status == 0, answer.said
    found = spark.read.json(str(tmp_path / "found"))
    told = sorted((row["end"], row["values"]["user"]) for row in found.collect())
    # The last event of all is not certain yet.
    assert told == [(1, "x"), (2, "y"), (12, "x"), (13, "y"), (30, "x")]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('suppress = "10 s"\n', "", "`suppress_by` says by what, and nothing says how long"),
        ('"10 s"', '"soon"', "expected a length of time"),
    ],
)
def test_what_says_no_suppression_is_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(CepheidError) as refused:
        read_pipeline(PIPELINE.replace(old, new))
    assert message in str(refused.value)


def test_values_that_no_match_has_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "events").mkdir()
    (tmp_path / "pipeline.toml").write_text(PIPELINE.replace('["user"]', '["usr"]'), encoding="utf-8")
    answer = command("pipeline", "check", str(tmp_path / "pipeline.toml"))
    assert "the sink `found` suppresses by `usr`, and no match has such a value" in answer.said
    assert "did you mean `user`?" in answer.said
