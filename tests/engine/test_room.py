"""A source waits while there is no room for its event, and then goes on as if it had come later: nothing is lost."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.programs import Program
from cepheid.analysis import certify, plan_of
from cepheid.diagnostics import CepheidError
from cepheid.engine import Detector, Excess, Limits, Wait, fed
from cepheid.events import Event, point
from cepheid.languages.cep import read_program
from tests.engine.steps import content, defined

PAIR = """
stream A rate 1 per 10 sources (left)
stream B rate 1 per 10 sources (right)
rule r: a: A and b: B on a.k == b.k relation 0 <= end(b) - end(a) <= 30 emits R
"""
ABSENCE = """
stream A rate 1 per 10 sources (left)
stream B rate 1 per 10 sources (right)
rule r: a: A unless b: B relation 0 <= end($absent) - end($pattern) <= 30 emits R
"""
SHARED = """
stream A rate 2 per 10 sources (left, right)
rule r: a: A and b: A on a.k == b.k relation 1 <= end(b) - end(a) <= 30 emits R
"""
CHAINED = """
stream A rate 1 per 10 sources (left)
stream B rate 1 per 10 sources (right)
rule s: a: A emits S
rule r: a: S unless b: B relation 0 <= end($absent) - end($pattern) <= 20 emits R
"""
PROGRAMS = (PAIR, ABSENCE, SHARED, CHAINED)


def waiting(text: str, limits: Limits | None = None, disorder: int = 0) -> Detector:
    plan = plan_of(read_program(text))
    certificate = certify(plan, disorder)
    return Detector(plan, certificate=certificate, on_excess=Excess.WAIT, limits=limits, disorder=disorder)


def events(name: str, times: Sequence[int]) -> list[Event]:
    return [point(name, time, f"{name}{time}", {"k": 0}) for time in times]


def pushed(detector: Detector, some: Sequence[Event], source: str) -> int:
    """Push events until one has to wait, and return how many were taken."""
    for number, event in enumerate(some):
        try:
            detector.push(event, source)
        except Wait:
            return number
    return len(some)


def test_a_source_runs_ahead_until_the_history_is_full() -> None:
    detector = waiting(PAIR)
    detector.advance(0, "right")
    assert pushed(detector, events("A", range(0, 90, 10)), "left") == 4
    assert [one.used for one in detector.usage()][2] == 4


def test_what_had_to_wait_is_taken_when_the_other_source_has_come_further() -> None:
    detector = waiting(PAIR)
    detector.advance(0, "right")
    late = events("A", [40])[0]
    pushed(detector, events("A", range(0, 40, 10)), "left")
    for _ in range(3):
        with pytest.raises(Wait):
            detector.push(late, "left")
    detector.advance(31, "right")
    assert detector.push(late, "left") == []
    assert sorted(match.evidence for match in detector.push(events("B", [40])[0], "right")) == [
        ("A10", "B40"),
        ("A20", "B40"),
        ("A30", "B40"),
        ("A40", "B40"),
    ]


def test_a_source_that_waits_has_come_as_far_as_its_event_says() -> None:
    detector = waiting(SHARED)
    with pytest.raises(Wait):
        detector.push(events("A", [50])[0], "left")
    assert detector.clock("left") == 50
    assert pushed(detector, events("A", [40, 50]), "right") == 2


def test_where_more_than_events_is_held_a_source_stays_in_step() -> None:
    for text in (ABSENCE, CHAINED):
        detector = waiting(text)
        detector.advance(0, "right")
        assert pushed(detector, events("A", [0, 10]), "left") == 1
        detector.advance(10, "right")
        assert pushed(detector, events("A", [10, 20]), "left") == 1


def test_a_source_that_has_ended_keeps_nobody_waiting() -> None:
    detector = waiting(ABSENCE)
    detector.end("right")
    assert pushed(detector, events("A", range(0, 90, 10)), "left") == 9
    assert detector.close() == []


def test_with_less_room_an_event_waits_though_all_are_in_step() -> None:
    detector = waiting(SHARED, limits={("r", "a"): 2})
    detector.end("right")
    assert pushed(detector, events("A", [0, 5, 10, 15]), "left") == 2
    with pytest.raises(Wait) as raised:
        detector.push(events("A", [10])[0], "left")
    assert str(raised.value) == (
        "error[history-full]: there is no capacity for `A`: `a` of rule `r` holds at most 2 entries\n"
        "  = note: 2 wait there\n"
        "  = hint: push it again after `advance(time, source='left')`"
    )


def test_less_room_can_also_be_an_error_or_a_warning() -> None:
    plan = plan_of(read_program(SHARED))
    for policy, taken in ((Excess.FAIL, 2), (Excess.WARN, 4)):
        detector = Detector(plan, certificate=certify(plan), on_excess=policy, limits={("r", "a"): 2})
        detector.end("right")
        for event in events("A", [0, 5, 10, 15])[:taken]:
            detector.push(event, "left")
        warnings = [warning.code for warning in detector.premises.warnings.values()]
        assert warnings == ["history-full"] * (policy is Excess.WARN)
    detector = Detector(plan, certificate=certify(plan), on_excess=Excess.FAIL, limits={("r", "a"): 0})
    detector.end("right")
    with pytest.raises(CepheidError, match="there is no capacity for `A`") as raised:
        detector.push(events("A", [0])[0], "left")
    assert not isinstance(raised.value, Wait)


def test_events_that_a_history_does_not_take_need_no_room() -> None:
    text = "stream A rate 1 per 1\nrule r: a: A[k == 1] then b: A[k == 1] within 30 emits R"
    detector = waiting(text, limits={("r", "a"): 1})
    one, other = point("A", 1, 1, {"k": 1}), point("A", 2, 2, {"k": 0})
    detector.push(one)
    assert detector.push(other) == []
    with pytest.raises(Wait):
        detector.push(point("A", 3, 3, {"k": 1}))


def test_nobody_waits_where_nothing_is_declared() -> None:
    text = "stream A sources (left)\nstream B sources (right)\nrule r: a: A then b: B within 30 emits R"
    assert pushed(waiting(text), events("A", range(100)), "left") == 100


def test_limits_name_histories_that_there_are() -> None:
    with pytest.raises(CepheidError) as raised:
        waiting(SHARED, limits={("r", "aa"): 2})
    assert str(raised.value) == (
        "error[unknown-part]: rule `r` has no history of events called `aa`\n  = hint: did you mean `a`?"
    )


@st.composite
def sources(draw: st.DrawFn) -> tuple[str, Program, dict[str, list[Event]], int]:
    """A program, and for each of its sources events that keep to the rates, out of order as much as is allowed."""
    text, disorder = draw(st.sampled_from(PROGRAMS)), draw(st.sampled_from([0, 0, 7]))
    program = read_program(text)
    streams = tuple(replace(stream, disorder=disorder) for stream in program.streams)
    given: dict[str, list[Event]] = {"left": [], "right": []}
    for stream in streams:
        steps = draw(st.lists(st.sampled_from([10, 10, 11, 15, 40]), max_size=8))
        times = [sum(steps[:number]) for number in range(len(steps))]
        for time in times:
            key = {"k": draw(st.integers(0, 1))}
            given[draw(st.sampled_from(stream.sources))].append(point(stream.name, time, f"{stream.name}{time}", key))
    late = {name: [draw(st.integers(0, disorder)) for _ in some] for name, some in given.items()}
    for name, some in given.items():
        order = sorted(zip(some, late[name], strict=True), key=lambda one: one[0].end + one[1])
        given[name] = [event for event, _ in order]
    return text, replace(program, streams=streams), given, disorder


@given(sources())
def test_sources_that_are_read_as_fast_as_there_is_room_lose_nothing_and_fit(
    situation: tuple[str, Program, dict[str, list[Event]], int],
) -> None:
    _, program, given_events, disorder = situation
    plan = plan_of(program)
    detector = Detector(plan, certificate=certify(plan, disorder), on_excess=Excess.WAIT)
    found = list(fed(detector, given_events))
    every = [event for some in given_events.values() for event in some]
    assert content(found) == defined(program, every)
    assert not detector.late


@given(sources(), st.lists(st.booleans(), max_size=60))
def test_sources_that_run_ahead_as_far_as_they_may_fit_too(
    situation: tuple[str, Program, dict[str, list[Event]], int], first: list[bool]
) -> None:
    _, program, given_events, disorder = situation
    plan = plan_of(program)
    detector = Detector(plan, certificate=certify(plan, disorder), on_excess=Excess.WAIT)
    left = {name: list(some) for name, some in given_events.items()}
    found = []
    # Any source may try at any time; what is promised is checked after every turn, however far apart they are.
    for is_left in first:
        name = "left" if is_left else "right"
        if left[name]:
            try:
                found += detector.push(left[name][0], name)
                left[name].pop(0)
            except Wait:
                continue
    found += list(fed(detector, left))
    every = [event for some in given_events.values() for event in some]
    assert content(found) == defined(program, every)


def test_what_pipes_read_stays_in_step() -> None:
    detector = waiting(PAIR + "pipe it = source A")
    detector.advance(0, "right")
    assert pushed(detector, events("A", [0, 10]), "left") == 1
    detector.advance(10, "right")
    assert pushed(detector, events("A", [10, 20]), "left") == 1
