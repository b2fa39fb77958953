"""The strategies give what they say, and shrink it to little."""

from collections.abc import Callable
from typing import TypeVar

from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from cepheid.algebra.patterns import Atom, Distinct, Join, Pattern, Select, Unless
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import Program
from cepheid.algebra.semantics import instances
from cepheid.algebra.traversal import walk
from cepheid.algebra.validation import findings
from cepheid.events import Arrival, Disorder, Duration, Event
from cepheid.testing import Case, Kind, Shape
from cepheid.testing.strategies import (
    algebra_expressions,
    cases,
    disordered,
    duplicates,
    patterns,
    programs,
    traces,
)

T = TypeVar("T")

ONLY_JOINS = Shape(kinds=frozenset({Kind.ATOM, Kind.JOIN}), choices=frozenset({Choice.ALL}), positions=False)


def smallest(strategy: st.SearchStrategy[T], wanted: Callable[[T], bool]) -> T:
    limits = settings(max_examples=2000, derandomize=True, database=None, phases=(Phase.generate, Phase.shrink))
    return find(strategy, wanted, settings=limits)


@given(traces(types="AB", least=2, most=4, intervals=0, plain=True))
def test_a_trace_has_the_shape_asked_for(trace: list[Event]) -> None:
    assert 2 <= len(trace) <= 4
    assert [event.id for event in trace] == list(range(1, len(trace) + 1))
    assert all(event.type in "AB" and event.start == event.end for event in trace)


@given(st.data(), traces(), st.integers(0, 5))
def test_disordered_events_are_in_time(data: st.DataObject, trace: list[Event], disorder: int) -> None:
    arrivals = data.draw(duplicates(data.draw(disordered(trace, disorder)), disorder))
    door = Disorder(Duration(disorder))
    assert Arrival.LATE not in [door.see(event) for event in arrivals]
    assert {event.id for event in arrivals} == {event.id for event in trace}


@given(patterns(ONLY_JOINS))
def test_a_pattern_has_only_the_kinds_and_choices_asked_for(pattern: Pattern) -> None:
    nodes = [node for node in walk(pattern) if isinstance(node, Pattern)]
    assert all(isinstance(node, Atom | Join) for node in nodes)
    assert all(node.policy.choice is Choice.ALL for node in nodes if isinstance(node, Join))


@given(programs())
def test_a_program_is_accepted(program: Program) -> None:
    assert [str(finding) for finding in findings(program)] == []


@given(cases(most_rules=1))
def test_a_case_has_no_more_rules_than_asked_for(case: Case) -> None:
    assert len(case.program.rules) == 1


@given(algebra_expressions(), traces(types="ABC", intervals=0, plain=True))
def test_an_expression_under_latest_start_has_one_instance_for_each_end(pattern: Pattern, trace: list[Event]) -> None:
    ends = [found.end for found in instances(pattern, trace)]
    assert len(set(ends)) == len(ends)


@given(algebra_expressions(Choice.ALL))
def test_an_expression_under_all_makes_no_choice(pattern: Pattern) -> None:
    assert isinstance(pattern, Distinct)
    assert not any(isinstance(node, Select) for node in walk(pattern))


def test_a_failure_shrinks_to_few_events() -> None:
    trace = smallest(traces(), lambda trace: any(event.type == "B" for event in trace))
    assert [(event.type, event.end) for event in trace] == [("B", 0)]


def test_a_failure_shrinks_to_a_small_query() -> None:
    shape = Shape(kinds=frozenset(Kind) - {Kind.SKIP})
    pattern = smallest(patterns(shape), lambda pattern: any(isinstance(node, Unless) for node in walk(pattern)))
    assert [type(node) for node in walk(pattern) if isinstance(node, Pattern)] == [Unless, Atom, Atom]
