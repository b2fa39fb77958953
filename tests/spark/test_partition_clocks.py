"""Partitions of a source have clocks of their own: however unevenly they are read, nothing is lost and nothing late."""

import random
from collections.abc import Iterator, Sequence

import pytest

from cepheid.events import Event
from cepheid.languages.cep import read_program
from cepheid.spark.partition_clocks import Held, Told
from cepheid.spark.places import Row
from cepheid.spark.stored_state import index_from_text
from cepheid.testing import Case
from tests.spark.packed_cases import BEAT, FLAVOURS, LATER, cases, has_points_of_time
from tests.spark.test_stages import one_detector, told
from tests.spark.without_spark import Stream, in_frame, routes

PARTITIONS = 3
PAIR = "rule pair per key: a: A then b: B within 10 emits Pair(key = a.key)"
Batch = list[tuple[int, Event]]


def stream() -> Stream:
    return Stream(routes(Case(read_program(PAIR), (), ())), 2)


def event(kind: str, time: int, name: int) -> Event:
    return Event(kind, time, time, name, {"key": 1})


def unevenly(case: Case, draw: random.Random) -> Iterator[Batch]:
    """Yield batches of the events of a case, each in one of some partitions; some are read further than others."""
    dealt: list[list[Event]] = [[] for _ in range(PARTITIONS)]
    for one in case.arrivals:
        draw.choice(dealt).append(one)
    while any(dealt):
        batch: Batch = []
        for number, left in enumerate(dealt):
            count = draw.randint(0, len(left)) if draw.random() < 0.7 else 0
            batch += [(number, one) for one in left[:count]]
            del left[:count]
        yield batch


@pytest.mark.parametrize("first", [0, 700])
def test_partitions_that_are_read_unevenly_give_what_one_detector_gives(first: int) -> None:
    some = 0
    for seed, case in cases(range(first, first + 50), FLAVOURS[0]).items():
        if has_points_of_time(case):
            continue
        draw, found = random.Random(seed), routes(case)
        running, rows = Stream(found), list[Row]()
        every = range(PARTITIONS)
        for number, batch in enumerate(unevenly(case, draw)):
            rows += running.push_partitions(batch, every, forgetful=number % 2 == 1)
        later = LATER + max((one.end for one in case.arrivals), default=0)
        beats = [(one, Event(BEAT, later, later, -1)) for one in every]
        rows += running.push_partitions(beats, every)
        assert [row for row in rows if row["tag"] == "late"] == [], case
        detector = one_detector(case)
        expected = [match for one in case.arrivals for match in detector.push(one)]
        expected += detector.advance(later - case.disorder)
        names = [row["id"] for row in rows if row["tag"] == "match"]
        assert {match.id for match in expected} <= set(names), case
        assert set(told(rows)) <= set(told(in_frame(case, found))), case
        assert len(set(told(rows))) == len(told(rows)), case
        some += 1
    assert some > 25


def test_what_is_ahead_of_a_partition_waits_for_it() -> None:
    running = stream()
    assert pushed(running, [(0, event("A", 5, 1)), (0, event("B", 9, 2))], [0, 1]) == []
    assert pushed(running, [(1, event("A", 2, 3)), (1, event(BEAT, 8, -1))], [0, 1], forgetful=True) == []
    assert pushed(running, [(1, event(BEAT, 30, -1))], [0, 1]) == [("match", 9), ("match", 9)]


def test_a_partition_that_nobody_waits_for_holds_up_nothing_and_is_late_when_it_comes_back() -> None:
    running = stream()
    assert pushed(running, [(0, event("A", 5, 1)), (0, event("B", 9, 2)), (0, event(BEAT, 40, -1))], [0, 1]) == []
    assert pushed(running, [], [0]) == [("match", 9)]
    assert pushed(running, [(1, event("B", 10, 3))], [0, 1]) == [("late", 10)]


def test_a_new_partition_is_waited_for_from_the_batch_that_knows_it() -> None:
    running = stream()
    assert pushed(running, [(0, event("A", 5, 1)), (0, event(BEAT, 6, -1))], [0]) == []
    assert pushed(running, [(0, event("B", 9, 2)), (0, event(BEAT, 40, -1))], [0, 1]) == []
    assert pushed(running, [(1, event("B", 7, 3)), (1, event(BEAT, 40, -1))], [0, 1]) == [("match", 7), ("match", 9)]


def test_when_nobody_is_waited_for_nobody_is_behind() -> None:
    running = stream()
    pushed(
        running,
        [(0, event("A", 5, 1)), (0, event("B", 9, 2)), (0, event(BEAT, 12, -1)), (1, event(BEAT, 3, -1))],
        [0, 1],
    )
    assert pushed(running, [], []) == [("match", 9)]


def test_what_is_held_is_among_the_pieces_of_a_bucket_and_other_streams_have_none() -> None:
    running = stream()
    pushed(running, [(0, event("A", 5, 1))], [0, 1])
    indexes = [index_from_text(text) for (text,) in running.operators[0][1].indexes.values()]
    assert all(one.held in one.pieces for one in indexes)
    plain = stream()
    plain.push([event("A", 5, 1)])
    assert [index_from_text(text).held for (text,) in plain.operators[0][1].indexes.values()] == ["", ""]


def test_clocks_survive_as_bytes() -> None:
    held = Held()
    held.after(Told(partitions={"a": {"0": 5}}, waited_for={"a": ["0", "1"]}), None)
    assert Held.from_bytes(held.to_bytes()) == held
    assert Held.from_bytes(b"") == Held()


def pushed(
    running: Stream, events: Batch, waited_for: Sequence[int], *, forgetful: bool = False
) -> list[tuple[str, int]]:
    rows = running.push_partitions(events, waited_for, forgetful=forgetful)
    return sorted((str(row["tag"]), int(str(row["end"]))) for row in rows)
