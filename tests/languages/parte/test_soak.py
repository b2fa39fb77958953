"""Random rules over several sources find in any order what the definition finds, within their minimum viable sizes."""

from collections import Counter

import pytest

from tests.languages.parte.soak import seen_of
from tests.languages.parte.soak_cases import interleavings, soak_case

SEEDS = 200
AT_ONCE = 10


@pytest.mark.one_in(4)
@pytest.mark.parametrize("first", range(0, SEEDS, AT_ONCE))
def test_sources_may_come_in_any_order_and_fit(first: int) -> None:
    counts: Counter[str] = Counter()
    for seed in range(first, first + AT_ONCE):
        seen = seen_of(seed)
        assert (seed, seen.wrong) == (seed, set())
        counts += seen.counts
    assert counts["orders"] > AT_ONCE
    assert counts["looks at a history"] > AT_ONCE


def test_seeds_have_matches_and_make_sources_wait() -> None:
    counts: Counter[str] = Counter()
    for seed in range(40):
        counts += seen_of(seed).counts
    assert min(counts[name] for name in ("matches", "waits", "looks at a history that is full")) > 20
    assert counts["looks at a match to come"] > 100


def test_all_orders_are_taken_once() -> None:
    case = next(case for case in map(soak_case, range(100)) if sorted(map(len, case.steps.values())) == [2, 3])
    orders = [tuple(step.event.id for step in steps) for steps in interleavings(case.steps)]
    assert len(orders) == len(set(orders)) == 10
