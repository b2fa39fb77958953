"""Chains that are taken directly: alerts, their ids and their order are as the interpreter has them, at every push."""

import gc
from collections.abc import Sequence
from functools import cache
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import cepheid as c
from cepheid.algebra.matches import Match
from cepheid.analysis import Plan
from cepheid.engine import Detector
from cepheid.engine.direct import direct_gear
from cepheid.events import Event, point

MAINS = {
    "one step": "A[v > 0] letting x = k",
    "a step that every record satisfies": "A letting x = k",
    "two steps": "A letting x = k -> B[k == x and v > 0]",
    "no equality": "A letting x = v -> B[v > x]",
    "a variable that only the condition reads": "A letting x = k, y = v -> B[v >= y]",
    "two variables": "A letting x = k, y = v -> B[k == x]",
    "a variable of the last record": "A letting x = k -> B[v > 0] letting x = v",
    "a condition that reads more": "A letting x = k -> B[abs(v) > 0]",
    "a variable that reads more": "A -> B letting x = abs(v)",
    "three steps": "A letting x = k -> B[v > 0] -> C[v >= x]",
    "avoided": "A letting x = k -> not D[v == x] -> B[v > 0]",
    "alternatives": "A letting x = k -> (B[v > 0] | C[v > 0])",
}
HEADS = {"records": "{ window 6 records;", "time": "{ window 6 us;", "by": "by u { window 6 records;"}
TOLD = {"variables": "x = x", "records": "x = x, evidence = records", "nothing": ""}
RECORDS = st.lists(
    st.tuples(st.sampled_from("AABBCD"), st.integers(0, 2), st.integers(0, 1), st.integers(0, 2)), max_size=30
)
WHAT = st.lists(st.sampled_from(["push", "push", "push", "snapshot", "usage"]), min_size=30, max_size=30)


@cache
def plan_for(main: str, head: str, told: str) -> Plan:
    text = f"watchpoint w {HEADS[head]} main = {MAINS[main]}; alert {{ {TOLD[told]} }} }}"
    return c.compile(text, language="hbl", allow_unbounded=True).plan


def records_of(drawn: Sequence[tuple[str, int, int, int]]) -> list[Event]:
    """Return records in order, each some ticks after the one before; some at the same time."""
    time, found = 0, []
    for number, (kind, later, key, value) in enumerate(drawn, 1):
        time += later
        found.append(point(kind, time, number, {"k": key, "u": value % 2, "v": value}))
    return found


def told(matches: Sequence[Match]) -> list[tuple[object, ...]]:
    return [(*match.content(), match.id, match.known) for match in matches]


@given(st.sampled_from(list(MAINS)), st.sampled_from(list(HEADS)), st.sampled_from(list(TOLD)), RECORDS, WHAT)
@example(
    "no equality", "time", "variables", [("A", 0, 1, 0), ("A", 0, 1, 1), ("B", 0, 1, 2), ("B", 0, 1, 2)], ["push"] * 4
)
@example(
    "two steps", "time", "nothing", [("A", 0, 1, 1), ("B", 0, 1, 1), ("A", 0, 1, 1), ("B", 0, 1, 1)], ["snapshot"] * 4
)
@example(
    "a variable that only the condition reads",
    "records",
    "variables",
    [("A", 1, 1, 0), ("A", 1, 1, 1), ("A", 1, 0, 1), ("B", 1, 1, 2)],
    ["push"] * 4,
)
@example(
    "two variables",
    "records",
    "variables",
    [("A", 1, 1, 0), ("A", 1, 1, 1), ("A", 1, 0, 1), ("B", 1, 1, 2)],
    ["push"] * 4,
)
def test_each_record_tells_what_the_interpreter_tells(
    main: str, head: str, alert: str, drawn: list[tuple[str, int, int, int]], what: list[str]
) -> None:
    plan = plan_for(main, head, alert)
    quick, slow = Detector(plan), Detector(plan, direct=False)
    for record, also in zip(records_of(drawn), what, strict=False):
        assert told(quick.push(record)) == told(slow.push(record))
        if also == "snapshot":
            quick = Detector(plan, state=quick.snapshot())
        elif also == "usage":
            assert sum(one.used for one in quick.usage()) == sum(one.used for one in slow.usage())
    assert told(quick.close()) == told(slow.close())


@pytest.mark.parametrize("main", MAINS)
def test_chains_are_taken_directly(main: str) -> None:
    assert direct_gear(plan_for(main, "records", "variables"), None) is not None


@pytest.mark.parametrize("main", ["one step", "two steps", "a condition that reads more"])
def test_alerts_without_evidence_are_the_same_ones(main: str) -> None:
    plan = plan_for(main, "time", "variables")
    whole, bare = Detector(plan), Detector(plan, evidence=False)
    for record in records_of([("A", 0, 1, 1), ("A", 0, 1, 2), ("B", 1, 1, 1), ("B", 0, 1, 1)]):
        expected = [(one.name, one.start, one.end, one.values, one.id, one.known) for one in whole.push(record)]
        found = bare.push(record)
        assert [(one.name, one.start, one.end, one.values, one.id, one.known) for one in found] == expected
        assert not any(one.evidence for one in found)


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("main", MAINS)
def test_runs_that_are_over_leave_no_garbage_that_goes_in_circles(main: str, head: str) -> None:
    detector, random = Detector(plan_for(main, head, "variables")), Random(1)
    drawn = [(random.choice("AABBCD"), 1, random.randint(0, 1), random.randint(0, 2)) for _ in range(300)]
    records = records_of(drawn)
    gc.collect()
    gc.disable()
    try:
        found = [match for record in records for match in detector.push(record)]
        assert gc.collect() == 0
    finally:
        gc.enable()
    assert found
