"""A source that is to fail stops its pipeline before anything of the batch is written that breaks a rate."""

import json
import os
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from cepheid.algebra.programs import Arrival, Program, Stream
from cepheid.diagnostics import CepheidError
from cepheid.spark.counted_spans import Spans
from cepheid.spark.pipelines.broken_rates import BrokenRates, stops_for
from cepheid.spark.pipelines.reading import read_pipeline
from cepheid.spark.stream_rates import CountedEnds
from tests.cli.console import cepheid

RATE = Arrival(5, 10)
MESSAGE = "more than 5 `A` events come within 10 us"
HINT = 'declare how fast they come in `rates`, or write `on_rate = "warn"`; a new start repeats the batch'


def told(bucket: int, before: list[int], now: list[int]) -> str:
    counted = CountedEnds({"A": Spans.of(before)}, {"A": now})
    return counted.told(bucket, "0 Pair", {"A": RATE}, 0) or ""


def test_a_batch_is_refused_that_breaks_a_rate_together_with_those_before() -> None:
    stops = BrokenRates({MESSAGE: ["orders"]})
    stops.refuse_counts([told(0, [1, 2], [4, 5]), told(1, [3], [])], [], 1)
    for attempt in range(2):
        with pytest.raises(CepheidError) as raised:
            stops.refuse_counts([told(0, [1, 2, 4, 5], []), told(1, [3], [10])], [], 2)
        assert str(raised.value).splitlines() == [
            f"error[rate-exceeded]: {MESSAGE}, from the source `orders`: nothing of batch 2 is written",
            f"  = hint: {HINT}",
        ], attempt
    stops.refuse_counts([told(0, [1, 2, 4, 5], []), told(1, [3], [11])], [], 2)


def test_what_one_bucket_saw_broken_stops_as_well_and_what_nobody_is_to_fail_for_does_not() -> None:
    stops = BrokenRates({MESSAGE: ["orders", "refunds"]})
    stops.refuse_counts([], ["more than 5 `B` events come within 10 us"], 0)
    with pytest.raises(CepheidError, match="from one of the sources `orders`, `refunds`: nothing of batch 1"):
        stops.refuse_counts([], [MESSAGE], 1)


SOURCES = """[pipeline]
checkpoint = "checkpoint"
[sources.orders]
format = "json"
path = "orders"
type = "A"
on_rate = "fail"
[sources.others]
format = "json"
path = "others"
OTHERS
[queries.pair]
text = "(A ; B) within 1 s"
[sinks.found]
format = "json"
path = "found"
"""


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ("", {"A": ["orders"]}),
        ('on_rate = "fail"', {"A": ["orders", "others"], "B": ["others"]}),
        ('on_rate = "fail"\ntype = "B"', {"A": ["orders"], "B": ["others"]}),
    ],
)
def test_a_type_stops_a_pipeline_where_a_source_that_may_bring_it_is_to_fail(
    others: str, expected: dict[str, list[str]]
) -> None:
    program = Program(streams=(Stream("A", RATE), Stream("B", RATE), Stream("C")))
    stops = stops_for(read_pipeline(SOURCES.replace("OTHERS", others)), [program])
    assert stops is not None
    assert stops.sources == {MESSAGE.replace("A", kind): names for kind, names in expected.items()}


PIPELINE = """[pipeline]
checkpoint = "checkpoint"
buckets = 4
[sources.events]
format = "json"
path = "events"
schema = "type string, time long, user string"
options = { maxFilesPerTrigger = 1 }
on_rate = "fail"
[queries.pair]
text = "Pair = (a:A ; b:B) within 5 s KEY"
language = "algebra"
rates = { A = "15/s", B = "100/s" }
[sinks.found]
format = "json"
path = "found"
"""
USERS = [f"user {number}" for number in range(16)]


def found(folder: Path) -> list[int]:
    files = sorted(folder.glob("found/batch=*/part-*"))
    return sorted(json.loads(line)["end"] for file in files for line in file.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("key", ["by user", ""])
def test_a_pipeline_stops_before_it_writes_and_goes_on_when_it_may(
    spark: SparkSession, tmp_path: Path, key: str
) -> None:
    (tmp_path / "events").mkdir()
    # The second file completes matches, and breaks the rate together with the first.
    for number, users in enumerate((USERS[:8], USERS[8:])):
        rows = [{"type": "A", "time": 1, "user": user} for user in users]
        rows += [{"type": "B", "time": 2, "user": USERS[0]}, {"type": "C", "time": 100}] * number
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / "events" / f"{number}.jsonl").write_text(text, encoding="utf-8")
        os.utime(tmp_path / "events" / f"{number}.jsonl", (number, number))  # the oldest is read first
    text = PIPELINE.replace(" KEY", f" {key}")
    (tmp_path / "pipeline.toml").write_text(text, encoding="utf-8")
    for _ in range(2):
        answer = cepheid("pipeline", "run", str(tmp_path / "pipeline.toml"), "--once")
        assert (answer.status, answer.said.splitlines()[-2:]) == (
            2,
            [
                "error[rate-exceeded]: more than 15 `A` events come within 1 s, from the source `events`: "
                "nothing of batch 1 is written",
                f"  = hint: {HINT}",
            ],
        )
        assert found(tmp_path) == []
    (tmp_path / "pipeline.toml").write_text(text.replace('"fail"', '"warn"'), encoding="utf-8")
    answer = cepheid("pipeline", "run", str(tmp_path / "pipeline.toml"), "--once")
    assert (answer.status, set(found(tmp_path))) == (0, {2}), answer.said
