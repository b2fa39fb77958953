"""How many runs watchpoints had at most, beside what is certified.

    python -m tests.languages.hbl.measured_runs 1000

prints how near runs at full rate come to their certificates, with and without recursion and merging.
"""

import sys
from collections.abc import Iterator, Sequence

from cepheid.analysis import certify, plan_of
from cepheid.engine import Detector
from cepheid.testing import Case
from cepheid.testing.cases import seeded
from tests.languages.hbl.limited_watchpoints import at_full_rate, limited_watchpoint

TRACES = 6


def measured_runs(case: Case) -> Iterator[tuple[int, int]]:
    """Yield for each watchpoint of a case how much it held at most, and how much is certified."""
    plan = plan_of(case.program, intervals=False)
    certificate, detector = certify(plan), Detector(plan)
    most = [0] * len(plan.rules)
    for event in case.arrivals:
        detector.push(event)
        most = [max(one, sum(runner.entries())) for one, runner in zip(most, detector.runners, strict=True)]
    for used, rule in zip(most, certificate.rules, strict=True):
        assert rule.state.number is not None
        yield used, rule.state.number


def nearest(seed: int, *, recursive: bool, evidence: bool) -> float:
    """Return how near a random watchpoint comes to its certificate on the fullest of some traces."""
    draw = seeded(seed)
    text = limited_watchpoint(draw, recursive=recursive, evidence=evidence)
    cases = [at_full_rate(draw, text) for _ in range(TRACES)]
    # What can never complete holds nothing, as is certified.
    return max(used / promised if promised else 1.0 for case in cases for used, promised in measured_runs(case))


def median(ratios: Sequence[float]) -> float:
    return sorted(ratios)[len(ratios) // 2]


def main(count: int) -> None:
    for recursive in (False, True):
        for evidence in (True, False):
            ratios = [nearest(seed, recursive=recursive, evidence=evidence) for seed in range(count)]
            named = f"{'with' if recursive else 'without'} recursion, {'with' if evidence else 'without'} evidence"
            print(f"{named}: median {median(ratios):.2f}, least {min(ratios):.2f}, most {max(ratios):.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
