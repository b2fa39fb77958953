"""No rule holds more in kernels than its certificate says of the operators that the interpreter runs for it."""

from collections.abc import Sequence

import pytest

from cepheid.analysis import Certificate, certify, plan_of
from cepheid.engine.kernels.batches import batch_of_events
from cepheid.engine.kernels.chain_matches import ChainMatches
from cepheid.engine.kernels.kernel_run import KernelRun
from cepheid.engine.kernels.rule_shapes import shapes_of
from cepheid.events import point
from cepheid.languages.etalis import parse
from cepheid.testing import Case, random_case
from tests.kernels.plain_kernels import plain_kernels
from tests.properties.measured_state import PERIODS, declared, lasting

TOGETHER = 250


@pytest.mark.parametrize("first", range(0, 1000, TOGETHER))
def test_rules_in_stages_stay_below_their_bounds(first: int) -> None:
    seen = 0
    with plain_kernels():
        for seed in range(first, first + TOGETHER):
            for rule, used, promised in _held(random_case(seed)):
                seen += 1
                assert promised is None or used <= promised, (seed, rule)
    assert seen > TOGETHER / 25, "too few of the cases run in stages"


def _held(case: Case) -> list[tuple[str, int, int | None]]:
    """Return for each rule of a case that runs in stages how much it held at most, and how much is certified."""
    plans = [plan_of(declared(case, period), intervals=lasting(case)) for period in PERIODS]
    if case.program.pipes or any(isinstance(shape, str) for shape in shapes_of(plans[0])):
        return []
    run = KernelRun(plans[0], disorder=case.disorder, identified=True, evidence=True, state=None)
    if run.chain is None:
        return []
    most = [0] * len(run.chain.rules)
    for event in case.arrivals:
        list(run.push(batch_of_events([event], run.words)))
        most = [max(one, rule.live(run.frontier)) for one, rule in zip(most, run.chain.rules, strict=True)]
    names = [rule.shape.plan.rule.name for rule in run.chain.rules]
    promised = _promised([certify(plan, case.disorder) for plan in plans])
    return [(name, used, promised[name]) for name, used in zip(names, most, strict=True)]


def _promised(certificates: Sequence[Certificate]) -> dict[str, int | None]:
    """Return for each rule the least number of entries that any of the certificates says."""
    found: dict[str, int | None] = {}
    for rule in (one for certificate in certificates for one in certificate.rules):
        entries = [operator.entries.number for operator in rule.operators]
        known = [one for one in entries if one is not None]
        whole = sum(known) if len(known) == len(entries) else None
        found[rule.name] = min((one for one in (found.get(rule.name), whole) if one is not None), default=None)
    return found


def test_of_what_ended_only_the_most_recent_waits() -> None:
    program = parse("c(X) <- a(X). e(X) <- c(X) SEQ b(X) policy recent.")
    run = KernelRun(plan_of(program), disorder=0, identified=True, evidence=True, state=None)
    assert run.chain is not None
    with plain_kernels():
        for time in range(200):
            list(run.push(batch_of_events([point("a", time, time, {"arg1": time % 3})], run.words)))
            assert sum(rule.live(run.frontier) for rule in run.chain.rules) <= 3 + 1
        found = list(run.push(batch_of_events([point("b", 200, 200, {"arg1": 1})], run.words)))
        found += run.close()
    told = [match for some in found if isinstance(some, ChainMatches) for match in some.matches(evidence=True)]
    assert [match.evidence for match in told if match.name == "e"] == [(199, 200)]
