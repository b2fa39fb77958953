"""Each batch once: its records and its number are written in one transaction, and the number is read back before.

A writer has one transactional id for ever. Beginning with it ends what an earlier attempt left open, and shuts out an
attempt that is still alive somewhere. Then the number of the last batch that was committed is looked up in a topic of
its own, `TOPIC.cepheid-progress`, in which only the newest number of each writer is kept. A batch that was committed
is not written again; one that was not, is written as a whole or not at all (`docs/decisions/0068-kafka-once.md`).
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.spark.kafka.client import KafkaTopic, admin, client, guarded, without

Message = tuple[bytes | None, bytes, int]
"""The key, the payload and the partition of a record."""
NOTHING_YET = -1
SUFFIX = ".cepheid-progress"
_PROGRESS = {"cleanup.policy": "compact", "segment.ms": "3600000", "min.cleanable.dirty.ratio": "0.1"}
_TRANSACTION, _PATIENCE, _LOOK_BACK, _AGAIN = 60_000, 120.0, 64, 0.2


def progress_topic(topic: KafkaTopic) -> str:
    """Return the topic that the numbers of committed batches stand in."""
    return topic.topic + SUFFIX


def prepare_progress(topic: KafkaTopic) -> None:
    """Make the topic for the numbers of batches, a partition for each writer, where it is not there."""
    asking = admin().AdminClient(topic.config())
    known = guarded(topic, lambda: asking.list_topics(timeout=_PATIENCE)).topics.get(progress_topic(topic))
    if known is not None and len(known.partitions) >= topic.writers:
        return
    if known is not None:
        raise _too_few(topic, len(known.partitions))
    new = admin().NewTopic(progress_topic(topic), num_partitions=topic.writers, config=_PROGRESS)
    asked = asking.create_topics([new])
    try:
        guarded(topic, lambda: [one.result() for one in asked.values()])
    except CepheidError as error:
        if "already exists" not in str(error):
            raise


@dataclass(frozen=True, slots=True)
class BatchWriter:
    """A writer of a sink of a run: one of those that share the partitions of a topic."""

    topic: KafkaTopic
    name: str
    number: int

    @property
    def transactional_id(self) -> str:
        return f"cepheid-{self.name}-{self.number}"

    def write(self, batch: int, messages: Iterable[Message]) -> int | None:
        """Write the records of a batch and return how many they are; None where the batch is there already."""
        try:
            producer = self._producer()
            producer.init_transactions(_PATIENCE)
            if self.last_batch() >= batch:
                return None
            return self._write(producer, batch, messages)
        except client().KafkaException as error:
            raise _failed(self.topic, error) from None

    def _write(self, producer: Any, batch: int, messages: Iterable[Message]) -> int:
        count, failed = 0, list[Any]()
        producer.begin_transaction()
        for key, value, partition in messages:
            _produced(producer, self.topic.topic, key, value, partition, failed)
            count += 1
        own = self.transactional_id.encode(), str(batch).encode()
        _produced(producer, progress_topic(self.topic), *own, self.number, failed)
        producer.flush(_PATIENCE)
        if failed:
            raise client().KafkaException(failed[0])
        producer.commit_transaction(_PATIENCE)
        return count

    def _producer(self) -> Any:
        usual = {"linger.ms": 5, "transaction.timeout.ms": _TRANSACTION}
        return client().Producer({**usual, **self.topic.config(**{"transactional.id": self.transactional_id})})

    def last_batch(self) -> int:
        """Return the number of the last batch that was committed.

        What stands after a transaction that another run has open is not visible before that ends. So it is read up to
        the end that the topic has now, however long it takes.
        """
        high = self._end()
        first = high
        while first > 0:
            first, last = max(0, high - _LOOK_BACK - 8 * (high - first)), first
            found = [batch for key, batch in self._progress(first, last) if key == self.transactional_id.encode()]
            if found:
                return found[-1]
        return NOTHING_YET

    def _end(self) -> int:
        """Return the end that the topic has now; a topic that was just made has no leader for a moment."""
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                return self._end_now()
            except client().KafkaException as error:
                if time.monotonic() > until or not _has_no_leader(error):
                    raise
                time.sleep(_AGAIN)

    def _end_now(self) -> int:
        there = client().TopicPartition(progress_topic(self.topic), self.number)
        level, latest = client().IsolationLevel.READ_UNCOMMITTED, admin().OffsetSpec.latest()
        asking = admin().AdminClient(self.topic.config())  # what it is asked is answered as long as it is held
        asked = asking.list_offsets({there: latest}, isolation_level=level)
        return int(asked[there].result(_PATIENCE).offset)

    def _progress(self, first: int, last: int) -> Iterator[tuple[bytes, int]]:
        """Yield what writers wrote into the partition of this one between two offsets."""
        kafka, consumer = client(), self.topic.consumer(**{"auto.offset.reset": "earliest"})
        consumer.assign([kafka.TopicPartition(progress_topic(self.topic), self.number, first)])
        position, until = first, time.monotonic() + _PATIENCE
        try:
            while position < last:
                for message in consumer.consume(500, timeout=0.2):
                    if message.error() is None:
                        position = message.offset() + 1
                        if message.offset() < last:
                            yield message.key(), int(message.value())
                    elif message.error().code() == kafka.KafkaError._PARTITION_EOF:
                        position = max(position, message.offset())
                if time.monotonic() > until:
                    raise kafka.KafkaException(kafka.KafkaError(kafka.KafkaError._TIMED_OUT))
        finally:
            consumer.close()


def _produced(producer: Any, topic: str, key: bytes | None, value: bytes, partition: int, failed: list[Any]) -> None:
    """Hand a record to the client, which sends many at once; where it has no room, wait until it has."""

    def delivered(error: Any, _: Any) -> None:
        if error is not None:
            failed.append(error)

    while True:
        try:
            producer.produce(topic, value, key, partition, on_delivery=delivered)
        except BufferError:
            producer.poll(0.1)
        else:
            producer.poll(0)
            return


def _has_no_leader(error: Any) -> bool:
    """Say whether nobody in the cluster answers for a partition yet, or who does has just changed."""
    kinds = client().KafkaError
    passing = (kinds._NOENT, kinds.LEADER_NOT_AVAILABLE, kinds.NOT_LEADER_FOR_PARTITION, kinds.UNKNOWN_TOPIC_OR_PART)
    return bool(error.args) and hasattr(error.args[0], "code") and error.args[0].code() in passing


def _failed(topic: KafkaTopic, error: Any) -> CepheidError:
    reason = error.args[0].str() if error.args and hasattr(error.args[0], "str") else str(error)
    return CepheidError(Diagnostic("stream-failed", f"Kafka does not take a batch: {without(topic, reason)}"))


def _too_few(topic: KafkaTopic, partitions: int) -> CepheidError:
    message = f"`{progress_topic(topic)}` has {partitions} partitions, and the sink has {topic.writers} writers"
    hint = f"write `writers = {partitions}`, or add partitions to that topic"
    return CepheidError(Diagnostic("unwritable-output", message, hints=(hint,)))
