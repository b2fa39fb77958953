"""Every runner finds what the definition finds, however the events arrive.

The definition is given the trace in order; a runner is given the arrivals: out of order, some twice, in batches.
"""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.expressions import Moment
from cepheid.algebra.patterns import Pattern
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import HULL, Program, Rule
from cepheid.algebra.relations import end, start
from cepheid.events import Event
from cepheid.testing import Case, DefinitionRunner, Result, Runner, TraceShape
from cepheid.testing.cases import random_trace
from cepheid.testing.strategies import algebra_expressions, cases, drawn, traces

DEFINITION = DefinitionRunner()


def told(result: Result) -> list[str]:
    """What a result says, in an order of its own: two results are the same when they tell the same."""
    matches = [f"{match.content()} {match.id}" for match in result.matches]
    late = [f"late {event_id!r}" for event_id in result.late]
    return sorted([*matches, *late, *(f"duplicate {event_id!r}" for event_id in result.duplicates)])


def lone(pattern: Pattern) -> Program:
    return Program((Rule("match", pattern, "match", Moment(start(HULL)), Moment(end(HULL))),))


def one_by_one(arrivals: Sequence[Event]) -> range:
    return range(len(arrivals) + 1)


def test_random_programs(runner: Runner) -> None:
    @given(cases())
    def agrees(case: Case) -> None:
        found = runner.run(case.program, case.arrivals, disorder=case.disorder, cuts=case.cuts)
        assert found.late == ()
        assert len(found.duplicates) == len(case.arrivals) - len(case.trace)
        expected = DEFINITION.run(case.program, case.trace)
        assert told(Result(found.matches)) == told(expected)

    agrees()


def test_expressions_of_the_detection_algebra(runner: Runner) -> None:
    @given(algebra_expressions(Choice.LATEST_START), traces(types="ABC", intervals=0))
    def agrees(pattern: Pattern, trace: list[Event]) -> None:
        found = runner.run(lone(pattern), trace, cuts=one_by_one(trace))
        assert told(found) == told(DEFINITION.run(lone(pattern), trace))

    agrees()


def test_events_that_come_late(runner: Runner) -> None:
    shuffled = drawn(lambda draw: draw.shuffled(random_trace(draw, TraceShape(("A", "B", "C"), 4))))

    @given(cases(most_rules=1), shuffled, st.integers(0, 3))
    def agrees(case: Case, arrivals: list[Event], disorder: int) -> None:
        found = runner.run(case.program, arrivals, disorder=disorder, cuts=one_by_one(arrivals))
        assert told(found) == told(DEFINITION.run(case.program, arrivals, disorder=disorder))

    agrees()
