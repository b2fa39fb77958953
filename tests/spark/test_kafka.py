"""Kafka with a real broker: each batch once, whatever is repeated, and a pipeline from topic to topic."""

import json
import threading
from collections.abc import Iterator
from importlib import import_module
from io import BytesIO
from pathlib import Path

import pytest
from confluent_kafka import KafkaException, Producer
from fastavro import schemaless_writer
from pyspark.sql import SparkSession

from cepheid.diagnostics import CepheidError
from cepheid.spark.kafka.client import KafkaTopic
from cepheid.spark.kafka.source import Range, records, seen_in
from cepheid.spark.kafka.transactions import NOTHING_YET, BatchWriter, prepare_progress, progress_topic
from tests.cli.console import cepheid
from tests.spark.kafka_broker import Broker, brokered, no_broker
from tests.spark.kafka_records import add_partitions, committed, create, produce

pytestmark = pytest.mark.xdist_group("spark")  # one broker, and at most one at a time

PIPELINE = """
[pipeline]
checkpoint = "checkpoint"
buckets = 2
[sources.events]
format = "kafka"
bootstrap = "{address}"
topic = "events"
schema = "type string, time long, user long"
idle_after = "{idle_after}"
[queries.pair]
text = "Pair = (a:A ; b:B) within 5 s by user emits user = a.user"
language = "algebra"
[sinks.found]
format = "kafka"
bootstrap = "{address}"
topic = "found"
[sinks.aside]
format = "json"
path = "aside"
what = ["corrupt", "late"]
"""


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    """A broker that lives as long as the tests of this file."""
    if (reason := no_broker()) is not None:
        pytest.skip(reason)
    with brokered() as running:
        yield running


def a_topic(broker: Broker, name: str, partitions: int = 2, writers: int = 1) -> KafkaTopic:
    create(broker.address, name, partitions)
    topic = KafkaTopic(broker.address, name, writers=writers)
    prepare_progress(topic)
    return topic


def payloads(topic: KafkaTopic) -> list[object]:
    return sorted(payload["n"] for _, _, payload in committed(topic.bootstrap, topic.topic))


def messages(*numbers: int) -> list[tuple[bytes, bytes, int]]:
    return [(str(number).encode(), json.dumps({"n": number}).encode(), number % 2) for number in numbers]


def test_a_batch_that_is_repeated_is_written_once(broker: Broker) -> None:
    topic = a_topic(broker, "repeated")
    writer = BatchWriter(topic, "run", 0)
    assert writer.last_batch() == NOTHING_YET
    assert [writer.write(batch, messages(batch, 10 + batch)) for batch in (0, 0, 1, 0, 1)] == [2, None, 2, None, None]
    assert payloads(topic) == [0, 1, 10, 11]
    assert BatchWriter(topic, "another run", 0).write(0, messages(0)) == 1
    prepare_progress(topic)  # a restart finds the topic there


def test_an_attempt_that_died_leaves_nothing_and_one_that_lives_on_is_shut_out(broker: Broker) -> None:
    topic = a_topic(broker, "attempts")
    writer = BatchWriter(topic, "run", 0)
    old = Producer({"bootstrap.servers": broker.address, "transactional.id": writer.transactional_id})
    old.init_transactions(30)
    old.begin_transaction()
    old.produce("attempts", b'{"n": 7}', partition=0)
    old.flush(30)
    assert writer.write(3, messages(3)) == 1
    with pytest.raises(KafkaException):
        old.commit_transaction(30)
    assert payloads(topic) == [3]


def test_what_another_run_has_open_does_not_hide_what_was_committed(broker: Broker) -> None:
    topic = a_topic(broker, "open")
    writer = BatchWriter(topic, "run", 0)
    other = Producer({"bootstrap.servers": broker.address, "transactional.id": "somebody"})
    other.init_transactions(30)
    other.begin_transaction()
    other.produce(progress_topic(topic), b"5", b"somebody", 0)
    other.flush(30)
    assert writer._write(_begun(writer), 8, messages(8)) == 1  # stands after what is open, and is not visible
    ending = threading.Timer(1.5, lambda: other.commit_transaction(30))
    ending.start()
    assert writer.last_batch() == 8
    ending.join()


