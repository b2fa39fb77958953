"""`cepheid state` shows what a checkpoint holds, says whether all of it can be read, and takes it out."""

import json
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import cepheid
from cepheid.algebra.json_form import program_from_json
from cepheid.algebra.matches import Match
from cepheid.analysis import plan_of
from cepheid.api.states import HeldState, exported, held_by_rules
from cepheid.engine import TieredDetector
from cepheid.events import Event
from cepheid.spark import detect
from cepheid.spark.state_view import BucketState
from tests.cli.console import cepheid as command
from tests.spark.streams import taken_in

SCHEMA = "type string, time long, user string"
ROWS = [("A", 1, "x"), ("A", 2, "y"), ("A", 3, "z"), ("C", 4, "x")]


@pytest.fixture(scope="module")
def checkpoint(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint of a stream in which three matches wait, each in the bucket of its user."""
    folder = tmp_path_factory.mktemp("stream")
    spark.createDataFrame(ROWS, SCHEMA).coalesce(1).write.parquet(f"{folder}/in/1")
    query = cepheid.compile("Pair = (a:A ; b:B) within 10 s by user", disorder="0 s", language="algebra")
    stream = spark.readStream.schema(SCHEMA).parquet(f"{folder}/in/*")
    taken_in(detect(stream, query, buckets=2, engine="interpreter"), folder / "checkpoint")
    return folder / "checkpoint"


def test_a_checkpoint_is_shown_checked_and_exported(checkpoint: Path, tmp_path: Path) -> None:
    shown = command("state", "show", str(checkpoint), "--format", "jsonl").output.splitlines()
    assert sum(json.loads(line)["entries"] for line in shown) == 3
    checked = command("state", "check", str(checkpoint))
    assert checked.status == 0, checked.output
    assert checked.output.startswith("query (Pair): 3 entries in 2 buckets, ")
    assert checked.output.endswith(" bytes, all of it sound\n")
    command("state", "export", str(checkpoint), "--output", str(tmp_path / "state.jsonl"))
    told = list(map(json.loads, (tmp_path / "state.jsonl").read_text(encoding="utf-8").splitlines()))
    assert [one["entries"] for one in told] == [json.loads(line)["entries"] for line in shown]
    assert sorted(one["start"] for each in told for one in each["waiting"]) == [1_000_000, 2_000_000, 3_000_000]
    matches = [match for each in told for match in _gone_on(each)]
    assert [(match.name, match.start, match.end) for match in matches] == [("Pair", 1_000_000, 5_000_000)]


def _gone_on(told: dict[str, Any]) -> list[Match]:
    """Return what is found where a detector in one process goes on from what was exported."""
    plan = plan_of(program_from_json(told["program"]), intervals=bool(told["intervals"]))
    detector = TieredDetector(plan, state=b64decode(str(told["state"])))
    return [*detector.push(Event("B", 5_000_000, 5_000_000, "b", {"user": "x"})), *detector.advance(9_000_000)]


def test_what_cannot_be_read_is_said(tmp_path: Path, spark: SparkSession) -> None:
    refused = command("state", "check", str(tmp_path))
    assert (refused.status, "error[no-checkpoint]" in refused.said) == (2, True)


def _held(entries: int, bucket: int = 0, rule: str = "Pair") -> BucketState:
    return BucketState(bucket, "q", (rule,), 10, 0, entries, (), b'{"program": {}}', b"state")


def test_buckets_are_added_up_by_the_rules_that_work_together() -> None:
    held = held_by_rules([_held(3), _held(1, rule="Other"), _held(4, bucket=1)])
    assert held == [HeldState("q", ("Other",), 1, 1, 10), HeldState("q", ("Pair",), 2, 7, 20)]


def test_an_exported_line_has_the_rules_and_the_bytes() -> None:
    (line,) = exported([_held(3)])
    told = json.loads(line)
    assert (told["program"], b64decode(told["state"]), told["bucket"]) == ({}, b"state", 0)
