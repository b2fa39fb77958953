"""What is written down of kernels is what something can still come of, and no more."""

import numpy as np
import pyarrow as pa
import pytest

from cepheid.analysis.plans.planner import plan_of
from cepheid.engine.kernels import KernelDetector
from tests.kernels.plain_kernels import plain_kernels
from tests.queries import read_query

RULES = {
    "recent": "(a: A then b: B within 20 on a.key == b.key choose recent)",
    "next": "(a: A then b: B within 20 on a.key == b.key choose next)",
    "all": "(a: A then b: B within 20 on a.key == b.key)",
    "absent": "(a: A then b: B within 20) unless c: C relation $absent during $pattern",
}


def batch(first: int, count: int) -> pa.RecordBatch:
    draw = np.random.default_rng(first)
    names = np.array(list("ABC"))[draw.integers(0, 3, count)]
    columns = {"type": names, "time": np.arange(first, first + count), "key": draw.integers(0, 50, count)}
    return pa.RecordBatch.from_pydict(columns)


@pytest.mark.parametrize("kind", RULES)
def test_a_long_batch_leaves_a_small_state(kind: str) -> None:
    plan = plan_of(read_query(f"rule pair: {RULES[kind]} emits pair"))
    with plain_kernels():
        detector = KernelDetector(plan)
        detector.push_batch(batch(0, 200))
        little = len(detector.snapshot())
        detector.push_batch(batch(200, 4000))
        much = len(detector.snapshot())
    assert much < 1.3 * little


def test_it_goes_on_beside_its_own_snapshot() -> None:
    plan = plan_of(read_query(f"rule pair: {RULES['recent']} emits pair"))
    with plain_kernels():
        whole, stopped = KernelDetector(plan), KernelDetector(plan)
        restored, found = KernelDetector(plan), 0
        for number, row in enumerate(batch(0, 900).to_pylist()):
            if number % 50 == 25:
                restored = KernelDetector(plan, state=stopped.snapshot())
            expected = whole.push(row)
            assert stopped.push(row) == expected
            assert number < 25 or restored.push(row) == expected
            found += len(expected)
    assert found > 20
