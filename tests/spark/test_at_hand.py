"""A worker keeps detectors of the buckets that it had in memory, and none that a later batch has made useless."""

from cepheid.events import Event
from cepheid.languages.cep import read_program
from cepheid.spark.at_hand import AT_HAND
from cepheid.testing import Case
from tests.spark.packed_cases import BEAT
from tests.spark.without_spark import Stream, routes

BUCKETS, BATCHES, WORKERS = 4, 12, 2
PAIR = "rule pair per key: a: A then b: B within 10 emits Pair(key = a.key)"


def stream() -> Stream:
    AT_HAND.clear()
    return Stream(routes(Case(read_program(PAIR), (), ())), BUCKETS)


def push(given: Stream, batch: int) -> int:
    """Push a batch with an event of each of several keys, and return how many matches there are."""
    events = [Event("AB"[batch % 2], batch, batch, 10 * batch + key, {"key": key}) for key in range(8)]
    return len(given.push([*events, Event(BEAT, batch, batch, -1)]))


def test_buckets_that_go_from_worker_to_worker_leave_one_detector_each_behind() -> None:
    given, workers = stream(), [dict(AT_HAND) for _ in range(WORKERS)]
    found = 0
    for batch in range(BATCHES):
        own = workers[batch // 2 % WORKERS]
        AT_HAND.clear()
        AT_HAND.update(own)
        found += push(given, batch)
        own.clear()
        own.update(AT_HAND)
        assert len(own) == BUCKETS
    alone = stream()
    assert found == sum(push(alone, batch) for batch in range(BATCHES)) > 0
