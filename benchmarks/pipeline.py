"""What a pipeline costs from topic to topic, beside one whose detectors do nothing, and how long a match takes.

    python -m benchmarks.pipeline [events [rounds [seconds of each latency]]]

A real broker on loopback holds events of two types with 1,000 users as JSON, in four partitions. The pipeline reads
them, finds pairs of each user, and writes these into another topic in transactions. Beside it runs the same pipeline
with a function that detects nothing in the same operator of Spark, which gives back as many events as there are
matches. Both are compared by the time of the processors, without that of the broker. Then events come at a steady pace
with the time at which they are sent, and a consumer notes when it sees their matches. An empty batch is one that brings
a single event. Writes `results/pipeline.json`.
"""

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from confluent_kafka import Consumer, Producer
from pyspark.sql.streaming.query import StreamingQuery

from benchmarks.processor_time import keep_orphans, processor_seconds, seconds_of
from benchmarks.same_buckets import nothing_detected
from cepheid.api.pipelines import check_pipeline
from cepheid.spark.pipelines import start
from cepheid.spark.sessions import local_session
from tests.spark.kafka_broker import Broker, brokered, no_broker
from tests.spark.kafka_records import create, produce

RESULTS: Final = Path(__file__).parent / "results" / "pipeline.json"
EVENTS: Final = 2_000_000
ROUNDS: Final = 3
SECONDS: Final = 60
BATCHES: Final = 4
EMPTY_BATCHES: Final = 20
PARTITIONS, BUCKETS, USERS, CORES = 4, 8, 1000, 2
TRIGGERS: Final = ("500 ms", "1 s", "2 s", "5 s")
PACE: Final = 1000
"""So many events a second come where the latency is measured."""
WARM, PATIENCE = 10, 120
"""So many seconds after the first match the measurement begins, and so many a first match may take."""

PIPELINE: Final = '''[pipeline]
name = "bench"
checkpoint = "{folder}/checkpoint"
trigger = "{trigger}"
buckets = {buckets}
[sources.events]
format = "kafka"
bootstrap = "{address}"
topic = "{source}"
schema = "type string, time long, id long, user long, value double"
id_column = "id"
time_unit = "ms"
idle_after = "{idle_after}"
{most}
[queries.pair]
text = """
rule Pair: a: A then b: B within 1 min on a.user == b.user choose recent where b.value > a.value + 0.5
  emits Pair(user = b.user)
"""
language = "cep"
ties = "simultaneous"
rates = {{ A = "100000/s", B = "100000/s" }}
[sinks.found]
format = "kafka"
bootstrap = "{address}"
topic = "{sink}"
'''


def payloads(first: int, times: list[int]) -> Iterator[tuple[int, object]]:
    """Yield an event for each time, with the partition that it goes to."""
    draw = np.random.default_rng(first)
    users, values, kinds = draw.integers(0, USERS, len(times)), draw.random(len(times)), draw.integers(0, 2, len(times))
    for place, said in enumerate(times):
        event = {"type": "AB"[kinds[place]], "time": said, "id": first + place, "user": int(users[place])}
        yield place % PARTITIONS, {**event, "value": round(float(values[place]), 6)}


@dataclass(slots=True)
class Runs:
    """Pipelines against one broker; each run reads and writes topics of its own name."""

    broker: Broker
    folder: Path
    number: int = 0

    def topic(self, partitions: int = PARTITIONS) -> str:
        self.number += 1
        create(self.broker.address, f"topic-{self.number}", partitions)
        return f"topic-{self.number}"

    @contextmanager
    def started(
        self, source: str, sink: str, *, above: float | None = None, most: int | None = None, trigger: str = "once"
    ) -> Iterator[StreamingQuery]:
        """Yield a pipeline that runs; `above` is given where it detects nothing."""
        self.number += 1
        own = self.folder / str(self.number)
        own.mkdir()
        text = PIPELINE.format(
            folder=own,
            trigger=trigger,
            buckets=BUCKETS,
            address=self.broker.address,
            source=source,
            sink=sink,
            idle_after="never",
            most="" if most is None else f"most = {most}",
        )
        (own / "pipeline.toml").write_text(text, encoding="utf-8")
        checked = check_pipeline(str(own / "pipeline.toml"))
        with nullcontext() if above is None else nothing_detected(above):
            stream = start(checked.ready)
            try:
                yield stream
            finally:
                stream.stop()

    def seconds(self) -> float:
        """Return what the processors worked for, but for the broker."""
        assert self.broker.process is not None
        return processor_seconds() - seconds_of(self.broker.process.pid)

    def once(self, source: str, *, above: float | None = None, most: int | None = None) -> dict[str, Any]:
        """Run a pipeline over what a topic holds; return what it took, what it found, and what batches took."""
        sink, before = self.topic(1), self.seconds()
        with self.started(source, sink, above=above, most=most) as stream:
            stream.awaitTermination()
            batches = [one["durationMs"]["triggerExecution"] for one in stream.recentProgress]
        return {"seconds": self.seconds() - before, "matches": matches_in(self.broker, sink), "batches": batches}


def matches_in(broker: Broker, topic: str) -> int:
    """Return how many records of a topic are committed."""
    with consuming(broker, topic) as consumer:
        found, silent = 0, 0
        while silent < 3:
            some = [one for one in consumer.consume(10_000, timeout=1.0) if one.error() is None]
            found, silent = found + len(some), 0 if some else silent + 1
        return found


