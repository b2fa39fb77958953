"""Payloads of Avro say what JSON says, and what is no record of their schema is malformed."""

import json
from datetime import UTC, datetime
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from fastavro import parse_schema, schemaless_writer

from cepheid.diagnostics import CepheidError
from cepheid.spark.kafka.avro import MALFORMED, json_of_avro, why_no_schema
from cepheid.spark.pipelines import read_pipeline

_OR_NULL = ["null", "string"]
SCHEMA: dict[str, Any] = {
    "type": "record",
    "name": "Order",
    "fields": [
        {"name": "type", "type": "string"},
        {"name": "time", "type": {"type": "long", "logicalType": "timestamp-micros"}},
        {"name": "user", "type": "long"},
        {"name": "note", "type": _OR_NULL, "default": None},
        {"name": "token", "type": "bytes", "default": ""},
        {"name": "price", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
    ],
}
RECORD = {
    "type": "A",
    "time": datetime(2024, 3, 1, 12, 0, 0, 5, UTC),
    "user": 7,
    "note": None,
    "token": b"\x00\x01",
    "price": Decimal("1.25"),
}
PIPELINE = """
[pipeline]
checkpoint = "checkpoint"
[sources.orders]
format = "kafka"
bootstrap = "127.0.0.1:9092"
topic = "orders"
schema = "type string, time timestamp"
{more}
[queries.lone]
text = "A"
[sinks.found]
format = "console"
"""


def avro(record: dict[str, Any], schema: dict[str, Any] | None = None) -> bytes:
    """Return a record as bytes of Avro."""
    stream = BytesIO()
    schemaless_writer(stream, parse_schema(schema or SCHEMA), record)
    return stream.getvalue()


def test_records_say_what_json_says() -> None:
    said = json_of_avro(json.dumps(SCHEMA))(avro(RECORD))
    assert json.loads(said) == {
        "type": "A",
        "time": "2024-03-01T12:00:00.000005+00:00",
        "user": 7,
        "note": None,
        "token": "AAE=",
        "price": 1.25,
    }


def test_a_header_is_passed_over() -> None:
    plain = {"type": "record", "name": "N", "fields": [{"name": "n", "type": "long"}]}
    payload = avro({"n": 5}, plain)
    assert json_of_avro(json.dumps(plain), header=5)(b"\0\0\0\0\1" + payload) == b'{"n": 5}'
    assert json_of_avro(json.dumps(plain), header=5)(payload) == MALFORMED + payload


@pytest.mark.parametrize("payload", [b"", b"\x02", b'{"type": "A"}', avro(RECORD) + b"\0"])
def test_what_is_no_record_is_malformed(payload: bytes) -> None:
    assert json_of_avro(json.dumps(SCHEMA))(payload) == MALFORMED + payload


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "it is no JSON"),
        ('"long"', "it is of no record"),
        ('{"type": "record", "name": "A", "fields": [{"name": "a", "type": "lng"}]}', "lng"),
        ('{"type": "record", "name": "A"}', "fields"),
    ],
)
def test_what_is_no_schema_is_said(text: str, reason: str) -> None:
    assert reason in (why_no_schema(text) or "")


def refused(directory: Path, more: str) -> str:
    with pytest.raises(CepheidError) as raised:
        read_pipeline(PIPELINE.format(more=more), directory=directory)
    return raised.value.diagnostics[0].message


def test_a_source_names_the_file_of_its_schema(tmp_path: Path) -> None:
    (tmp_path / "orders.avsc").write_text(json.dumps(SCHEMA), encoding="utf-8")
    (tmp_path / "bad.avsc").write_text('"long"', encoding="utf-8")
    good = 'payload = "avro"\navro = "orders.avsc"\navro_header = 5'
    topic = read_pipeline(PIPELINE.format(more=good), directory=tmp_path).sources["orders"].kafka
    assert topic is not None
    assert (json.loads(topic.avro or ""), topic.avro_header) == (SCHEMA, 5)
    assert refused(tmp_path, 'payload = "avro"') == "payloads of Avro need the schema they were written with"
    assert refused(tmp_path, 'avro = "orders.avsc"') == "`avro` is about payloads of Avro"
    absent = refused(tmp_path, 'payload = "avro"\navro = "none.avsc"')
    assert absent == "`none.avsc` is no schema of Avro: No such file or directory"
    bad = refused(tmp_path, 'payload = "avro"\navro = "bad.avsc"')
    assert bad == "`bad.avsc` is no schema of Avro: it is of no record"
