"""Schedules over gaps in time: the points within a gap that nothing waits for are never made, and nobody notices."""

from random import Random

import pytest

from cepheid.algebra.expressions import Expr
from cepheid.algebra.schedules import points
from cepheid.analysis import certify
from cepheid.analysis.plans.plan import Kind, Near
from cepheid.engine import Detector
from cepheid.engine.clock import near_points
from cepheid.engine.kernels.stages import point_stage
from cepheid.engine.operators import plain
from cepheid.events import Event, point
from cepheid.testing import DefinitionRunner, Result, Runner
from tests.engine_runner import EngineRunner, plan_for
from tests.kernels_runner import KernelsRunner
from tests.queries import read_query

DEFINITION = DefinitionRunner()
RUNNERS: tuple[Runner, ...] = (
    EngineRunner(),
    EngineRunner("restarted", restarts=True),
    KernelsRunner(usually_plain=True),
    KernelsRunner("kernels, restarted", restarts=True, usually_plain=True),
)

QUERIES = (
    "(a: A and instant t: every(3, 1)) within 7",
    "(a: A then instant t: every(4, 0)) within 9",
    "(instant t: every(4, 0) then a: A) within 9",
    "((a: A or b: B) and instant t: every(3, 1)) within 5",
    "((a: A then b: B) and (instant t: every(5, 0) or a2: A)) within 12",
    "(a: A then instant t: every(3, 0) within 8 choose next) then b: B within 20",
    "a: A and instant t: every(3, 0) relation 0 <= end(t) - end(a) <= 9 choose recent",
    "instant t: every(3, 0) then a: A within 9 choose latest-start",
    "(a: A and instant t: every(3, 0) and instant s: every(7, 2)) within 11",
    "a: A unless (instant t: every(5, 0)) relation 0 <= end($absent) - end($pattern) <= 3",
    "a: A unless (instant t: every(5, 0) then b: B) relation 0 <= end($absent) - end($pattern) <= 6",
    "collect n: all of instant t: every(2, 0) for a: A relation 0 <= end($anchor) - end($item) <= 5",
    "(instant t: every(3, 0)) unless a: A relation 0 <= end($pattern) - end($absent) <= 4",
    "repeat n: 2 of (a: A and instant t: every(3, 0)) within 20",
    "distinct (a: A and instant t: every(3, 1)) within 7",
)
PROGRAMS = (
    *(f"rule r: {query} emits R(n = 1)" for query in QUERIES),
    "rule r per k: (a: A and instant t: every(3, 1)) within 7 emits R",
    "rule p: a: A then b: B within 9 emits P\nrule r: (p: P and instant t: every(3, 1)) within 7 emits R",
    "rule p: a: A emits P from end(a) - 30 to end(a) - 30\nrule r: (p: P and instant t: every(3, 1)) within 7 emits R",
)


def with_gaps(seed: int) -> list[Event]:
    """Return events with short and long times between them."""
    random, time, events = Random(seed), 0, []
    for number in range(7):
        time += random.choice((0, 1, 2, 5, 13, 60, 200))
        events.append(point(random.choice("AB"), time, number, {"k": random.randrange(2)}))
    return events


def told(result: Result) -> list[str]:
    return sorted(f"{match.content()} {match.id}" for match in result.matches)


@pytest.mark.parametrize("text", PROGRAMS)
def test_what_comes_over_gaps_is_what_the_definition_says(text: str) -> None:
    program = read_query(text)
    for seed in range(2):
        events = with_gaps(seed)
        expected = told(DEFINITION.run(program, events))
        late = [*events[1::2], *events[::2]] if seed else events
        for runner in RUNNERS:
            assert told(runner.run(program, events, cuts=(2, 5))) == expected
            assert told(runner.run(program, late, disorder=2000, cuts=(2, 5))) == expected


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The points that were made."""
    found: list[int] = []

    def noted(schedule: Expr, first: int | None, last: int | None) -> list[int]:
        found.extend(some := points(schedule, first, last))
        return some

    for module in (near_points, plain, point_stage):
        monkeypatch.setattr(module, "points", noted)
    return found


CENTURY = 3_155_760_000_000_000
SECONDS = "rule r: (a: A and instant t: every(1 s, 0)) within 30 s emits R"


@pytest.mark.parametrize("runner", RUNNERS, ids=lambda one: one.name)
@pytest.mark.parametrize("disorder", [0, 5_000_000])
def test_no_point_is_made_that_nothing_is_near(runner: Runner, disorder: int, made: list[int]) -> None:
    events = [point("A", time, number) for number, time in enumerate((0, CENTURY, 2 * CENTURY))]
    found = runner.run(read_query(SECONDS), events, disorder=disorder, cuts=(1, 2))
    assert len(found.matches) == 31 + 61 + 31
    assert len(made) <= 31 + 61 + 31 + 2 * 5


def test_a_gap_holds_no_more_than_was_certified() -> None:
    plan = plan_for(read_query(f"stream A rate 1 per 1 min\n{SECONDS}"), intervals=False)
    detector = Detector(plan, certificate=certify(plan))
    for number in range(9):
        detector.push(point("A", number * CENTURY, number))
        assert all(one.promised is not None and one.used <= one.promised for one in detector.usage())


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("(a: A and instant t: every(3, 1)) within 7", Near(7, 7)),
        ("(a: A then instant t: every(3, 1)) within 7", Near(-1, 7)),
        ("(instant t: every(3, 1) then a: A) within 7", Near(7, -1)),
        ("a: A and instant t: every(3, 1)", None),
        ("instant t: every(3, 1)", None),
        ("(instant t: every(3, 1)) unless a: A relation 0 <= end($pattern) - end($absent) <= 4", None),
        ("a: A unless (instant t: every(5, 0)) relation 0 <= end($absent) - end($pattern) <= 3", Near(0, 3)),
        ("(a: A or instant t: every(3, 1)) within 7", None),
        ("((a: A or instant t: every(3, 1)) then b: B) within 7", Near(7, -1)),
    ],
)
def test_how_near_a_point_must_be(pattern: str, expected: Near | None) -> None:
    plan = plan_for(read_query(pattern), intervals=False)
    (near,) = (one.near for one in plan.rules[0].operators if one.kind is Kind.POINTS)
    assert near == expected
