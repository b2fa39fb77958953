"""A worker keeps detectors of the buckets that it had in memory, and none that a later batch has made useless."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from cepheid.events import Event
from cepheid.languages.cep import read_program
from cepheid.spark.at_hand import AT_HAND, stream_at_work
from cepheid.testing import Case
from tests.spark.packed_cases import BEAT
from tests.spark.without_spark import Stream, routes

BUCKETS, BATCHES, WORKERS = 4, 12, 2
PAIR = "rule pair per key: a: A then b: B within 10 emits Pair(key = a.key)"


def stream() -> Stream:
    AT_HAND.clear()
    return Stream(routes(Case(read_program(PAIR), (), ())), BUCKETS)


def push(given: Stream, batch: int) -> int:
    """Push a batch with an event of each of several keys, and return how many matches there are."""
    events = [Event("AB"[batch % 2], batch, batch, 10 * batch + key, {"key": key}) for key in range(8)]
    return len(given.push([*events, Event(BEAT, batch, batch, -1)]))


def test_buckets_that_go_from_worker_to_worker_leave_one_detector_each_behind() -> None:
    given, workers = stream(), [dict(AT_HAND) for _ in range(WORKERS)]
    found = 0
    for batch in range(BATCHES):
        own = workers[batch // 2 % WORKERS]
        AT_HAND.clear()
        AT_HAND.update(own)
        found += push(given, batch)
        own.clear()
        own.update(AT_HAND)
        assert len(own) == BUCKETS
    alone = stream()
    assert found == sum(push(alone, batch) for batch in range(BATCHES)) > 0


def at_work(batches: Iterator[Any]) -> Iterator[Any]:
    for batch in batches:
        yield pa.RecordBatch.from_pydict({"stream": [stream_at_work()] * batch.num_rows})


def test_a_worker_knows_which_stream_it_works_for(spark: SparkSession, tmp_path: Path) -> None:
    spark.range(1).write.parquet(str(tmp_path / "in"))
    said: dict[str, list[str]] = {}
    for name in ("one", "other"):
        frame = spark.readStream.schema("id long").parquet(str(tmp_path / "in")).mapInArrow(at_work, "stream string")

        def take(found: DataFrame, _: int, into: str = name) -> None:
            said[into] = [row["stream"] for row in found.collect()]

        writer = frame.writeStream.foreachBatch(take).option("checkpointLocation", str(tmp_path / name))
        stream = writer.trigger(availableNow=True).start()
        stream.awaitTermination()
        assert said[name] == [str(stream.id)]
    assert said["one"] != said["other"]
    assert stream_at_work() == ""
