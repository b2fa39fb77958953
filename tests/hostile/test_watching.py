"""Whatever a case does to its process, it is told with its seed, and the cases after it are run."""

import pytest

from tests.hostile.watching import Limits, Outcomes, watched

MODULE = "tests.hostile.misbehaving"
LIMITS = Limits(seconds=0.3, memory=100 << 20)


@pytest.fixture(scope="module")
def outcomes() -> Outcomes:
    return watched(MODULE, 0, 10, LIMITS)


def test_what_goes_well_is_counted(outcomes: Outcomes) -> None:
    assert outcomes.counts == {"answer": 2, "refused": 2, "WRONG": 6}
    assert str(outcomes) == "10 cases: 6 WRONG, 2 refused, 2 answer"


@pytest.mark.parametrize(
    ("seed", "problem"),
    [
        (1, "ValueError: not what was promised"),
        (2, "ends the process: SIGABRT"),
        (3, "does not end in"),
        (4, "takes "),
        (5, "ends the process: SIGSEGV"),
        (6, "ends the process: status 0"),
    ],
)
def test_what_goes_wrong_is_told_with_its_seed(outcomes: Outcomes, seed: int, problem: str) -> None:
    assert problem in outcomes.wrong[seed]


def test_a_module_that_cannot_be_run_is_no_success() -> None:
    with pytest.raises(SystemExit, match="cannot be run"):
        watched("tests.hostile.no_such_module", 0, 1)
