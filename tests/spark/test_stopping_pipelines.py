"""A pipeline that is asked to stop does so in order, and one whose Spark has ended says so in one line."""

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from py4j.protocol import Py4JError
from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from cepheid.cli.stopping import signals_noted
from cepheid.diagnostics import CepheidError
from cepheid.spark.pipelines import stop, watch
from tests.cli.console import cepheid

PIPELINE = """
[pipeline]
checkpoint = "checkpoint"
trigger = "1 s"
buckets = 1
[sources.events]
format = "json"
path = "events"
schema = "type string, time long"
[queries.pair]
text = "Pair = (A ; B) within 5 s"
language = "algebra"
[sinks.found]
format = "json"
path = "found"
"""


class Stream(StreamingQuery):
    """A stream that never ends by itself; what is asked of it fails if Spark has ended."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)

    def awaitTermination(self, _: int | None = None) -> bool:  # noqa: N802  # as Spark calls it
        for failure in self.failures:
            raise failure
        return False

    @property
    def recentProgress(self) -> list[object]:  # type: ignore[override]  # noqa: N802  # as above
        return []

    def stop(self) -> None:
        self.awaitTermination()


GONE = (Py4JError("An error occurred while calling o80.awaitTermination"), ConnectionRefusedError(111, "refused"))


@pytest.mark.parametrize("failure", GONE)
def test_a_spark_that_has_ended_is_one_line(failure: Exception) -> None:
    with pytest.raises(CepheidError) as raised:
        watch(Stream(failure), print)
    assert str(raised.value).splitlines() == [
        "error[stream-failed]: the stream stopped: Spark's JVM has ended",
        "  = hint: see whether memory ran out, and start again; it goes on from its checkpoint",
    ]
    stop(Stream(failure))


def test_a_stream_that_failed_says_why() -> None:
    with pytest.raises(CepheidError, match="the stream stopped: disk is full"):
        watch(Stream(StreamingQueryException("java.io.IOException: disk is full")), print)


@pytest.mark.parametrize("stream", [Stream(), Stream(GONE[0])])
def test_who_is_asked_to_stop_does_not_wait_for_the_stream_and_not_for_spark(stream: Stream) -> None:
    watch(stream, print, asked=lambda: True)


@pytest.fixture
def heard() -> Iterator[None]:
    """Let signals be heard as at a terminal, where the tests run in the background."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(one, signal.default_int_handler) for one in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_first_signal_is_noted_and_the_second_interrupts(heard: None, number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with signals_noted() as noted:
        signal.raise_signal(number)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
    assert (noted, signal.getsignal(number)) == ([number], before)


def test_a_pipeline_that_a_supervisor_stops_says_so(spark: SparkSession, tmp_path: Path, heard: None) -> None:
    (tmp_path / "events").mkdir()
    (tmp_path / "pipeline.toml").write_text(PIPELINE, encoding="utf-8")
    lines = [json.dumps({"type": kind, "time": time}) for time, kind in enumerate("ABC")]
    (tmp_path / "events" / "some.json").write_text("\n".join(lines), encoding="utf-8")
    when(lambda: (tmp_path / "checkpoint" / "commits" / "0").exists(), lambda: os.kill(os.getpid(), signal.SIGTERM))
    answer = cepheid("pipeline", "run", str(tmp_path / "pipeline.toml"), "--log", "json")
    said = [json.loads(line) for line in answer.said.splitlines() if "one-partition" not in line]
    events = [one["event"] for one in said]
    assert (answer.status, events[0], said[-1]["event"], said[-1]["by"]) == (0, "started", "stopped", "SIGTERM")
    found = [json.loads(line) for one in tmp_path.glob("found/*/*.json") for line in one.read_text().splitlines()]
    assert sorted(match["end"] for match in found) == [1]


def when(true: Callable[[], bool], act: Callable[[], None]) -> None:
    """Act once when something is true, or after five minutes."""

    def wait() -> None:
        until = time.monotonic() + 300
        while not true() and time.monotonic() < until:
            time.sleep(0.05)
        act()

    threading.Thread(target=wait, daemon=True).start()