def _begun(writer: BatchWriter) -> Producer:
    producer: Producer = writer._producer()
    producer.init_transactions(30)
    return producer


def test_the_number_of_a_batch_is_found_behind_many_others(broker: Broker) -> None:
    topic = a_topic(broker, "many", writers=2)
    assert BatchWriter(topic, "run", 1).write(4, messages(1)) == 1
    produce(broker.address, progress_topic(topic), [(1, n) for n in range(700)])
    assert BatchWriter(topic, "run", 1).last_batch() == 4
    assert BatchWriter(topic, "run", 0).last_batch() == NOTHING_YET
    with pytest.raises(CepheidError, match="has 2 partitions, and the sink has 3 writers"):
        prepare_progress(KafkaTopic(broker.address, "many", writers=3))


def test_records_are_read_up_to_an_offset_and_tombstones_are_passed_over(broker: Broker) -> None:
    create(broker.address, "read", 1)
    produce(broker.address, "read", [(0, {"n": 0}), (0, None), (0, {"n": 2}), (0, {"n": 3})])
    topic = KafkaTopic(broker.address, "read")
    assert (seen_in(topic)[0].low, seen_in(topic)[0].high) == (0, 4)
    found = [row for batch in records(topic, Range(0, 0, 3)) for row in batch.to_pylist()]
    assert [(row["offset"], row["value"]) for row in found] == [(0, b'{"n": 0}'), (2, b'{"n": 2}')]
    with pytest.raises(CepheidError, match="Kafka has deleted records that were not read yet: `read`, partition 0"):
        list(records(topic, Range(0, 90, 95)))


def test_what_is_open_or_was_given_up_is_not_read(broker: Broker) -> None:
    create(broker.address, "given-up", 1)
    writing = Producer({"bootstrap.servers": broker.address, "transactional.id": "gives up"})
    writing.init_transactions(30)
    for end in (writing.abort_transaction, writing.commit_transaction):
        writing.begin_transaction()
        writing.produce("given-up", b'{"n": 1}', partition=0)
        writing.flush(30)
        assert seen_in(KafkaTopic(broker.address, "given-up"))[0].high < 4
        end(30)
    topic = KafkaTopic(broker.address, "given-up")
    last = seen_in(topic)[0].high
    assert [batch.num_rows for batch in records(topic, Range(0, 0, last))] == [1]


