"""Events that are counted apart break a rate exactly where they do together; in wider spans, where they do for long."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.programs import Arrival
from cepheid.events import MAX_TIME, MIN_TIME
from cepheid.spark.counted_spans import NONE, Spans, is_broken, kept, no_more, shortest_stretch, together

RATES = st.builds(Arrival, st.integers(1, 6), st.integers(1, 12), st.booleans())
TIMES = st.lists(st.integers(-20, 60), max_size=40)


def keeps_to(arrival: Arrival, times: Sequence[int]) -> bool:
    """The definition: at most so many in any half-open span, or so far apart."""
    ends = sorted(times)
    if arrival.spaced:
        return all((later - earlier) * arrival.count >= arrival.per for earlier, later in pairwise(ends))
    return all(sum(first <= time < first + arrival.per for time in ends) <= arrival.count for first in ends)


def as_fast_as_allowed(arrival: Arrival, end: int) -> Iterator[int]:
    """Yield the most times from 0 on that keep to a rate."""
    times: list[int] = []
    for time in range(end):
        while keeps_to(arrival, [*times, time]):
            times.append(time)
    yield from times


def in_parts(times: Sequence[int], parts: int) -> list[Spans]:
    return [Spans.of(times[part::parts]) for part in range(parts)]


@given(RATES, TIMES, st.integers(1, 4))
def test_a_rate_is_broken_exactly_where_the_definition_says(arrival: Arrival, times: list[int], parts: int) -> None:
    assert is_broken(arrival, NONE, together(in_parts(times, parts))) == (not keeps_to(arrival, times))


@given(RATES, TIMES, TIMES)
def test_what_was_broken_before_is_not_broken_now(arrival: Arrival, earlier: list[int], times: list[int]) -> None:
    alone = [one for one in earlier if all(abs(one - time) >= arrival.per for time in times)]
    found = is_broken(arrival, Spans.of(alone), Spans.of(times))
    assert found == (not keeps_to(arrival, times))


@given(RATES, TIMES, st.integers(4, 9), st.integers(1, 4))
def test_no_rate_that_is_kept_to_is_found_broken_however_wide_spans_are(
    arrival: Arrival, times: list[int], most: int, parts: int
) -> None:
    each = [no_more(one, arrival.per, most) for one in in_parts(times, parts)]
    assert all(len(one) <= most for one in each)
    assert sum(int(one.counts.sum()) for one in each) == len(times)
    assert not is_broken(arrival, NONE, together(each)) or not keeps_to(arrival, times)


@given(RATES, TIMES, st.integers(4, 9), st.integers(1, 4))
def test_a_rate_that_a_whole_period_breaks_is_found_broken_where_spans_are_no_longer(
    arrival: Arrival, times: list[int], most: int, parts: int
) -> None:
    every = together(no_more(one, arrival.per, most) for one in in_parts(times, parts))
    length, count = shortest_stretch(arrival)
    allowed = -(-arrival.per // length) * count
    fullest = max(Counter(time // arrival.per for time in times).values(), default=0)
    short = all(every.ends - every.starts <= arrival.per)
    assert is_broken(arrival, NONE, every) or not short or fullest <= allowed


@given(RATES, TIMES, st.data())
def test_what_is_not_kept_is_too_far_from_all_that_may_come(
    arrival: Arrival, times: list[int], data: st.DataObject
) -> None:
    frontier = data.draw(st.integers(-20, 60))
    later = data.draw(st.lists(st.integers(frontier, 70), max_size=20))
    near = kept(Spans.of(times), arrival.per, frontier, 100)
    assert len(near) == len({time for time in times if time > frontier - arrival.per})
    assert is_broken(arrival, near, Spans.of(later)) == is_broken(arrival, Spans.of(times), Spans.of(later))


@given(TIMES, st.integers(8, 20))
def test_the_latest_are_kept_as_they_are_and_none_is_lost(times: list[int], most: int) -> None:
    spans = Spans.of(times)
    some = kept(spans, 10, -100, most)
    assert len(some) <= most
    assert some.counts.sum() == len(times)
    latest = min(most // 2, len(spans))
    assert some.starts[len(some) - latest :].tolist() == spans.starts[len(spans) - latest :].tolist()


@given(RATES, st.sampled_from([1, 2, 4]))
def test_a_stretch_holds_what_is_allowed_and_no_more(arrival: Arrival, times: int) -> None:
    length, most = shortest_stretch(arrival)
    assert len(list(as_fast_as_allowed(arrival, times * length))) == times * most


def test_many_events_of_a_long_time_are_few_spans() -> None:
    many = range(0, 10**12, 10**6)
    spans = no_more(Spans.of(many), 60 * 10**6, 1000)
    assert 500 <= len(spans) <= 1000
    assert not is_broken(Arrival(60, 60 * 10**6), NONE, spans)
    assert is_broken(Arrival(59, 60 * 10**6), NONE, together([spans, spans]))


def test_the_edges_of_time_are_no_edges_of_numbers() -> None:
    spans = Spans.of([MIN_TIME + 1, MIN_TIME + 2, -1, 0, MAX_TIME - 2, MAX_TIME - 1])
    for per in (1, 2, 10**15, MAX_TIME // 4, MAX_TIME // 2):
        assert not is_broken(Arrival(6, per), NONE, spans)
        assert is_broken(Arrival(1, per), NONE, spans) == (per > 1)
        few = no_more(spans, per, 4)
        assert len(few) <= 4
        assert few.counts.sum() == 6
        assert (few.ends > few.starts).all()
    assert Spans.from_json(spans.to_json()).ends.tolist() == spans.ends.tolist()
