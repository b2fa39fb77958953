"""Several sources: however their events and heartbeats come together, what is found is that of one sorted stream."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.pipes import Source
from cepheid.algebra.programs import Program, Stream
from cepheid.analysis.plans.planner import plan_of
from cepheid.diagnostics import CepheidError
from cepheid.engine import Detector
from cepheid.events import point
from cepheid.languages.cep import read_program
from cepheid.testing import Case
from cepheid.testing.cases import TYPES, Draw, draw_case, random_disordered
from cepheid.testing.strategies import drawn
from tests.engine.steps import Step, all_of, content, defined, run, with_heartbeats

SOURCES = ("left", "right", "silent")


def _interleaved(draw: Draw, several: list[list[Step]]) -> list[Step]:
    """Return the steps of several sources as one list, those of each in their order."""
    left = [list(reversed(steps)) for steps in several if steps]
    steps = []
    while left:
        chosen = draw.pick(left)
        steps.append(chosen.pop())
        left = [some for some in left if some]
    return steps


def _case_of_several_sources(draw: Draw) -> tuple[Case, list[Step]]:
    case = draw_case(draw)
    streams = tuple(Stream(name, sources=tuple(draw.some(SOURCES, 1, 2))) for name in TYPES)
    program = replace(case.program, streams=streams)
    by_source: dict[str, list[Step]] = {}
    places = {stream.name: stream.sources for stream in streams}
    given = [(draw.pick(places[event.type]), event) for event in case.trace]
    for source in SOURCES:
        events = random_disordered(draw, [event for its, event in given if its == source], case.disorder)
        by_source[source] = with_heartbeats(draw, program, events, source)
    return replace(case, program=program), _interleaved(draw, list(by_source.values()))


CASES = drawn(_case_of_several_sources)


@given(CASES, st.booleans())
def test_several_sources_are_as_good_as_one(situation: tuple[Case, list[Step]], restarts: bool) -> None:
    case, steps = situation
    told = run(case.program, steps, disorder=case.disorder, restarts=restarts)
    assert content(all_of(told)) == defined(case.program, case.trace)


@given(CASES)
def test_a_match_of_several_sources_is_told_no_later_than_it_is_known(situation: tuple[Case, list[Step]]) -> None:
    case, steps = situation
    for told in run(case.program, steps, disorder=case.disorder):
        for match in told.matches:
            news = not told.seen.issuperset(match.evidence)
            assert news or match.known is None or told.frontier < match.known


def test_an_event_that_another_source_should_bring_is_refused() -> None:
    program = read_program("stream a sources (left)\nstream b sources (left, right)\nrule r: a then b emits r")
    detector = Detector(plan_of(program))
    with pytest.raises(CepheidError) as refused:
        detector.push(point("a", 1, 1), source="right")
    assert str(refused.value) == (
        "error[unknown-source]: `a` comes from `left`, not from `right`\n"
        "  = note: a source promises nothing about events that others bring, so they would have no frontier\n"
        "  = hint: push(event, source='left')"
    )


def test_events_of_types_that_nobody_declared_come_from_the_source_without_a_name() -> None:
    program = read_program("stream a sources (left)\nrule r: a then b emits r")
    with pytest.raises(CepheidError, match="`b` comes from the source without a name, not from `left`"):
        Detector(plan_of(program)).push(point("b", 1, 1), source="left")


def test_a_pipe_may_read_what_nobody_declared() -> None:
    program = Program(streams=(Stream("a", sources=("left",)),), pipes={"it": Source(stream="b")})
    detector = Detector(plan_of(program), disorder=5)
    for time in (3, 1):
        detector.push(point("b", time, time, {"v": time}))
    assert detector.take("it") == []
    detector.close()
    assert detector.take("it") == [{"v": 1}, {"v": 3}]


def test_sources_may_use_the_same_ids() -> None:
    program = read_program(
        "stream a sources (left, right)\nrule r: x: a and y: a choose strict emits r\npipe it = source a"
    )
    detector = Detector(plan_of(program), identified=True)
    for source in ("left", "right"):
        detector.push(point("a", 1, 1), source=source)
    assert [(match.start, match.end) for match in detector.close()] == [(1, 1)]
    assert detector.take("it") == [{}, {}]


def test_an_absence_is_told_when_its_own_stream_has_passed_whatever_the_others_do() -> None:
    program = read_program(
        "stream a sources (left)\nstream b sources (right)\n"
        "rule r: a unless b relation 0 <= end($absent) - end($pattern) <= 4 emits r"
    )
    detector = Detector(plan_of(program))
    detector.push(point("a", 1, 1), source="left")
    assert detector.advance(5, source="right") == []
    assert [match.evidence for match in detector.advance(6, source="right")] == [(1,)]
    detector.push(point("a", 8, 2), source="left")
    assert [match.evidence for match in detector.end("right")] == [(2,)]
    assert detector.close() == []


def test_what_waits_for_nothing_is_held_by_no_silent_source() -> None:
    program = read_program("stream a sources (left)\nstream b sources (right)\nrule r: a and b within 4 emits r")
    detector = Detector(plan_of(program))
    detector.push(point("a", 1, 1), source="left")
    assert [match.evidence for match in detector.push(point("b", 3, 2), source="right")] == [(1, 2)]


def test_an_absence_beside_what_is_dated_back_is_told_when_its_own_stream_has_passed() -> None:
    program = read_program(
        "rule s: x: a and y: c within 50 emits s from start($pattern) to start($pattern)\n"
        "rule r: s unless b relation 0 <= end($absent) - end($pattern) <= 4 emits r"
    )
    detector = Detector(plan_of(program))
    told = [detector.push(point(name, time, time)) for name, time in (("a", 1), ("c", 2), ("x", 5), ("b", 6))]
    assert [[match.name for match in found] for found in told] == [[], ["s"], [], ["r"]]