def test_a_topic_that_is_not_there_and_a_broker_that_does_not_answer_are_refused(
    broker: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "pipeline.toml"
    text = PIPELINE.replace('topic = "events"', 'topic = "nowhere"')
    file.write_text(text.format(address=broker.address, idle_after="1 s"), encoding="utf-8")
    answer = cepheid("pipeline", "check", str(file))
    assert f"error[unreadable-input]: Kafka at `{broker.address}` has no topic `nowhere`" in answer.said
    monkeypatch.setattr(import_module("cepheid.spark.kafka.client"), "PATIENCE", 1.0)
    file.write_text(PIPELINE.format(address="127.0.0.1:1", idle_after="1 s"), encoding="utf-8")
    answer = cepheid("pipeline", "check", str(file))
    assert (answer.status, "error[unreadable-input]: Kafka at `127.0.0.1:1` refuses: " in answer.said) == (2, True)


def test_a_pipeline_goes_from_topic_to_topic(broker: Broker, spark: SparkSession, tmp_path: Path) -> None:
    """Partitions with clocks of their own, an empty one, a new one, bad payloads, and a batch that is repeated."""
    create(broker.address, "events", 3)
    create(broker.address, "found", 2)
    told = [(n % 2, {"type": "AB"[n % 2], "time": n, "user": n // 2 % 2}) for n in range(12)]
    bad = [(0, b"{not json"), (1, b"[1, 2]"), (0, b"\xff\xfe"), (1, None), (0, {"type": "A", "user": 1})]
    produce(broker.address, "events", [*told, *bad])
    file = tmp_path / "pipeline.toml"
    file.write_text(PIPELINE.format(address=broker.address, idle_after="never"), encoding="utf-8")
    assert "found: kafka in `found`" in cepheid("pipeline", "run", str(file), "--dry-run").output
    assert [one.name for one in tmp_path.iterdir()] == ["pipeline.toml"]
    answer = cepheid("pipeline", "run", str(file), "--once", "--log", "json")
    [batch] = [said for said in map(json.loads, answer.said.splitlines()) if said["event"] == "batch"]
    assert (answer.status, batch["events"], batch["corrupt"], batch["lag"]) == (0, 12, 4, {"events": 0})
    assert [(one["query"], one["rules"], one["matches"]) for one in batch["rules"]] == [("pair", "Pair", {"Pair": 0})]
    assert committed(broker.address, "found") == []  # nothing is certain while partition 2 says nothing
    assert sorted(rejected(tmp_path)) == [
        ("events, partition 0, offset 6", "{not json", "the record is malformed"),
        ("events, partition 0, offset 7", "\ufffd\ufffd", "the record is malformed"),
        ("events, partition 0, offset 8", '{"type":"A","user":1}', "no time in `time`"),
        ("events, partition 1, offset 6", "[1, 2]", "the record is malformed"),
    ]
    add_partitions(broker.address, "events", 4)
    later = {"type": "C", "time": 50, "user": 0}
    produce(
        broker.address,
        "events",
        [(2, later), (3, {"type": "B", "time": 12, "user": 0}), (3, later), (0, later), (1, later)],
    )
    for _ in range(2):
        assert cepheid("pipeline", "run", str(file), "--once").status == 0
        found = committed(broker.address, "found")
        ends = sorted((match["start"], match["end"], match["values"]["user"]) for _, _, match in found)
        assert ends == [(0, 1, 0), (2, 3, 1), (4, 5, 0), (6, 7, 1), (8, 9, 0), (8, 12, 0), (10, 11, 1)]
        assert len({key for _, key, _ in found}) == len(found)
        assert {key == match["id"] for _, key, match in found} == {True}
        # The last batch is repeated: Spark does not know that it was written.
        done = max((tmp_path / "checkpoint" / "commits").glob("[0-9]*"), key=lambda one: int(one.name))
        for one in (done, done.with_name(f".{done.name}.crc")):
            one.unlink(missing_ok=True)


def rejected(folder: Path) -> list[tuple[str, str, str]]:
    lines = [line for one in folder.glob("aside/*/*.json") for line in one.read_text(encoding="utf-8").splitlines()]
    told = [json.loads(line)["rejected"] for line in lines]
    return [(one["file"], one["record"], one["reason"]) for one in told]


FIELDS = (("type", "string"), ("time", "long"), ("user", "long"))
AVRO = {"name": "Event", "type": "record", "fields": [{"name": name, "type": kind} for name, kind in FIELDS]}


def in_avro(**said: object) -> bytes:
    stream = BytesIO()
    schemaless_writer(stream, AVRO, said)
    return b"\0\0\0\0\1" + stream.getvalue()  # as those write it who know the schema by a number


def test_payloads_of_avro_are_read_by_their_schema(broker: Broker, spark: SparkSession, tmp_path: Path) -> None:
    for name in ("avro-events", "avro-found"):
        create(broker.address, name, 1)
    told = [in_avro(type=kind, time=time, user=7) for time, kind in enumerate("ABC")]
    produce(broker.address, "avro-events", [(0, one) for one in (*told, b'{"type": "A", "time": 1, "user": 7}')])
    (tmp_path / "event.avsc").write_text(json.dumps(AVRO), encoding="utf-8")
    text = PIPELINE.replace('"events"', '"avro-events"\npayload = "avro"\navro = "event.avsc"\navro_header = 5', 1)
    text = text.replace('"found"', '"avro-found"').format(address=broker.address, idle_after="never")
    (tmp_path / "pipeline.toml").write_text(text, encoding="utf-8")
    answer = cepheid("pipeline", "run", str(tmp_path / "pipeline.toml"), "--once")
    assert answer.status == 0, answer.said
    found = [(match["start"], match["end"], match["values"]) for _, _, match in committed(broker.address, "avro-found")]
    assert found == [(0, 1, {"user": 7})]
    malformed = '\ufffd{"type": "A", "time": 1, "user": 7}'
    assert rejected(tmp_path) == [("avro-events, partition 0, offset 3", malformed, "the record is malformed")]
