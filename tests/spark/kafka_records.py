"""Topics with records for tests, and what a consumer that sees only what is committed finds in them."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from confluent_kafka import Consumer, KafkaError, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewPartitions, NewTopic  # type: ignore[attr-defined]  # they are there

Record = tuple[int, object]
"""A partition, and what is written as JSON; None is a tombstone, and bytes are written as they are."""


def create(address: str, topic: str, partitions: int = 2) -> None:
    admin = AdminClient({"bootstrap.servers": address})
    admin.create_topics([NewTopic(topic, partitions)])[topic].result()


def add_partitions(address: str, topic: str, partitions: int) -> None:
    admin = AdminClient({"bootstrap.servers": address})
    admin.create_partitions([NewPartitions(topic, partitions)])[topic].result()


def produce(address: str, topic: str, records: Iterable[Record]) -> None:
    producer = Producer({"bootstrap.servers": address, "linger.ms": 20, "queue.buffering.max.messages": 1_000_000})
    for number, (partition, said) in enumerate(records):
        producer.produce(topic, _payload(said), partition=partition)
        if number % 10_000 == 0:
            producer.poll(0)
    assert producer.flush(60) == 0


def _payload(said: object) -> bytes | None:
    return said if said is None or isinstance(said, bytes) else json.dumps(said).encode()


def committed(address: str, topic: str) -> list[tuple[int, str | None, Mapping[str, Any]]]:
    """Return the records of a topic as a consumer sees them that reads what is committed: partition, key, payload."""
    settings = {"bootstrap.servers": address, "group.id": "tests", "isolation.level": "read_committed"}
    consumer = Consumer({**settings, "enable.partition.eof": True, "auto.offset.reset": "earliest"})
    partitions = list(consumer.list_topics(topic, timeout=30).topics[topic].partitions)
    consumer.assign([TopicPartition(topic, number, 0) for number in partitions])
    found, ended = [], set[int]()
    while len(ended) < len(partitions):
        for message in consumer.consume(1000, timeout=1):
            error = message.error()
            if error is None:
                key = message.key()
                found.append(
                    (
                        message.partition() or 0,
                        None if key is None else key.decode(),
                        json.loads(message.value() or b""),
                    )
                )
            elif error.code() == KafkaError._PARTITION_EOF:
                ended.add(message.partition() or 0)
    consumer.close()
    return found
