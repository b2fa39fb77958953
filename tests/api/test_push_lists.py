"""Lists that are pushed tell what their rows tell one by one, looked at closely; however they are cut."""

from itertools import pairwise
from random import Random
from typing import Any, Literal

import pytest

import cepheid as c
from cepheid.api import at_a_glance
from cepheid.api.noticing import first_looks
from cepheid.diagnostics import CepheidError
from cepheid.engine import Detector
from cepheid.engine.direct import DirectGear

a, b, last = c.event("A"), c.event("B"), c.event("C")
TWO = "A letting k = key -> B[key == k and value > 3]"
WATCHPOINTS: dict[str, str] = {
    "records": f"watchpoint w {{ window 20 records; main = {TWO}; alert {{ k = k }} }}",
    "time": f"watchpoint w {{ window 6 seconds; main = {TWO}; alert {{ k = k, evidence = records }} }}",
    "by": f"watchpoint w by key {{ window 20 records; main = {TWO}; alert {{ v = last.value }} }}",
    "avoided": "watchpoint w { window 30 records; main = A letting k = key -> not C[key == k] -> B; alert { k = k } }",
    "one step": "watchpoint w { main = B[value > 6]; alert { v = last.value } }",
    "any": "watchpoint w { window 5 records; main = A letting t = time -> any[value == 7]; alert { t = t } }",
    "a time": "watchpoint w { window 9 records; main = A letting k = key -> (B[time == k] | C[key == k]); }",
    "two": f"watchpoint v {{ window 9 records; main = {TWO}; }} watchpoint w {{ window 5 seconds; main = A -> C; }}",
    "declared": f"stream A rate 2 per 1 s; watchpoint w {{ window 20 records; main = {TWO}; alert {{ k = k }} }}",
}
QUERIES: dict[str, Any] = {
    "recent": c.query((a >> b).within("5 s").on(a.key == b.key).choose("recent"), name="Rise", values={"v": b.value}),
    "all": c.query((a >> b).within("4 s").where(b.value > a.value), name="Pair"),
    "absent": c.query((a >> b).within("5 s").unless(last, between=(a, b), on=last.key == a.key), name="Quiet"),
    "fed": c.program(
        c.query((a >> b).within("3 s"), name="Two", values={"key": b.key}),
        c.query((c.event("Two") >> last).within("6 s"), name="Three"),
    ),
}
ODD: dict[str, tuple[object, ...]] = {
    "time": (253_370_764_800, None),
    "key": ("é", None, 1.0, 1 << 70),
    "type": (5,),
    "id": ("e3",),
    "value": ([1, 2],),
    "more": (True,),
}
DISORDER = "2 s"


@pytest.fixture(autouse=True)
def _few_first_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_looks, "MOST", 3)
    monkeypatch.setattr(at_a_glance, "AT_ONCE", 16)


def query_of(name: str, disorder: str | None = None) -> c.CompiledQuery:
    if name in WATCHPOINTS:
        ties: Literal["simultaneous"] | None = None if disorder is None else "simultaneous"
        return c.compile(WATCHPOINTS[name], language="hbl", disorder=disorder, ties=ties, allow_unbounded=True)
    return c.compile(QUERIES[name], disorder=disorder)


def rows_of(random: Random, odd: float) -> list[Any]:
    """Rows about half a second apart; so many of them are late, far ahead, of other fields, or say no event at all."""
    rows: list[Any] = []
    for number in range(150):
        row: dict[str, Any] = {"type": random.choice("AABBCX"), "time": number / 2, "key": random.randrange(4)}
        row["value"] = random.choice((1, 7, 3.5, random.randrange(9)))
        row["id"] = f"e{number}"
        if random.random() < odd:
            name = random.choice([*ODD, "late"])
            row |= {"time": number / 2 - 3} if name == "late" else {name: random.choice(ODD[name])}
        rows.append(row if random.random() > odd / 10 else random.choice((7, None, c.Event("A", 1, 1, 1))))
    return rows


def said(detector: c.QueryDetector, found: list[c.Report]) -> dict[str, object]:
    return {
        "matches": [match.to_dict() for match in found],
        "late": [(event.type, event.end, event.id) for event in detector.late],
        "far ahead": [(event.type, event.end) for event in detector.far_ahead],
        "rejected": detector.rejected,
        "warnings": [(one.code, one.message, str(one.place), one.notes) for one in detector.warnings],
        "position": (detector.position, detector.positions),
    }


def closely(detector: c.QueryDetector, rows: list[Any]) -> list[c.Report]:
    """Push rows one by one, each of which is looked at closely."""
    detector._short = None
    return [match for row in rows for match in detector.push_batch([row])]


