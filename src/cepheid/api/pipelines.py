"""Pipelines: the queries of a file are compiled, and Spark is told what to do with them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from os.path import isfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cepheid.algebra.programs import Stream
from cepheid.analysis.plans.inputs import input_types
from cepheid.api.compiling import Settings, compiled
from cepheid.api.on_spark import require_spark
from cepheid.api.queries import CompiledQuery
from cepheid.api.texts import QueryText, text_in, text_of
from cepheid.connectors import TimeUnit
from cepheid.diagnostics import Diagnostic, Severity, close_match
from cepheid.events import Duration

if TYPE_CHECKING:
    from cepheid.spark.pipelines import BatchFigures, DeclaredQuery, DeclaredSource, Pipeline, ReadyPipeline


@dataclass(frozen=True, slots=True)
class CheckedPipeline:
    """A pipeline that could start now: its queries with their certificates, and the plan of Spark in words."""

    queries: Mapping[str, CompiledQuery]
    plan: str
    warnings: tuple[Diagnostic, ...]
    outputs: tuple[str, ...]
    ready: "ReadyPipeline"
    log: Path | None = None

    @property
    def name(self) -> str:
        """What the pipeline is called."""
        return self.ready.pipeline.name

    def run(
        self,
        tell: "Callable[[BatchFigures], None]",
        *,
        once: bool = False,
        began: Callable[[], None] = lambda: None,
        asked: Callable[[], bool] = lambda: False,
    ) -> None:
        """Run the pipeline until it ends or is `asked` to, say that it `began`, and tell the figures of each batch."""
        from cepheid.spark.pipelines import start, stop, watch

        stream = start(self.ready, once=once)
        began()
        try:
            watch(stream, tell, names=tuple(self.queries), counted=self.ready.counted, asked=asked)
        finally:
            stop(stream)


def check_pipeline(path: str) -> CheckedPipeline:
    """Return the pipeline of a file, ready to start; all that keeps it from that is an error."""
    require_spark()
    from cepheid.spark.explaining import described_work
    from cepheid.spark.pipelines import (
        check_rates,
        check_sinks,
        check_topics,
        read_pipeline_file,
        ready,
        session_for,
        sinks_of,
    )
    from cepheid.spark.quiet import started_quietly

    pipeline = read_pipeline_file(path)
    queries = {name: _compiled(pipeline, declared) for name, declared in pipeline.queries.items()}
    # Before Spark starts, which takes its time.
    check_rates(pipeline, queries)
    check_topics(pipeline)
    check_sinks(pipeline, sinks_of(pipeline))
    session, log = started_quietly(lambda: session_for(pipeline))
    prepared = ready(pipeline, queries, session)
    warnings = tuple(_warnings(pipeline, queries, prepared))
    return CheckedPipeline(queries, described_work(prepared.work), warnings, _outputs(pipeline), prepared, log)


def _outputs(pipeline: "Pipeline") -> tuple[str, ...]:
    """Return where the results of each sink lie, in words."""

    def place(sink: Any) -> str:  # a declared sink; its type is known to Spark's room only
        where = sink.table if sink.url is not None else sink.path and pipeline.resolved(sink.path)
        where = where if sink.webhook is None else sink.webhook.host
        where = where if sink.kafka is None else f"`{sink.kafka.topic}` at {sink.kafka.bootstrap}"
        return f"{sink.name}: {sink.format}{f' in {where}' if where else ''}"

    return tuple(map(place, pipeline.sinks.values()))


def _compiled(pipeline: "Pipeline", declared: "DeclaredQuery") -> CompiledQuery:
    sources = list(pipeline.sources.values())
    settings = Settings(
        policy=declared.policy,
        rates=declared.rates,
        time_unit=_unit(sources),
        tick=declared.tick,
        ties=declared.ties,
        disorder=Duration(max(map(_disorder, sources))),
        intervals=any(source.start_column is not None for source in sources),
        allow_unbounded=declared.allow_unbounded,
        tables={name: pipeline.resolved(path) for name, path in declared.tables.items()},
    )
    query = compiled(_text(pipeline, declared), settings)
    return with_sources(query, sources) if len(sources) > 1 else query


def _text(pipeline: "Pipeline", declared: "DeclaredQuery") -> QueryText:
    if declared.text is not None:
        return text_in(declared.text, declared.language, declared.name, pipeline.directory)
    path = pipeline.resolved(declared.file or "")
    if not isfile(path):
        message = f"`{path}` cannot be read: there is no such file"
        raise pipeline.error("unreadable-input", message, "no such file", "queries", declared.name, "file")
    return text_of(path, declared.language)


def _unit(sources: "list[DeclaredSource]") -> TimeUnit:
    """Return the unit of numbers that are times, seconds where the sources differ: then times become timestamps."""
    units: set[TimeUnit] = {source.time_unit for source in sources}
    return units.pop() if len(units) == 1 else "s"


def _disorder(source: "DeclaredSource") -> int:
    return 0 if source.disorder is None else Duration.parse(source.disorder).ticks


def with_sources(query: CompiledQuery, sources: "list[DeclaredSource]") -> CompiledQuery:
    """Return a query that waits for the slowest of the sources that a type comes from, each with its own disorder."""
    known = {stream.name: stream for stream in query.plan.program.streams}
    streams = {**known, **{kind: _stream(kind, known, sources) for kind in sorted(input_types(query.program))}}
    program = replace(query.plan.program, streams=tuple(streams.values()))
    return replace(query, plan=replace(query.plan, program=program), disorder=min(map(_disorder, sources)))


def _stream(kind: str, known: Mapping[str, Stream], sources: "list[DeclaredSource]") -> Stream:
    bringing = [source for source in sources if source.type in (None, kind)] or sources
    names = tuple(source.name for source in bringing)
    return replace(known.get(kind, Stream(kind)), sources=names, disorder=max(map(_disorder, bringing)))


def _warnings(
    pipeline: "Pipeline", queries: Mapping[str, CompiledQuery], prepared: "ReadyPipeline"
) -> Iterator[Diagnostic]:
    from cepheid.spark.explaining import lanes_in_one_place, one_partition
    from cepheid.spark.pipelines import remarks_on_sinks

    for name, query in queries.items():
        yield from query.warnings
        yield from _types_from_nowhere(pipeline, name, query)
    columns = prepared.work.rows.columns
    own = {*columns.needed.values(), *columns.order_by}
    fields = [one for one in prepared.work.rows.frame.columns if one not in own and not one.startswith("_")]
    for lane in lanes_in_one_place(prepared.work):
        label = pipeline.label("this query", "queries", prepared.work.names[lane.query])
        yield replace(one_partition(lane, fields), labels=(label,))
    yield from remarks_on_sinks(pipeline)


def _types_from_nowhere(pipeline: "Pipeline", name: str, query: CompiledQuery) -> Iterator[Diagnostic]:
    """Yield a warning for every type that a query reads and no source brings, where all sources say their type."""
    brought = [source.type for source in pipeline.sources.values()]
    for kind in sorted(input_types(query.program)):
        if None not in brought and kind not in brought:
            closest = close_match(kind, [one for one in brought if one is not None])
            hints = (f"did you mean `{closest}`?",) if closest else (f'add a source with `type = "{kind}"`',)
            label = pipeline.label(f"it reads `{kind}`", "queries", name)
            message = f"no source brings `{kind}`"
            yield Diagnostic("unknown-type", message, (label,), hints=hints, severity=Severity.WARNING)
