"""What a stream runs is sent with every batch, and a worker has it once."""

from cepheid.algebra.remembering import ByIdentity
from cepheid.events import Event
from cepheid.languages.cep import read_program
from cepheid.spark import lanes
from cepheid.spark.streaming import Buckets
from cepheid.testing import Case
from tests.spark.packed_cases import BEAT
from tests.spark.without_spark import FORM, SETTINGS, Stream, routes, sent

PAIR = "rule pair per key: a: A then b: B within 10 emits Pair(key = a.key)"
BATCHES = 8


def remembered() -> int:
    """Return of how many lanes this process remembers what their detectors run."""
    working: ByIdentity[lanes.Lane, lanes.WorkingLane] = lanes._working
    return len(working.kept)


def test_what_is_sent_with_every_batch_is_unpacked_once() -> None:
    every = routes(Case(read_program(PAIR), (), ()))
    stream, found, counts = Stream(every), 0, []
    for batch in range(BATCHES):
        stream.operators = [(sent(Buckets(every, FORM, SETTINGS, stream.buckets)), stream.operators[0][1])]
        events = [Event("AB"[batch % 2], batch, batch, batch, {"key": 1}), Event(BEAT, batch, batch, -1)]
        found += len(stream.push(events, forgetful=True))
        counts.append(remembered())
    assert found == 1 + 2 + 3 + 4  # each B with all that came before it
    assert counts[-1] == counts[0]