def cut(rows: list[Any], random: Random) -> list[list[Any]]:
    edges = sorted({0, len(rows), *random.sample(range(len(rows)), 6)})
    return [rows[first:end] for first, end in pairwise(edges)]


@pytest.mark.parametrize("identified", [False, True])
@pytest.mark.parametrize("disorder", [None, DISORDER])
@pytest.mark.parametrize("name", [*WATCHPOINTS, *QUERIES])
def test_lists_tell_what_their_rows_tell(name: str, disorder: str | None, *, identified: bool) -> None:
    query, some = query_of(name, disorder), 0
    for seed in range(6):
        random = Random(seed)
        rows = rows_of(random, seed / 40)
        by_row, by_list = (query.detector(id_column="id" if identified else None) for _ in range(2))
        expected, found = closely(by_row, rows), []
        for part in cut(rows, random):
            found += by_list.push_batch(part)
            if random.random() < 0.2:
                by_list.usage()  # the interpreter has the state for a while
        assert said(by_list, found) == said(by_row, expected)
        some += len(found)
    assert some


@pytest.mark.parametrize("name", [*WATCHPOINTS, *QUERIES])
def test_a_snapshot_between_two_lists_goes_on(name: str) -> None:
    query, random = query_of(name), Random(3)
    rows, found = rows_of(random, 0.0), []
    by_list = query.detector()
    for part in cut(rows, random):
        found += by_list.push_batch(part)
        by_list = query.detector(by_list.snapshot())
    assert found == closely(query.detector(), rows)


@pytest.mark.parametrize("name", ["records", "time", "recent"])
def test_rows_in_order_are_taken_at_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []

    def push_all(self: DirectGear, coming: Any, *rest: Any) -> Any:
        rows = list(coming)
        taken.append(len(rows))
        return before(self, rows, *rest)

    before = DirectGear.push_all
    monkeypatch.setattr(DirectGear, "push_all", push_all)
    query_of(name).detector().push_batch(rows_of(Random(1), 0.0))
    assert sum(taken) > 130


@pytest.mark.parametrize(("kind", "holds"), [("A", True), ("B", False)])
def test_only_events_that_nobody_declared_end_what_was_promised(kind: str, *, holds: bool) -> None:
    text = "stream A rate 2 per 1 s; watchpoint w { window 5 records; main = A -> any[value == 7]; }"
    detector = c.compile(text, language="hbl", allow_unbounded=True).detector()
    detector.push_batch([{"type": "A", "time": time, "value": 1} for time in range(3)])
    detector.push_batch([{"type": kind, "time": time, "value": 1} for time in range(3, 9)])
    assert isinstance(detector._engine, Detector)
    assert detector._engine.premises.hold == holds


@pytest.mark.parametrize("name", ["time", "two", "all"])
def test_too_many_matches_end_a_list_where_they_end_its_rows(name: str) -> None:
    query, rows = query_of(name), [row for row in rows_of(Random(2), 0.0) if row["type"] != "X"]
    rows += [{"type": "A", "time": 80 + number / 100, "key": 1, "value": 0} for number in range(9)]
    rows += [{"type": kind, "time": 81, "key": 1, "value": 99} for kind in "BC"]
    by_row, by_list = (query.detector(max_matches=3) for _ in range(2))
    told = []
    for detector, push in ((by_row, closely), (by_list, c.QueryDetector.push_batch)):
        found = []
        try:
            found = push(detector, rows)
        except CepheidError as error:
            told.append((str(error), detector.position, found))
    assert told[0] == told[1]


def test_what_is_interrupted_leaves_the_rows_before_it_taken() -> None:
    def picky(value: object) -> object:
        if value == 5:
            raise KeyboardInterrupt
        return value

    c.terms.register("picky_value", picky, 1)
    text = "watchpoint w { window 9 records; main = A letting k = key -> B[key == k and picky_value(value) > 0]; }"
    query, values = c.compile(text, language="hbl"), (1, 2, 1, 2, 1, 2, 1, 5, 1, 2)
    rows = [{"type": "AB"[time % 2], "time": time, "key": 1, "value": value} for time, value in enumerate(values)]
    by_row, by_list = query.detector(), query.detector()
    by_row._short = None
    by_list.push_batch(rows[:6])  # as many as are looked at first
    for row in rows[:7]:
        by_row.push(row)
    with pytest.raises(KeyboardInterrupt):
        by_row.push(rows[7])
    with pytest.raises(KeyboardInterrupt):
        by_list.push_batch(rows[6:])
    assert said(by_list, by_list.push_batch(rows[8:])) == said(by_row, closely(by_row, rows[8:]))
    assert by_list.position == 10
