"""Which records a batch has is decided once: by what is there, how much may be read, and the clock on the wall."""

from hypothesis import given
from hypothesis import strategies as st

from cepheid.spark.kafka.offsets import (
    Partition,
    Seen,
    between,
    first_offsets,
    from_json,
    planned,
    shared_out,
    to_json,
    waited_for,
)

COUNTS = st.dictionaries(st.integers(0, 8), st.integers(0, 10_000), min_size=1)


def test_a_partition_is_idle_when_nothing_came_for_long_and_not_any_more_when_something_comes() -> None:
    start = first_offsets({0: Seen(0, 4), 1: Seen(0, 0)}, "earliest", 100)
    seen = {0: Seen(0, 4), 1: Seen(0, 0)}
    first = planned(start, seen, 130, 60)
    assert waited_for(first) == ["0", "1"]
    second = planned(first, {0: Seen(0, 9), 1: Seen(0, 0)}, 160, 60)
    assert (waited_for(second), second[1].since) == (["0"], 100)
    assert planned(second, {0: Seen(0, 9), 1: Seen(0, 0)}, 170, 60) == second
    assert waited_for(planned(second, {0: Seen(0, 9), 1: Seen(0, 1)}, 180, 60)) == ["0", "1"]


def test_a_partition_with_something_left_is_never_idle() -> None:
    start = {0: Partition(0, 0, 0), 1: Partition(0, 0, 0)}
    after = planned(start, {0: Seen(0, 1000), 1: Seen(0, 1)}, 1000, 1, most=10)
    assert (waited_for(after), after[1].next) == (["0", "1"], 0)


def test_without_a_limit_all_are_waited_for_whatever_happens() -> None:
    assert waited_for(planned({0: Partition(0, 3, 0)}, {0: Seen(0, 3)}, 10**9)) == ["0"]


def test_a_new_partition_begins_with_what_it_holds() -> None:
    start = first_offsets({0: Seen(2, 8)}, "latest", 0)
    assert start == {0: Partition(8, 8, 0)}
    after = planned(start, {0: Seen(2, 9), 1: Seen(3, 5)}, 10)
    assert between(start, after) == {0: (8, 9), 1: (3, 5)}


def test_a_topic_that_was_made_anew_gives_nothing_twice() -> None:
    """Offsets that were read already are not read again, also where the partition has fewer now."""
    start = {0: Partition(0, 50, 0)}
    assert between(start, planned(start, {0: Seen(0, 7)}, 10)) == {}


@given(COUNTS, st.integers(1, 20_000))
def test_what_a_batch_takes_is_no_more_than_it_may_and_something_where_something_is_left(
    left: dict[int, int], most: int
) -> None:
    shares = shared_out(left, most)
    assert all(0 <= shares[number] <= left[number] for number in left)
    assert sum(shares.values()) == min(most, sum(left.values()))


@given(st.dictionaries(st.integers(0, 12), st.builds(Partition, *[st.integers(0, 99)] * 3, st.booleans())))
def test_offsets_are_the_same_text_whatever_the_order(offsets: dict[int, Partition]) -> None:
    assert from_json(to_json(offsets)) == offsets
    assert list(to_json(dict(reversed(offsets.items())))) == list(to_json(offsets))