@contextmanager
def consuming(broker: Broker, topic: str) -> Iterator[Consumer]:
    settings = {"bootstrap.servers": broker.address, "group.id": topic, "isolation.level": "read_committed"}
    consumer = Consumer({**settings, "auto.offset.reset": "earliest"})
    consumer.subscribe([topic])
    try:
        yield consumer
    finally:
        consumer.close()


def throughput(runs: Runs, events: int, rounds: int) -> dict[str, object]:
    """Return events per second and core, with detection and with a function that does nothing, taken in turn."""
    source = runs.topic()
    produce(runs.broker.address, source, payloads(0, list(range(events))))
    most = events // BATCHES
    first = runs.once(source, most=most)
    # A half of the events is of the type that may be given back; its values are spread evenly over 0 to 1.
    above = 1 - first["matches"] / (events / 2)
    best = {"detection": first["seconds"], "nothing": float("inf")}
    given = 0
    for name in ["nothing", "detection"] * rounds:
        found = runs.once(source, most=most, above=above if name == "nothing" else None)
        best[name] = min(best[name], found["seconds"])
        given = found["matches"] if name == "nothing" else given
        print(name, found, flush=True)
    return {
        "events": events,
        "matches": first["matches"],
        "given_back": given,
        "events_per_second_and_core": round(events / best["detection"]),
        "nothing_per_second_and_core": round(events / best["nothing"]),
        "beside_nothing": round(best["nothing"] / best["detection"], 3),
    }


def empty_batches(runs: Runs) -> dict[str, object]:
    """Return what a batch takes that brings a single event: seconds of processors, and on the wall."""
    source = runs.topic()
    produce(runs.broker.address, source, payloads(0, list(range(EMPTY_BATCHES))))
    found: dict[str, object] = {}
    for name, above in (("detection", None), ("nothing", 1.0)):
        many, one = (runs.once(source, above=above, most=most) for most in (1, EMPTY_BATCHES))
        later = sorted(many["batches"][1:])
        cost = (many["seconds"] - one["seconds"]) / (EMPTY_BATCHES - 1)
        found[name] = {"processor_seconds": round(cost, 3), "wall_seconds": later[len(later) // 2] / 1000}
    return found


def latency(runs: Runs, trigger: str, seconds: int) -> dict[str, object]:
    """Return how long it takes from an event to its match where a consumer sees it, for one trigger."""
    source, sink = runs.topic(), runs.topic(1)
    done = threading.Event()
    with runs.started(source, sink, trigger=trigger) as stream, consuming(runs.broker, sink) as consumer:
        sending = threading.Thread(target=steadily, args=(runs.broker, source, done))
        sending.start()
        try:
            waited = list(delays(consumer, seconds))
        finally:
            done.set()
            sending.join()
        assert stream.exception() is None
    half, most = (float(np.percentile(waited, part)) for part in (50, 99))
    return {"trigger": trigger, "matches": len(waited), "p50": round(half, 3), "p99": round(most, 3)}


def delays(consumer: Consumer, seconds: int) -> Iterator[float]:
    """Yield how long after its event each match is seen, of the events of so many seconds.

    They begin a while after the first match, so that what had piled up before the first batch is not among them.
    """
    begins, until = None, time.time() + PATIENCE
    while time.time() < until:
        for message in consumer.consume(1000, timeout=0.05):
            now = time.time()
            if message.error() is not None:
                continue
            if begins is None:
                begins, until = now + WARM, now + WARM + seconds + PATIENCE
            sent = json.loads(message.value() or b"")["end"] / 1000
            if sent >= begins + seconds:
                return
            if sent >= begins:
                yield now - sent
    raise SystemExit("matches do not come in time")


def steadily(broker: Broker, topic: str, done: threading.Event) -> None:
    """Send events at a steady pace, each with the time at which it is sent."""
    producer = Producer({"bootstrap.servers": broker.address, "linger.ms": 5})
    begun, sent = time.time(), 0
    while not done.is_set():
        now = int(time.time() * 1000)
        due = int((time.time() - begun) * PACE) - sent
        for partition, event in payloads(sent, [now] * due):
            producer.produce(topic, json.dumps(event).encode(), partition=partition)
        sent += due
        producer.poll(0.01)
    producer.flush(30)


def main(events: int = EVENTS, rounds: int = ROUNDS, seconds: int = SECONDS) -> None:
    if (reason := no_broker()) is not None:
        raise SystemExit(reason)
    keep_orphans()
    local_session("bench", cores=CORES, shuffle_partitions=CORES)
    with brokered() as broker, TemporaryDirectory(prefix="cepheid-bench-") as folder:
        runs = Runs(broker, Path(folder))
        found: dict[str, object] = {"cores": CORES, "partitions": PARTITIONS, "buckets": BUCKETS, "pace": PACE}
        found["throughput"] = throughput(runs, events, rounds)
        found["empty_batch"] = empty_batches(runs)
        found["latency"] = [latency(runs, trigger, seconds) for trigger in TRIGGERS]
    print(json.dumps(found, indent=1))
    if events >= EVENTS:
        RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
