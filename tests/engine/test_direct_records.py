"""Rules that count records and are taken directly: each push tells what the interpreter tells, and either can go on."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cepheid as c
from cepheid.algebra.matches import Match
from cepheid.analysis import Plan, certify
from cepheid.engine import Detector
from cepheid.engine.direct import direct_gear
from cepheid.events import Event, point
from cepheid.parts import EventPart, Part

Ties = Literal["simultaneous", "arrival"]
TIES: list[Ties] = ["simultaneous", "arrival"]
Form = Callable[[EventPart, EventPart, EventPart], Part]
FORMS: dict[str, Form] = {
    "two": lambda a, b, _: (a >> b).within(records=4),
    "both": lambda a, b, _: (a & b).within(records=3),
    "three": lambda a, b, last: (a >> b >> last).within(records=6),
    "three at once": lambda a, b, last: (a & b & last).within(records=5),
    "in time too": lambda a, b, last: ((a >> b).within("3 us") >> last).within(records=6),
    "windows in windows": lambda a, b, last: ((a & b).within(records=2) >> last).within(records=5),
    "filtered": lambda a, b, last: ((a >> b).where(b.v >= a.v) >> last).within(records=7).where(last.v >= b.v),
    "next to each other": lambda a, b, _: (a >> b).choose("strict"),
    "apart": lambda a, b, _: (a & b).relate(b.position - a.position >= 1, b.position - a.position <= 3),
    "far apart": lambda a, b, last: ((a >> b) & last).relate(b.position - a.position >= 3, last.position < b.position),
    "compared": lambda a, b, _: (a >> b).within(records=6).where((b.position - a.position) % 2 == 1),
    "without a limit": lambda a, b, _: (a >> b).within("4 us").where(b.position - a.position >= 2),
    "an event alone": lambda a, b, _: (a[a.position % 3 != 1] >> b).within(records=5),
}
Kind = tuple[str, bool, bool, bool, Ties]
"""A form, whether the first two are of the same types, whether they share a key, whether it is the rule's, and ties."""
KINDS = st.tuples(st.sampled_from(list(FORMS)), st.booleans(), st.booleans(), st.booleans(), st.sampled_from(TIES))
Drawn = tuple[str, int, int, int]
EVENTS = st.lists(
    st.tuples(st.sampled_from("AABBCD"), st.integers(0, 2), st.integers(0, 1), st.integers(0, 2)), max_size=25
)
WHAT = st.lists(
    st.sampled_from(["push", "push", "push", "snapshot", "change", "usage", "advance"]), min_size=25, max_size=25
)


@cache
def plan_for(kind: Kind, *others: str) -> Plan:
    form, alike, shared, keyed, ties = kind
    a, b, last = c.event("A"), c.event("B"), c.event("C")
    if alike:
        a, b = c.event("A", name="one"), c.event("A", "B", name="other")
    pattern = FORMS[form](a, b, last)
    pattern = pattern.where(a.k == b.k) if shared else pattern
    query = c.query(pattern.by("k") if keyed else pattern, name="found", values={"v": a.v})
    beside = [c.query(OTHERS[name], name=f"beside{number}") for number, name in enumerate(others)]
    return c.compile(c.program(query, *beside), ties=ties, allow_unbounded=True).plan


OTHERS = {
    "in time": (c.event("A") >> c.event("C")).within("4 us"),
    "chosen": (c.event("A") >> c.event("C")).within("4 us").choose("recent"),
    "told": (c.event("A") >> c.event("C")).within(records=5),
}


def events_of(drawn: Sequence[Drawn]) -> list[Event]:
    """Return events in order, each some ticks after the one before; some at the same time."""
    time, found = 0, []
    for number, (kind, later, key, value) in enumerate(drawn, 1):
        time += later
        found.append(point(kind, time, number, {"k": key, "v": value}))
    return found


def told(matches: Sequence[Match]) -> list[tuple[object, ...]]:
    return [(*match.content(), match.evidence, match.id, match.known) for match in matches]


