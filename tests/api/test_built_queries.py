"""What the builder made runs on the engine unless somebody names another runner, with the answers of the definition."""

import subprocess
import sys

import pytest
from hypothesis import given

import cepheid as c
from cepheid.algebra.semantics import matches
from cepheid.api import run_on_engine, whole_input
from cepheid.engine.clock import point_limits
from cepheid.testing.cases import Case
from cepheid.testing.strategies import cases
from tests.kernels.plain_kernels import usually_plain

a, b = c.event("A"), c.event("B")
PAIRS = c.query((a >> b).within("1 s"), name="Pair", policy="recent")


def told(found: list[c.Match]) -> list[tuple[object, ...]]:
    return [(*match.content(), match.id) for match in found]


@given(cases())
def test_the_engine_says_what_the_definition_says_in_the_same_order(case: Case) -> None:
    assert told(run_on_engine(case.program, list(case.trace))) == told(matches(case.program, case.trace))


def test_a_built_query_runs_on_the_engine_unless_another_runner_is_named() -> None:
    events = [c.point("A", 1, 1), c.point("B", 2, 2)]
    [found], [defined] = PAIRS.run(events), PAIRS.run(events, on="definition")
    assert found == defined == c.program(PAIRS).run(events)[0]
    assert found.known is not None  # which the engine knows
    assert defined.known is None


def test_the_definition_runs_alone_where_nothing_else_was_asked_for() -> None:
    program = (
        "import sys; from cepheid.algebra.builder import event, query\n"
        "print(len(query(event('A')).run([{'type': 'A', 'time': 1}])), 'cepheid.engine' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "1 False\n"


def test_a_query_without_a_bound_runs_too() -> None:
    endless = c.query(a >> b)
    assert not c.check(endless).bounded
    assert len(endless.run([c.point("A", 1, 1), c.point("A", 10**12, 2), c.point("B", 10**13, 3)])) == 2


def test_sources_that_are_declared_are_one_where_events_are_all_there() -> None:
    of_two = c.program(PAIRS, streams=[c.declare("A", sources=["left", "right"])])
    assert len(of_two.run([c.point("A", 1, 1), c.point("B", 2, 2)])) == 1


def test_points_of_time_in_a_long_gap_come_portion_by_portion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(point_limits, "MOST_POINTS", 100)  # more than so many at once are refused
    monkeypatch.setattr(point_limits, "PORTION", 50)
    seconds = c.query(c.parts.every("1 s"))
    assert len(seconds.run([{"type": "A", "time": 0}, {"type": "A", "time": 1000}])) == 1001


@pytest.mark.parametrize("far", [0, 2**62])
def test_many_events_run_in_kernels_and_in_the_interpreter_where_these_cannot_go_on(
    far: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_input, "MANY", 10)
    events = [c.point("AB"[number % 2], number, number) for number in range(20)]
    if far:
        events.append(c.Event("A", 0, far, 99))
    with usually_plain():
        assert told(PAIRS.run(events)) == told(PAIRS.run(events, on="definition"))
