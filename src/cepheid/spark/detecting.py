"""`detect`: from a frame of events to a frame of matches, on batch and on streaming frames alike."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from importlib import import_module
from typing import Literal, cast, overload

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from cepheid.algebra import builder
from cepheid.algebra.programs import Program, Ties
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.engine import REACH, Engine, Excess, ShippedKernels, demand_kernels, shipped_kernels
from cepheid.events import MAX_TIME, Duration, SlotKind, Templates, order_columns
from cepheid.spark.batch import detect_batch
from cepheid.spark.event_columns import EventColumns, EventRows, event_rows
from cepheid.spark.key_hashes import is_hashed_alike
from cepheid.spark.lanes import Lane, Query, Route, lanes_of, routes_of
from cepheid.spark.outputs import kinds_of_values, shown
from cepheid.spark.places import NO_KERNELS, Settings
from cepheid.spark.results import ResultForm
from cepheid.spark.sessions import shares_our_disk
from cepheid.spark.state_settings import Told as StateSettings
from cepheid.spark.state_settings import settings_of
from cepheid.spark.streaming import detect_stream

Frames = DataFrame | Mapping[str, DataFrame]
AnyQuery = Query | str | Program | builder.Query | builder.QueryProgram
Queries = AnyQuery | Sequence[AnyQuery] | Mapping[str, AnyQuery]
BUCKETS = 32


@dataclass(frozen=True, slots=True)
class Work:
    """Queries that are ready to run over a frame; with `tells_query` results say their query, also of a single one.

    With `tells_figures`, rows with figures about each place of work are among the results.
    """

    names: tuple[str, ...]
    programs: tuple[Program, ...]
    routes: tuple[Route, ...]
    rows: EventRows
    form: ResultForm
    settings: Settings
    buckets: int
    slices: int | None
    tells_query: bool = False
    tells_figures: bool = False

    @property
    def depends_on(self) -> StateSettings:
        """The settings that the state of a stream depends on."""
        return settings_of(self.routes, self.buckets, self.rows)

    def run(self) -> DataFrame:
        """Return the results, as users see them."""
        if self.rows.frame.isStreaming:
            found = detect_stream(self.rows, self.routes, self.form, self.settings, self.buckets)
        else:
            found = detect_batch(self.rows, self.routes, self.form, self.settings, self.slices, self.buckets)
        several = self.tells_query or len(self.names) > 1
        names = self.names if several else ()
        return shown(found, self.rows.form, self.programs, names, figures=self.tells_figures)


@overload
def detect(events: Frames, query: Queries, /, **options: object) -> DataFrame: ...
@overload
def detect(query: Queries, /, **options: object) -> Callable[[Frames], DataFrame]: ...
def detect(*arguments: object, **options: object) -> DataFrame | Callable[[Frames], DataFrame]:
    """Return the matches of queries over events: `detect(events, query)`, or `events.transform(detect(query))`.

    A query is what `cepheid.compile` returned, a text in `language` (`cep` if none is named), or what the builder made.
    Events are a frame, or frames by the type of their events. Columns say what an event is: `type`, `time`, and, if
    there are such, `start`, `id`, `source` and `order_by`; `query_column` names the query that an event is for, and
    rows of the type `heartbeat` only tell how late it is. Each row has a `tag`: a match, or an event that was set aside
    because it was late, came twice, or said nothing. `evidence=False` leaves out what matches rest on, `values="json"`
    tells their values as text. A stream is dealt out into so many `buckets`; a frame without a key is cut into slices
    of time, `slices` wide.
    """
    match arguments:
        case (events, queries):
            return prepared(events, queries, **options).run()  # type: ignore[arg-type]  # checked where they are read
        case (queries,):
            return lambda events: prepared(events, queries, **options).run()  # type: ignore[arg-type]  # as above
        case _:
            message = f"`detect` takes events and a query, or a query alone, and got {len(arguments)} things"
            raise CepheidError(Diagnostic("argument-count", message, hints=("write `detect(events, query)`",)))


def prepared(
    events: Frames,
    queries: Queries,
    *,
    type: str = "type",  # noqa: A002  # users write `type="kind"`
    time: str = "time",
    start: str | None = None,
    id: str | None = None,  # noqa: A002  # users write `id="id"`
    source: str | None = None,
    order_by: str | Sequence[str] = (),
    query_column: str | None = None,
    heartbeat: str | None = None,
    evidence: bool = True,
    values: Literal["struct", "json"] = "struct",
    on_excess: Literal["warn", "fail"] = "warn",
    engine: Literal["auto", "interpreter", "kernels"] = "auto",
    limits: Mapping[tuple[str, str], int] | None = None,
    buckets: int = BUCKETS,
    slices: str | int | None = None,
    language: str | None = None,
) -> Work:
    """Return queries ready to run over events; `detect` explains the options."""
    named = {name: _compiled(one, language) for name, one in _named(queries).items()}
    columns = EventColumns(type, time, start, id, source, order_columns(order_by), query_column, heartbeat)
    _refuse_intervals(named, columns)
    _demand_order(named, columns)
    _refuse_pipes(named)
    lanes = [lane for number, name in enumerate(named) for lane in _lanes(number, name, named[name], columns)]
    for lane in lanes if engine == "kernels" else ():
        demand_kernels(lane.plan, lane.stage, "detect")
    first = next(iter(named.values()))
    fields = sorted(frozenset().union(*(lane.fields for lane in lanes)))
    tick = first.program.tick
    hashed, templates = evidence or id is None, _templates(named)
    reach = MAX_TIME if engine == "interpreter" else REACH
    whole = together(events, type)
    rows = event_rows(whole, columns, fields, first.unit, tick, hashed=hashed, templates=templates, reach=reach)
    programs = tuple(one.program for one in named.values())
    kinds = None if values == "json" else kinds_of_values(programs, rows.fields)
    kernels = NO_KERNELS if engine == "interpreter" or limits else _kernels(rows.frame.sparkSession, lanes)
    settings = Settings(evidence, id is not None, Excess(on_excess), Engine(engine), _listed(limits or {}), kernels)
    width = Duration.parse(slices).ticks if isinstance(slices, str) else slices
    form = ResultForm(kinds, rows.numbered)
    routes = routes_of([_with_key_of_rows(lane, rows) for lane in lanes])
    return Work(tuple(named), programs, routes, rows, form, settings, buckets, width)


def _refuse_pipes(queries: Mapping[str, Query]) -> None:
    """Refuse a program with pipes, of which Spark would give nothing."""
    pipes = [name for query in queries.values() for name in query.program.pipes]
    if pipes:
        message = f"`{pipes[0]}` is a pipe, and on Spark only rules run"
        alone = "compile the rules alone, without `pipes`"
        beside = 'write the pipe with `cepheid.pipes`; `cepheid.spark.pipe(frame, pipe, order_by="time")` runs it'
        raise CepheidError(Diagnostic("pipes-on-spark", message, hints=(alone, beside)))


def _demand_order(queries: Mapping[str, Query], columns: EventColumns) -> None:
    """Refuse a query whose events of one time follow each other, where no column says which comes first."""
    if not columns.order_by and any(query.program.ties is Ties.ARRIVAL for query in queries.values()):
        message = "with ties by arrival rows come in any order, and nothing says which of one time comes first"
        named = 'name a column that counts them: `detect(events, query, order_by=["offset"])`'
        tied = 'let none of them follow another: `compile(text, ties="simultaneous")`'
        raise CepheidError(Diagnostic("no-order", message, hints=(named, tied)))


def together(events: Frames, kind: str) -> DataFrame:
    """Return frames by type as one frame with a column that says the type; what a frame has not is null."""
    if isinstance(events, DataFrame):
        return events
    frames = [frame.withColumn(kind, F.lit(name)) for name, frame in events.items()]
    if not frames:
        raise CepheidError(Diagnostic("empty-input", "there is no frame of events", hints=("name one frame at least",)))
    return reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), frames)


def _lanes(number: int, name: str, query: Query, columns: EventColumns) -> list[Lane]:
    several, addressed = columns.source is not None, columns.query is not None
    return list(lanes_of(number, query, name, several_sources=several, addressed=addressed))


def _with_key_of_rows(lane: Lane, rows: EventRows) -> Lane:
    """Return a lane whose events meet by their key, wherever they come from; without a key, if they would not."""
    names = (lane.key or {}).values() if lane.takes else ()
    alike = all(is_hashed_alike(name, rows.fields, rows.compared) for some in names for name in some)
    return lane if alike else replace(lane, key=None)


def _templates(queries: Mapping[str, Query]) -> Templates | None:
    """Return the templates that events must be of, where all queries have some; two may say different things of one."""
    every = [templates for query in queries.values() if (templates := getattr(query, "templates", None)) is not None]
    if len(every) < len(queries):
        return None
    slots: dict[str, Mapping[str, SlotKind]] = {}
    for name, own in (one for templates in every for one in templates.slots.items()):
        slots[name] = own if slots.get(name, own) == own else {}
    return Templates(slots)


def _kernels(session: SparkSession, lanes: Sequence[Lane]) -> ShippedKernels:
    """Return the kernels of lanes, compiled here once for all workers, unless these have the same disk."""
    if shares_our_disk(session):
        return NO_KERNELS
    return shipped_kernels([(lane.working.plan, lane.disorder) for lane in lanes if lane.stage is None])


def _listed(limits: Mapping[tuple[str, str], int]) -> tuple[tuple[str, str, int], ...]:
    return tuple((rule, part, most) for (rule, part), most in limits.items())


def _compiled(query: AnyQuery, language: str | None) -> Query:
    """Return a query ready to run: a text, or what the builder made, is compiled as users compile it."""
    if hasattr(query, "plan"):
        return cast(Query, query)
    # Compiling is above this room; users of Spark reach it here by the name they would use themselves.
    compiled: Query = import_module("cepheid").compile(query, language=language)
    return compiled


def _named(queries: Queries) -> Mapping[str, AnyQuery]:
    if isinstance(queries, Mapping):
        return queries
    if isinstance(queries, Sequence) and not isinstance(queries, str):
        return {f"query {place}": one for place, one in enumerate(queries, 1)}
    return {"query": queries}


def _refuse_intervals(queries: Mapping[str, Query], columns: EventColumns) -> None:
    if columns.start is not None and not all(query.intervals for query in queries.values()):
        message = "the query was compiled for events without a start of their own"
        raise CepheidError(Diagnostic("conflicting-options", message, hints=("write `compile(text, intervals=True)`",)))