class Both:
    """A detector that takes events directly, and one that does not; what they hold and tell is compared."""

    def __init__(self, plan: Plan, disorder: int = 0, *, identified: bool = False) -> None:
        self.plan, self.disorder, self.identified = plan, disorder, identified
        self.certificate = certify(plan, disorder)
        self.quick, self.slow = self.made(None, direct=True), self.made(None, direct=False)

    def made(self, state: bytes | None, *, direct: bool) -> Detector:
        return Detector(
            self.plan,
            state=state,
            certificate=self.certificate,
            disorder=self.disorder,
            identified=self.identified,
            direct=direct,
        )

    def push(self, event: Event, also: str) -> None:
        assert told(self.quick.push(event)) == told(self.slow.push(event))
        if also == "snapshot":
            self.quick = self.made(self.quick.snapshot(), direct=True)
        elif also == "change":  # either goes on from what the other one has written
            quick, slow = self.quick.snapshot(), self.slow.snapshot()
            self.quick, self.slow = self.made(slow, direct=True), self.made(quick, direct=False)
        elif also == "usage":
            used, promised = self.quick.usage(), self.slow.usage()
            assert [one.used for one in used] == [one.used for one in promised]
        elif also == "advance":
            assert told(self.quick.advance(event.end)) == told(self.slow.advance(event.end))
        assert self.quick.counts == self.slow.counts

    def close(self) -> None:
        assert told(self.quick.close()) == told(self.slow.close())


@given(KINDS, EVENTS, WHAT)
def test_each_push_tells_what_the_interpreter_tells(kind: Kind, drawn: list[Drawn], what: list[str]) -> None:
    both = Both(plan_for(kind))
    for event, also in zip(events_of(drawn), what, strict=False):
        both.push(event, also)
    both.close()


@given(KINDS, EVENTS, st.sampled_from(["push", "snapshot", "change", "usage", "advance"]))
def test_states_are_handed_over_at_every_event(kind: Kind, drawn: list[Drawn], also: str) -> None:
    both = Both(plan_for(kind))
    for event in events_of(drawn):
        both.push(event, also)
    both.close()


ARRIVING = st.lists(
    st.tuples(st.sampled_from("AABBCD"), st.integers(-2, 2), st.integers(0, 1), st.integers(0, 2)), max_size=25
)
NAMES = st.lists(st.integers(0, 40), min_size=25, max_size=25)


@given(KINDS, ARRIVING, WHAT, NAMES, st.sampled_from([0, 3]))
def test_records_that_come_in_disorder_have_the_positions_of_their_order(
    kind: Kind, drawn: list[Drawn], what: list[str], names: list[int], disorder: int
) -> None:
    """Some are late and some come twice: these have no position."""
    both, time = Both(plan_for(kind), disorder, identified=True), 10
    for number, ((type_, later, key, value), also, name) in enumerate(zip(drawn, what, names, strict=False), 1):
        time += later
        event = replace(point(type_, time, f"e{name}", {"k": key, "v": value}), number=number)
        both.push(event, "push" if also == "advance" else also)
    both.close()


@given(KINDS, EVENTS, WHAT, st.lists(st.sampled_from(list(OTHERS)), min_size=1, max_size=2, unique=True))
def test_rules_beside_them_are_told_as_before(
    kind: Kind, drawn: list[Drawn], what: list[str], others: list[str]
) -> None:
    both = Both(plan_for(kind, *others))
    for event, also in zip(events_of(drawn), what, strict=False):
        both.push(event, also)
    both.close()


@given(KINDS, EVENTS, st.lists(st.integers(0, 9), min_size=25, max_size=25))
def test_simultaneous_records_stand_in_the_order_of_their_ids(kind: Kind, drawn: list[Drawn], names: list[int]) -> None:
    """Numbers that users give may fall, and come twice."""
    both = Both(plan_for((*kind[:4], "simultaneous")))
    for event, name in zip(events_of(drawn), names, strict=False):
        both.push(replace(event, id=name), "push")
    both.close()


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_rules_that_count_records_are_taken_directly(form: str, keyed: bool, ties: Ties) -> None:
    assert direct_gear(plan_for((form, False, False, keyed, ties)), None) is not None
    assert direct_gear(plan_for((form, False, False, keyed, ties), "in time", "told"), None) is not None


@pytest.mark.parametrize("ties", TIES)
def test_what_has_been_interpreted_is_taken_directly_again(ties: Ties) -> None:
    detector = Detector(plan_for(("two", False, False, False, ties)))
    for time in range(4):
        detector.push(point("A", time, time, {"k": 1, "v": 1}))
        detector.usage()
    for time in range(4, 20):
        detector.push(point("D", time, time))
    assert detector._gears is not None
    assert detector._gears.direct is not None


def test_positions_are_told_where_there_is_no_key() -> None:
    a, b = c.event("A"), c.event("B")
    query = c.query((a >> b).within(records=3), name="found", values={"first": a.position, "last": b.position})
    both = Both(c.compile(query).plan)
    assert direct_gear(both.plan, None) is not None
    for number, kind in enumerate("DADBAABB"):
        both.push(point(kind, number, number), "usage" if number == 4 else "snapshot")
    both.close()
