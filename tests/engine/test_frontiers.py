"""What a frontier means: it never changes what is found, and what is known by then has been told."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.pipe_semantics import trace_of
from cepheid.algebra.pipes import Detect, Source
from cepheid.algebra.programs import Program
from cepheid.events import Value, id_key, values
from cepheid.testing import Case
from cepheid.testing.cases import Draw, draw_case
from cepheid.testing.strategies import drawn
from tests.engine.steps import Step, all_of, content, defined, run, with_heartbeats


def _case_with_heartbeats(draw: Draw) -> tuple[Case, list[Step]]:
    case = draw_case(draw)
    arrivals = list(dict.fromkeys(case.arrivals))
    return case, with_heartbeats(draw, case.program, arrivals)


CASES = drawn(_case_with_heartbeats)


@given(CASES, st.booleans())
def test_heartbeats_change_nothing_that_is_found(situation: tuple[Case, list[Step]], restarts: bool) -> None:
    case, steps = situation
    found = all_of(run(case.program, steps, disorder=case.disorder, restarts=restarts))
    assert content(found) == defined(case.program, case.trace)


@given(CASES)
def test_a_match_is_told_no_later_than_it_is_known(situation: tuple[Case, list[Step]]) -> None:
    case, steps = situation
    for told in run(case.program, steps, disorder=case.disorder):
        for match in told.matches:
            news = not told.seen.issuperset(match.evidence)
            assert news or match.known is None or told.frontier < match.known


@given(CASES)
def test_when_a_match_is_known_is_not_a_matter_of_heartbeats(situation: tuple[Case, list[Step]]) -> None:
    case, steps = situation
    silent = [Step("", event) for event in case.trace]
    with_them = {match.id: match.known for match in all_of(run(case.program, steps, disorder=case.disorder))}
    assert with_them == {match.id: match.known for match in all_of(run(case.program, silent))}


@given(CASES)
def test_each_call_tells_in_the_order_of_certainty(situation: tuple[Case, list[Step]]) -> None:
    case, steps = situation
    numbers = {rule.name: number for number, rule in enumerate(case.program.rules)}
    for told in run(case.program, steps, disorder=case.disorder):
        places = [
            (
                (match.known is None, match.known or 0, match.end, match.start, numbers[match.name]),
                tuple(map(id_key, match.evidence)),
            )
            for match in told.matches
        ]
        assert places == sorted(places)


def _with_pipes(program: Program) -> Program:
    """Return the program with a pipe for each rule, for what it emits, and for the whole input."""
    detected = {f"matches of {rule.name}": Detect(rule=rule.name) for rule in program.rules}
    emitted = {f"events {rule.emits}": Source(stream=rule.emits) for rule in program.rules}
    return replace(program, pipes={"input": Source(stream=""), **detected, **emitted})


def _keys(given: list[Value]) -> list[object]:
    return [values.key_of(value) for value in given]


@given(CASES, st.booleans())
def test_heartbeats_change_nothing_that_pipes_give(situation: tuple[Case, list[Step]], restarts: bool) -> None:
    case, steps = situation
    program = _with_pipes(case.program)
    told = run(program, steps, disorder=case.disorder, restarts=restarts)
    for pipe in program.pipes:
        given = [value for one in told for value in one.given[pipe]]
        assert _keys(given) == _keys(trace_of(program, pipe, case.trace))
