"""A topic as a source of Spark, without a connector's jar: offsets are planned on the driver, records read by tasks.

A record without a payload is a tombstone: it says that something is deleted, and no event. It is passed over. The first
task of a batch also gives a row that is no event, and says which partitions are waited for.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadLimit, SupportsTriggerAvailableNow

from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.spark.kafka.avro import json_of_avro
from cepheid.spark.kafka.client import KafkaTopic, admin, client, guarded
from cepheid.spark.kafka.offsets import Offsets, Seen, between, first_offsets, from_json, planned, to_json, waited_for

KEY, VALUE, PARTITION, OFFSET, TIMESTAMP, WAITED_FOR = "key", "value", "partition", "offset", "timestamp", "waited_for"
SCHEMA = f"{KEY} binary, {VALUE} binary, {PARTITION} int, {OFFSET} long, {TIMESTAMP} timestamp, {WAITED_FOR} string"
_ARROW = pa.schema(
    [
        (KEY, pa.binary()),
        (VALUE, pa.binary()),
        (PARTITION, pa.int32()),
        (OFFSET, pa.int64()),
        (TIMESTAMP, pa.timestamp("us", tz="UTC")),
        (WAITED_FOR, pa.string()),
    ]
)
_AT_ONCE, _PATIENCE = 10_000, 60.0


def seen_in(topic: KafkaTopic) -> dict[int, Seen]:
    """Return what each partition of a topic holds now, as far as it is committed."""
    kafka, spec = client(), admin().OffsetSpec
    there = [kafka.TopicPartition(topic.topic, number) for number in topic.partitions()]
    asked = admin().AdminClient(topic.config())

    def offsets(which: Any) -> dict[int, int]:
        level = kafka.IsolationLevel.READ_COMMITTED
        found = asked.list_offsets(dict.fromkeys(there, which), isolation_level=level, request_timeout=_PATIENCE)
        return {one.partition: result.result().offset for one, result in found.items()}

    low = guarded(topic, lambda: offsets(spec.earliest()))
    high = guarded(topic, lambda: offsets(spec.latest()))
    return {number: Seen(low[number], high[number]) for number in low}


@dataclass
class Range(InputPartition):
    """What a task reads: a partition from an offset up to another one, and what it says of all partitions."""

    partition: int
    first: int
    last: int
    waited_for: list[str] | None = None


class TopicReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """The stream of a topic; where it begins is known where the run began already."""

    def __init__(self, topic: KafkaTopic, begins: Offsets | None) -> None:
        self.topic, self.begins = topic, begins
        self.target: Mapping[int, Seen] | None = None
        self.seen: Mapping[int, Seen] = {}

    def initialOffset(self) -> dict[str, Any]:  # noqa: N802  # as Spark calls it
        begins = self.begins
        return to_json(first_offsets(seen_in(self.topic), self.topic.start, _now()) if begins is None else begins)

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802  # as Spark calls it
        self.target = seen_in(self.topic)

    def latestOffset(self, start: dict[str, Any], limit: ReadLimit) -> dict[str, Any]:  # noqa: ARG002, N802  # likewise
        self.seen = seen_in(self.topic) if self.target is None else self.target
        return to_json(planned(from_json(start), self.seen, _now(), self.topic.idle_after, self.topic.most))

    def reportLatestOffset(self) -> dict[str, Any] | None:  # noqa: N802  # as Spark calls it
        """Return how much there was when the last batch was planned: what it did not read is the lag."""
        there = {str(number): one.high for number, one in sorted(self.seen.items())}
        return {"topic": self.topic.topic, "partitions": there} if there else None

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> Sequence[InputPartition]:
        ends = from_json(end)
        spans = between(from_json(start), ends)
        ranges = [Range(number, *span) for number, span in spans.items()] or [Range(-1, 0, 0)]
        ranges[0].waited_for = waited_for(ends)
        return ranges

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, Range)
        if partition.waited_for is not None:
            row = {WAITED_FOR: json.dumps(partition.waited_for)}
            yield pa.RecordBatch.from_pylist([row], schema=_ARROW)
        if partition.last > partition.first:
            yield from records(self.topic, partition)

    def commit(self, end: dict[str, Any]) -> None:
        """Spark's checkpoint says what was read; Kafka need not know."""


