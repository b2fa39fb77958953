"""Results as records of a topic: JSON under the id of the match, which also says the partition, each once.

A writer takes the results whose ids fall to it, whatever partitions the topic has, and writes its part of a batch in
one transaction. So partitions may be added to the topic at any time.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from cepheid.diagnostics import CepheidError
from cepheid.spark.kafka import BatchWriter, KafkaTopic, prepare_progress
from cepheid.spark.pipelines.json_results import AT, KEY, QUERY, VALUE, in_json

_WRITER, _PARTITION = "writer", "partition"
_WRITTEN = f"{_WRITER} int, written long"
_DIGEST = 24


@dataclass(slots=True)
class KafkaSink:
    """A topic that a sink writes into."""

    name: str
    topic: KafkaTopic
    run: str = ""

    def check(self, run: str | None) -> None:  # noqa: ARG002  # records have ids, so any run may add to a topic
        self._partitions()

    def begin(self, run: str, schema: T.StructType) -> None:  # noqa: ARG002  # records have the schema themselves
        self.run = sha256(f"{run} {self.name}".encode()).hexdigest()[:_DIGEST]
        prepare_progress(self.topic)

    def write(self, results: DataFrame, batch: int) -> None:
        messages = as_messages(results, self._partitions(), self.topic.writers)
        apart = messages.coalesce(1) if self.topic.writers == 1 else messages.repartition(self.topic.writers, _WRITER)
        writing = _writing(self.topic, f"{self.run}-{self.name}", batch)
        apart.sortWithinPartitions(_WRITER, AT, KEY).mapInArrow(writing, _WRITTEN).collect()

    def _partitions(self) -> int:
        try:
            return len(self.topic.partitions())
        except CepheidError as error:
            told = [replace(one, code="unwritable-output") for one in error.diagnostics]
            raise CepheidError(told[0], *told[1:]) from None


def as_messages(results: DataFrame, partitions: int, writers: int) -> DataFrame:
    """Return results as records, each with the partition that it goes to and the writer that takes it there."""
    return in_json(results).select(KEY, VALUE, AT, _share(partitions, _PARTITION), _share(writers, _WRITER))


def _share(count: int, what: str) -> Column:
    return F.pmod(F.xxhash64(F.lit(what), F.col(QUERY), F.col(KEY)), F.lit(count)).cast("int").alias(what)


def _writing(topic: KafkaTopic, name: str, batch: int) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def write(batches: Iterator[Any]) -> Iterator[Any]:
        for number, rows in groupby(_rows(batches), key=lambda row: row[0]):
            messages = ((key.encode(), value.encode(), partition) for _, partition, key, value in rows)
            written = BatchWriter(topic, name, number).write(batch, messages)
            yield pa.RecordBatch.from_pydict(
                {_WRITER: pa.array([number], pa.int32()), "written": pa.array([written or 0], pa.int64())}
            )

    return write


def _rows(batches: Iterator[Any]) -> Iterator[tuple[int, int, str, str]]:
    for batch in batches:
        columns = (batch.column(name).to_pylist() for name in (_WRITER, _PARTITION, KEY, VALUE))
        yield from zip(*columns, strict=True)
