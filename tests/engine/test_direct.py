"""Events that are taken directly: what is told, when and in which order is as the interpreter has it, at every push."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import cepheid as c
from cepheid.algebra.matches import Match
from cepheid.analysis import Plan, certify
from cepheid.engine import Detector
from cepheid.engine.direct import direct_gear
from cepheid.events import Event, point

CHOICES = ["all", "recent", "latest-start", "next", "chronological"]
Ties = Literal["simultaneous", "arrival"]
TIES: list[Ties] = ["simultaneous", "arrival"]
Kind = tuple[str, str, bool, Ties]
"""A choice, a form, whether events share a key, and how simultaneous events are told apart."""
KINDS = st.tuples(
    st.sampled_from(CHOICES),
    st.sampled_from(["two", "alike", "three", "both", "within", "suppressed", "apart"]),
    st.booleans(),
    st.sampled_from(TIES),
)
EVENTS = st.lists(
    st.tuples(st.sampled_from("ABCD"), st.integers(0, 2), st.integers(0, 1), st.integers(0, 2)), max_size=25
)
WHAT = st.lists(st.sampled_from(["push", "push", "push", "snapshot", "usage", "advance"]), min_size=25, max_size=25)


@cache
def plan_for(kind: Kind) -> Plan:
    choice, form, keyed, ties = kind
    a, b, last = c.event("A"), c.event("B"), c.event("C")
    if form == "alike":
        a, b = c.event("A", name="one"), c.event("A", "B", name="other")
    joined = (a & b) if form == "both" else a >> b
    pattern = joined.within("3 us")
    pattern = pattern.by("k") if keyed else pattern
    pattern = pattern if choice == "all" else pattern.choose(choice)
    pattern = pattern.where(b.v >= a.v) if form != "within" else pattern.within("2 us")
    if form == "three":
        pattern = (pattern >> last).within("5 us")
        pattern = pattern.by("k") if keyed else pattern
        pattern = pattern if choice == "all" else pattern.choose(choice)
    if form in ("suppressed", "apart"):
        pattern = pattern.suppress("2 us", by=a.v if form == "suppressed" else None)
    query = c.query(pattern, name="found", values={"v": a.v})
    return c.compile(query, ties=ties, allow_unbounded=True).plan


def events_of(drawn: Sequence[tuple[str, int, int, int]]) -> list[Event]:
    """Return events in order, each some ticks after the one before; some at the same time."""
    time, found = 0, []
    for number, (kind, later, key, value) in enumerate(drawn, 1):
        time += later
        found.append(point(kind, time, number, {"k": key, "v": value}))
    return found


def told(matches: Sequence[Match]) -> list[tuple[object, ...]]:
    return [(*match.content(), match.id, match.known) for match in matches]


@given(KINDS, EVENTS, WHAT)
@example(  # a state is written key by key, so that what is older may be taken up later
    ("all", "two", True, "simultaneous"),
    [("A", 0, 0, 0), ("A", 0, 1, 0), ("A", 2, 0, 0), ("A", 2, 0, 0)],
    ["push", "push", "snapshot", "usage"],
)
def test_each_push_tells_what_the_interpreter_tells(
    kind: Kind, drawn: list[tuple[str, int, int, int]], what: list[str]
) -> None:
    plan = plan_for(kind)
    certificate = certify(plan)
    quick = Detector(plan, certificate=certificate)
    slow = Detector(plan, certificate=certificate, direct=False)
    for event, also in zip(events_of(drawn), what, strict=False):
        assert told(quick.push(event)) == told(slow.push(event))
        if also == "snapshot":
            quick = Detector(plan, certificate=certificate, state=quick.snapshot())
        elif also == "usage":
            assert sum(one.used for one in quick.usage()) <= sum(one.used for one in slow.usage())
        elif also == "advance":
            assert told(quick.advance(event.end)) == told(slow.advance(event.end))
    assert told(quick.close()) == told(slow.close())


DISORDER = 3
ARRIVING = st.lists(
    st.tuples(st.sampled_from("ABCD"), st.integers(-2, 2), st.integers(0, 1), st.integers(0, 2)), max_size=25
)
NAMES = st.lists(st.integers(0, 40), min_size=25, max_size=25)


@given(KINDS, ARRIVING, WHAT, NAMES, st.sampled_from([0, DISORDER]))
def test_events_with_ids_that_come_in_disorder_are_taken_as_the_interpreter_takes_them(
    kind: Kind, drawn: list[tuple[str, int, int, int]], what: list[str], names: list[int], disorder: int
) -> None:
    """Some are late and some come twice: these are set aside in the same way."""
    plan = plan_for(kind)
    certificate = certify(plan, disorder)
    quick, slow = (
        Detector(plan, certificate=certificate, disorder=disorder, identified=True, direct=direct)
        for direct in (True, False)
    )
    time = 10
    for number, ((type_, later, key, value), also, name) in enumerate(zip(drawn, what, names, strict=False), 1):
        time += later
        event = replace(point(type_, time, f"e{name}", {"k": key, "v": value}), number=number)
        assert told(quick.push(event)) == told(slow.push(event))
        if also == "snapshot":
            state = quick.snapshot()
            quick = Detector(plan, certificate=certificate, disorder=disorder, identified=True, state=state)
        elif also == "usage":
            assert sum(one.used for one in quick.usage()) <= sum(one.used for one in slow.usage())
        elif also == "advance":
            assert told(quick.advance(time - disorder)) == told(slow.advance(time - disorder))
        assert quick.counts == slow.counts
    assert told(quick.close()) == told(slow.close())


@cache
def fed_plan(first: str, second: str, keyed: bool, ties: Ties) -> Plan:
    """Return two rules of which the second reads what the first emits, and a third one that reads both."""
    a, b, last, pair = c.event("A"), c.event("B"), c.event("C"), c.event("Pair")
    found = (a >> b).within("3 us")
    found = found.by("k") if keyed else found
    found = found if first in ("all", "suppressed") else found.choose(first)
    found = found.suppress("2 us", by=b.v) if first == "suppressed" else found
    more = (pair >> last).within("5 us")
    more = more if second in ("all", "suppressed") else more.choose(second)
    more = more.suppress("2 us", by=pair.k) if second == "suppressed" else more
    emits = c.query(found, name="pairs", emits="Pair", values={"v": b.v, "k": a.k})
    reads = c.query(more, name="more", emits="More", values={"v": pair.v, "w": last.v, "k": pair.k})
    other, whole = c.event("Pair", name="other"), c.event("More")
    both = c.query((other & whole).within("6 us").where(other.v <= whole.v), name="both", values={"w": whole.w})
    return c.compile(c.program(emits, reads, both), ties=ties, allow_unbounded=True).plan


FEEDING = [*CHOICES, "suppressed"]
FED = st.tuples(st.sampled_from(FEEDING), st.sampled_from(FEEDING), st.booleans(), st.just("simultaneous"))


@given(FED, ARRIVING, WHAT, st.sampled_from([0, 0, DISORDER]))
def test_rules_that_read_what_others_emit_are_told_of_it_in_the_same_push(
    kind: tuple[str, str, bool, Ties], drawn: list[tuple[str, int, int, int]], what: list[str], disorder: int
) -> None:
    plan = fed_plan(*kind)
    certificate = certify(plan, disorder)
    quick, slow = (
        Detector(plan, certificate=certificate, disorder=disorder, direct=direct) for direct in (True, False)
    )
    time = 10
    for number, ((type_, later, key, value), also) in enumerate(zip(drawn, what, strict=False), 1):
        time += later if disorder else abs(later)
        event = point(type_, time, number, {"k": key, "v": value})
        assert told(quick.push(event)) == told(slow.push(event))
        if also == "snapshot":
            quick = Detector(plan, certificate=certificate, disorder=disorder, state=quick.snapshot())
        elif also == "usage":
            assert sum(one.used for one in quick.usage()) <= sum(one.used for one in slow.usage())
        elif also == "advance":
            assert told(quick.advance(time - disorder)) == told(slow.advance(time - disorder))
    assert told(quick.close()) == told(slow.close())


@pytest.mark.parametrize("choice", FEEDING)
def test_rules_that_feed_rules_are_taken_directly(choice: str) -> None:
    assert direct_gear(fed_plan(choice, "all", False, "simultaneous"), None) is not None
    assert direct_gear(fed_plan("all", choice, False, "simultaneous"), None) is not None


@pytest.mark.parametrize("choice", CHOICES)
def test_a_sequence_is_taken_directly(choice: str) -> None:
    assert direct_gear(plan_for((choice, "three", False, "simultaneous")), None) is not None
    assert direct_gear(plan_for((choice, "two", False, "arrival")), None) is not None
    assert direct_gear(plan_for((choice, "suppressed", True, "simultaneous")), None) is not None
    assert direct_gear(plan_for((choice, "suppressed", False, "arrival")), None) is not None


def test_a_state_goes_from_one_to_the_other_and_back() -> None:
    plan = plan_for(("all", "two", True, "simultaneous"))
    first = Detector(plan)
    first.push(point("A", 1, 1, {"k": 1, "v": 1}))
    interpreted = Detector(plan, state=first.snapshot(), direct=False)
    again = Detector(plan, state=interpreted.snapshot())
    event = point("B", 2, 2, {"k": 1, "v": 1})
    assert told(first.push(event)) == told(interpreted.push(event)) == told(again.push(event)) != []


def test_what_cannot_be_counted_is_interpreted() -> None:
    detector = Detector(plan_for(("all", "two", True, "simultaneous")))
    detector.push(point("A", 1, "first", {"k": 1, "v": 1}))
    (match,) = detector.push(point("B", 2, "second", {"k": 1, "v": 1}))
    assert match.evidence == ("first", "second")
