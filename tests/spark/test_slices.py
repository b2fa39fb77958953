"""A query that looks only so far back finds in slices of time what it finds in one pass."""

from collections.abc import Sequence

import pytest

from cepheid.events import Event
from cepheid.spark.batch import is_sliced
from cepheid.spark.lanes import Lane, Route
from cepheid.spark.places import Row
from cepheid.testing import random_case
from tests.spark.placed import found, lanes, told

TOGETHER, WIDTH = 100, 3


def _in_slices(lane: Lane, events: Sequence[Event]) -> list[Row]:
    past, ahead = lane.past or 0, lane.ahead or 0
    ends = [event.end for event in events]
    rows = []
    for slot in range((min(ends) - ahead) // WIDTH - 1, (max(ends) + past) // WIDTH + 2):
        low, high = slot * WIDTH, (slot + 1) * WIDTH
        read = [event for event in events if low - past <= event.end < high + ahead]
        rows += [row for row in found(lane, read) if low <= _end(row) < high]
    return rows


def _end(row: Row) -> int:
    end = row["end"]
    assert isinstance(end, int)
    return end


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, 500, TOGETHER))
def test_slices_find_what_one_pass_finds(first: int) -> None:
    sliced = 0
    for seed in range(first, first + TOGETHER):
        case = random_case(seed)
        for lane in lanes(case):
            if is_sliced(Route(0, (lane,), None)) and case.trace:
                sliced += 1
                assert told(_in_slices(lane, case.trace)) == told(found(lane, case.trace)), seed
    assert sliced > TOGETHER / 10
