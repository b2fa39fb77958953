"""Events that are dealt out by role have the matches of one detector, in frames and in streams, each of them once."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from cepheid.algebra.matches import Match
from cepheid.events import Event
from cepheid.languages.cep import read_program
from cepheid.spark.handing import copies_of
from cepheid.spark.lanes import Route
from cepheid.spark.places import Place, Row
from cepheid.spark.stream_rates import StreamRates
from cepheid.testing import Case
from tests.properties.role_cases import role_case
from tests.spark.packed_cases import BEAT, FLAVOURS, LATER, flavoured, has_points_of_time
from tests.spark.test_stages import batches, one_detector, shown, told
from tests.spark.without_spark import BUCKETS, FORM, SETTINGS, Stream, in_frame, routes

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


def test_what_is_given_to_all_is_promised_for_each() -> None:
    program = read_program(
        "stream A rate 1 per 1 stream C rate 1 per 10\n"
        "rule r: a: A and b: A and c: C within 5 on a.key == b.value, b.key == c.key emits R"
    )
    events = [Event("A", time, time, time, {"key": 1, "value": 1}) for time in range(10)]
    case = Case(program, tuple(events), tuple(events))
    [route] = routes(case)
    assert route.key == {"A": ("key", "value"), "C": ()}
    [whole, each] = [
        next(iter(Place(route, FORM, SETTINGS).figures(promising=one)))["promised"] for one in (True, False)
    ]
    assert (whole, each) == (13, 1)


def test_copies_are_counted_once() -> None:
    program = read_program("stream A rate 1 per 1\nrule r: a: A then b: A within 5 on a.key == b.value emits R")
    events = tuple(Event("A", time, time, time, {"key": time, "value": time + 1}) for time in range(40))
    [route] = routes(Case(program, events, events))
    places = [Place(route, FORM, SETTINGS, number, one_of=BUCKETS) for number in range(BUCKETS)]
    for event in (*events, events[-1]):
        for number, copy in copies_of(event, route, BUCKETS):
            list(places[number].works[0].push_events([(copy, "")]))
            list(places[number].works[0].set_aside())
    told = [next(iter(place.figures())) for place in places]
    assert sum(int(str(row["events"])) for row in told) == 41
    counts = [json.loads(str(row["record"]))["types"]["A"][2] for row in told]
    assert sum(count for some in counts for *_, count in some) == 40
    assert StreamRates().after([str(row["record"]) for row in told], []) == ()
