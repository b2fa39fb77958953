"""How much the rules of a case held in stages at most, and how much is certified of each."""

from collections.abc import Iterable, Iterator, Sequence

from cepheid.analysis import Certificate, certify, plan_of
from cepheid.engine.kernels.columns.batches import batch_of_events
from cepheid.engine.kernels.rules.kernel_run import KernelRun
from cepheid.engine.kernels.rules.rule_shapes import shapes_of
from cepheid.events import Event
from cepheid.testing import Case
from tests.kernels.plain_kernels import plain_kernels
from tests.properties.measured_state import PERIODS, declared, lasting


def held(case: Case) -> list[tuple[str, int, int | None]]:
    """Return for each rule of a case that runs in stages how much it held at most, and how much is certified."""
    plans = [plan_of(declared(case, period), intervals=lasting(case)) for period in PERIODS]
    if case.program.pipes or any(isinstance(shape, str) for shape in shapes_of(plans[0])):
        return []
    run = KernelRun(plans[0], disorder=case.disorder, identified=True, evidence=True, state=None)
    most = [0] * len(run.staged)
    for event in case.arrivals:
        list(run.push(batch_of_events([event], run.words)))
        most = [max(one, rule.live()) for one, rule in zip(most, run.staged, strict=True)]
    names = [rule.shape.plan.rule.name for rule in run.staged]
    promised = _promised([certify(plan, case.disorder) for plan in plans])
    return [(name, used, promised[name]) for name, used in zip(names, most, strict=True)]


def check_bounds(cases: Iterable[Case]) -> int:
    """Hold every rule of some cases to its certificate, and return how many have a bound."""
    bounded = 0
    with plain_kernels():
        for number, case in enumerate(cases):
            for rule, used, promised in held(case):
                bounded += promised is not None
                assert promised is None or used <= promised, (number, rule)
    return bounded


def waiting(run: KernelRun, events: Iterable[Event]) -> Iterator[int]:
    """Push events one by one, and yield how much waits in all stages after each."""
    with plain_kernels():
        for event in events:
            list(run.push(batch_of_events([event], run.words)))
            yield sum(rule.live() for rule in run.staged)


def _promised(certificates: Sequence[Certificate]) -> dict[str, int | None]:
    """Return for each rule the least number of entries that any of the certificates says."""
    found: dict[str, int | None] = {}
    for rule in (one for certificate in certificates for one in certificate.rules):
        entries = [operator.entries.number for operator in rule.operators]
        known = [one for one in entries if one is not None]
        whole = sum(known) if len(known) == len(entries) else None
        found[rule.name] = min((one for one in (found.get(rule.name), whole) if one is not None), default=None)
    return found