def source_of(name: str, topic: KafkaTopic, begins: Offsets | None) -> type[DataSource]:
    """Return a source of Spark that reads a topic.

    The topic is part of the class and not of Spark's options: those are shown in plans, and settings are secrets.
    """

    class TopicSource(DataSource):
        @classmethod
        def name(cls) -> str:
            return name

        def schema(self) -> str:
            return SCHEMA

        def streamReader(self, schema: Any) -> DataSourceStreamReader:  # noqa: ARG002, N802  # as Spark calls it
            return TopicReader(topic, begins)

    return TopicSource


def records(topic: KafkaTopic, wanted: Range) -> Iterator[pa.RecordBatch]:
    """Yield the records of a range in the order of their offsets; all of them, or it is an error."""
    kafka = client()
    consumer = topic.consumer()
    read = _as_it_is if topic.avro is None else json_of_avro(topic.avro, topic.avro_header)
    consumer.assign([kafka.TopicPartition(topic.topic, wanted.partition, wanted.first)])
    position, heard = wanted.first, time.monotonic()
    try:
        while position < wanted.last:
            found = consumer.consume(_AT_ONCE, timeout=1.0)
            heard = time.monotonic() if found else heard
            if time.monotonic() - heard > _PATIENCE:
                raise _no_answer(topic, wanted, position)
            some = []
            for message in found:
                position = _position(topic, wanted, message, position)
                if message.error() is None and message.offset() < wanted.last and message.value() is not None:
                    some.append(message)
            if some:
                yield _batch(some, read)
    finally:
        consumer.close()


def _position(topic: KafkaTopic, wanted: Range, message: Any, position: int) -> int:
    """Return the offset after a message; where a partition ends, nothing is left before its end."""
    error = message.error()
    if error is None:
        return int(message.offset()) + 1
    kafka_error = client().KafkaError
    if error.code() == kafka_error._PARTITION_EOF:
        return max(position, int(message.offset()))
    if error.code() in (kafka_error._AUTO_OFFSET_RESET, kafka_error.OFFSET_OUT_OF_RANGE):
        raise _gone(topic, wanted, position)
    if error.fatal() or error.code() in (kafka_error.TOPIC_AUTHORIZATION_FAILED, kafka_error.UNKNOWN_TOPIC_OR_PART):
        raise _failed(f"Kafka refuses `{topic.topic}`, partition {wanted.partition}: {error.str()}")
    return position


def _as_it_is(payload: bytes) -> bytes:
    return payload


def _batch(messages: Sequence[Any], read: Callable[[bytes], bytes]) -> pa.RecordBatch:
    count = len(messages)
    columns = [
        pa.array([one.key() for one in messages], pa.binary()),
        pa.array([read(one.value()) for one in messages], pa.binary()),
        pa.array([one.partition() for one in messages], pa.int32()),
        pa.array([one.offset() for one in messages], pa.int64()),
        pa.array([one.timestamp()[1] * 1000 for one in messages], pa.timestamp("us", tz="UTC")),
        pa.nulls(count, pa.string()),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=_ARROW)


def _gone(topic: KafkaTopic, wanted: Range, position: int) -> CepheidError:
    where = f"`{topic.topic}`, partition {wanted.partition}, from offset {position} on"
    return _failed(f"Kafka has deleted records that were not read yet: {where}")


def _no_answer(topic: KafkaTopic, wanted: Range, position: int) -> CepheidError:
    where = f"offset {position} of `{topic.topic}`, partition {wanted.partition}"
    return _failed(f"Kafka gives no records: nothing came for {_PATIENCE:.0f} s at {where}")


def _failed(message: str) -> CepheidError:
    return CepheidError(Diagnostic("stream-failed", message))


def _now() -> int:
    return int(time.time())
