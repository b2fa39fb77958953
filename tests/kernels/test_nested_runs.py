"""Runs of runs over the same events, cut otherwise, are matches of their own, and each has its own id."""

from collections import Counter

import pytest

from cepheid.algebra.semantics import matches
from cepheid.analysis import plan_of
from cepheid.engine import TieredDetector, tiers_of
from cepheid.events import point
from cepheid.languages.cep import read_program
from tests.kernels.plain_kernels import plain_kernels


@pytest.mark.parametrize("inner", ["n0: A", "(n0: A or n3: A[k == 1])"])
def test_runs_of_runs_have_ids_of_their_own(inner: str) -> None:
    program = read_program(
        f"rule r: repeat n2: 1..3 of (repeat n1: 1..2 of {inner} choose all) choose all emits R(n = 1)"
    )
    events = [point("A", number // 2, number, {"k": number % 2}) for number in range(4)]
    plan = plan_of(program)
    assert all(tier.shape is not None for tier in tiers_of(plan))
    with plain_kernels():
        detector = TieredDetector(plan)
        found = Counter(match.id for match in [*detector.push_all(events), *detector.close()])
    expected = Counter(match.id for match in matches(program, events))
    assert found == expected
    assert set(expected.values()) == {1}
