"""What detection costs on Spark, beside doing nothing: ratios in one run.

    python -m benchmarks.spark [events in frames [events in streams]]

Events of ten types, a millisecond apart, with 1, 100 and 10,000 keys. Detection over a whole frame stands beside an
identity function after the same exchange and sort, and beside an identity function alone; slices of time beside an
identity function alone; a stream beside an identity function with the same buckets. Selective queries want a tenth of
the events. Writes `results/spark.json` and `docs/benchmarks/spark.md`.
"""

import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

import cepheid
from benchmarks.processor_time import keep_orphans, processor_seconds
from cepheid import CompiledQuery
from cepheid.languages.cep import read_program
from cepheid.spark import detect
from cepheid.spark.sessions import local_session

RESULTS: Final = Path(__file__).parent / "results" / "spark.json"
PAGE: Final = Path(__file__).parents[1] / "docs" / "benchmarks" / "spark.md"
IN_FRAMES: Final = 10_000_000
IN_STREAMS: Final = 4_000_000
KEYS: Final = (1, 100, 10_000)
BUCKETS: Final = 8
FILES: Final = 8
COLUMNS: Final = "type string, time long, id long, key long, value double"
EVERY: Final = "{A, B, C, D, E, F, G, H, I, J}"


INTRODUCTION: Final = """# What detection costs on Spark

Events of ten types, a millisecond apart, in Parquet files, on two cores: IN_FRAMES of them in frames and IN_STREAMS in
streams. Each number is how much faster detection is than a function that gives back what it gets, by the time of the
processors: 1 means that it costs the same. What it takes to plan a query is counted with the rest.

"Every event" looks for pairs among all events, "selective" for pairs of two types with a condition, which is a tenth of
the events; Spark leaves out the others before they reach a worker. "Slices" has no key and is cut by time. What each is
beside: the same exchange and sort with such a function after it; that function alone; and in a stream, such a function
with state in as many buckets. `make bench-spark` measures again and writes this page.

"""


def pair(*, selective: bool) -> CompiledQuery:
    """Return the query with a key: the last event before with the same key, which was smaller."""
    first, second = ("A[value > 0.5]", "B[value > 0.5]") if selective else (EVERY, EVERY)
    keyed = "within 20 ms on a.key == b.key choose recent where b.value > a.value + 0.9"
    return cepheid.compile(read_program(f"rule pair: a: {first} then b: {second} {keyed} emits Pair"), time_unit="ms")


def sequence() -> CompiledQuery:
    """Return the query without a key, which looks back a tenth of a second."""
    return cepheid.compile(
        read_program("rule three: a: A[value > 0.9] then b: B[value > 0.9] then c: C within 100 ms emits Three"),
        time_unit="ms",
    )


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder with so many events."""

    path: Path
    count: int


def written(folder: Path, count: int) -> Folder:
    """Return a folder with events in several files, in the order of time."""
    folder.mkdir()
    draw = np.random.default_rng(7)
    for number, times in enumerate(np.array_split(np.arange(count), FILES)):
        size = len(times)
        table = pa.table(
            {
                "type": pa.array(np.array(list("ABCDEFGHIJ"))[draw.integers(0, 10, size)]),
                "time": times,
                "id": times,
                "key": draw.integers(0, 10_000, size),
                "value": draw.random(size),
            }
        )
        pq.write_table(table, folder / f"{number:02}.parquet")
    return Folder(folder, count)


Runs = dict[str, Callable[[], DataFrame]]
ROUNDS: Final = 5
ROUNDS_OF_STREAMS: Final = 3


def seconds(runs: Runs, rounds: int = ROUNDS) -> dict[str, float]:
    """Return how long the processors worked for each of some frames, the fastest time of several.

    They come in turn, so that a slow while is one for all of them.
    """
    best = dict.fromkeys(runs, float("inf"))
    for name in list(runs) * rounds:
        before = processor_seconds()
        frame = runs[name]()
        _stream(frame) if frame.isStreaming else frame.write.format("noop").mode("overwrite").save()
        best[name] = min(best[name], processor_seconds() - before)
    return best


def _stream(frame: DataFrame) -> None:
    folder = tempfile.mkdtemp()
    writer = frame.writeStream.format("noop").option("checkpointLocation", folder)
    writer.trigger(availableNow=True).start().awaitTermination()
    shutil.rmtree(folder, ignore_errors=True)


def identity(frame: DataFrame) -> DataFrame:
    return frame.mapInArrow(_same, frame.schema)


def _same(batches: Iterator[Any]) -> Iterator[Any]:
    return batches


def after_exchange(frame: DataFrame) -> DataFrame:
    """Return an identity function after the exchange and the sort that detection by a key needs."""
    placed = frame.repartition("key").sortWithinPartitions("time")
    return placed.mapInArrow(_same, frame.schema)


class Same(StatefulProcessor):
    """Gives back how many rows it was given, and keeps that."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.kept = handle.getValueState("kept", "rows long")

    def handleInputRows(  # noqa: N802  # as Spark calls it
        self,
        key: Any,  # noqa: ARG002  # Spark gives it
        rows: Iterator[Any],
        timerValues: Any,  # noqa: ARG002, N803  # Spark gives it, by this name
    ) -> Iterator[pd.DataFrame]:
        """Count rows."""
        before = self.kept.get()
        count = sum(map(len, rows)) + (0 if before is None else before[0])
        self.kept.update((count,))
        yield pd.DataFrame({"rows": [count]})

    def close(self) -> None:
        """Nothing is open."""


