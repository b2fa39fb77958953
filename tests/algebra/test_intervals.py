"""Relations of intervals: what each one says, and that no two of Allen's say the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.evaluation import Scope, stands
from cepheid.algebra.instances import Instance, of_event
from cepheid.algebra.intervals import ALLEN, INTERVALS, between, keeps_order, within
from cepheid.algebra.relations import Axis, Relation
from cepheid.events import interval

Extent = tuple[int, int]

PROPER = st.tuples(st.integers(0, 6), st.integers(1, 6)).map(lambda pair: (pair[0], pair[0] + pair[1]))
ANY = st.tuples(st.integers(0, 6), st.integers(0, 6)).map(lambda pair: (pair[0], pair[0] + pair[1]))

EXAMPLES: dict[str, tuple[Extent, Extent]] = {
    "then": ((0, 2), (3, 5)),
    "meets": ((0, 2), (2, 5)),
    "overlaps": ((0, 3), (2, 5)),
    "starts": ((0, 3), (0, 5)),
    "finishes": ((3, 5), (0, 5)),
    "during": ((1, 4), (0, 5)),
    "equals": ((0, 5), (0, 5)),
    "after": ((3, 5), (0, 2)),
    "met_by": ((2, 5), (0, 2)),
    "overlapped_by": ((2, 5), (0, 3)),
    "started_by": ((0, 5), (0, 3)),
    "finished_by": ((0, 5), (3, 5)),
    "contains": ((0, 5), (1, 4)),
}


def part(extent: Extent, position: int) -> Instance:
    return of_event(interval("A", *extent, event_id=position), position)


def holds(relation: Relation, *extents: Extent) -> bool:
    return stands(relation, Scope({f"${index}": part(extent, index) for index, extent in enumerate(extents)}))


def names_of(left: Extent, right: Extent) -> list[str]:
    return [name for name, relation in ALLEN.items() if holds(relation("$0", "$1"), left, right)]


@pytest.mark.parametrize("name", ALLEN)
def test_each_relation_holds_in_its_example_alone(name: str) -> None:
    assert names_of(*EXAMPLES[name]) == [name]


@given(PROPER, PROPER)
def test_two_intervals_that_last_stand_in_exactly_one_relation(left: Extent, right: Extent) -> None:
    assert len(names_of(left, right)) == 1


@given(PROPER, PROPER)
def test_par_is_sharing_some_time(left: Extent, right: Extent) -> None:
    shares = max(left[0], right[0]) < min(left[1], right[1])
    assert holds(INTERVALS["par"]("$0", "$1"), left, right) == shares


@given(ANY, ANY)
def test_points_are_par_to_nothing(left: Extent, right: Extent) -> None:
    if holds(INTERVALS["par"]("$0", "$1"), left, right):
        assert left[0] < left[1]
        assert right[0] < right[1]


@given(ANY, ANY)
def test_inside_allows_the_ends_to_be_the_same(left: Extent, right: Extent) -> None:
    assert holds(INTERVALS["inside"]("$0", "$1"), left, right) == (right[0] <= left[0] and left[1] <= right[1])


@given(ANY, ANY, ANY)
def test_between_is_after_one_and_before_the_other(part: Extent, left: Extent, right: Extent) -> None:
    assert holds(between("$2"), left, right, part) == (left[1] < part[0] and part[1] < right[0])


@given(st.lists(ANY, min_size=1, max_size=3), st.integers(0, 12))
def test_a_window_bounds_the_hull(extents: list[Extent], longest: int) -> None:
    hull = max(end for _, end in extents) - min(start for start, _ in extents)
    assert holds(within(len(extents), longest, in_order=False), *extents) == (hull <= longest)


@given(st.sampled_from(sorted(filter(keeps_order, INTERVALS))), ANY, ANY, st.integers(0, 12))
def test_a_window_over_parts_in_order_bounds_the_hull(name: str, left: Extent, right: Extent, longest: int) -> None:
    if holds(INTERVALS[name]("$0", "$1"), left, right):
        hull = max(left[1], right[1]) - min(left[0], right[0])
        assert holds(within(2, longest, in_order=True), left, right) == (hull <= longest)


def test_a_window_in_records_counts_positions() -> None:
    far_apart = ((0, 0), (1000, 1000))
    assert holds(within(2, 1, in_order=True, axis=Axis.POSITION), *far_apart)
    assert not holds(within(2, 0, in_order=True, axis=Axis.POSITION), *far_apart)
