"""Matches that are not complete are told as data: what was found of them, what is missing, and how far they are."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.matches import Match
from cepheid.algebra.programs import Program
from cepheid.analysis import plan_of
from cepheid.engine import Detector, Progress, progress
from cepheid.events import Event, sort_events
from cepheid.rewrites import rewrite
from cepheid.testing import trace
from tests.properties.traces import traces
from tests.queries import read_query

Told = list[tuple[float, dict[str, tuple[int | str, ...]], tuple[str, ...]]]


def detector_of(program: Program) -> Detector:
    return Detector(plan_of(rewrite(program), written=program))


def asked(query: str, events: str, language: str = "etalis") -> tuple[Progress, ...]:
    detector = detector_of(read_query(query, language))
    for event in trace(events):
        detector.push(event)
        detector.advance(event.end + 1)  # what chooses sees an instant when it is complete
    return progress(detector)


def told(query: str, events: str) -> Told:
    return [(round(one.share, 2), dict(one.found), one.missing) for one in asked(query, events)]


@pytest.mark.parametrize("policy", ["unrestricted", "recent", "chronological"])
def test_a_sequence_comes_closer_with_each_event(policy: str) -> None:
    query = f"policy {policy}. e <- a SEQ b SEQ c."
    assert told(query, "1 a") == [(0.33, {"a": (1,)}, ("`b`", "`c`"))]
    assert told(query, "1 a, 2 b")[0] == (0.67, {"a": (1,), "b": (2,)}, ("`c`",))


def test_what_does_not_fit_together_is_not_together() -> None:
    found = told("e(X) <- a(X) AND b(X) AND c(X).", "1 a{arg1: 1}, 2 b{arg1: 2}, 3 b{arg1: 1}")
    assert [(share, sorted(parts)) for share, parts, _ in found] == [
        (0.67, ["a", "b"]),
        (0.33, ["a"]),
        (0.33, ["b"]),
        (0.33, ["b"]),
    ]


def test_what_cannot_be_completed_is_not_told() -> None:
    assert told("e <- (a SEQ b).3.", "1 a, 5 x, 6 a") == [(0.5, {"a": (3,)}, ("`b`",))]
    assert told("e <- a SEQ b.", "1 b") == []


def test_that_something_is_absent_is_a_step() -> None:
    assert told("e <- NOT(c).[a, b].", "1 a") == [(0.33, {"a": (1,)}, ("`b`", "no `c`"))]
    waiting = asked("rule quiet: a unless b relation 1 us <= start(b) - end(a) <= 5 us emits Quiet", "1 a", "")
    assert [(one.rule, one.share, one.missing) for one in waiting] == [("quiet", 0.5, ("no `b`",))]


def test_of_a_repetition_the_items_count() -> None:
    [two, *_] = told("e <- (ntimes(a, 3)).9.", "1 a, 2 a")
    assert two == (0.67, {"run": (1, 2)}, ("`a`",))
    assert told("e <- (star(a)).9 policy recent.", "1 a, 2 a") == [
        (0.5, {"run": (1, 2)}, ("the end of the run of `a`",))
    ]


def test_of_alternatives_that_counts_of_which_something_was_found() -> None:
    query = "e <- ((a AND b) OR c) AND d."
    assert told(query, "1 a") == [(0.33, {"a": (1,)}, ("`b`", "`d`"))]
    assert told(query, "1 d") == [(0.5, {"d": (1,)}, ("`a` and `b` or `c`",))]


def test_the_rest_of_a_derived_event_is_in_the_ids() -> None:
    found = asked("pair <- a SEQ b. e <- pair SEQ c.", "1 a, 2 b")
    assert [(one.found, one.missing) for one in found if one.rule == "e"] == [({"pair": (1, 2)}, ("`c`",))]


def test_only_as_many_are_put_together_as_are_asked_for() -> None:
    detector = detector_of(read_query("e <- a AND b AND c.", "etalis"))
    for event in trace(", ".join(f"{time} a, {time} b" for time in range(40))):
        detector.push(event)
    assert len(progress(detector, "e", most=50)) == 50
    assert progress(detector, "f") == ()


PATTERNS = st.lists(st.sampled_from(["SEQ", "AND"]), min_size=1, max_size=3).map(
    lambda operators: "a" + "".join(f" {operator} {kind}" for operator, kind in zip(operators, "bcd", strict=False))
)


def _ids(one: Progress | Match) -> frozenset[int | str]:
    if isinstance(one, Match):
        return frozenset(one.evidence)
    return frozenset(event_id for ids in one.found.values() for event_id in ids)


def _completed(events: Sequence[Event], detector: Detector) -> list[Match]:
    return [match for event in events for match in detector.push(event)] + detector.close()


@given(PATTERNS, traces(types="abcd"), st.integers(0, 7))
def test_every_match_was_told_before_it_was_complete(pattern: str, trace: list[Event], cut: int) -> None:
    detector, events = detector_of(read_query(f"e <- {pattern}.", "etalis")), sort_events(trace)
    for event in events[:cut]:
        detector.push(event)
    before, seen = [_ids(one) for one in progress(detector)], {event.id for event in events[:cut]}
    for match in _completed(events[cut:], detector):
        there = _ids(match) & seen
        assert not there or there == _ids(match) or there in before
