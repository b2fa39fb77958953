"""A pipeline at work: everything is checked before it starts, and one stream feeds all sinks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pyspark.errors import PySparkException, StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.streaming.readwriter import DataStreamWriter

from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.events import Duration
from cepheid.spark.causes import cause_of, own_error
from cepheid.spark.detecting import BUCKETS, Work, prepared
from cepheid.spark.lanes import Query
from cepheid.spark.pipelines.declared import ONCE, POSTGRESQL, Pipeline, local_path
from cepheid.spark.pipelines.figures import BatchFigures, new_figures
from cepheid.spark.pipelines.opening import Schemas, remember_schemas, schemas_of
from cepheid.spark.pipelines.ownership import begin, run_of
from cepheid.spark.pipelines.restarting import refuse_changed, remember
from cepheid.spark.pipelines.sinks import Sink, belongs_to, sinks_of, unwritable_because
from cepheid.spark.pipelines.sources import events_of
from cepheid.spark.sessions import local_session, new_session
from cepheid.spark.stream_rates import StreamRates

_OTHER_STAGES = "STREAMING_STATEFUL_OPERATOR_NOT_MATCH_IN_STATE_METADATA"
_AS_THEY_ARE = ("state-mismatch", "damaged-checkpoint", "bad-state")


@dataclass(frozen=True, slots=True)
class ReadyPipeline:
    """A pipeline whose sources, queries and sinks were found to be in order."""

    pipeline: Pipeline
    work: Work
    sinks: Mapping[str, Sink]
    session: SparkSession
    schemas: Schemas

    @property
    def checkpoint(self) -> str:
        return self.pipeline.resolved(self.pipeline.checkpoint)


def session_for(pipeline: Pipeline) -> SparkSession:
    """Return the session that a pipeline runs in: in this process, unless it names a cluster."""
    if pipeline.master is None:
        return local_session(pipeline.name)
    return new_session(pipeline.name, pipeline.master)


def ready(pipeline: Pipeline, queries: Mapping[str, Query], session: SparkSession) -> ReadyPipeline:
    """Return a pipeline that can start, or say all that keeps it from that."""
    sinks = sinks_of(pipeline)
    check_sinks(pipeline, sinks)
    schemas = schemas_of(pipeline, session)
    events = events_of(pipeline, session, schemas)
    work = prepared(
        events.frame,
        queries,
        type=events.type,
        time=events.time,
        start=events.start,
        id=events.id,
        source=events.source,
        order_by=events.order_by,
        heartbeat=pipeline.heartbeat_type,
        buckets=pipeline.buckets or BUCKETS,
    )
    refuse_changed(pipeline, work.depends_on)
    # A match is known by its query and its id, so results say their query also where there is only one.
    return ReadyPipeline(pipeline, replace(work, tells_query=True), sinks, session, schemas)


def check_sinks(pipeline: Pipeline, sinks: Mapping[str, Sink]) -> None:
    """Refuse a checkpoint and sinks that could not be written to, all of them at once."""
    checkpoint = local_path(pipeline.resolved(pipeline.checkpoint))
    run = pipeline.checkpoint if checkpoint is None else run_of(checkpoint)
    problems = _problems_of_checkpoint(pipeline, checkpoint)
    problems += [problem for name, sink in sinks.items() for problem in _problems(pipeline, name, sink, run)]
    if problems:
        raise CepheidError(problems[0], *problems[1:])


def _problems_of_checkpoint(pipeline: Pipeline, checkpoint: Path | None) -> list[Diagnostic]:
    reason = None if checkpoint is None else unwritable_because(checkpoint)
    if reason is None:
        return []
    label = pipeline.label("of the checkpoint", "pipeline", "checkpoint")
    return [Diagnostic("unwritable-output", f"`{checkpoint}` cannot be written: {reason}", (label,))]


def _problems(pipeline: Pipeline, name: str, sink: Sink, run: str | None) -> list[Diagnostic]:
    try:
        sink.check(run)
    except CepheidError as error:
        key = "url" if pipeline.sinks[name].format == POSTGRESQL else "path"
        label = pipeline.label(f"of the sink `{name}`", "sinks", name, key)
        return [replace(one, labels=(label,)) for one in error.diagnostics]
    return []


def start(prepared: ReadyPipeline, *, once: bool = False) -> StreamingQuery:
    """Start the stream; with `once` it ends when it has taken in what is there."""
    checkpoint = local_path(prepared.checkpoint)
    run = prepared.pipeline.checkpoint if checkpoint is None else begin(checkpoint)
    remember_schemas(prepared.pipeline, prepared.schemas)
    remember(prepared.pipeline, prepared.work.depends_on)
    results = prepared.work.run()
    for sink in prepared.sinks.values():
        sink.begin(run, results.schema)
    writer = results.writeStream.foreachBatch(writes(prepared.pipeline, prepared.sinks))
    writer = writer.option("checkpointLocation", prepared.checkpoint).queryName(prepared.pipeline.name)
    try:
        return _triggered(writer, ONCE if once else prepared.pipeline.trigger).start()
    except PySparkException as error:
        raise stream_failed(str(error)) from None


def _triggered(writer: DataStreamWriter, trigger: str) -> DataStreamWriter:
    if trigger == ONCE:
        return writer.trigger(availableNow=True)
    return writer.trigger(processingTime=f"{Duration.parse(trigger).ticks // 1000} milliseconds")


def writes(pipeline: Pipeline, sinks: Mapping[str, Sink]) -> Callable[[DataFrame, int], None]:
    """Return what is done with each batch: it is worked out once, and then every sink takes its part."""

    def write(results: DataFrame, batch: int) -> None:
        kept = results.persist()
        try:
            there = {row["tag"] for row in kept.select("tag").distinct().collect()}
            for name, sink in sinks.items():
                declared = pipeline.sinks[name]
                if there & set(declared.what):
                    sink.write(belongs_to(declared, kept), batch)
        finally:
            kept.unpersist()

    return write


def watch(stream: StreamingQuery, tell: Callable[[BatchFigures], None], every: int = 1) -> None:
    """Wait until a stream ends, and tell the figures of each batch; `every` so many seconds somebody looks.

    A rate that was exceeded is told once, also where all buckets together exceed it.
    """
    after, ended, rates = -1, False, StreamRates()
    while not ended:
        try:
            ended = bool(stream.awaitTermination(every))
        except StreamingQueryException as error:
            raise stream_failed(str(error)) from None
        for figures in new_figures(stream.recentProgress, after):
            after = figures.batch
            tell(replace(figures, exceeded=rates.after(figures.arrivals, figures.exceeded), arrivals=()))


def stream_failed(reason: str) -> CepheidError:
    """Return the error for a stream that stopped, with the first line of what caused it."""
    if _OTHER_STAGES in reason:
        return _other_stages()
    own = own_error(reason, *_AS_THEY_ARE)
    if own is not None:
        return own
    hint = "mend that and start again; it goes on from its checkpoint"
    return CepheidError(Diagnostic("stream-failed", f"the stream stopped: {cause_of(reason)}", hints=(hint,)))


def _other_stages() -> CepheidError:
    message = "the checkpoint holds a stream with another number of stages"
    hint = "continue with the queries that were running, or start a new checkpoint"
    return CepheidError(Diagnostic("state-mismatch", message, hints=(hint,)))
