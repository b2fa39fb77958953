"""A query that looks only so far back finds in slices of time what it finds in one pass."""

from collections.abc import Sequence

import pytest

from cepheid.analysis import certify, plan_of
from cepheid.events import Event
from cepheid.spark.batch import is_sliced
from cepheid.spark.lanes import Route, lanes_of
from cepheid.spark.results import ResultForm
from cepheid.spark.workers import Place, Row, Settings
from cepheid.testing import random_case
from tests.spark.packed_cases import Prepared

TOGETHER = 100


def _found(route: Route, events: Sequence[Event]) -> list[Row]:
    place = Place(route, ResultForm(None, numbered=False), Settings())
    return [*place.push((event, "") for event in events), *place.close()]


def _told(rows: Sequence[Row]) -> list[str]:
    return sorted(str([row[name] for name in ("match", "start", "end", "values", "evidence", "id")]) for row in rows)


def _in_slices(route: Route, events: Sequence[Event], width: int) -> list[Row]:
    past = max(lane.past or 0 for lane in route.lanes)
    ahead = max(lane.ahead or 0 for lane in route.lanes)
    ends = [event.end for event in events]
    found = []
    for slot in range((min(ends) - ahead) // width - 1, (max(ends) + past) // width + 2):
        low, high = slot * width, (slot + 1) * width
        read = [event for event in events if low - past <= event.end < high + ahead]
        found += [row for row in _found(route, read) if low <= _end(row) < high]
    return found


def _end(row: Row) -> int:
    end = row["end"]
    assert isinstance(end, int)
    return end


@pytest.mark.parametrize("first", range(0, 1000, TOGETHER))
def test_slices_find_what_one_pass_finds(first: int) -> None:
    sliced = 0
    for seed in range(first, first + TOGETHER):
        case = random_case(seed)
        lasting = any(event.start != event.end for event in case.trace)
        plan = plan_of(case.program, intervals=lasting)
        query = Prepared(case.program, plan, certify(plan), 0)
        for lane in lanes_of(0, query):
            route = Route(0, (lane,), None)
            if is_sliced(route) and case.trace:
                sliced += 1
                assert _told(_in_slices(route, case.trace, 3)) == _told(_found(route, case.trace)), seed
    assert sliced > TOGETHER / 10
