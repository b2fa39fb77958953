"""Many random programs with their events in one Spark job: each event is addressed to the program it is for.

A column holds values of one kind, so a case comes in flavours: with whole numbers, with real ones, or with text.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pyspark.sql import DataFrame, Row, SparkSession

from cepheid.algebra.matches import Match
from cepheid.algebra.patterns import Instant
from cepheid.algebra.programs import Program, Ties
from cepheid.algebra.traversal import walk
from cepheid.analysis import Certificate, Plan, certify, plan_of
from cepheid.connectors import TimeUnit, plain_json
from cepheid.engine import Detector
from cepheid.events import Event, Value
from cepheid.spark import detect
from cepheid.testing import Case, DefinitionRunner, random_case
from cepheid.testing.cases import seeded
from cepheid.testing.cases.events import TraceShape, random_trace
from tests.languages.hbl.random_watchpoints import TYPES, random_watchpoints
from tests.properties.arriving_cases import by_arrival, ordered_by_column
from tests.properties.role_cases import role_case
from tests.spark.streams import taken_in

FIELDS = ("key", "value", "arg1")
BEAT, LATER = "Beat", 10_000
TURN = "turn"
COLUMNS = {
    "id": "id",
    "start": "start",
    "query_column": "case",
    "heartbeat": BEAT,
    "values": "json",
    "engine": "interpreter",
}


@dataclass(frozen=True, slots=True)
class Prepared:
    """A program that is ready to run, bounded or not."""

    program: Program
    plan: Plan
    certificate: Certificate
    disorder: int
    unit: TimeUnit = "us"
    intervals: bool = True


@dataclass(frozen=True, slots=True)
class Flavour:
    """A kind of column, how a value becomes one of that kind, and whether events are called by numbers."""

    type: str
    turned: Callable[[Value], Value]
    numbered: bool = False


def _whole(value: Value) -> Value:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if math.isfinite(value) else None


def _real(value: Value) -> Value:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _text(value: Value) -> Value:
    return None if value is None else str(value)


FLAVOURS = (Flavour("long", _whole, numbered=True), Flavour("double", _real), Flavour("string", _text))


def cases(seeds: Sequence[int], flavour: Flavour) -> dict[str, Case]:
    """Return the cases of some seeds, with events whose fields are all of one kind."""
    return {str(seed): flavoured(random_case(seed), flavour) for seed in seeds}


def role_cases(seeds: Sequence[int], flavour: Flavour) -> dict[str, Case]:
    """Return cases whose parts hold a key in different attributes, of which some are dealt out by role."""
    return {f"r{seed}": flavoured(role_case(seed, most_rules=3), flavour) for seed in seeds}


def arriving_cases(seeds: Sequence[int], flavour: Flavour) -> dict[str, Case]:
    """Return cases whose events of one time follow each other, as a column says."""
    return {name: ordered_by_column(by_arrival(case)) for name, case in cases(seeds, flavour).items()}


def watchpoint_cases(seeds: Sequence[int], flavour: Flavour) -> dict[str, Case]:
    """Return watchpoints of HBL with records that follow each other as a column says."""
    found = {}
    for seed in seeds:
        draw = seeded(seed)
        _, program = random_watchpoints(draw)
        trace = tuple(random_trace(draw, TraceShape(types=TYPES, least=6, most=14, intervals=0, plain=True)))
        found[f"w{seed}"] = ordered_by_column(by_arrival(flavoured(Case(program, trace, trace), flavour)))
    return found


def flavoured(case: Case, flavour: Flavour) -> Case:
    """Return a case whose fields and ids are of one kind."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(event.id for event in case.trace))}

    def turned(event: Event) -> Event:
        name = numbers[event.id] if flavour.numbered else f"e{numbers[event.id]}"
        return replace(
            event,
            id=name,
            support=(name,),
            fields={name: flavour.turned(event.fields.get(name)) for name in FIELDS},
            tie=(),
        )

    return replace(case, trace=tuple(map(turned, case.trace)), arrivals=tuple(map(turned, case.arrivals)))


def prepared(case: Case, disorder: int = 0) -> Prepared:
    plan = plan_of(case.program, intervals=True)
    return Prepared(case.program, plan, certify(plan, disorder), disorder)


