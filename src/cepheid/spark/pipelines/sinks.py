"""The sinks of a pipeline: each takes, of every batch, the results that it is for.

Files are written into a directory for each batch, which a repeated batch replaces; PostgreSQL drops what it has; Kafka
takes a batch with its number (`docs/decisions/0009-one-stream-many-sinks.md`, `0068-kafka-once.md`). So they have every
result once. What other formats do is up to them.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from os.path import exists, isdir
from pathlib import Path
from typing import Protocol

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from cepheid.diagnostics import CepheidError, Diagnostic, Severity
from cepheid.spark.pipelines.declared import KAFKA, POSTGRESQL, DeclaredSink, Pipeline, local_path
from cepheid.spark.pipelines.json_results import AT, ID, KEY, QUERY, VALUE, in_json
from cepheid.spark.pipelines.kafka_sink import KafkaSink
from cepheid.spark.pipelines.ownership import claim, foreign_output, may_write
from cepheid.spark.pipelines.postgresql import PostgresqlTable, in_ticks
from cepheid.spark.pipelines.webhook import WEBHOOK, Webhook, letters, send_batch

BATCH = "batch"
_FILES = ("parquet", "json", "csv", "orc", "text")
_SHOWN_AT_ONCE = "20"


class Sink(Protocol):
    """Something that results are written to, batch by batch."""

    def check(self, run: str | None) -> None:
        """Refuse before anything starts what could not be written; `run` is the run that goes on, if there is one."""

    def begin(self, run: str, schema: T.StructType) -> None:
        """Get ready for the batches of a run."""

    def write(self, results: DataFrame, batch: int) -> None:
        """Write the results of a batch, again if it is repeated."""


def sinks_of(pipeline: Pipeline) -> dict[str, Sink]:
    """Return the sinks of a pipeline by name."""
    return {name: _sink(pipeline, declared) for name, declared in pipeline.sinks.items()}


def _sink(pipeline: Pipeline, declared: DeclaredSink) -> Sink:
    match declared.format:
        case "console":
            return ConsoleSink(declared)
        case "memory":
            return MemorySink(declared)
        case _ if declared.format == POSTGRESQL:
            return TableSink(PostgresqlTable(declared.url or "", declared.table or ""))
        case _ if declared.webhook is not None:
            dead = declared.webhook.dead_letters
            return WebhookSink(declared.webhook, None if dead is None else Path(pipeline.resolved(dead)))
        case _ if declared.kafka is not None:
            return KafkaSink(declared.name, declared.kafka)
        case _ if declared.format in _FILES:
            return FileSink(declared, pipeline.resolved(declared.path or ""))
        case _:
            return OtherSink(declared, None if declared.path is None else pipeline.resolved(declared.path))


def belongs_to(declared: DeclaredSink, results: DataFrame) -> DataFrame:
    """Return the results that a sink is for; a row that says no event is for every query."""
    some = results.where(F.col("tag").isin(*declared.what))
    if declared.queries and "query" in results.columns:
        some = some.where(F.col("query").isin(*declared.queries) | F.col("query").isNull())
    return some


def remarks_on_sinks(pipeline: Pipeline) -> Iterator[Diagnostic]:
    """Yield a warning for every sink that may get something twice."""
    for name, sink in pipeline.sinks.items():
        if sink.format not in (*_FILES, POSTGRESQL, KAFKA, WEBHOOK, "console", "memory"):
            label = pipeline.label(f"nobody knows what `{sink.format}` has already", "sinks", name, "format")
            hint = "drop what was there by the columns `query` and `id`, or write to files, `kafka` or `postgresql`"
            message = f"the sink `{name}` may get a batch twice after a crash"
            yield Diagnostic("at-least-once", message, (label,), hints=(hint,), severity=Severity.WARNING)


@dataclass(frozen=True, slots=True)
class FileSink:
    """Files below a directory, `batch=0`, `batch=1` and so on; Spark reads them all, with the batch as a column."""

    declared: DeclaredSink
    path: str

    def check(self, run: str | None) -> None:
        directory = local_path(self.path)
        if directory is None:
            return
        if reason := unwritable_because(directory):
            raise CepheidError(Diagnostic("unwritable-output", f"`{self.path}` cannot be written: {reason}"))
        if not may_write(directory, run):
            raise foreign_output(self.path)

    def begin(self, run: str, schema: T.StructType) -> None:  # noqa: ARG002  # files have the schema themselves
        directory = local_path(self.path)
        if directory is not None:
            claim(directory, run)

    def write(self, results: DataFrame, batch: int) -> None:
        told = in_texts(results) if self.declared.format in ("csv", "text") else without_empty(results)
        writer = told.coalesce(self.declared.files).write.format(self.declared.format)
        defaults = {"header": "true"} if self.declared.format == "csv" else {}
        writer.options(**{**defaults, **self.declared.options}).mode("overwrite").save(f"{self.path}/{BATCH}={batch}")


@dataclass(slots=True)
class TableSink:
    """A table of PostgreSQL."""

    table: PostgresqlTable
    run: str = ""

    def check(self, run: str | None) -> None:  # noqa: ARG002  # rows have ids, so any run may add to a table
        self.table.reach()

    def begin(self, run: str, schema: T.StructType) -> None:
        self.run = run
        self.table.prepare(schema)

    def write(self, results: DataFrame, batch: int) -> None:
        self.table.add(in_ticks(results).toLocalIterator(), results.schema, batch, self.run)


@dataclass(slots=True)
class WebhookSink:
    """An address on the web; a batch that is repeated is sent again with the same ids."""

    hook: Webhook
    dead_letters: Path | None
    run: str = ""

    def check(self, run: str | None) -> None:  # noqa: ARG002  # results have ids, so any run may send them
        if self.dead_letters is not None and (reason := unwritable_because(self.dead_letters)):
            message = f"`{self.dead_letters}` cannot be written: {reason}"
            raise CepheidError(Diagnostic("unwritable-output", message))
        self.hook.reach()

    def begin(self, run: str, schema: T.StructType) -> None:  # noqa: ARG002  # JSON needs no schema
        self.run = run

    def write(self, results: DataFrame, batch: int) -> None:
        rows = in_json(results).orderBy(AT, KEY).toLocalIterator()
        told = letters(((row[QUERY], row[ID], row[VALUE]) for row in rows), batch, self.run)
        send_batch(self.hook, told, batch, self.dead_letters)


@dataclass(frozen=True, slots=True)
class ConsoleSink:
    """Standard output, for the eye: so many rows of every batch."""

    declared: DeclaredSink

    def check(self, run: str | None) -> None:
        """Whoever looks can be shown something."""

    def begin(self, run: str, schema: T.StructType) -> None:
        """Nothing is needed."""

    def write(self, results: DataFrame, batch: int) -> None:
        options = self.declared.options
        print(f"{self.declared.name}, batch {batch}")
        results.show(int(options.get("numRows", _SHOWN_AT_ONCE)), truncate=options.get("truncate", "false") == "true")


@dataclass(frozen=True, slots=True)
class MemorySink:
    """A view in the session, called by the sink's `table` or name, as long as the session lives."""

    declared: DeclaredSink
    rows: dict[int, list[Row]] = field(default_factory=dict)

    def check(self, run: str | None) -> None:
        """There is always a session."""

    def begin(self, run: str, schema: T.StructType) -> None:  # noqa: ARG002  # as every sink is asked
        session = SparkSession.getActiveSession()
        if session is not None:
            self._show(session, schema)

    def write(self, results: DataFrame, batch: int) -> None:
        self.rows[batch] = results.collect()
        self._show(results.sparkSession, results.schema)

    def _show(self, session: SparkSession, schema: T.StructType) -> None:
        every = [row for number in sorted(self.rows) for row in self.rows[number]]
        session.createDataFrame(every, schema).createOrReplaceTempView(self.declared.table or self.declared.name)


