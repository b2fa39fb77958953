"""Traces are shown as they are read; `tests/cases/testing` shows the notation and every message."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.diagnostics import CepheidError
from cepheid.events import MAX_TIME, MIN_TIME, Event, EventId, Value, equal, interval, key_of
from cepheid.testing import literal, show_trace, show_value, trace
from tests.events.outcomes import outcome
from tests.events.value_strategies import VALUES

TYPES = st.one_of(st.sampled_from(["a", "b", "null", "two words", "1", ""]), st.text(max_size=3))
IDS: st.SearchStrategy[EventId] = st.one_of(st.integers(-3, 3), st.integers(MIN_TIME, MAX_TIME), TYPES)
TIMES = st.one_of(st.integers(-3, 3), st.integers(MIN_TIME + 1, MAX_TIME - 1))


@st.composite
def written_events(draw: st.DrawFn) -> Event:
    start, end = sorted([draw(TIMES), draw(TIMES)])
    fields = draw(st.dictionaries(st.one_of(st.just("value"), TYPES), VALUES, max_size=2))
    return interval(draw(TYPES), start, end, draw(IDS), fields, draw(st.lists(VALUES, max_size=2).map(tuple)))


@given(st.lists(written_events(), max_size=4))
def test_what_is_shown_is_read_back(events: list[Event]) -> None:
    assert trace(show_trace(events)) == events


@given(st.lists(written_events(), max_size=4))
def test_numbered_events_are_shown_without_ids(events: list[Event]) -> None:
    numbered = [
        interval(event.type, event.start, event.end, position, event.fields, event.tie)
        for position, event in enumerate(events, start=1)
    ]
    assert trace(show_trace(numbered)) == numbered


@given(VALUES)
def test_values_are_shown_as_they_are_read(value: Value) -> None:
    again = literal(show_value(value))
    assert key_of(again) == key_of(value)
    assert type(again) is type(value)
    assert equal(again, value) is not False


@given(st.text(alphabet='12 ab,-#(){}[]:"\n.', max_size=15))
def test_any_text_is_a_trace_or_refused(text: str) -> None:
    events = outcome(trace, text)
    assert events == ["bad-trace"] or trace(show_trace(trace(text))) == events


def test_a_trace_may_be_empty() -> None:
    assert trace("") == []
    assert trace(" \n ") == []
    assert show_trace([]) == ""


def test_times_are_multiples_of_the_unit() -> None:
    events = trace("1 a, 2-3 b", unit=1000)
    assert [(event.start, event.end) for event in events] == [(1000, 1000), (2000, 3000)]
    assert show_trace(events, unit=1000) == "1 a, 2-3 b"
    with pytest.raises(ValueError, match="not multiples of 7"):
        show_trace(events, unit=7)


def test_events_stand_as_they_were_written_and_not_in_order() -> None:
    assert [event.type for event in trace("2 b, 1 a")] == ["b", "a"]


def test_a_trace_can_have_a_name() -> None:
    with pytest.raises(CepheidError, match=r" --> morning:2:1\n"):
        trace("1 a\nb", name="morning")


def test_one_value_is_one_value() -> None:
    with pytest.raises(CepheidError, match="there is more than one value"):
        literal("1 2")
