"""Rows that need no closer look find the same matches as those that get one."""

import numpy as np
import pyarrow as pa
import pytest

from cepheid.analysis.plans.planner import plan_of
from cepheid.engine.kernels import KernelDetector
from cepheid.testing.cases import seeded
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels.random_rules import random_rule
from tests.kernels_runner import compiled_rules
from tests.queries import read_query

KEYED = "rule pair: (a: A then b: B within 9 on a.key == b.key) emits pair(from = a.value)"


def batches(seed: int, keys: pa.DataType) -> tuple[pa.RecordBatch, ...]:
    draw = np.random.default_rng(seed)
    times = np.cumsum(draw.integers(0, 3, 120))
    columns = {
        "type": pa.array(np.array(list("ABCD"))[draw.integers(0, 4, 120)]),
        "time": times,
        "key": pa.array(draw.integers(0, 5, 120)).cast(keys),
        "user": draw.integers(0, 2, 120),
        "value": draw.random(120),
    }
    return pa.RecordBatch.from_pydict(columns).slice(0, 70), pa.RecordBatch.from_pydict(columns).slice(70)


def told(detector: KernelDetector, some: tuple[pa.RecordBatch, ...], *, closer: bool) -> list[object]:
    for kernel in detector.run.kernels:
        kernel.intake.serves = kernel.intake.serves and not closer
    found = [*map(detector.push_batch, some), detector.close()]
    return [row for table in found for row in table.to_pylist()]


@pytest.mark.parametrize("keys", [pa.int64(), pa.int16(), pa.string()], ids=str)
def test_keys_that_are_whole_numbers_or_words_need_none(keys: pa.DataType) -> None:
    with plain_kernels():
        plan, some = plan_of(read_query(KEYED)), batches(3, keys)
        detector = KernelDetector(plan)
        assert detector.run.kernels[0].intake.serves
        found = told(detector, some, closer=False)
        assert len(found) > 5
        assert found == told(KernelDetector(plan), some, closer=True)


@pytest.mark.parametrize("keys", [pa.int64(), pa.string()], ids=str)
def test_keys_may_be_more_than_there_is_room_for(keys: pa.DataType) -> None:
    """New keys need more room in the midst of a batch; small numbers and great ones are found in other ways."""
    draw = np.random.default_rng(5)
    each = np.concatenate([np.arange(3_000), draw.integers(-(1 << 40), 1 << 40, 3_000)])
    columns = {
        "type": pa.array(["A"] * 6_000 + ["B"] * 6_000),
        "time": np.concatenate([np.zeros(6_000, np.int64), np.full(6_000, 5)]),
        "key": pa.array(np.concatenate([each, draw.permutation(each)])).cast(keys),
        "value": draw.random(12_000),
    }
    plan, some = plan_of(read_query(KEYED)), (pa.RecordBatch.from_pydict(columns),)
    found = told(KernelDetector(plan), some, closer=False)
    assert len(found) == len(set(each.tolist())) == 6_000
    assert sorted(map(str, found)) == sorted(map(str, told(KernelDetector(plan), some, closer=True)))


def test_rules_of_any_shape_find_the_same() -> None:
    with plain_kernels():
        served = 0
        for seed in range(60):
            rule = random_rule(seeded(seed))
            if not compiled_rules(rule.program):
                continue
            plan, some = plan_of(rule.program), batches(seed, pa.int64())
            detector = KernelDetector(plan, disorder=rule.disorder)
            served += all(kernel.intake.serves for kernel in detector.run.kernels)
            closer = told(KernelDetector(plan, disorder=rule.disorder), some, closer=True)
            assert told(detector, some, closer=False) == closer
        assert served > 10
