"""Time: simultaneous events are alike to all that speaks of time, and nothing depends on when the world began."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from random import Random
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.expressions import Call, Literal
from cepheid.algebra.instances import Instance
from cepheid.algebra.patterns import Atom, Instant, Join, Pattern
from cepheid.algebra.semantics import instances
from cepheid.events import Event, EventId, point
from cepheid.testing.cases import Kind, Shape
from cepheid.testing.strategies import patterns
from cepheid.testing.strategies import traces as any_traces
from tests.properties.event_algebra_lowering import Part, join_with_absences, rules
from tests.properties.interval_lowering import INTERVAL_TERMS, IntervalTerm, by_nodes
from tests.properties.results import Found, in_order, whole
from tests.properties.traces import KEYED, traces

TIMELESS = Shape(depth=2, kinds=frozenset(Kind) - {Kind.INSTANT}, filters=0)


def renamed(trace: list[Event], random: Random) -> dict[EventId, EventId]:
    """Return other ids for the events: simultaneous ones have theirs exchanged."""
    names: dict[EventId, EventId] = {}
    for time in {event.end for event in trace}:
        there = [event.id for event in trace if event.end == time]
        names |= dict(zip(there, random.sample(there, len(there)), strict=True))
    return names


def with_names(trace: list[Event], names: dict[EventId, EventId]) -> list[Event]:
    return [replace(event, id=names[event.id], support=(names[event.id],)) for event in trace]


def back(found: Found, names: dict[EventId, EventId]) -> Found:
    return in_order((start, end, frozenset(names[one] for one in support)) for start, end, support in found)


@given(INTERVAL_TERMS, traces(longest=2), st.randoms(use_true_random=False))
def test_simultaneous_events_are_not_told_apart_by_operators(
    term: IntervalTerm, trace: list[Event], random: Random
) -> None:
    names, pattern = renamed(trace, random), by_nodes(term)
    assert back(whole(instances(pattern, trace)), names) == whole(instances(pattern, with_names(trace, names)))


@given(rules(), traces(fields=KEYED), st.randoms(use_true_random=False))
def test_simultaneous_events_are_not_told_apart_by_rules(parts: list[Part], trace: list[Event], random: Random) -> None:
    names, pattern = renamed(trace, random), join_with_absences(parts, False)
    assert back(whole(instances(pattern, trace)), names) == whole(instances(pattern, with_names(trace, names)))


def later(trace: Iterable[Event], by: int) -> list[Event]:
    return [replace(event, start=event.start + by, end=event.end + by) for event in trace]


def told(found: Iterable[Instance], later_by: int = 0) -> Counter[tuple[object, ...]]:
    return Counter(
        (one.start - later_by, one.end - later_by, one.low, one.high, one.identity, one.support) for one in found
    )


@given(patterns(TIMELESS), any_traces(least=4, most=8), st.sampled_from([-1000, 7, 1_700_000_000_000_000]))
def test_the_same_events_later_have_the_same_matches_later(pattern: Pattern, trace: list[Event], by: int) -> None:
    assert told(instances(pattern, later(trace, by)), by) == told(instances(pattern, trace))


@given(traces(longest=2), st.integers(1, 4), st.integers(-5, 5))
def test_a_schedule_ticks_from_the_first_end_to_the_last(trace: list[Event], period: int, offset: int) -> None:
    schedule = Call("every", (Literal(period), Literal(offset)))
    first = min((event.end for event in trace), default=0)
    last = max((event.end for event in trace), default=-1)
    expected = [time for time in range(first, last + 1) if time % period == offset % period]
    assert [one.start for one in instances(Instant("t", schedule), trace)] == expected


HOUR = 3_600_000_000
YEARS = st.integers(1_500_000_000_000_000, 1_800_000_000_000_000)
ZONES = st.sampled_from(["UTC", "Europe/Brussels", "America/New_York", "Asia/Kathmandu"])


@given(YEARS, st.integers(0, 60), st.sampled_from(["00:00", "12:30", "17:00"]), ZONES, st.booleans())
def test_a_calendar_follows_the_clocks_of_its_zone(first: int, days: int, clock: str, zone: str, weekly: bool) -> None:
    last = first + days * 24 * HOUR
    day = ("wed",) if weekly else ()
    schedule = Call("weekly" if weekly else "daily", tuple(Literal(one) for one in (*day, clock, zone)))
    times = [one.start for one in instances(Instant("t", schedule), [point("a", first, 1), point("a", last, 2)])]
    shown = [datetime.fromtimestamp(time // 1_000_000, ZoneInfo(zone)) for time in times]
    assert all(moment.strftime("%H:%M") == clock and (not weekly or moment.weekday() == 2) for moment in shown)
    longest = (7 * 24 if weekly else 24) * HOUR + HOUR
    assert all(0 < later - earlier <= longest for earlier, later in pairwise([first - 1, *times, last + 1]))


@given(traces(longest=2), st.integers(-5, 15))
def test_a_fixed_point_is_there_and_has_no_evidence(trace: list[Event], moment: int) -> None:
    fixed = Instant("t", Call("at", (Literal(moment),)))
    (found,) = instances(fixed, trace)
    assert (found.start, found.end, found.low, found.high, found.support) == (moment, moment, None, None, frozenset())
    events = Atom("x", frozenset())
    beside = instances(Join((fixed, events)), trace)
    assert in_order(
        (min(one.start, moment), max(one.end, moment), one.support) for one in instances(events, trace)
    ) == (whole(beside))
