"""At a place of work, kernels and the interpreter find the same in tables of events."""

import json

import pyarrow as pa
import pytest

import cepheid
from cepheid.engine import Engine
from cepheid.languages.cep import read_program
from cepheid.spark.counted_spans import Spans
from cepheid.spark.event_columns import END, FIELD, ID, START, TYPE
from cepheid.spark.lanes import Lane, Route, lanes_of
from cepheid.spark.places import Place, Settings
from cepheid.spark.results import ResultForm

QUERIES = (
    "rule r: a: A then b: B within 4 on a.key == b.key emits R(key = a.key, more = b.value - a.value)",
    "rule r: a: A[value > 2] then b: B within 9 on a.key == b.key choose recent emits R(key = a.key)",
    "rule r: a: A then b: B within 4 emits R   rule s: repeat g: 2..* of c: A gap $previous then $next emits S",
)


def _table(numbered: bool) -> pa.Table:
    times = [*range(40), 39, 12]
    return pa.table(
        {
            TYPE: ["AB"[time % 2] for time in times],
            START: pa.array(times, pa.int64()),
            END: pa.array(times, pa.int64()),
            ID: [number if numbered else f"e{number:02}" for number in range(len(times))],
            FIELD + "key": pa.array([time % 3 if time % 7 else None for time in times], pa.int64()),
            FIELD + "value": pa.array([float(time * time % 11) for time in times], pa.float64()),
        }
    )


def _lanes(text: str) -> tuple[Lane, ...]:
    return tuple(lanes_of(0, cepheid.compile(read_program(text), allow_unbounded=True)))


def _rows(text: str, engine: Engine, *, numbered: bool, restored: bool = False) -> list[str]:
    route = Route(0, _lanes(text), None)
    form, settings = ResultForm(None, numbered), Settings(engine=engine)
    place, table = Place(route, form, settings), _table(numbered)
    told = [*place.push(table.slice(0, 25))]
    if restored:
        place = Place(route, form, settings, 0, place.states())
    told += [*place.push(table.slice(25)), *place.advance({"": 100}), *place.close()]
    return sorted(str(sorted(row.items())) for batch in form.batches(told) for row in batch.to_pylist())


@pytest.mark.parametrize("numbered", [True, False])
@pytest.mark.parametrize("text", QUERIES)
def test_both_tiers_tell_the_same_rows(text: str, numbered: bool) -> None:
    expected = _rows(text, Engine.INTERPRETER, numbered=numbered)
    assert any("'tag', 'match'" in row for row in expected)
    assert any("'tag', 'late'" in row for row in expected)
    assert _rows(text, Engine.AUTO, numbered=numbered) == expected
    assert _rows(text, Engine.AUTO, numbered=numbered, restored=True) == expected


RATED = f"stream A rate RATE per 10   stream B rate 100 per 10   {QUERIES[0]}"


def _counted(engine: Engine, rate: int, *, one_of: int = 4, restored: bool = False) -> list[object]:
    """Return what a place says it counted, after each of two portions of which the second has an event again."""
    route, table = Route(0, _lanes(RATED.replace("RATE", str(rate))), None), _table(numbered=True)
    again = pa.concat_tables([table.slice(25), table.slice(39, 1)])
    settings = Settings(identified=True, engine=engine)
    form = ResultForm(None, numbered=True)
    place = Place(route, form, settings, 3, one_of=one_of)
    told = []
    for portion in (table.slice(0, 25), again):
        if restored:
            place = Place(route, form, settings, 3, place.states(), one_of=one_of, counted=place.counts())
        aside = [one["tag"] for one in place.push(portion) if isinstance(one, dict) and one["tag"] != "match"]
        [row] = place.figures()
        told += [aside, row["record"]]
    return told


@pytest.mark.parametrize("rate", [2, 100])
@pytest.mark.parametrize("engine", [Engine.INTERPRETER, Engine.AUTO])
def test_a_place_counts_what_it_takes_in_and_nothing_that_it_sets_aside(engine: Engine, rate: int) -> None:
    for restored in (False, True):
        none, first, aside, second = _counted(engine, rate, restored=restored)
        assert (none, aside) == ([], ["late", "duplicate"])
        assert json.loads(str(first))["bucket"] == json.loads(str(second))["bucket"] == 3
        assert [_ends(first, kind) for kind in "AB"] == [
            ([rate, 10, False], [], [*range(0, 25, 2)]),
            ([100, 10, False], [], [*range(1, 25, 2)]),
        ]
        # An event to come ends at 24 or later, so what ends 10 before that is not kept.
        assert [_ends(second, kind) for kind in "AB"] == [
            ([rate, 10, False], [*range(16, 25, 2)], [*range(26, 40, 2)]),
            ([100, 10, False], [*range(15, 25, 2)], [*range(25, 40, 2), 39]),
        ]


def _ends(told: object, kind: str) -> tuple[list[object], list[int], list[int]]:
    """Return the rate of a type, and the ends that were counted before and now."""
    rate, *both = json.loads(str(told))["types"][kind]
    before, now = (Spans.from_json(one) for one in both)
    assert all((one.ends == one.starts + 1).all() for one in (before, now))
    return rate, before.starts.repeat(before.counts).tolist(), now.starts.repeat(now.counts).tolist()


def test_a_place_that_sees_all_events_counts_none() -> None:
    assert _counted(Engine.AUTO, 2, one_of=1) == [[], None, ["late", "duplicate"], None]
