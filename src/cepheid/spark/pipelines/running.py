"""A pipeline at work: everything is checked before it starts, and one stream feeds all sinks."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.streaming.readwriter import DataStreamWriter

from cepheid.algebra.programs import Ties
from cepheid.diagnostics import CepheidError, Diagnostic, close_match
from cepheid.events import Duration
from cepheid.spark.causes import cause_of, own_error
from cepheid.spark.detecting import BUCKETS, Work, prepared
from cepheid.spark.key_skew import KeySkew
from cepheid.spark.lanes import Query
from cepheid.spark.outputs import kinds_of_values
from cepheid.spark.pipelines.beginnings import Begins, beginnings, remember_beginnings
from cepheid.spark.pipelines.broken_rates import BrokenRates, stops_for
from cepheid.spark.pipelines.declared import KAFKA, ONCE, POSTGRESQL, Pipeline, local_path
from cepheid.spark.pipelines.figures import BatchFigures, Counts, new_figures
from cepheid.spark.pipelines.opening import Schemas, remember_schemas, schemas_of
from cepheid.spark.pipelines.ownership import begin, run_of
from cepheid.spark.pipelines.restarting import refuse_changed, remember
from cepheid.spark.pipelines.secrets import without_secrets
from cepheid.spark.pipelines.sinks import Sink, belongs_to, sinks_of, unwritable_because
from cepheid.spark.pipelines.sources import events_of
from cepheid.spark.pipelines.spark_section import SPARK
from cepheid.spark.pipelines.suppression import FOLDER, SuppressingSink
from cepheid.spark.pipelines.webhook import WEBHOOK
from cepheid.spark.sessions import is_connected, local_session, new_session, no_connect
from cepheid.spark.stream_rates import StreamRates

_OTHER_STAGES = "STREAMING_STATEFUL_OPERATOR_NOT_MATCH_IN_STATE_METADATA"
_AS_THEY_ARE = ("state-mismatch", "damaged-checkpoint", "bad-state", "rate-exceeded")
_NOBODY_THERE = (ConnectionError, EOFError)
_REPORTS = {"spark.sql.streaming.numRecentProgressUpdates": "20"}
"""Each look reads all reports that Spark keeps, which are long: with a hundred, the driver grew for so many batches."""


@dataclass(frozen=True, slots=True)
class ReadyPipeline:
    """A pipeline whose sources, queries and sinks were found to be in order.

    `stops` ends it where events come too fast and their source says so.
    """

    pipeline: Pipeline
    work: Work
    sinks: Mapping[str, Sink]
    session: SparkSession
    schemas: Schemas
    begins: Begins
    counted: dict[int, Counts] = field(default_factory=dict)
    stops: BrokenRates | None = None

    @property
    def checkpoint(self) -> str:
        return self.pipeline.resolved(self.pipeline.checkpoint)


def session_for(pipeline: Pipeline) -> SparkSession:
    """Return the session that a pipeline runs in: in this process, unless it names a cluster."""
    own = {**_REPORTS, **pipeline.spark}
    if pipeline.master is None:
        return taking(pipeline, local_session(pipeline.name, settings=own))
    return taking(pipeline, new_session(pipeline.name, pipeline.master, own))


def taking(pipeline: Pipeline, session: SparkSession) -> SparkSession:
    """Return a session that takes the settings of SQL that a pipeline has; what Spark only learns later is refused."""
    for name, value in pipeline.spark.items():
        try:
            if name.startswith("spark.sql.") and session.conf.isModifiable(name):
                session.conf.set(name, value)
        except PySparkException as error:
            message = f"Spark does not take `{name}`: {without_secrets(str(error).splitlines()[0])}"
            hint = "write what Spark takes, or leave it out"
            raise pipeline.error(
                "bad-pipeline", message, "Spark says so", "pipeline", SPARK, name, hints=(hint,)
            ) from None
    return session


def ready(pipeline: Pipeline, queries: Mapping[str, Query], session: SparkSession) -> ReadyPipeline:
    """Return a pipeline that can start, or say all that keeps it from that."""
    if is_connected(session):
        raise no_connect("a pipeline")
    sinks = sinks_of(pipeline)
    check_sinks(pipeline, sinks)
    schemas = schemas_of(pipeline, session)
    begins = beginnings(pipeline)
    events = events_of(pipeline, session, schemas, begins)
    ties = any(query.program.ties is Ties.ARRIVAL for query in queries.values())
    work = prepared(
        events.frame,
        queries,
        type=events.type,
        time=events.time,
        start=events.start,
        id=events.id,
        source=events.source,
        order_by=events.order_by or (events.order_of_records if ties else ()),
        heartbeat=pipeline.heartbeat_type,
        buckets=pipeline.buckets or BUCKETS,
    )
    refuse_changed(pipeline, work.depends_on)
    # A match is known by its query and its id, so results say their query also where there is only one.
    kept = {name: _suppressing(pipeline, name, sink, work) for name, sink in sinks.items()}
    stops = stops_for(pipeline, work.programs)
    telling = replace(work, tells_query=True, tells_figures=stops is not None)
    return ReadyPipeline(pipeline, telling, kept, session, schemas, begins, stops=stops)


def _suppressing(pipeline: Pipeline, name: str, sink: Sink, work: Work) -> Sink:
    """Return a sink that gets what its suppression lets pass; refuse one by values that no match has."""
    suppression = pipeline.sinks[name].suppression
    if suppression is None:
        return sink
    there = sorted(kinds_of_values(work.programs, work.rows.fields))
    for value in suppression.by:
        if value not in there:
            message = f"the sink `{name}` suppresses by `{value}`, and no match has such a value"
            closest = close_match(value, there)
            hint = f"did you mean `{closest}`?" if closest else "name a value that a query emits, or leave it out"
            raise pipeline.error("bad-pipeline", message, "no such value", "sinks", name, "suppress_by", hints=(hint,))
    checkpoint = local_path(pipeline.resolved(pipeline.checkpoint))
    if checkpoint is None:
        message = f"the sink `{name}` suppresses matches, and notes of that are kept on this machine alone"
        hint = "keep the checkpoint on a disk of this machine, or leave out `suppress`"
        raise pipeline.error(
            "bad-pipeline", message, "no disk of this machine", "pipeline", "checkpoint", hints=(hint,)
        )
    return SuppressingSink(sink, suppression, checkpoint / FOLDER / name, work.rows.form.unit)


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
        key = {POSTGRESQL: "url", WEBHOOK: "url", KAFKA: "bootstrap"}.get(pipeline.sinks[name].format, "path")
        label = pipeline.label(f"of the sink `{name}`", "sinks", name, key)
        return [replace(one, labels=(label,)) for one in error.diagnostics]
    return []


def start(prepared: ReadyPipeline, *, once: bool = False) -> StreamingQuery:
    """Start the stream; with `once` it ends when it has taken in what is there."""
    checkpoint = local_path(prepared.checkpoint)
    run = prepared.pipeline.checkpoint if checkpoint is None else begin(checkpoint)
    remember_schemas(prepared.pipeline, prepared.schemas)
    remember_beginnings(prepared.pipeline, prepared.begins)
    remember(prepared.pipeline, prepared.work.depends_on)
    results = prepared.work.run()
    for sink in prepared.sinks.values():
        sink.begin(run, results.schema)
    write = writes(prepared.pipeline, prepared.sinks, prepared.counted, prepared.stops)
    writer = results.writeStream.foreachBatch(write)
    writer = writer.option("checkpointLocation", prepared.checkpoint).queryName(prepared.pipeline.name)
    try:
        return _triggered(writer, ONCE if once else prepared.pipeline.trigger).start()
    except PySparkException as error:
        raise stream_failed(str(error)) from None


def _triggered(writer: DataStreamWriter, trigger: str) -> DataStreamWriter:
    if trigger == ONCE:
        return writer.trigger(availableNow=True)
    return writer.trigger(processingTime=f"{Duration.parse(trigger).ticks // 1000} milliseconds")


def writes(
    pipeline: Pipeline,
    sinks: Mapping[str, Sink],
    counted: dict[int, Counts] | None = None,
    stops: BrokenRates | None = None,
) -> Callable[[DataFrame, int], None]:
    """Return what is done with each batch: it is worked out once, and then every sink takes its part.

    How many results it has is `counted`, for as long as nobody looks. A batch that `stops` the stream is not written.
    """

    def write(results: DataFrame, batch: int) -> None:
        kept = results.persist()
        try:
            if stops is not None:
                stops.refuse(kept, batch)
            there = _tags(kept) if counted is None else _counted(kept, batch, counted)
            for name, sink in sinks.items():
                declared = pipeline.sinks[name]
                if there & set(declared.what):
                    sink.write(belongs_to(declared, kept), batch)
        finally:
            kept.unpersist()

    return write


def _tags(results: DataFrame) -> set[str]:
    return {row["tag"] for row in results.select("tag").distinct().collect()}


def _counted(results: DataFrame, batch: int, counted: dict[int, Counts]) -> set[str]:
    """Count the results of a batch, and return the tags that are there."""
    rows = results.groupBy("query", "match", "tag").count().collect()
    counted[batch] = {(row["query"], row["match"], row["tag"]): row["count"] for row in rows}
    return {row["tag"] for row in rows}


def watch(
    stream: StreamingQuery,
    tell: Callable[[BatchFigures], None],
    every: int = 1,
    names: Sequence[str] = (),
    counted: dict[int, Counts] | None = None,
    asked: Callable[[], bool] = lambda: False,
) -> None:
    """Wait until a stream ends or is `asked` to, and tell the figures of each batch; `every` so many seconds one looks.

    A rate that was exceeded is told once, also where all buckets together exceed it, and so is a key with far more than
    its share. `names` are those of the queries; what was `counted` is forgotten when it is told.
    """
    after, ended, rates, skew = -1, False, StreamRates(), KeySkew()
    while not ended:
        try:
            ended = bool(stream.awaitTermination(every)) or asked()
            reports = stream.recentProgress
        except (PySparkException, Py4JError, *_NOBODY_THERE) as error:
            if asked():  # whoever asks a whole group of processes to stop asks Spark's JVM too
                return
            raise _stopped_by(error) from None
        for figures in new_figures(reports, after, names, counted):
            after = figures.batch
            for batch in [one for one in counted or {} if one <= after]:
                (counted or {}).pop(batch)
            exceeded, skewed = rates.after(figures.arrivals, figures.exceeded), skew.after(figures.hottest_buckets)
            tell(replace(figures, exceeded=exceeded, arrivals=(), skewed=skewed))


def _stopped_by(error: Exception) -> CepheidError:
    """Return the error for a stream that stopped, or for a Spark that does not answer any more."""
    if isinstance(error, PySparkException | Py4JJavaError):
        return stream_failed(str(error))
    message = "the stream stopped: Spark's JVM has ended"
    hint = "see whether memory ran out, and start again; it goes on from its checkpoint"
    return CepheidError(Diagnostic("stream-failed", message, hints=(hint,)))


def stop(stream: StreamingQuery) -> None:
    """Stop a stream; where Spark has ended, it is stopped."""
    with suppress(Py4JError, *_NOBODY_THERE):
        stream.stop()


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
