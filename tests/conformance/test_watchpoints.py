"""Random watchpoints of HBL: every way of running them agrees with the definition, and with the printed text."""

import pytest

from tests.conformance.watchpoints import disagreements


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_watchpoints_are_the_same_however_they_run(first: int) -> None:
    assert {seed: wrong for seed in range(first, first + 10) if (wrong := disagreements(seed))} == {}


@pytest.mark.parametrize("seed", [97, 106, 206, 283], ids=["idle loop", "idle steps", "type of a", "type of several"])
def test_watchpoints_that_once_were_not(seed: int) -> None:
    assert disagreements(seed) == []
