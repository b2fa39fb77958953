"""Kernels compute right as far as times reach, and leave to the interpreter what lies beyond."""

from dataclasses import replace

import pytest

import cepheid
from cepheid.algebra.patterns import Instant
from cepheid.algebra.traversal import walk
from cepheid.analysis.plans.planner import plan_of
from cepheid.diagnostics import CepheidError
from cepheid.engine import Detector, TieredDetector, tiers_of
from cepheid.engine.kernels import KernelDetector
from cepheid.engine.kernels.facts.time_bounds import LONGEST, MOST
from cepheid.events import Event, interval, point
from cepheid.testing import Case, Result, random_case
from tests.engine_runner import EngineRunner
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels_runner import KernelsRunner, compiled_rules
from tests.queries import read_query

SEEDS = range(150)
PAIRS = "rule pair: (a: A then b: B within 5 on a.key == b.key choose recent) emits pair(from = a.value)"
RUNNERS = (EngineRunner(), KernelsRunner(), KernelsRunner("kernels, restarted", restarts=True))


def moved(case: Case, by: int) -> Case:
    """Return a case whose events are all so much later."""
    trace, arrivals = (
        tuple(replace(event, start=event.start + by, end=event.end + by) for event in some)
        for some in (case.trace, case.arrivals)
    )
    return replace(case, trace=trace, arrivals=arrivals)


def told(result: Result) -> list[str]:
    return sorted(f"{match.content()} {match.id} {match.known}" for match in result.matches)


def at(*times: int) -> list[Event]:
    """Return a pair of events at each time and the next one."""
    fields: dict[str, cepheid.events.Value] = {"key": 1, "value": 1}
    names = enumerate([(name, time) for time in times for name in "AB"])
    return [point(name, time + number % 2, number + 1, fields) for number, (name, time) in names]


@pytest.mark.parametrize("to", [MOST - 100, 100 - MOST], ids=["last", "first"])
def test_programs_find_the_same_at_the_ends_of_all_times(to: int) -> None:
    compared = 0
    for case in map(random_case, SEEDS):
        scheduled = any(isinstance(node, Instant) for node in walk(case.program.rules))
        if scheduled or not case.trace or not compiled_rules(case.program, intervals=True):
            continue
        there = moved(case, to - case.trace[0].end)
        with plain_kernels():
            found = [
                told(one.run(there.program, there.arrivals, disorder=there.disorder, cuts=there.cuts))
                for one in RUNNERS
            ]
        assert found[1:] == found[:1] * 2
        compared += 1
    assert compared > len(SEEDS) // 4


def test_what_is_forgotten_before_anything_has_come_is_nothing() -> None:
    query = cepheid.compile("(A ; (B ; C)) within 100 s", language="algebra")
    events = [point("ABC"[number % 3], number * 1_000_000, number) for number in range(12)]
    slow = Detector(query.plan)
    expected = [match for event in events for match in slow.push(event)] + slow.close()
    with plain_kernels():
        detector = TieredDetector(query.plan)
        assert detector.push_all(events) + detector.close() == expected


@pytest.mark.parametrize(
    "text",
    [
        "rule long: (a: A then b: B within {} us choose recent) emits long",
        "rule long: (a: A then b: B then c: C within {} us) emits long",
        "rule long: a: A unless b: B relation 1 <= start($absent) - end($pattern) <= {} emits long",
    ],
)
def test_distances_that_are_too_long_are_for_the_interpreter(text: str) -> None:
    plans = [plan_of(read_query(text.format(length))) for length in (LONGEST + 1, LONGEST - 1)]
    reasons = [tiers_of(plan)[0].reason for plan in plans]
    assert reasons == ["a distance is too long to compute with", ""]


def test_events_at_any_time_are_for_the_interpreter_where_rules_read_them() -> None:
    text = "rule first: a: A emits X from start(a) to end(a) + {}\nrule second: x: X emits Y"
    texts = [text.format(by) for by in ("a.value", "7")]
    reasons = [{tier.rule: tier.reason for tier in tiers_of(plan_of(read_query(text)))} for text in texts]
    assert reasons[0]["first"] == "its events may be at any time, and rules read them"
    assert set(reasons[1].values()) == {""}


def test_what_is_too_late_is_late_however_far_away_it_is() -> None:
    events = [*at(10), point("A", -(2**62), 3), *at(20)]
    with plain_kernels():
        detector = TieredDetector(plan_of(read_query(PAIRS)))
        found = detector.push_all(events) + detector.close()
    assert [(match.start, match.end) for match in found] == [(10, 11), (20, 21)]
    assert [event.end for event in detector.late] == [-(2**62)]


@pytest.mark.parametrize(
    "event",
    [point("A", MOST, 9), point("A", -MOST, 9), interval("A", -MOST, 11, 9)],
    ids=["far ahead", "long ago", "since long ago"],
)
def test_times_out_of_reach_are_refused_before_anything_is_taken(event: Event) -> None:
    with plain_kernels():
        detector = TieredDetector(plan_of(read_query(PAIRS), intervals=True))
        with pytest.raises(CepheidError, match="too far away for compiled kernels"):
            detector.push_all([event])
        assert len(detector.push_all(at(10)) + detector.close()) == 1


def test_a_single_event_out_of_reach_is_refused() -> None:
    with plain_kernels():
        detector = KernelDetector(plan_of(read_query(PAIRS)))
        with pytest.raises(CepheidError, match="too far away for compiled kernels"):
            detector.push({"type": "A", "time": MOST, "key": 1, "value": 1})
