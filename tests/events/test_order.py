"""The order of events is total, whatever their ids and tie values are."""

from hypothesis import given
from hypothesis import strategies as st

from cepheid.events import Event, EventId, order_key, point, positions, sort_events
from tests.events.value_strategies import VALUES

IDS: st.SearchStrategy[EventId] = st.one_of(st.integers(-3, 3), st.sampled_from(["", "0", "1", "a"]))
EVENTS = st.builds(
    Event,
    type=st.just("a"),
    start=st.just(0),
    end=st.integers(0, 2),
    id=IDS,
    tie=st.lists(VALUES, max_size=2).map(tuple),
    derived=st.booleans(),
)
LISTS = st.lists(EVENTS, max_size=6, unique_by=lambda event: event.id)


@given(EVENTS, EVENTS)
def test_of_two_events_with_different_ids_exactly_one_is_first(left: Event, right: Event) -> None:
    first, last = order_key(left) < order_key(right), order_key(left) > order_key(right)
    assert not (first and last)
    assert (first or last) or left.id == right.id


@given(LISTS)
def test_sorting_forgets_the_order_of_arrival(events: list[Event]) -> None:
    arrived = sorted(events, key=lambda event: (event.id != "a", repr(event.id)), reverse=True)
    assert sort_events(arrived) == sort_events(events)


@given(LISTS)
def test_positions_count_the_events_in_order(events: list[Event]) -> None:
    order = positions(events)
    assert [order[event.id] for event in sort_events(events)] == list(range(len(events)))


def test_end_decides_first_then_input_then_ties_then_id() -> None:
    events = [
        point("a", 2, 0),
        Event("a", 1, 1, "x", derived=True, tie=(None,)),
        point("a", 1, "b", tie=(None,)),
        point("a", 1, "a", tie=(None,)),
        point("a", 1, 9, tie=(None,)),
        point("a", 1, 1, tie=(0.5,)),
        Event("a", 0, 1, 2, tie=(float("nan"),)),
        point("a", 1, 3, tie=("s",)),
    ]
    assert [event.id for event in sort_events(events)] == [9, "a", "b", 1, 2, 3, "x", 0]
