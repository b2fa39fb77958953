"""Kernels find what the definition finds, for random rules of every shape, however their events arrive."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from cepheid.algebra.matches import Match
from cepheid.analysis.plans.planner import plan_of
from cepheid.engine import Detector
from cepheid.engine.kernels import CompiledDetector, Shape, shapes_of
from cepheid.testing import Case, DefinitionRunner, Result, random_case
from cepheid.testing.cases import seeded
from tests.engine_runner import last
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels.random_rules import RandomRule, random_rule
from tests.kernels_runner import KernelsRunner, compiled_rules

DEFINITION, KERNELS = DefinitionRunner(), KernelsRunner()
RESTARTED = KernelsRunner("kernels, restarted", restarts=True)
SEEDS, TOGETHER = 300, 50


def told(result: Result) -> list[str]:
    return sorted(f"{match.content()} {match.id}" for match in result.matches)


def disagreements(case: RandomRule | Case) -> list[str]:
    """Return the ways of running a rule in kernels that find something else than the definition."""
    if not compiled_rules(case.program, intervals=last(case.trace)):
        return []
    expected = told(DEFINITION.run(case.program, case.trace))
    everywhere = range(len(case.arrivals))
    runs = {
        "in order": KERNELS.run(case.program, case.trace),
        "as it arrives": KERNELS.run(case.program, case.arrivals, disorder=case.disorder, cuts=case.cuts),
        "one by one": KERNELS.run(case.program, case.arrivals, disorder=case.disorder, cuts=everywhere),
        "restarted": RESTARTED.run(case.program, case.arrivals, disorder=case.disorder, cuts=case.cuts),
        "restarted everywhere": RESTARTED.run(case.program, case.arrivals, disorder=case.disorder, cuts=everywhere),
    }
    return [name for name, found in runs.items() if told(found) != expected]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules(first: int) -> None:
    with plain_kernels():
        seeds = range(first, first + TOGETHER)
        assert {seed: wrong for seed in seeds if (wrong := disagreements(random_rule(seeded(seed))))} == {}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(0, 64, 8))
def test_random_rules_in_machine_code(seed: int) -> None:
    assert disagreements(random_rule(seeded(seed))) == []


def test_most_random_rules_have_a_shape_and_every_core_is_among_them() -> None:
    taken: Counter[str] = Counter()
    for seed in range(SEEDS):
        (shape,) = shapes_of(plan_of(random_rule(seeded(seed)).program))
        taken[shape.core.name if isinstance(shape, Shape) else "none"] += 1
    assert set(taken) == {"GRAPH", "SLOTS", "RUNS", "QUEUE", "none"}
    assert taken["none"] < SEEDS // 8
    assert min(taken.values()) >= SEEDS // 20


def test_kernels_take_some_of_the_random_programs_too() -> None:
    cases = [random_case(seed) for seed in range(400)]
    taken = sum(compiled_rules(case.program, intervals=last(case.trace)) for case in cases)
    assert taken >= 5, f"only {taken}: the random programs of the conformance suite hardly try kernels"


@pytest.mark.parametrize("seed", range(0, 400, 20))
def test_a_match_is_told_as_soon_as_by_the_interpreter_and_certain_at_the_same_time(seed: int) -> None:
    case = random_rule(seeded(seed))
    plan = plan_of(case.program)
    if isinstance(shapes_of(plan)[0], str):
        return
    with plain_kernels():
        slow, fast = Detector(plan, identified=True), CompiledDetector(plan, identified=True)
        for event in case.trace:
            assert _told(fast.push(event)) == _told(slow.push(event))
        assert _told(fast.close()) == _told(slow.close())


def _told(matches: list[Match]) -> list[str]:
    return [repr(match) for match in matches]


def some_cases() -> list[RandomRule]:
    return [random_rule(seeded(seed)) for seed in (0, 1, 4, 8)]


def test_no_kernel_reads_or_writes_beyond_its_arrays(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "CEPHEID_CACHE": str(tmp_path)}
    script = "from tests.kernels.test_agreement import *; print([disagreements(case) for case in some_cases()])"
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[[], [], [], []]", done.stderr
