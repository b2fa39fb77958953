"""Pipes at work give what their definition says, value by value, and go on after a stop."""

from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.pipe_semantics import Timed, trace_of
from cepheid.algebra.pipes import INPUT, Detect, Map, Pipe, Source
from cepheid.algebra.programs import Program
from cepheid.analysis.plans.planner import plan_of
from cepheid.engine import Detector
from cepheid.engine.pipes import Feed, Processor, processor_of
from cepheid.engine.state.state_codec import decode, encode
from cepheid.events import Event, Value, sort_events
from tests.algebra.pipes.pipe_strategies import FIRST, PIPES, SECOND, Trace, call, timed, traces
from tests.algebra.pipes.test_history_laws import RULES, STREAMS, histories

SOURCES: st.SearchStrategy[Pipe] = st.one_of(
    st.builds(Source, stream=st.sampled_from(STREAMS)), st.builds(Detect, rule=st.sampled_from(["ab", "bc", "ac"]))
)


def _fed(processor: Processor, trace: Trace) -> list[Timed]:
    return [given for item in trace for given in processor.turn(Feed({INPUT: [item]}))]


@given(PIPES, traces())
def test_a_processor_gives_value_by_value_what_the_pipe_means(pipe: Pipe, trace: Trace) -> None:
    assert _fed(processor_of(pipe), trace) == timed(pipe, trace)


@given(PIPES, traces(), st.integers(0, 7))
def test_a_processor_goes_on_from_its_state(pipe: Pipe, trace: Trace, cut: int) -> None:
    first = processor_of(pipe)
    before = _fed(first, trace[:cut])
    second = processor_of(pipe)
    second.restore(decode(encode(first.state())))
    assert before + _fed(second, trace[cut:]) == timed(pipe, trace)


def _taken(program: Program, events: list[Event], restarts: bool) -> list[Value]:
    plan = plan_of(program, intervals=True)
    detector = Detector(plan)
    found: list[Value] = []
    for event in events:
        detector.push(event)
        found += detector.take("it")
        if restarts:
            detector = Detector(plan, state=detector.snapshot())
    detector.close()
    return found + detector.take("it")


@given(histories(), SOURCES, SOURCES, st.booleans())
def test_a_pipe_over_streams_and_rules_gives_what_it_means(
    events: list[Event], one: Pipe, other: Pipe, restarts: bool
) -> None:
    program = Program(RULES, pipes={"it": Map((one, other), call("list", FIRST, SECOND))})
    assert _taken(program, sort_events(events), restarts) == trace_of(program, "it", events)


def test_what_was_taken_is_not_given_again() -> None:
    program = Program(pipes={"it": Source(stream="a")})
    detector = Detector(plan_of(program))
    detector.push(Event("a", 1, 1, 1, {"v": 5}))
    detector.advance(2)
    assert detector.take("it") == [{"v": 5}]
    assert detector.take("it") == []
