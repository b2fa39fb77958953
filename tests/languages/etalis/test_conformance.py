"""Chained rules under all policies: the engine finds what the definition says, however the input is cut."""

from hypothesis import given, settings
from hypothesis import strategies as st

from cepheid.algebra.matches import same_matches
from cepheid.algebra.semantics import matches
from cepheid.algebra.validation import validate
from cepheid.analysis import certify, plan_of
from cepheid.engine import Detector
from cepheid.events import Event, sort_events
from cepheid.languages.etalis import parse
from cepheid.rewrites import rewrite
from tests.engine_runner import EngineRunner
from tests.languages.etalis.random_programs import programs
from tests.properties.traces import traces

VALUES = {"arg1": st.sampled_from([1, 1, 1, 0, None])}
TRACES = traces(least=4, most=8, longest=3, fields=VALUES)
POINTS = traces(least=4, most=8, fields=VALUES)
RESTARTED = EngineRunner("restarted", restarts=True)


@settings(max_examples=3 * settings().max_examples)
@given(programs(), TRACES)
def test_the_engine_finds_what_the_definition_says(text: str, trace: list[Event]) -> None:
    program = parse(text)
    validate(program)
    found = EngineRunner().run(program, sort_events(trace)).matches
    assert same_matches(found, matches(program, trace))


@given(programs(), POINTS, st.data())
def test_a_rewritten_program_holds_what_was_certified(text: str, trace: list[Event], data: st.DataObject) -> None:
    program = parse(text)
    plan = plan_of(rewrite(program), written=program)
    detector = Detector(plan, certificate=certify(plan))
    found = [match for event in sort_events(trace) for match in detector.push(event)]
    assert same_matches([*found, *detector.close()], matches(program, trace))


@given(programs(), POINTS, st.data())
def test_out_of_order_and_restarted_is_the_same(text: str, trace: list[Event], data: st.DataObject) -> None:
    program = parse(text)
    arrivals = data.draw(st.permutations(trace))
    cuts = data.draw(st.sets(st.integers(0, 6), max_size=3))
    found = RESTARTED.run(program, arrivals, disorder=7, cuts=sorted(cuts))
    assert not found.late
    assert same_matches(found.matches, matches(program, trace))
