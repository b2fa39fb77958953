"""Kafka for pipelines: topics whose partitions have clocks of their own, and transactions that write a batch once."""

from cepheid.spark.kafka.avro import why_no_schema
from cepheid.spark.kafka.client import AVRO, IDLE_AFTER, PAYLOADS, STARTS, KafkaTopic, refused_settings
from cepheid.spark.kafka.offsets import Offsets, first_offsets
from cepheid.spark.kafka.offsets import from_json as offsets_from_json
from cepheid.spark.kafka.offsets import to_json as offsets_to_json
from cepheid.spark.kafka.payloads import selected, topic_frame
from cepheid.spark.kafka.source import seen_in
from cepheid.spark.kafka.transactions import BatchWriter, prepare_progress

__all__ = [
    "AVRO",
    "IDLE_AFTER",
    "PAYLOADS",
    "STARTS",
    "BatchWriter",
    "KafkaTopic",
    "Offsets",
    "first_offsets",
    "offsets_from_json",
    "offsets_to_json",
    "prepare_progress",
    "refused_settings",
    "seen_in",
    "selected",
    "topic_frame",
    "why_no_schema",
]
