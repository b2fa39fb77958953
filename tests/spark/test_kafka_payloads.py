"""Payloads of a topic become columns, with what Kafka knows of their records; what says no event says where it lay."""

from datetime import UTC, datetime

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import types as T

from cepheid.spark.event_columns import CORRUPT_RECORD, FILE, OFFSET, PARTITION
from cepheid.spark.kafka.client import KafkaTopic
from cepheid.spark.kafka.payloads import in_columns, selected
from cepheid.spark.kafka.source import SCHEMA

COLUMNS = T.StructType().add("type", "string").add("time", "long").add("user", "string")
AT = datetime(2024, 5, 17, 8, 5, tzinfo=UTC)
JSON = [b'{"type": "A", "time": 1, "user": "ann"}', b'{"type": "A", "time": "soon"}', b"{", b"[]", b"{}", b'"A"']
CSV = [b"A,1,ann", b"A,soon,ann", b'"A', b",,", b"", b"A,1,ann,more"]


def frame(spark: SparkSession, payload: str, *payloads: bytes) -> DataFrame:
    rows = [(b"key", one, 3, offset, AT, None) for offset, one in enumerate(payloads)]
    return in_columns(spark.createDataFrame(rows, SCHEMA), KafkaTopic("here", "orders", payload=payload), COLUMNS)


@pytest.mark.parametrize(("payload", "payloads"), [("json", JSON), ("csv", CSV)])
def test_a_payload_is_read_and_what_says_no_event_says_where_it_lay(
    spark: SparkSession, payload: str, payloads: list[bytes]
) -> None:
    rows = frame(spark, payload, *payloads, b"\xff\xfe").orderBy(OFFSET).collect()
    first, *others = rows
    assert (first["type"], first["time"], first["user"], first[CORRUPT_RECORD]) == ("A", 1, "ann", None)
    assert [row[CORRUPT_RECORD] for row in others] == [*(one.decode() for one in payloads[1:]), "\ufffd\ufffd"]
    assert [row[FILE] for row in rows] == [f"orders, partition 3, offset {number}" for number in range(len(rows))]


def test_what_kafka_knows_of_a_record_may_be_columns(spark: SparkSession) -> None:
    read = frame(spark, "json", JSON[0])
    [row] = selected(read, ("type", "_timestamp AS at", "concat(_key, '-', _offset) AS id"), ("at", "id")).collect()
    assert (row["type"], row["at"].astimezone(UTC), row["id"], row[PARTITION], row[OFFSET]) == ("A", AT, "key-0", 3, 0)
    assert "_timestamp" in selected(read, (), ("type", "_timestamp")).columns
    assert not {"_timestamp", "_key"} & set(selected(read, (), ("type", "time")).columns)
