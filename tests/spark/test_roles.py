"""Events that are dealt out by role have the matches of one detector, in frames and in streams, each of them once."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from cepheid.algebra.matches import Match
from cepheid.events import Event
from cepheid.spark.lanes import Route
from cepheid.spark.places import Row
from cepheid.testing import Case
from tests.properties.role_cases import role_case
from tests.spark.packed_cases import BEAT, FLAVOURS, LATER, flavoured, has_points_of_time
from tests.spark.test_stages import batches, one_detector, shown, told
from tests.spark.without_spark import Stream, in_frame, routes

TOGETHER = 150


def multiplied(first: int) -> Iterator[tuple[int, Case, tuple[Route, ...]]]:
    """Yield cases with events that go to several places."""
    for seed in range(first, first + TOGETHER):
        case = flavoured(role_case(seed, most_rules=3), FLAVOURS[0])
        if not has_points_of_time(case) and any(route.multiplies for route in routes(case)):
            yield seed, case, routes(case)


def aside(rows: Sequence[Row]) -> Counter[object]:
    """Return what was set aside; all that is late here, or comes again, has its id in its record."""
    return Counter((row["tag"], json.loads(str(row["record"]))["id"]) for row in rows if row["tag"] != "match")


@pytest.mark.parametrize("first", [0, 10_000])
def test_roles_find_in_a_frame_what_one_detector_finds(first: int) -> None:
    some = 0
    for seed, case, found in multiplied(first):
        some += 1
        detector = one_detector(case)
        expected = [match for event in case.trace for match in detector.push(event)]
        assert told(in_frame(case, found)) == shown([*expected, *detector.close()]), seed
    assert some > TOGETHER / 15


@pytest.mark.parametrize("first", [20_000, 30_000])
def test_roles_find_in_a_stream_what_one_detector_finds(first: int) -> None:
    some = 0
    for seed, case, found in multiplied(first):
        some += 1
        stream, detector, rows, expected = Stream(found), one_detector(case), list[Row](), list[Match]()
        every = set(told(in_frame(case, found)))
        for number, batch in enumerate(batches(case)):
            expected += [match for event in batch for match in detector.push(event)]
            rows += stream.push(batch, forgetful=number % 2 == 1)
            assert set(shown(expected)) <= set(told(rows)) <= every, (seed, number)
        rows += stream.push([Event(BEAT, LATER, LATER, -1)])
        assert set(shown([*expected, *detector.advance(LATER - case.disorder)])) <= set(told(rows)) <= every, seed
        assert len(set(told(rows))) == len(told(rows)), seed
        read = [event for event in detector.duplicates if any(event.type in (one.types or ()) for one in found)]
        assert aside(rows) == Counter(("duplicate", event.id) for event in read), seed
    assert some > TOGETHER / 15
