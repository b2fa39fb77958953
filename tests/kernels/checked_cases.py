"""Random cases held to the definition and to the interpreter: what kernels find, and when it is certain."""

from collections.abc import Iterable

from cepheid.engine import tiers_of
from cepheid.testing import Case, DefinitionRunner
from tests.engine_runner import EngineRunner, last, plan_for
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels.test_agreement import disagreements
from tests.kernels_runner import KernelsRunner


def check_agreement(cases: Iterable[Case]) -> tuple[int, int]:
    """Hold cases to the definition; return how many run in kernels altogether, and in how many something is found."""
    compiled = found = 0
    with plain_kernels():
        for number, case in enumerate(cases):
            assert disagreements(case) == [], number
            tiers = tiers_of(plan_for(case.program, intervals=last(case.trace)))
            compiled += all(tier.shape is not None for tier in tiers)
            found += bool(DefinitionRunner().run(case.program, case.trace).matches)
    return compiled, found


def check_certainty(cases: Iterable[Case]) -> None:
    """Hold cases to the interpreter in when each match is certain."""
    runners = (EngineRunner(), KernelsRunner())
    with plain_kernels():
        for number, case in enumerate(cases):
            runs = [runner.run(case.program, case.arrivals, disorder=case.disorder) for runner in runners]
            times = [{match.id: match.known for match in run.matches} for run in runs]
            assert times[0] == times[1], number
