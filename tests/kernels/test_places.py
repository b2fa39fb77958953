"""Rules to which the places of events in their stream matter, in kernels: windows of records, and what is adjacent."""

import pytest

from cepheid.algebra.programs import Program
from cepheid.analysis import plan_of
from cepheid.engine import tiers_of
from cepheid.engine.kernels.rules.kernel_run import KernelRun
from cepheid.events import Event, point
from cepheid.languages.cep import read_program
from cepheid.testing import Case, DefinitionRunner
from cepheid.testing.cases import Draw, random_cuts, random_disordered, seeded
from tests.engine_runner import last, plan_for
from tests.kernels.held_in_stages import check_bounds, waiting
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels.test_agreement import disagreements, told
from tests.kernels_runner import KernelsRunner

SEEDS, TOGETHER = 120, 40
CHOICES = ("all", "recent", "chronological", "next", "latest-start", "strict")


def random_counting(draw: Draw) -> Case:
    """Return a rule with a window of records or a strict step, and events of which most are of no use to it."""
    inner = f"(a: A then b: B within {draw.integer(2, 6)} records choose {draw.pick(CHOICES)})"
    shapes = {
        "pair": inner[1:-1],
        "keyed": f"a: A then b: B within {draw.integer(2, 6)} records on a.key == b.key choose {draw.pick(CHOICES)}",
        "nested": f"{inner} then c: C within {draw.integer(2, 8)} records choose {draw.pick(CHOICES)}",
        "both": f"{inner} and c: C within {draw.integer(1, 4)} us choose all",
        "any": f"a: * then b: * within {draw.integer(2, 4)} records choose {draw.pick(CHOICES)}",
        "either": f"({inner} or a: C) within {draw.integer(2, 4)} records",
        "three": f"join [a: A, b: B, c: C] within {draw.integer(3, 8)} records",
        "three, keyed": f"join [{inner}, c: C, d: D] within {draw.integer(4, 9)} records on a.key == d.key",
        "in order": f"join [a: A, b: B, c: C] relation 1 <= position(start($1)) - position(end($0)) <= 3, "
        f"1 <= position(start($2)) - position(end($1)) <= {draw.integer(1, 4)}",
        "after a run": f"(repeat r: 1..3 of b: B gap 0 <= start($next) - end($previous) <= 3 choose "
        f"{draw.pick(('next', 'all'))}) then c: C within {draw.integer(2, 6)} records choose {draw.pick(CHOICES)}",
        "beside a collection": "(collect r: all of b: B for a: A relation -4 <= start($item) - end($anchor) <= 0) "
        f"then c: C within {draw.integer(2, 6)} records choose {draw.pick(CHOICES)}",
    }
    program = read_program(f"rule match: {draw.pick(list(shapes.values()))} emits Match")
    trace = _trace(draw, longest=3 if draw.chance(50) else 0)
    disorder = draw.integer(1, 4) if draw.chance(40) else 0
    arrivals = tuple(random_disordered(draw, trace, disorder))
    return Case(program, tuple(trace), arrivals, disorder, random_cuts(draw, len(arrivals)))


def _trace(draw: Draw, longest: int) -> list[Event]:
    time, found = 0, []
    for number in range(draw.integer(4, 24)):
        time += draw.integer(0, 2)
        fields = {"key": draw.integer(1, 2)}
        found.append(Event(draw.pick(["A", "B", "C", "D"]), time - draw.integer(0, longest), time, number, fields))
    return found


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules(first: int) -> None:
    compiled = 0
    with plain_kernels():
        for seed in range(first, first + TOGETHER):
            case = random_counting(seeded(seed))
            compiled += _is_compiled(case.program, intervals=last(case.trace))
            assert disagreements(case) == [], seed
    assert compiled == TOGETHER


def _is_compiled(program: Program, *, intervals: bool) -> bool:
    return all(tier.shape is not None for tier in tiers_of(plan_for(program, intervals=intervals)))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(0, 48, 8))
def test_random_rules_in_machine_code(seed: int) -> None:
    assert disagreements(random_counting(seeded(seed))) == []


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules_stay_below_their_bounds(first: int) -> None:
    cases = (random_counting(seeded(seed)) for seed in range(first, first + TOGETHER))
    assert check_bounds(cases) > TOGETHER / 4, "too few have a bound"


def test_events_of_no_use_are_counted_and_not_kept() -> None:
    program = read_program("rule pair: a: A then b: B within 3 records emits Pair")
    run = KernelRun(plan_of(program), disorder=0, identified=True, evidence=True, state=None)
    assert run.staged
    events = [point("A" if time % 10 == 0 else "D", time, time, {}) for time in range(300)]
    sizes = [(held_now, len(run.snapshot())) for held_now in waiting(run, events)]
    assert max(held_now for held_now, _ in sizes) == 1
    assert max(size for _, size in sizes) < 4000


def test_other_rules_beside_them_run_as_they_would_alone() -> None:
    texts = ("rule near: a: A then b: B within 2 records emits Near", "rule far: a: A then b: B within 9 us emits Far")
    program = read_program("\n".join(texts))
    events = [Event("AB"[number % 3 == 0], number - 1, number, number, {}) for number in range(12)]
    assert told(KernelsRunner().run(program, events)) == told(DefinitionRunner().run(program, events))


@pytest.mark.parametrize("choice", ["all", "recent", "next", "latest-start"])
def test_events_of_any_type_run_in_kernels_too(choice: str) -> None:
    program = read_program(
        f"rule near: a: *[key == 1] then b: * within 4 us on a.key == b.key choose {choice} emits Near"
    )
    for seed in range(10):
        draw = seeded(seed)
        trace = tuple(_trace(draw, longest=2))
        assert _is_compiled(program, intervals=True)
        assert disagreements(Case(program, trace, trace, 0, random_cuts(draw, len(trace)))) == []
