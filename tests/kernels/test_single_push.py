"""Events pushed one by one to a detector for Arrow: the same matches as in batches, and both can be mixed."""

import pyarrow as pa
import pytest

from cepheid.analysis.plans.planner import plan_of
from cepheid.diagnostics import CepheidError
from cepheid.engine.kernels import KernelDetector, Shape, shapes_of
from cepheid.events import Event, point
from cepheid.testing import DefinitionRunner
from cepheid.testing.cases import seeded
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels.random_rules import RandomRule, random_rule
from tests.queries import read_query

DEFINITION = DefinitionRunner()


def expected(case: RandomRule) -> list[str]:
    matches = DEFINITION.run(case.program, case.trace).matches
    return sorted(str((one.start, one.end, dict(one.values), one.evidence)) for one in matches)


def pushed(detector: KernelDetector, events: tuple[Event, ...]) -> list[str]:
    found = [one for event in events for one in detector.push({"type": event.type, "time": event.end, **event.fields})]
    return [str((one.start, one.end, dict(one.values), one.evidence)) for one in found]


def rest(detector: KernelDetector) -> list[str]:
    """Return what is told when time has passed."""
    return pushed(detector, (point("nothing", 2**60, 0),))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, 200, 50))
def test_one_by_one(first: int) -> None:
    with plain_kernels():
        for seed in range(first, first + 50):
            case = random_rule(seeded(seed))
            plan = plan_of(case.program)
            if isinstance(shapes_of(plan)[0], Shape):
                detector = KernelDetector(plan)
                assert sorted(pushed(detector, case.trace) + rest(detector)) == expected(case), seed


def test_a_snapshot_in_between_and_a_batch_after() -> None:
    case = random_rule(seeded(8))
    with plain_kernels():
        plan = plan_of(case.program)
        first = KernelDetector(plan)
        found = pushed(first, case.trace[:9])
        second = KernelDetector(plan, state=first.snapshot())
        found += pushed(second, case.trace[9:])
        assert sorted(found + rest(second)) == expected(case)


def test_a_batch_after_single_events() -> None:
    plan = plan_of(read_query("a: A then b: B within 5"))
    with plain_kernels():
        mixed, whole = KernelDetector(plan), KernelDetector(plan)
        events = [{"type": "ABC"[time % 3], "time": time, "value": time, "key": 1, "user": "ann"} for time in range(40)]
        told = [(one.start, one.end, one.evidence) for event in events[:20] for one in mixed.push(event)]
        batch = mixed.push_batch(pa.RecordBatch.from_pylist(events[20:])).to_pylist()
        told += [(row["start"], row["end"], tuple(row["evidence"])) for row in batch]
        alone = whole.push_batch(pa.RecordBatch.from_pylist(events)).to_pylist()
        assert told == [(row["start"], row["end"], tuple(row["evidence"])) for row in alone]
        assert told


def test_folds_come_in_batches_only() -> None:
    window = "relation 0 <= end($anchor) - start($item) <= 8 with count = count of items"
    folds = plan_of(read_query(f"collect seen: all of item: B for anchor: A {window}"))
    with plain_kernels(), pytest.raises(CepheidError, match="takes events in batches only"):
        KernelDetector(folds).push({"type": "A", "time": 1})
