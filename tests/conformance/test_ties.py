"""Programs of every language with many ties: nobody depends on names, and all agree about what arrives first."""

import pytest

from tests.conformance.ties import disagreements


@pytest.mark.parametrize("seed", range(9000, 9012))
def test_ties_are_broken_alike_however_a_program_runs(seed: int) -> None:
    assert disagreements(seed) == []
