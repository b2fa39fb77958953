"""A source with `on_rate = "fail"`: a batch that breaks a declared rate stops the stream before any of it is written.

What buckets counted is known when a batch is worked out, and sinks get it only after that. What they counted before is
in their state, so that a restart counts on and a batch that is repeated is not counted twice. Why no source can wait
instead: `docs/decisions/0076`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pyspark.sql import DataFrame

from cepheid.algebra.programs import Program, Stream
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.engine import told_too_fast
from cepheid.spark.lanes import Query
from cepheid.spark.pipelines.declared import FAIL, Pipeline
from cepheid.spark.results import FIGURES
from cepheid.spark.stream_rates import broken_together


@dataclass(frozen=True, slots=True)
class BrokenRates:
    """Stops a stream whose events come faster than was declared.

    `sources` are those to stop for, by what is said of a type that comes too fast.
    """

    sources: Mapping[str, Sequence[str]]

    def refuse(self, results: DataFrame, batch: int) -> None:
        """Refuse a batch that breaks a rate."""
        rows = results.where(f"tag = '{FIGURES}'").select("rejected.record", "rejected.reason").collect()
        told = [row["record"] for row in rows if row["record"] is not None]
        exceeded = [line for row in rows for line in (row["reason"] or "").splitlines()]
        self.refuse_counts(told, exceeded, batch)

    def refuse_counts(self, told: Iterable[str], exceeded: Iterable[str], batch: int) -> None:
        """Refuse a batch by what its buckets counted, and by the rates that one of them alone saw broken."""
        for message in (*exceeded, *broken_together(told)):
            if message in self.sources:
                raise _too_fast(message, self.sources[message], batch)


def stops_for(pipeline: Pipeline, programs: Iterable[Program]) -> BrokenRates | None:
    """Return what stops a pipeline whose rates are broken; None where no source asks for it."""
    sources: dict[str, list[str]] = {}
    for stream in _declared(programs):
        bringing = [name for name in _failing(pipeline) if pipeline.sources[name].type in (None, stream.name)]
        if bringing and stream.arrival is not None:
            sources[told_too_fast(stream.name, stream.arrival)] = bringing
    return BrokenRates(sources) if sources else None


def check_rates(pipeline: Pipeline, queries: Mapping[str, Query]) -> None:
    """Refuse a source that is to fail where no rate could be broken."""
    declared = {stream.name for stream in _declared(query.program for query in queries.values())}
    for name in _failing(pipeline):
        kind = pipeline.sources[name].type
        if not declared or (kind is not None and kind not in declared):
            events = "its events" if kind is None else f"`{kind}` events"
            message = f"the source `{name}` is to fail, and no query says how fast {events} come"
            hint = f'declare it: `rates = {{ {kind or "Order"} = "100/min" }}`'
            raise pipeline.error("bad-pipeline", message, "no rate to break", "sources", name, "on_rate", hints=(hint,))


def _declared(programs: Iterable[Program]) -> Iterator[Stream]:
    return (stream for program in programs for stream in program.streams if stream.arrival is not None)


def _failing(pipeline: Pipeline) -> list[str]:
    return [name for name, source in pipeline.sources.items() if source.on_rate == FAIL]


def _too_fast(message: str, sources: Sequence[str], batch: int) -> CepheidError:
    several = "the source" if len(sources) == 1 else "one of the sources"
    names = ", ".join(f"`{name}`" for name in sources)
    stopped = f"{message}, from {several} {names}: nothing of batch {batch} is written"
    hint = 'declare how fast they come in `rates`, or write `on_rate = "warn"`; a new start repeats the batch'
    return CepheidError(Diagnostic("rate-exceeded", stopped, hints=(hint,)))
