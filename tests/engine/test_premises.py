"""Declared rates are watched: too fast is too fast in any order of arrival, and the policy says what happens then."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.programs import Arrival, Program, Stream
from cepheid.analysis import certify, plan_of
from cepheid.diagnostics import CepheidError, draw
from cepheid.engine import Detector, Excess, Wait
from cepheid.engine.limits.premises import Premises
from cepheid.events import point
from tests.analysis.queries import program

RATES = st.builds(Arrival, st.integers(1, 3), st.integers(1, 6), st.booleans())
PAIR = ("stream A rate 2 per 10", "a: A then b: A within 20")


def keeps_to(arrival: Arrival, times: list[int]) -> bool:
    """The definition: at most so many in any half-open span, or so far apart."""
    ends = sorted(times)
    if arrival.spaced:
        return all((later - earlier) * arrival.count >= arrival.per for earlier, later in pairwise(ends))
    return all(sum(first <= time < first + arrival.per for time in ends) <= arrival.count for first in ends)


def is_admitted(arrival: Arrival, times: list[int], disorder: int) -> bool:
    premises = Premises(Program(streams=(Stream("A", arrival),)), Excess.WARN, None, frozenset())
    newest = 0
    for number, time in enumerate(times):
        premises.admit(point("A", time, number), newest - disorder)
        newest = max(newest, time)
    return premises.hold


@given(RATES, st.lists(st.integers(0, 12), max_size=9).map(sorted))
def test_events_in_order_are_too_fast_exactly_where_the_rate_is_exceeded(arrival: Arrival, times: list[int]) -> None:
    assert is_admitted(arrival, times, 0) == keeps_to(arrival, times)


@given(RATES, st.lists(st.integers(0, 12), max_size=9))
def test_events_in_any_order_are_too_fast_where_the_rate_is_exceeded(arrival: Arrival, times: list[int]) -> None:
    assert is_admitted(arrival, times, 12) == keeps_to(arrival, times)


def push(detector: Detector, *times: int) -> None:
    for time in times:
        detector.push(point("A", time, time))


def test_an_event_that_must_wait_is_not_taken() -> None:
    detector = Detector(plan_of(program(*PAIR)), on_excess=Excess.WAIT)
    push(detector, 0, 1)
    with pytest.raises(Wait):
        push(detector, 2)
    assert [match.end for match in detector.push(point("A", 11, 11))] == [11, 11]
    assert detector.premises.hold


def test_a_warning_is_kept_once_for_each_type_and_counted() -> None:
    detector = Detector(plan_of(program(*PAIR)))
    push(detector, 0, 1, 2, 3)
    assert detector.premises.exceeded == {"A": 2}
    [warning] = detector.premises.warnings.values()
    assert draw(warning).splitlines() == [
        "warning[rate-exceeded]: more than 2 `A` events come within 10 us",
        "  = note: the bounds of this query were proved for what is declared",
        "  = hint: declare how fast they come, for example `stream A rate 4 per 10 us`",
    ]


def test_where_it_fails_the_message_says_what_to_declare() -> None:
    detector = Detector(plan_of(program("stream A rate 1 per 10 spaced", PAIR[1])), on_excess=Excess.FAIL)
    push(detector, 0)
    with pytest.raises(CepheidError) as raised:
        push(detector, 7)
    assert str(raised.value).splitlines() == [
        "error[rate-exceeded]: two `A` events are closer than the 10 us that are declared",
        "  = note: the bounds of this query were proved for what is declared",
        "  = hint: declare how close they come, for example `stream A rate 2 per 10 us spaced`",
    ]


def test_late_and_duplicate_events_do_not_count() -> None:
    detector = Detector(plan_of(program(*PAIR)), identified=True, on_excess=Excess.FAIL)
    push(detector, 5, 6, 6, 1)
    assert detector.premises.hold


def test_keys_are_counted_where_a_bound_rests_on_them() -> None:
    query = ("stream A keys 2", "a: A then b: B on a.user == b.user choose recent")
    plan = plan_of(program(*query))
    detector = Detector(plan, certificate=certify(plan), on_excess=Excess.FAIL)
    for number, user in enumerate(("ann", "bob", "ann", None)):
        detector.push(point("A", number, number, {"user": user}))
    with pytest.raises(CepheidError, match="`A` events have more than 2 values of `user`"):
        detector.push(point("A", 9, 9, {"user": "cid"}))


def test_recent_events_are_part_of_the_state() -> None:
    plan = plan_of(program(*PAIR))
    detector = Detector(plan)
    push(detector, 0, 1)
    again = Detector(plan, state=detector.snapshot(), on_excess=Excess.FAIL)
    with pytest.raises(CepheidError, match="rate-exceeded"):
        push(again, 2)


def test_a_type_that_nobody_declared_matters_only_where_all_events_count() -> None:
    plain, counting = (
        Detector(plan_of(program(*PAIR))),
        Detector(plan_of(program(PAIR[0], "a: A then b: A within 3 records"))),
    )
    for detector in (plain, counting):
        detector.push(point("X", 0, 0))
    assert (plain.premises.hold, counting.premises.hold) == (True, False)


@given(
    st.lists(st.integers(min_value=0, max_value=60), max_size=12),
    st.integers(min_value=1, max_value=3),
    st.booleans(),
    st.integers(min_value=0, max_value=12),
)
def test_many_events_at_once_hold_what_was_declared_only_where_each_does(
    ends: list[int], count: int, spaced: bool, first: int
) -> None:
    declared = program(f"stream A rate {count} per 10{' spaced' if spaced else ''}", "a: A then b: B within 5")
    at_once, singly = (Premises(declared, Excess.WARN, None, frozenset()) for _ in range(2))
    for end in ends[:first]:
        at_once.admit(point("A", end, end), 0)
        singly.admit(point("A", end, end), 0)
    holds, before = at_once.hold_for({"A": ends[first:]}), singly.exceeded.total()
    for end in ends[first:]:
        singly.admit(point("A", end, end), 0)
    if holds:
        at_once.note({"A": ends[first:]}, 0)
        assert singly.exceeded.total() == before
        assert at_once.state() == singly.state()
    elif not before:
        assert singly.exceeded.total() > 0
