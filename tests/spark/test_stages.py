"""Rules with different keys run in stages, with the matches of one detector."""

import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from types import SimpleNamespace

import pytest
from pyspark import cloudpickle
from pyspark.sql import SparkSession

from cepheid.algebra.matches import Match
from cepheid.analysis import plan_of
from cepheid.diagnostics import CepheidError
from cepheid.engine import Detector
from cepheid.events import Event
from cepheid.languages.cep import read_program
from cepheid.spark.lanes import Route, routes_of
from cepheid.spark.places import Row
from cepheid.spark.sending import SentBuckets
from cepheid.spark.sessions import BROADCAST, refuse_too_much
from cepheid.spark.streaming import Buckets
from cepheid.testing import Case
from tests.spark.packed_cases import BEAT, FLAVOURS, LATER, cases, has_points_of_time
from tests.spark.without_spark import FORM, SETTINGS, Stream, in_frame, routes

TOGETHER = 100


def staged(first: int) -> Iterator[tuple[Case, tuple[Route, ...]]]:
    """Yield cases with more than one stage."""
    for case in cases(range(first, first + TOGETHER), FLAVOURS[0]).values():
        found = routes(case)
        if any(route.level for route in found):
            yield case, found


def told(rows: Sequence[Row]) -> list[str]:
    names = ("match", "start", "end", "known", "id", "values", "evidence")
    return sorted(str([row[name] for name in names]) for row in rows if row["tag"] == "match")


def shown(matches: Sequence[Match]) -> list[str]:
    return told([FORM.match(0, match) for match in matches])


def one_detector(case: Case) -> Detector:
    return Detector(plan_of(case.program, intervals=True), disorder=case.disorder, identified=True)


def batches(case: Case) -> Iterator[Sequence[Event]]:
    cuts = sorted({0, *case.cuts, len(case.arrivals)})
    return (case.arrivals[first:last] for first, last in pairwise(cuts))


@pytest.mark.parametrize("first", [0, 100])
def test_stages_find_in_a_frame_what_one_detector_finds(first: int) -> None:
    some = 0
    for case, found in staged(first):
        some += 1
        detector = one_detector(case)
        expected = [match for event in case.trace for match in detector.push(event)]
        assert told(in_frame(case, found)) == shown([*expected, *detector.close()]), case
    assert some > TOGETHER / 25


@pytest.mark.parametrize("first", [300, 500])
def test_stages_find_in_a_stream_what_one_detector_finds(first: int) -> None:
    some = 0
    for case, found in staged(first):
        if has_points_of_time(case):
            continue
        some += 1
        stream, detector, rows, expected = Stream(found), one_detector(case), list[Row](), list[Match]()
        every = set(told(in_frame(case, found)))
        for number, batch in enumerate(batches(case)):
            expected += [match for event in batch for match in detector.push(event)]
            rows += stream.push(batch, forgetful=number % 2 == 1)
            # A bucket may be certain of something earlier: it has fewer events to wait for.
            assert set(shown(expected)) <= set(told(rows)) <= every, (case, number)
        rows += stream.push([Event(BEAT, LATER, LATER, -1)])
        assert set(shown([*expected, *detector.advance(LATER - case.disorder)])) <= set(told(rows)) <= every, case
        assert len(set(told(rows))) == len(told(rows)), case
    assert some > TOGETHER / 25


def test_a_long_batch_holds_no_more_than_was_certified() -> None:
    """What is emitted early in a batch has expired before what is emitted late, though no event moves the time."""
    program = read_program(
        "stream A rate 1 per 1\nstream B rate 1 per 1\n"
        "rule r: a: A then b: A within 2 on a.key == b.key emits R(value = b.value)\n"
        "rule s: r: R then t: B within 4 on r.value == t.value emits S(value = t.value)"
    )
    events = [Event("A", time, time, time, {"key": time % 2, "value": time % 3}) for time in range(300)]
    events += [Event("B", time, time, time + 300, {"value": time}) for time in range(3)]
    case = Case(program, tuple(events), tuple(events))
    stream = Stream(routes(case))
    assert [one.entries.number for one in stream.routes[1].lanes[0].certificate.rule("s").operators] == [0, 0, 30]
    assert len(told(stream.push(events))) == 298


def test_what_rests_on_the_same_events_meets() -> None:
    """A match and what another rule made of the same event are told apart in one place, whatever their keys are."""
    program = read_program(
        "rule copy per key: c: C emits Copy(key = c.key, value = c.value)\n"
        "rule either: distinct (c: C or d: Copy) emits Either(key = c.key, value = d.value)\n"
        "rule last per key: e: Either choose latest-start emits Last(key = e.key)"
    )
    events = tuple(Event("C", time, time, time, {"key": time % 4, "value": time % 7}) for time in range(40))
    case = Case(program, events, events)
    found = routes(case)
    assert [(lane.name, lane.key) for route in found for lane in route.lanes] == [
        ("copy", {"C": ("key",)}),
        ("either", None),
        ("last", {"Either": ("key",)}),
    ]
    detector = one_detector(case)
    expected = shown([*(match for event in events for match in detector.push(event)), *detector.close()])
    assert len(expected) == 120
    assert told(in_frame(case, found)) == expected
    assert told(Stream(found).push([*events, Event(BEAT, LATER, LATER, -1)])) == expected


def test_many_queries_are_sent_to_a_stream_in_little() -> None:
    """What is larger than a mebibyte Spark broadcasts, and its runner of streams cannot read that."""
    lanes = [lane for case in cases(range(100), FLAVOURS[0]).values() for route in routes(case) for lane in route.lanes]
    buckets = Buckets(routes_of(lanes), FORM, SETTINGS, 2)
    sent = cloudpickle.dumps(SentBuckets(buckets))  # type: ignore[no-untyped-call]  # it has no types
    assert len(sent) < len(pickle.dumps(buckets)) / 5


def test_what_would_be_broadcast_is_refused() -> None:
    lanes = [lane for case in cases(range(20), FLAVOURS[0]).values() for route in routes(case) for lane in route.lanes]
    size = SentBuckets(Buckets(routes_of(lanes), FORM, SETTINGS, 2)).size
    refuse_too_much(size, _session_that_sends("1m"))
    with pytest.raises(CepheidError) as refused:
        refuse_too_much(size, _session_that_sends("8k"))
    told = refused.value.diagnostics[0]
    assert told.message == f"this session sends 8,192 bytes to a stream at most, and these queries take {size:,}"
    assert told.hints == (f'SparkSession.builder.config("{BROADCAST}", "{2 * size}").getOrCreate()',)


def _session_that_sends(most: str) -> SparkSession:
    conf = SimpleNamespace(get=lambda name, _: most if name == BROADCAST else None)
    return SimpleNamespace(conf=conf)  # type: ignore[return-value]  # as far as it is used


def test_a_session_of_ours_sends_enough(spark: SparkSession) -> None:
    refuse_too_much(64 << 20, spark)
    with pytest.raises(CepheidError):
        refuse_too_much((64 << 20) + 1, spark)


def test_who_asks_for_the_state_alone_loads_no_detector() -> None:
    """Spark starts a process for that with every stream, so it is to be ready soon."""
    content = cloudpickle.dumps(SentBuckets(Buckets((), FORM, SETTINGS, 2)))  # type: ignore[no-untyped-call]  # it has no types
    text = f"import sys; from pyspark import cloudpickle; cloudpickle.loads({content!r}); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, text=True).stdout.split()
    assert "cepheid.spark.sending" in loaded
    assert not {"cepheid.engine", "cepheid.spark.streaming", "pandas", "pyarrow"} & set(loaded)
