"""Tables that are pushed run in kernels, and tell what the interpreter tells of their rows, however they are cut."""

from itertools import pairwise
from random import Random
from typing import Any

import pyarrow as pa
import pytest

import cepheid as c
from cepheid.api import engine_settings
from cepheid.diagnostics import CepheidError
from cepheid.engine import TieredDetector

a, b, x = c.event("A"), c.event("B"), c.event("C")
PAIR = a >> b
QUERIES: dict[str, Any] = {
    "recent": c.query(
        PAIR.within("5 s").on(a.key == b.key).choose("recent"), name="Rise", values={"gain": b.value - a.value}
    ),
    "all": c.query(PAIR.within("4 s").where(b.value > a.value), name="Pair"),
    "absent": c.query(PAIR.within("5 s").unless(x, between=(a, b), on=x.key == a.key), name="Quiet"),
    "fed": c.program(
        c.query(PAIR.within("3 s"), name="Two", values={"key": b.key}),
        c.query((c.event("Two") >> c.event("Two")).within("6 s"), name="Four"),
    ),
}
YEAR_9999 = 253_370_764_800


@pytest.fixture(autouse=True)
def _tables_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_settings, "WORTH", 1)


def query_of(name: str, disorder: str | None) -> c.CompiledQuery:
    return c.compile(QUERIES[name], disorder=disorder)


def rows_of(random: Random, *, far: bool) -> list[dict[str, Any]]:
    """Events about a second apart, some behind others, some without a time or a type, and some of another century."""
    rows: list[dict[str, Any]] = []
    for second in range(120):
        time: float | None = second + random.choice((0, 0, 0, 0.5, -2, -4))
        if random.random() < 0.03:
            time = None
        if far and random.random() < 0.03:
            time = YEAR_9999
        kind = None if random.random() < 0.02 else random.choice("ABCX")
        rows.append({"type": kind, "time": time, "key": random.choice((1, 2, None)), "value": random.random()})
    return rows


def cut(rows: list[dict[str, Any]], random: Random) -> list[pa.Table]:
    edges = sorted({0, len(rows), *random.sample(range(len(rows)), 5)})
    return [table_of(rows[first:last]) for first, last in pairwise(edges)]


SCHEMA = pa.schema([("type", pa.string()), ("time", pa.float64()), ("key", pa.int64()), ("value", pa.float64())])


def table_of(rows: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(rows, SCHEMA)


def said(detector: c.QueryDetector, found: list[c.Report]) -> dict[str, object]:
    """All that a detector has told, in no order where several pushes could tell it."""
    return {
        "matches": sorted(str(match.to_dict()) for match in found),
        "ids": sorted(match.id for match in found),
        "late": [(event.type, event.end, event.id) for event in detector.late],
        "far ahead": [(event.type, event.end) for event in detector.far_ahead],
        "rejected": detector.rejected,
        "warnings": sorted((one.code, str(one.place), one.notes) for one in detector.warnings),
        "position": (detector.position, detector.positions),
    }


@pytest.mark.parametrize("far", [False, True])
@pytest.mark.parametrize("disorder", [None, "3 s"])
@pytest.mark.parametrize("name", QUERIES)
def test_tables_tell_what_their_rows_tell(name: str, disorder: str | None, *, far: bool) -> None:
    query, some = query_of(name, disorder), 0
    for seed in range(4):
        random = Random(seed)
        rows = rows_of(random, far=far)
        by_row, by_column = query.detector(engine="interpreter"), query.detector()
        expected = [match for row in rows for match in by_row.push_batch([row])] + by_row.close()
        found = [match for table in cut(rows, random) for match in by_column.push_batch(table)] + by_column.close()
        assert isinstance(by_column._engine, TieredDetector)
        assert said(by_column, found) == said(by_row, expected)
        some += len(found)
    assert some > 10


@pytest.mark.parametrize("name", QUERIES)
def test_a_snapshot_between_two_tables_goes_on_in_kernels(name: str) -> None:
    query = query_of(name, "3 s")
    rows = rows_of(Random(7), far=False)
    whole = query.detector()
    expected = [*whole.push_batch(table_of(rows[:60])), *whole.push_batch(table_of(rows[60:])), *whole.close()]
    before = query.detector()
    found = before.push_batch(table_of(rows[:60]))
    after = query.detector(before.snapshot())
    assert isinstance(after._engine, TieredDetector)
    assert [*found, *after.push_batch(table_of(rows[60:])), *after.close()] == expected
    assert after.position == len(rows)


def test_single_events_follow_a_table() -> None:
    query = query_of("all", None)
    rows = [{"type": kind, "time": float(time), "key": 1, "value": float(time)} for time, kind in enumerate("ABAXBAB")]
    detector, interpreter = query.detector(), query.detector(engine="interpreter")
    found = detector.push_batch(table_of(rows[:4]))
    found += [match for row in rows[4:] for match in detector.push(row)]
    expected = [match for row in rows for match in interpreter.push(row)]
    assert [(match.id, match.evidence) for match in found] == [(match.id, match.evidence) for match in expected]


def test_matches_of_tables_are_tables() -> None:
    query = query_of("recent", None)
    rows = [row for row in rows_of(Random(1), far=False) if row["time"] is not None]
    listed = query.detector().push_batch(table_of(rows))
    table = query.detector().push_batch(table_of(rows), columns=True)
    assert table["id"].to_pylist() == [match.id for match in listed]
    assert table["gain"].to_pylist() == [match.values["gain"] for match in listed]
    assert listed


def test_a_strict_detector_stops_at_the_row() -> None:
    detector = query_of("all", None).detector(strict=True)
    rows: list[dict[str, Any]] = [
        {"type": "A", "time": 1.0, "value": 1.0},
        {"type": "B", "time": 2.0, "value": 2.0},
        {"type": "A"},
    ]
    with pytest.raises(CepheidError, match="time"):
        detector.push_batch(table_of(rows))
    assert [match.end for match in detector.push_batch([])] == [2.0]


def test_what_was_asked_for_keeps_the_interpreter() -> None:
    query = query_of("all", None)
    table = table_of([{"type": "A", "time": 1.0}])
    every: list[dict[str, Any]] = [
        {"max_matches": 9},
        {"on_excess": "wait"},
        {"engine": "interpreter"},
        {"limits": {("Pair", "a"): 5}},
    ]
    for asked in every:
        detector = query.detector(**asked)
        detector.push_batch(table)
        assert not isinstance(detector._engine, TieredDetector), asked


def test_kernels_can_be_demanded() -> None:
    detector = query_of("all", None).detector(engine="kernels")
    assert detector.push({"type": "A", "time": 0, "value": 0}) == []
    assert len(detector.push({"type": "B", "time": 1, "value": 1})) == 1
    with pytest.raises(CepheidError, match="runs in kernels"):
        detector.progress()
    with pytest.raises(CepheidError, match="run in the interpreter"):
        query_of("all", None).detector(engine="kernels", max_matches=1)
    with pytest.raises(CepheidError, match="no stream is declared"):
        detector.push({"type": "A", "time": 3}, source="elsewhere")


def test_a_closed_detector_takes_no_tables() -> None:
    detector = query_of("all", None).detector()
    detector.push_batch(table_of([{"type": "A", "time": 1.0}]))
    detector.close()
    with pytest.raises(CepheidError, match="closed"):
        detector.push_batch(table_of([{"type": "A", "time": 2.0}]))