def same_buckets(stream: DataFrame) -> DataFrame:
    """Return an operator with state that does nothing, over as many buckets as detection has."""
    dealt = stream.withColumn("bucket", F.pmod(F.hash("key"), F.lit(BUCKETS)))
    return dealt.groupBy("bucket").transformWithStateInPandas(Same(), "rows long", "Append", "None")


@dataclass(frozen=True, slots=True)
class Events:
    """Events in two folders, with so many keys: one as a frame, one as a stream of a quarter of them at a time."""

    session: SparkSession
    framed: Folder
    streamed: Folder
    keys: int

    def frame(self) -> DataFrame:
        return self._keyed(self.session.read.parquet(str(self.framed.path)))

    def stream(self) -> DataFrame:
        read = self.session.readStream.schema(COLUMNS).option("maxFilesPerTrigger", 2)
        return self._keyed(read.parquet(str(self.streamed.path)))

    def _keyed(self, frame: DataFrame) -> DataFrame:
        return frame.withColumn("key", F.col("key") % self.keys)


def by_key(events: Events) -> Iterator[dict[str, object]]:
    """Yield a row for each query with a key."""
    every, few = pair(selective=False), pair(selective=True)
    batch = seconds(
        {
            "plain": lambda: identity(events.frame()),
            "exchanged": lambda: after_exchange(events.frame()),
            "every event": lambda: detect(events.frame(), every, id="id"),
            "selective": lambda: detect(events.frame(), few, id="id"),
        }
    )
    streamed = seconds(
        {
            "buckets": lambda: same_buckets(events.stream()),
            "every event": lambda: detect(events.stream(), every, id="id", buckets=BUCKETS),
            "selective": lambda: detect(events.stream(), few, id="id", buckets=BUCKETS),
        },
        ROUNDS_OF_STREAMS,
    )
    for name in ("every event", "selective"):
        yield {
            "what": name,
            "keys": events.keys,
            "events_per_second": round(events.framed.count / batch[name]),
            "over_identity_after_exchange": round(batch["exchanged"] / batch[name], 3),
            "over_plain_identity": round(batch["plain"] / batch[name], 3),
            "stream_events_per_second": round(events.streamed.count / streamed[name]),
            "stream_over_identity_with_buckets": round(streamed["buckets"] / streamed[name], 3),
        }


def in_slices(session: SparkSession, folder: Folder) -> dict[str, object]:
    """Return the row of the query without a key."""
    three, path = sequence(), str(folder.path)
    found = seconds(
        {
            "plain": lambda: identity(session.read.parquet(path)),
            "slices": lambda: detect(session.read.parquet(path), three, id="id", slices="60 s"),
        }
    )
    sliced = {"what": "slices", "keys": 1, "events_per_second": round(folder.count / found["slices"])}
    return {**sliced, "over_plain_identity": round(found["plain"] / found["slices"], 3)}


def measured(session: SparkSession, framed: Folder, streamed: Folder) -> Iterator[dict[str, object]]:
    """Yield a row for everything that was measured."""
    for keys in KEYS:
        yield from by_key(Events(session, framed, streamed, keys))
    yield in_slices(session, framed)


def page(in_frames: int, in_streams: int, rows: list[dict[str, Any]]) -> str:
    """Return the page that tells what was measured."""
    head = ["query", "keys", "beside exchange and sort", "beside identity", "stream beside identity"]
    names = ("over_identity_after_exchange", "over_plain_identity", "stream_over_identity_with_buckets")
    lines = [head, ["---", *["---:"] * 4]]
    for row in rows:
        ratios = [f"{row[name]:.2f}" if name in row else "" for name in names]
        lines.append([row["what"], f"{row['keys']:,}", *ratios])
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    counts = INTRODUCTION.replace("IN_FRAMES", f"{in_frames:,}").replace("IN_STREAMS", f"{in_streams:,}")
    return counts + table + "\n"


def main(in_frames: int = IN_FRAMES, in_streams: int = IN_STREAMS) -> None:
    keep_orphans()
    session = local_session("bench", shuffle_partitions=4)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        framed, streamed = written(Path(folder) / "frame", in_frames), written(Path(folder) / "stream", in_streams)
        for row in measured(session, framed, streamed):
            rows.append(row)
            print(row, flush=True)
    found = {"events_in_frames": in_frames, "events_in_streams": in_streams, "rows": rows}
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(in_frames, in_streams, rows), encoding="utf-8")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
