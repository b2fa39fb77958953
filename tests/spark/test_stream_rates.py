"""Events that are counted apart break a rate together only where it is broken, and surely where it is for long."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.programs import Arrival
from cepheid.spark.stream_rates import StreamRates, told_counts
from cepheid.spark.window_counts import added_up, counted, is_broken, latest, most_allowed, widened

RATES = st.builds(Arrival, st.integers(1, 6), st.integers(1, 6), st.booleans())
TIMES = st.lists(st.integers(-20, 60), max_size=40)
RATE = Arrival(5, 10)


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


@given(RATES, TIMES, st.integers(2, 9), st.integers(1, 4))
def test_what_keeps_to_a_rate_is_never_said_to_break_it(
    arrival: Arrival, times: list[int], most: int, parts: int
) -> None:
    each = [counted(times[part::parts], arrival, most) for part in range(parts)]
    assert all(len(one.counts) <= most for one in each)
    assert sum(added_up(each).counts.values()) == len(times)
    assert not is_broken(arrival, added_up(each)) or not keeps_to(arrival, times)


@given(RATES, st.sampled_from([1, 2, 4]))
def test_a_window_holds_what_is_allowed_and_no_more(arrival: Arrival, factor: int) -> None:
    assert len(list(as_fast_as_allowed(arrival, factor * arrival.per))) == most_allowed(arrival, factor)


@given(RATES, TIMES, st.integers(1, 3))
def test_the_same_windows_are_found_by_widening_and_by_counting(arrival: Arrival, times: list[int], power: int) -> None:
    wide = Arrival(arrival.count, arrival.per * 2**power)
    assert widened(counted(times, arrival), 2**power).counts == counted(times, wide).counts


def test_the_latest_windows_are_kept() -> None:
    assert latest(counted([1, 11, 21, 22], RATE), 2).counts == {1: 1, 2: 2}


def told(bucket: int, times: Sequence[int], lane: str = "0 Pair", arrival: Arrival = RATE) -> str:
    text = told_counts(bucket, lane, {"A": times, "B": []}, {"A": arrival, "B": arrival})
    assert text is not None
    return text


MESSAGE = "more than 5 `A` events come within 10 us"


def test_a_bucket_says_what_it_counted() -> None:
    expected = '{"bucket":3,"lane":"0 Pair","types":{"A":[[5,10,false],1,[[0,2],[1,1]]]}}'
    assert told(3, [1, 2, 10]) == expected
    assert told_counts(3, "0 Pair", {"A": []}, {"A": RATE}) is None


def test_buckets_break_a_rate_together_and_it_is_said_once() -> None:
    rates = StreamRates()
    assert rates.after([told(bucket, [bucket]) for bucket in range(5)], []) == ()
    assert rates.after([told(0, [9])], []) == (MESSAGE,)
    assert rates.after([told(bucket, [20, 21]) for bucket in range(5)], [MESSAGE]) == ()


def test_what_one_bucket_noticed_is_said_once() -> None:
    rates = StreamRates()
    assert rates.after([], [MESSAGE, "more"]) == (MESSAGE, "more")
    assert rates.after([told(bucket, [20, 21]) for bucket in range(5)], ["more"]) == ()


def test_lanes_are_counted_apart_and_work_that_is_done_again_once() -> None:
    rates = StreamRates()
    assert rates.after([told(0, [1, 2, 3]), told(40, [1, 2, 3], "0 Other"), told(70, [1, 2, 3], "1 Pair")], []) == ()
    assert rates.after([told(0, [11, 12, 13])] * 2, []) == ()


def test_wide_windows_of_one_batch_do_not_blur_the_next() -> None:
    rates, many = StreamRates(), range(0, 40_000, 10)
    assert rates.after([told(0, many), told(1, [1, 2, 3, 4])], []) == ()
    assert rates.after([told(1, [40_001, 40_002, 40_003])], []) == ()
    assert rates.after([told(2, [40_004, 40_005, 40_006])], []) == (MESSAGE,)
    assert StreamRates().after([told(bucket, many) for bucket in range(6)], []) == (MESSAGE,)
