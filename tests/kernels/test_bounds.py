"""No rule holds more in kernels than its certificate says of the operators that the interpreter runs for it."""

import pytest

from cepheid.analysis import plan_of
from cepheid.engine.kernels.columns.batches import batch_of_events
from cepheid.engine.kernels.rules.kernel_run import KernelRun
from cepheid.engine.kernels.tables.chain_matches import ChainMatches
from cepheid.events import point
from cepheid.languages.etalis import parse
from cepheid.testing import random_case
from tests.kernels.held_in_stages import check_bounds, waiting
from tests.kernels.plain_kernels import plain_kernels

TOGETHER = 100


@pytest.mark.one_in(5)
@pytest.mark.parametrize("first", range(0, 500, TOGETHER))
def test_rules_in_stages_stay_below_their_bounds(first: int) -> None:
    assert check_bounds(map(random_case, range(first, first + TOGETHER))) > TOGETHER / 5, "too few have a bound"


def test_what_must_be_absent_is_not_held_once_it_can_forbid_nothing_more() -> None:
    """Not even while its instant is not complete."""
    assert check_bounds(map(random_case, (12268, 12512, 13452, 14154))) == 5


def test_what_is_around_a_join_limits_how_long_its_parts_wait() -> None:
    assert check_bounds([random_case(17980)]) == 1


def test_of_what_ended_only_the_most_recent_waits() -> None:
    program = parse("c(X) <- a(X). e(X) <- c(X) SEQ b(X) policy recent.")
    run = KernelRun(plan_of(program), disorder=0, identified=True, evidence=True, state=None)
    assert run.staged
    events = [point("a", time, time, {"arg1": time % 3}) for time in range(200)]
    assert max(waiting(run, events)) == 3
    with plain_kernels():
        found = list(run.push(batch_of_events([point("b", 200, 200, {"arg1": 1})], run.words)))
        found += run.close()
    told = [match for some in found if isinstance(some, ChainMatches) for match in some.matches(evidence=True)]
    assert [match.evidence for match in told if match.name == "e"] == [(199, 200)]
