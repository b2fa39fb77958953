"""Buckets that count apart find a rate broken exactly where it is, from batch to batch and after a restart."""

import json
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.programs import Arrival
from cepheid.events import MIN_TIME, Event
from cepheid.languages.cep import read_program
from cepheid.spark.at_hand import AT_HAND
from cepheid.spark.stream_rates import MOST_KEPT, MOST_NEW, CountedEnds, StreamRates, broken_together
from cepheid.testing import Case
from tests.spark.packed_cases import BEAT
from tests.spark.test_counted_spans import RATES, keeps_to
from tests.spark.without_spark import Stream, routes

RATE = Arrival(5, 10)
MESSAGE = "more than 5 `A` events come within 10 us"


@dataclass
class Buckets:
    """What so many buckets of one lane count of one type."""

    rate: Arrival = RATE
    lane: str = "0 Pair"
    each: list[CountedEnds] = field(default_factory=lambda: [CountedEnds() for _ in range(5)])

    def batch(self, dealt: Sequence[Sequence[int]], frontier: int = MIN_TIME) -> list[str]:
        """Return what is told of a batch that deals such ends to the first buckets."""
        told = []
        for number, counted in enumerate(self.each):
            counted.take("A", dealt[number] if number < len(dealt) else ())
            told.append(counted.told(number, self.lane, {"A": self.rate, "B": self.rate}, frontier))
        return [one for one in told if one is not None]

    def restarted(self) -> "Buckets":
        kept = [json.loads(json.dumps(one.to_json())) for one in self.each]
        return Buckets(self.rate, self.lane, [CountedEnds.from_json(one) for one in kept])


def test_a_bucket_says_what_it_counted_now_and_before() -> None:
    counted = CountedEnds()
    assert counted.told(3, "0 Pair", {"A": RATE}, 0) is None
    counted.take("A", [1, 2, 10, 2])
    expected = '{"bucket":3,"lane":"0 Pair","types":{"A":[[5,10,false],%s,%s]}}'
    assert counted.told(3, "0 Pair", {"A": RATE}, 12) == expected % ("[]", "[[1,1,1],[1,1,2],[8,1,1]]")
    counted.take("A", [20])
    assert counted.told(3, "0 Pair", {"A": RATE}, 40) == expected % ("[[10,1,1]]", "[[20,1,1]]")
    assert counted.told(3, "0 Pair", {"A": RATE}, 40) is None


@given(RATES, st.integers(0, 15), st.integers(1, 4), st.integers(0, 2**32))
def test_the_batch_that_breaks_a_rate_is_found_however_events_are_dealt_and_cut(
    rate: Arrival, disorder: int, parts: int, seed: int
) -> None:
    random = Random(seed)
    times = sorted(random.choices(range(80), k=random.randrange(30)), key=lambda one: one + random.randint(0, disorder))
    buckets, taken, frontier = Buckets(rate), list[int](), MIN_TIME
    while times:
        some, times = times[: (length := random.randint(1, 6))], times[length:]
        dealt: list[list[int]] = [[] for _ in range(parts)]
        for time in some:
            dealt[random.randrange(parts)].append(time)
        again = buckets.restarted()
        frontier = max(frontier, max(some) - disorder)
        told = buckets.batch(dealt, frontier)
        assert again.batch(dealt, frontier) == told  # a batch that is repeated after a restart
        found = list(broken_together(random.sample(told * 2, len(told) * 2)))
        taken += some
        assert bool(found) == (not keeps_to(rate, taken))
        if found:
            return


def test_a_rate_that_is_broken_evenly_is_found_over_the_edges_of_periods_and_batches() -> None:
    for batches in ([[[8]] * 5, [[11]]], [[[8], [8]], [[9], [9]], [[11]], [[17]]]):
        rates, buckets = StreamRates(), Buckets()
        *before, last = (rates.after(buckets.batch(one), []) for one in batches)
        assert (set(before), last) == ({()}, (MESSAGE,))


def test_what_broke_a_rate_is_said_once_and_what_one_bucket_noticed_too() -> None:
    rates, buckets = StreamRates(), Buckets()
    assert rates.after(buckets.batch([[20, 21]] * 5), [MESSAGE, "more"]) == (MESSAGE, "more")
    assert rates.after(buckets.batch([[40, 41]] * 5), ["more"]) == ()


def test_a_batch_breaks_no_rate_that_was_broken_before_it() -> None:
    buckets = Buckets()
    assert list(broken_together(buckets.batch([[1, 2]] * 5))) == [MESSAGE]
    assert list(broken_together(buckets.batch([[12]]))) == []
    assert list(broken_together(buckets.batch([[11]]))) == [MESSAGE]


def test_lanes_are_counted_apart_and_work_that_is_done_again_once() -> None:
    told = [*Buckets().batch([[1, 2, 3]]), *Buckets(lane="0 Other").batch([[1, 2, 3]])]
    assert list(broken_together(told)) == []
    assert list(broken_together(Buckets().batch([[11, 12, 13]]) * 2)) == []
    assert list(broken_together(Buckets().batch([[11, 12, 13]] * 2))) == [MESSAGE]


def test_what_is_told_and_kept_is_no_more_however_long_a_stream_runs() -> None:
    buckets, last = Buckets(Arrival(10**6, 10**6)), 0
    for batch in range(5):
        first, last = last, last + 10**6
        told = buckets.batch([range(first + bucket, last, 50) for bucket in range(5)], last - 10**6)
        (_, before, now) = json.loads(told[0])["types"]["A"]
        assert (len(before) <= MOST_KEPT, len(now) <= MOST_NEW, len(told)) == (True, True, 5)
        assert bool(before) == (batch > 0)
        assert list(broken_together(told)) == []
    slower = [one.replace("[1000000,1000000,false]", "[95000,1000000,false]") for one in told]
    assert list(broken_together(slower)) == ["more than 95000 `A` events come within 1 s"]


PAIR = "stream A rate 5 per 10\nrule pair per key: a: A then b: B within 10 emits Pair(key = a.key)"
ROLES = "stream A rate 5 per 10\nrule r: a: A then b: A within 5 on a.key == b.value emits R"


def figures(stream: Stream, times: Sequence[int], first: int) -> list[str]:
    """Return what buckets tell of a batch with an event of another key at each time."""
    keys = ({"key": first + number, "value": -first - number} for number in range(len(times)))
    events = [
        Event("A", time, time, first + number, key) for number, (time, key) in enumerate(zip(times, keys, strict=True))
    ]
    stream.push([*events, Event(BEAT, max(times), max(times), -1)])
    return [str(row["record"]) for row in stream.figures if row["record"] is not None]


@pytest.mark.parametrize("text", [PAIR, ROLES], ids=["pair", "roles"])
def test_what_was_counted_is_in_the_state_of_a_stream(text: str) -> None:
    def begun() -> Stream:
        AT_HAND.clear()
        return Stream(routes(Case(read_program(text), (), ())), 4)

    stream = begun()
    assert list(broken_together(figures(stream, [7, 8, 9], 1))) == []
    for last, expected in (([10, 11, 16], [MESSAGE]), ([10, 11, 17], [])) * 2:
        again = begun()
        again.take_over(deepcopy(stream))
        assert list(broken_together(figures(again, last, 4))) == expected
        after = begun()
        after.take_over(again)
        assert list(broken_together(figures(after, [26], 7))) == []
