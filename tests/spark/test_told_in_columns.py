"""Matches that are told in columns are the rows that they are when told one by one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
import pytest

from cepheid.analysis import certify, plan_of
from cepheid.engine import Engine
from cepheid.engine.kernels.doors import event_door
from cepheid.events import Event, Kind
from cepheid.spark.event_columns import END, FIELD, ID, TYPE
from cepheid.spark.lanes import Route, lanes_of
from cepheid.spark.places import Place, Settings
from cepheid.spark.results import ResultForm
from cepheid.testing.cases import seeded
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels.random_rules import RandomRule, random_rule
from tests.kernels.test_families import random_family
from tests.spark.packed_cases import FLAVOURS, Flavour, Prepared

TOGETHER, MANY = 25, 1 << 30
TYPES: Mapping[str, tuple[Any, Kind]] = {  # pyarrow has no types
    "long": (pa.int64(), Kind.INT),
    "double": (pa.float64(), Kind.FLOAT),
    "string": (pa.string(), Kind.STRING),
}


@dataclass(frozen=True, slots=True)
class Told:
    """What a place told: all of it as rows, and how many of these came in columns."""

    rows: list[str]
    in_columns: int


def _table(events: Sequence[Event], flavour: Flavour, alike: bool) -> Any:
    """Return events as rows; `alike`: every id is that of two events."""
    numbers = [number // 2 if alike else number for number in range(len(events))]
    fields = {name: [flavour.turned(event.fields.get(name)) for event in events] for name in ("key", "value", "user")}
    return pa.table(
        {
            TYPE: [event.type for event in events],
            END: pa.array([event.end for event in events], pa.int64()),
            ID: numbers if flavour.numbered else [f"e{number}" for number in numbers],
            **{FIELD + name: pa.array(values, TYPES[flavour.type][0]) for name, values in fields.items()},
        }
    )


def _several_times(trace: Sequence[Event], times: int) -> list[Event]:
    """Return events that come again, later each time."""
    by = max((event.end for event in trace), default=0) + 1
    return [
        replace(one, start=one.start + by * time, end=one.end + by * time) for time in range(times) for one in trace
    ]


def _told(case: RandomRule, table: Any, form: ResultForm, settings: Settings) -> Told:
    plan = plan_of(case.program)
    lanes = tuple(lanes_of(0, Prepared(case.program, plan, certify(plan), 0)))
    place, half = Place(Route(0, lanes, None), form, settings), table.num_rows // 2
    told = [*place.push(table.slice(0, half)), *place.push(table.slice(half)), *place.close()]
    rows = [row for batch in form.batches(told) for row in batch.to_pylist()]
    in_columns = sum(one.num_rows for one in told if isinstance(one, pa.RecordBatch))
    return Told(sorted(map(str, rows)), in_columns)


def _forms(flavour: Flavour) -> list[ResultForm]:
    kind = TYPES[flavour.type][1]
    typed = {"value": kind, "sum": Kind.FLOAT if kind is Kind.INT else kind, "rule": Kind.FLOAT, "other": Kind.TIME}
    loose = {"value": Kind.ANY, "rule": Kind.ANY}
    return [ResultForm(values, flavour.numbered) for values in (typed, loose, {}, None)]


def _both(case: RandomRule, seed: int, patched: pytest.MonkeyPatch) -> tuple[Told, Told]:
    flavour = FLAVOURS[seed % len(FLAVOURS)]
    form, alike = _forms(flavour)[seed // 3 % 4], seed % 5 == 0
    table = _table(_several_times(case.trace, 5), flavour, alike)
    settings = Settings(evidence=seed % 4 != 1, engine=Engine.AUTO)
    patched.setattr(event_door, "FEW", MANY)
    one_by_one = _told(case, table, form, settings)
    patched.setattr(event_door, "FEW", 1)
    return one_by_one, _told(case, table, form, settings)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("first", range(0, 100, TOGETHER))
@pytest.mark.parametrize("draw_case", [random_rule, random_family])
def test_columns_say_what_rows_say(draw_case: Any, first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    in_columns = 0
    with plain_kernels():
        for seed in range(first, first + TOGETHER):
            one_by_one, together = _both(draw_case(seeded(seed)), seed, monkeypatch)
            assert together.rows == one_by_one.rows, seed
            assert one_by_one.in_columns == 0
            in_columns += together.in_columns
    assert in_columns > TOGETHER
