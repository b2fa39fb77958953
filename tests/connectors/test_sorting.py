"""Finite input is put in order through a buffer, however it is cut into chunks; what is too far behind is refused."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.connectors import Chunk, ColumnBuffer, ColumnChunk, KnownIds, SortBuffer, in_columns, without_duplicates
from cepheid.connectors.objects import Objects
from cepheid.diagnostics import CepheidError
from cepheid.events import Event, point, sort_events
from tests.connectors.reading import reasons

TIMES = st.lists(st.integers(0, 20), max_size=30)


def chunk(events: Sequence[Event]) -> Chunk:
    return Chunk(events, range(len(events)), [], Objects(0, events))


def sorted_in_portions(events: Sequence[Event], buffer: SortBuffer, size: int) -> list[Event]:
    released: list[Event] = []
    for first in range(0, len(events), size):
        released += buffer.add(chunk(events[first : first + size]), "us")
    return [*released, *buffer.finish()]


def displaced(events: Sequence[Event]) -> int:
    """How many places the event that is furthest behind its place has to go forward."""
    place = {event.id: index for index, event in enumerate(sort_events(events))}
    return max((index - place[event.id] for index, event in enumerate(events)), default=0)


@given(TIMES, st.integers(1, 7), st.booleans())
def test_events_come_out_in_the_total_order(times: list[int], size: int, numbered: bool) -> None:
    identities = range(len(times)) if numbered else range(len(times), 0, -1)
    events = [point("A", time, identity) for time, identity in zip(times, identities, strict=True)]
    buffer = SortBuffer(max(1, displaced(events)), numbered=numbered)
    assert sorted_in_portions(events, buffer, size) == sort_events(events)


@given(TIMES, st.integers(1, 7), st.integers(1, 10))
def test_nothing_comes_out_in_the_wrong_order(times: list[int], size: int, limit: int) -> None:
    events = [point("A", time, identity) for identity, time in enumerate(times)]
    try:
        released = sorted_in_portions(events, SortBuffer(limit), size)
    except CepheidError:
        assert displaced(events) > limit
    else:
        assert released == sort_events(events)


@given(TIMES, st.integers(1, 7), st.integers(1, 5))
def test_what_is_refused_does_not_depend_on_the_chunks(times: list[int], size: int, limit: int) -> None:
    events = [point("A", time, identity) for identity, time in enumerate(times)]
    assert outcome(events, limit, size) == outcome(events, limit, len(events) or 1)


def outcome(events: Sequence[Event], limit: int, size: int) -> list[Event] | str:
    try:
        return sorted_in_portions(events, SortBuffer(limit), size)
    except CepheidError as error:
        return error.diagnostics[0].message


def test_the_error_names_the_event_and_three_ways_out() -> None:
    buffer = SortBuffer(2)
    buffer.add(chunk([point("A", time, time) for time in (1, 2, 3, 4)]), "us")
    with pytest.raises(CepheidError) as raised:
        buffer.add(chunk([point("A", 5, 5), point("B", 1, 6)]), "us")
    assert str(raised.value) == (
        "error[out-of-order]: `B` of 1 stands more than 2 events behind its position at `$[1]`\n"
        "  = hint: sort the input by its time\n"
        "  = hint: hold more events to sort them: `--sort-buffer 20`\n"
        "  = hint: take the input for a stream, and reject what is late: `--disorder '1 min'`"
    )


def test_an_event_whose_id_came_before_is_set_aside() -> None:
    events = [point("A", 1, "x"), point("B", 2, "y"), point("C", 3, "x")]
    kept = without_duplicates(chunk(events), KnownIds(2), "us")
    assert [event.type for event in kept.events] == ["A", "B"]
    assert reasons(kept.rejects) == ["duplicate-event: `C` of 3 has the id `x` of an event before it at `$[2]`"]


def test_ids_are_forgotten_after_the_window() -> None:
    events = [point("A", 1, "x"), point("B", 2, "y"), point("C", 3, "z"), point("D", 4, "x")]
    assert without_duplicates(chunk(events), KnownIds(2), "us").rejects == []


def in_chunks(times: Sequence[int], size: int) -> list[ColumnChunk]:
    events = [point("A", time, number) for number, time in enumerate(times, 1)]
    return [in_columns(chunk(events[first : first + size]), ()) for first in range(0, len(events), size)]


@given(TIMES, st.integers(1, 7), st.integers(1, 4))
def test_columns_come_out_as_events_do(times: list[int], size: int, limit: int) -> None:
    events = [point("A", time, number) for number, time in enumerate(times, 1)]
    buffer, released = ColumnBuffer(limit), []
    try:
        for some in in_chunks(times, size):
            released += [event for piece in buffer.add(some, "us") for event in piece.objects()]
        released += [event for piece in buffer.finish() for event in piece.objects()]
    except CepheidError as error:
        message = error.diagnostics[0].message
        assert message == outcome(events, limit, size)
        released += [event for piece in buffer.let_go() for event in piece.objects()]
        assert [one.end for one in released] == sorted(one.end for one in released)
    else:
        assert [(one.end, one.id) for one in released] == [(one.end, one.id) for one in sort_events(events)]


def test_columns_in_order_come_out_as_they_came() -> None:
    chunks, buffer = in_chunks(range(40), 7), ColumnBuffer(5)
    released = [piece for some in chunks for piece in buffer.add(some, "us")] + buffer.finish()
    assert [piece is some.events for piece, some in zip(released, chunks, strict=True)] == [True] * 6


def test_what_waits_for_the_rest_of_its_chunk_comes_out_before_an_error() -> None:
    buffer, released = ColumnBuffer(2), []
    first, second = in_chunks([10, 11, 12, 13, 14, 15, 1], 5)
    released += buffer.add(first, "us")
    with pytest.raises(CepheidError):
        buffer.add(second, "us")
    assert [piece.ends.tolist() for piece in [*released, *buffer.let_go()]] == [[10, 11, 12, 13]]
