"""Record batches in, record batches out: whatever the columns are, and however the batches are cut."""

import pyarrow as pa
import pytest

from cepheid.analysis.plans.plan import Plan
from cepheid.analysis.plans.planner import plan_of
from cepheid.diagnostics import CepheidError
from cepheid.engine.kernels import ArrowNames, KernelDetector
from cepheid.events import Arrival
from tests.kernels.plain_kernels import plain_kernels
from tests.queries import read_query

PAIRS = "rule pair: (a: A then b: B within 5 on a.key == b.key) emits pair(from = a.value, to = b.value)"


def plan(text: str = PAIRS) -> Plan:
    return plan_of(read_query(text))


def batch(**columns: list[object]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"type": ["A", "A", "B", "B"], "time": [1, 2, 3, 9], **columns})


def told(table: pa.RecordBatch) -> list[tuple[object, ...]]:
    """Return matches by their places; those of one end come in any order."""
    return sorted((row["start"], row["end"], tuple(row["evidence"])) for row in table.to_pylist())


@pytest.mark.parametrize(
    "keys",
    [
        pa.array([1, 2, 1, 1]),
        pa.array([1.0, 2.5, 1.0, 1.0]),
        pa.array(["x", "y", "x", "x"]),
        pa.array(["x", "y", "x", "x"]).dictionary_encode(),
        pa.array([True, False, True, True]),
        pa.array([1, None, 1, 1]),
    ],
    ids=str,
)
def test_keys_of_any_kind(keys: pa.Array) -> None:
    with plain_kernels():
        columns = {"type": ["A", "A", "B", "B"], "time": [1, 2, 3, 9], "key": keys, "value": [1, 2, 3, 4]}
        detector = KernelDetector(plan())
        assert told(detector.push_batch(pa.RecordBatch.from_pydict(columns))) == [(1, 3, (1, 3))]


def test_a_key_is_the_same_in_a_column_of_another_kind() -> None:
    with plain_kernels():
        detector = KernelDetector(plan())
        first = pa.RecordBatch.from_pydict({"type": ["A", "A"], "time": [1, 1], "key": [1, 2], "value": [1, 2]})
        second = pa.RecordBatch.from_pydict({"type": ["B"], "time": [3], "key": [2.0], "value": ["z"]})
        assert told(detector.push_batch(first)) == []
        assert detector.push_batch(second).to_pylist() == [
            {"rule": "pair", "start": 1, "end": 3, "known": 3, "evidence": [2, 3], "from": 2, "to": "z"}
        ]


def test_what_is_late_is_counted_and_left_out() -> None:
    with plain_kernels():
        detector = KernelDetector(plan(), disorder=2)
        times = {"type": ["A", "B", "A"], "time": [10, 12, 7], "key": [1, 1, 1], "value": [1, 2, 3]}
        assert told(detector.push_batch(pa.RecordBatch.from_pydict(times))) == []
        assert told(detector.advance(13)) == [(10, 12, (1, 2))]
        assert detector.counts[Arrival.LATE] == 1


def test_ids_of_their_own_and_no_evidence() -> None:
    with plain_kernels():
        names = ArrowNames(id="name")
        named = batch(key=[1, 1, 1, 1], value=[1, 2, 3, 4], name=["p", "q", "r", "s"])
        assert told(KernelDetector(plan(), columns=names).push_batch(named)) == [(1, 3, ("p", "r")), (2, 3, ("q", "r"))]
        bare = KernelDetector(plan(), evidence=False).push_batch(named)
        assert bare.schema.names == ["rule", "start", "end", "known", "from", "to"]


def test_however_batches_are_cut_and_wherever_it_is_stopped() -> None:
    with plain_kernels():
        whole = batch(key=[1, 1, 1, 1], value=[1, 2, 3, 4])
        expected = told(KernelDetector(plan()).push_batch(whole))
        for cut in range(5):
            first = KernelDetector(plan())
            found = told(first.push_batch(whole.slice(0, cut)))
            second = KernelDetector(plan(), state=first.snapshot())
            assert found + told(second.push_batch(whole.slice(cut))) + told(second.close()) == expected


def test_a_state_of_another_query_is_refused() -> None:
    with plain_kernels():
        state = KernelDetector(plan()).snapshot()
        with pytest.raises(CepheidError, match="state-mismatch"):
            KernelDetector(plan("rule other: (a: A then b: B within 7) emits other"), state=state)
        with pytest.raises(CepheidError, match="bad-state"):
            KernelDetector(plan(), state=b"something else")


def test_a_closed_detector_takes_nothing_more() -> None:
    with plain_kernels():
        detector = KernelDetector(plan())
        detector.close()
        with pytest.raises(CepheidError, match="detector-closed"):
            detector.push_batch(batch(key=[1, 1, 1, 1], value=[1, 2, 3, 4]))


def test_a_time_that_is_too_far_away_is_refused() -> None:
    with plain_kernels(), pytest.raises(CepheidError, match="too far away"):
        KernelDetector(plan()).push_batch(pa.RecordBatch.from_pydict({"type": ["A"], "time": [2**62], "key": [1]}))