def on_batch(session: SparkSession, some: Mapping[str, Case], flavour: Flavour) -> dict[str, list[str]]:
    """Return what Spark finds in whole frames, by case."""
    rows = [_row(name, event) for name, case in some.items() for event in case.trace]
    queries = {name: prepared(case) for name, case in some.items()}
    found = detect(_frame(session, rows, flavour), queries, order_by=_order(some), **COLUMNS)
    return _by_case(found.collect(), some)


def on_stream(
    session: SparkSession,
    some: Mapping[str, Case],
    flavour: Flavour,
    folder: Path,
    batches: int = 3,
    *,
    end_apart: bool = True,
) -> dict[str, list[str]]:
    """Return what Spark finds in a stream that comes in so many batches; in the end, it is much later.

    That is told in a batch of its own, or with the last events.
    """
    end = _row("", Event(BEAT, LATER, LATER, -1 if flavour.numbered else "end"))
    portions = [
        [_row(name, event) for name, case in some.items() for event in _portion(case, number, batches)]
        for number in range(batches)
    ]
    for number, rows in enumerate([*portions, [end]] if end_apart else [*portions[:-1], [*portions[-1], end]]):
        _frame(session, rows, flavour).coalesce(1).write.parquet(f"{folder}/in/{number}")
    schema = _frame(session, [], flavour).schema
    stream = session.readStream.schema(schema).option("maxFilesPerTrigger", 1).parquet(f"{folder}/in/*")
    queries = {name: prepared(case, case.disorder) for name, case in some.items()}
    results = detect(stream, queries, buckets=2, order_by=_order(some), **COLUMNS)
    return _by_case(taken_in(results, folder / "checkpoint"), some)


def _order(some: Mapping[str, Case]) -> list[str]:
    """Return the columns that order events of one time: there are some where these follow each other."""
    return [TURN] if any(case.program.ties is Ties.ARRIVAL for case in some.values()) else []


def by_definition(case: Case) -> list[str]:
    return sorted(map(_told, DefinitionRunner().run(case.program, case.trace).matches))


def by_engine(case: Case) -> list[str]:
    """Return what is certain when all events came and it is much later, without an end of the input."""
    detector = Detector(plan_of(case.program, intervals=True), disorder=case.disorder, identified=True)
    found = [match for event in case.arrivals for match in detector.push(event)]
    return sorted(map(_told, [*found, *detector.advance(LATER - case.disorder)]))


def has_points_of_time(case: Case) -> bool:
    return any(isinstance(node, Instant) for node in walk(case.program))


def _portion(case: Case, number: int, batches: int) -> Sequence[Event]:
    size = -(-len(case.arrivals) // batches)
    return case.arrivals[number * size : (number + 1) * size]


def _row(case: str, event: Event) -> tuple[object, ...]:
    turn = event.tie[0] if event.tie else None
    return (case, event.type, event.start, event.end, event.id, *(event.fields.get(name) for name in FIELDS), turn)


def _frame(session: SparkSession, rows: Sequence[tuple[object, ...]], flavour: Flavour) -> DataFrame:
    own = f"case string, type string, start long, time long, id {'long' if flavour.numbered else 'string'}"
    fields = ", ".join(f"{name} {flavour.type}" for name in FIELDS)
    return session.createDataFrame(list(rows), f"{own}, {fields}, {TURN} long")


def _by_case(rows: Sequence[Row], some: Mapping[str, Case]) -> dict[str, list[str]]:
    names = list(some)
    for row in rows:
        if row["tag"] != "match":
            _check_set_aside(row, some[row["query"]])
    found: dict[str, list[str]] = {name: [] for name in names}
    for row in (one for one in rows if one["tag"] == "match"):
        name = row["query"] if len(names) > 1 else names[0]
        told = (row["match"], row["start"], row["end"], row["values"], tuple(row["evidence"]), row["id"])
        found[name].append(str(told))
    return {name: sorted(some) for name, some in found.items()}


def _check_set_aside(row: Row, case: Case) -> None:
    """Nothing is late or corrupt here, and a duplicate did come twice."""
    name = json.loads(row["rejected"]["record"])["id"]
    assert row["tag"] == "duplicate", row
    assert [event.id for event in case.arrivals].count(name) > 1, row


def _told(match: Match) -> str:
    values = json.dumps(plain_json(match.values))
    return str((match.name, match.start, match.end, values, tuple(match.evidence), match.id))
