"""Matches are counted without being listed, and there are as many as are listed."""

import pytest

from cepheid.algebra.keyed import keyed
from cepheid.algebra.patterns import Atom, Join, Pattern
from cepheid.algebra.programs import Program
from cepheid.algebra.relations import Relation, after, length
from cepheid.analysis.plans.planner import plan_of
from cepheid.engine.kernels import KernelDetector, MatchCounter, Shape, shapes_of
from cepheid.engine.kernels.doors.counting import can_count
from cepheid.testing.cases import Draw, seeded
from tests.conformance.test_agreement import lone
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels.random_rules import TYPES, random_rule, random_trace
from tests.kernels.record_batches import record_batches


def random_sequence(draw: Draw) -> Program:
    """Return a sequence of two to five events under all, mostly in a window."""
    count = draw.integer(2, 5)
    atoms = tuple(Atom(f"p{place}", frozenset({draw.pick(TYPES)})) for place in range(count))
    relation: Relation = tuple(after(f"${place + 1}", f"${place}") for place in range(count - 1))
    relation += (length("$0", f"${count - 1}", draw.integer(count - 1, 12)),) if draw.chance(80) else ()
    pattern: Pattern = Join(atoms, relation)
    return lone(keyed(pattern, ["key"]) if draw.chance(50) else pattern)


@pytest.mark.parametrize("first", range(0, 80, 40))
def test_as_many_as_are_listed(first: int) -> None:
    with plain_kernels():
        for seed in range(first, first + 40):
            draw = seeded(seed)
            plan = plan_of(random_sequence(draw))
            counter, lister = MatchCounter(plan), KernelDetector(plan)
            batches = record_batches(random_trace(draw), 5)
            counted = sum(counter.push_batch(batch) for batch in batches) + counter.close()
            listed = sum(lister.push_batch(batch).num_rows for batch in batches) + lister.close().num_rows
            assert counted == listed, seed


def test_most_of_these_are_counted() -> None:
    shapes = [shape for seed in range(60) for shape in shapes_of(plan_of(random_sequence(seeded(seed))))]
    counted = [shape for shape in shapes if isinstance(shape, Shape) and can_count(shape)]
    assert len(counted) >= 50


@pytest.mark.parametrize("first", range(0, 80, 40))
def test_what_cannot_be_counted_is_listed(first: int) -> None:
    with plain_kernels():
        for seed in range(first, first + 40):
            case = random_rule(seeded(seed))
            plan = plan_of(case.program)
            if isinstance(shapes_of(plan)[0], Shape):
                counter, lister = MatchCounter(plan), KernelDetector(plan)
                batches = record_batches(case.trace, 7)
                counted = [counter.push_batch(batch) for batch in batches] + [counter.close()]
                listed = [lister.push_batch(batch).num_rows for batch in batches] + [lister.close().num_rows]
                assert sum(counted) == sum(listed), seed
