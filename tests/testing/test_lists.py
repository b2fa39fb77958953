"""Lists can be sources and sinks, and clocks can be moved."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.events import MAX_TIME, MIN_TIME, Batch, Clock, Duration, Sink, Source
from cepheid.testing import ListSink, ListSource, MovableClock, trace


@given(st.integers(0, 7), st.integers(1, 4))
def test_every_event_comes_out_once_however_the_batches_are_cut(count: int, size: int) -> None:
    events = trace(", ".join(f"{time} a" for time in range(count)))
    source: Source = ListSource(events, size=size)
    *batches, end = source.batches()
    assert [event for batch in batches for event in batch.events] == events
    assert all(1 <= len(batch.events) <= size and batch.frontier == MIN_TIME for batch in batches)
    assert end == Batch((), MAX_TIME)


def test_a_list_is_one_batch_unless_told_otherwise() -> None:
    source = ListSource(trace("1 a, 2 b"))
    assert [len(batch.events) for batch in source.batches()] == [2, 0]
    assert source.name == "list"


def test_a_sink_remembers_what_was_written() -> None:
    matches = ListSink[str]()
    sink: Sink[str] = matches
    sink.write(["a", "b"])
    sink.write(["c"])
    assert (matches.matches, matches.closed) == (["a", "b", "c"], False)
    sink.close()
    assert matches.closed


@pytest.mark.parametrize("moves", [[5], [2, 3], [9, -4]])
def test_a_clock_shows_where_it_was_moved(moves: list[int]) -> None:
    movable = MovableClock(at=100)
    clock: Clock = movable
    for move in moves:
        movable.move(Duration(move))
    assert clock.now() == 105
