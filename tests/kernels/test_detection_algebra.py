"""Expressions of the event detection algebra run in kernels: what they find, and what they hold while they wait."""

import pytest

from cepheid.algebra.expressions import Moment
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import HULL, Program, Rule
from cepheid.algebra.relations import end, start
from cepheid.analysis import plan_of
from cepheid.engine.kernels import shapes_of
from cepheid.engine.kernels.rules.kernel_run import KernelRun
from cepheid.events import Event, point
from cepheid.languages.algebra import parse
from cepheid.languages.cep import read_program
from cepheid.testing import Case
from cepheid.testing.cases import Draw, random_cuts, random_disordered, seeded
from cepheid.testing.cases.detection_algebra import lowered, random_expression
from tests.engine_runner import last, plan_for
from tests.kernels.held_in_stages import check_bounds, waiting
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels.test_agreement import disagreements

TYPES = ("A", "B", "C")
SEEDS, TOGETHER = 120, 40


def random_detection(draw: Draw) -> Case:
    """Return an expression, mostly under latest-start, with events of which some may last."""
    choice = Choice.LATEST_START if draw.chance(80) else Choice.ALL
    pattern = lowered(random_expression(draw, TYPES, 3), choice)
    rule = Rule("match", pattern, "match", Moment(start(HULL)), Moment(end(HULL)), {})
    trace = _trace(draw, longest=4 if draw.chance(50) else 0)
    disorder = draw.integer(1, 4) if draw.chance(40) else 0
    arrivals = tuple(random_disordered(draw, trace, disorder))
    return Case(Program((rule,)), tuple(trace), arrivals, disorder, random_cuts(draw, len(arrivals)))


def _trace(draw: Draw, longest: int) -> list[Event]:
    time, found = 0, []
    for number in range(draw.integer(1, 20)):
        time += draw.integer(0, 2)
        found.append(Event(draw.pick(TYPES), time - draw.integer(0, longest), time, number, {}))
    return found


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_expressions(first: int) -> None:
    with plain_kernels():
        seeds = range(first, first + TOGETHER)
        assert {seed: wrong for seed in seeds if (wrong := disagreements(random_detection(seeded(seed))))} == {}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(0, 64, 8))
def test_random_expressions_in_machine_code(seed: int) -> None:
    assert disagreements(random_detection(seeded(seed))) == []


def test_almost_all_expressions_run_in_kernels() -> None:
    cases = [random_detection(seeded(seed)) for seed in range(SEEDS)]
    shapes = [shapes_of(plan_for(case.program, intervals=last(case.trace))) for case in cases]
    assert sum(any(isinstance(shape, str) for shape in some) for some in shapes) <= SEEDS // 50


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_expressions_in_stages_stay_below_their_bounds(first: int) -> None:
    cases = (random_detection(seeded(seed)) for seed in range(first, first + TOGETHER))
    assert check_bounds(cases) > TOGETHER / 4, "too few have a bound"


@pytest.mark.parametrize(
    ("expression", "most"), [("(A + B) + C", 4), ("(A ; B) - C", 2), ("A ; ((B ; C) within 5)", 5), ("A - (B + C)", 3)]
)
def test_what_waits_does_not_grow_with_what_has_been(expression: str, most: int) -> None:
    plan = plan_of(parse(f"D = {expression}", time_unit=1))
    run = KernelRun(plan, disorder=0, identified=True, evidence=True, state=None)
    assert run.staged
    events = [point(TYPES[time * 7 // 3 % 3], time, time, {}) for time in range(200)]
    assert max(waiting(run, events)) <= most


def test_of_what_ends_together_only_the_latest_start_waits() -> None:
    program = read_program("rule match: a: A then b: B within 5 us choose latest-start emits Match")
    run = KernelRun(plan_of(program, intervals=True), disorder=0, identified=True, evidence=True, state=None)
    assert run.staged
    ending = [Event("A", start, 4, number, {}) for number, start in enumerate((0, 3, 1, 2))]
    assert list(waiting(run, [*ending, point("C", 5, 9, {})]))[-1] == 1