@dataclass(frozen=True, slots=True)
class OtherSink:
    """Any other format of Spark, appended to."""

    declared: DeclaredSink
    path: str | None

    def check(self, run: str | None) -> None:
        """What the format needs is known to the format only."""

    def begin(self, run: str, schema: T.StructType) -> None:
        """As it is."""

    def write(self, results: DataFrame, batch: int) -> None:  # noqa: ARG002  # the format does not ask for it
        writer = without_empty(results).write.format(self.declared.format).options(**self.declared.options)
        writer.mode("append").save(self.path)


def in_texts(results: DataFrame) -> DataFrame:
    """Return results with JSON for what has parts: formats such as CSV have scalars only."""
    told = {one.name: F.to_json(one.name) for one in results.schema.fields if _has_parts(one.dataType)}
    return results.withColumns(told) if told else results


def without_empty(results: DataFrame) -> DataFrame:
    """Return results without the column of values where no query emits any: files have no columns without parts."""
    empty = [one.name for one in results.schema.fields if one.dataType == T.StructType([])]
    return results.drop(*empty)


def _has_parts(kind: T.DataType) -> bool:
    return isinstance(kind, T.StructType | T.ArrayType | T.MapType)


def unwritable_because(directory: Path) -> str | None:
    """Return why nothing can be written into a directory that may have to be made, None where it can."""
    if reason := _unnameable_because(directory):
        return reason
    for one in (directory, *directory.absolute().parents):
        if isdir(one):
            return None if os.access(one, os.W_OK | os.X_OK) else "permission denied"
        if exists(one):
            return f"`{one}` is no directory"
    return "no such file or directory"


def _unnameable_because(directory: Path) -> str | None:
    """Return why there can be no directory of this name, None where it is there or could be made."""
    try:
        directory.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return (error.strerror or str(error)).lower()
    except ValueError:
        return "no directory has such a name"
    return None
