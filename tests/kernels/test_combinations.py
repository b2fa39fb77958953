"""Joins of more than two, of events that may last or that other rules emit, and points of time, in kernels."""

from collections.abc import Iterator

import pytest

from cepheid.analysis import plan_of
from cepheid.engine.kernels.joins.combination_stage import CombinationStage
from cepheid.engine.kernels.rules.kernel_run import KernelRun
from cepheid.events import Event, point
from cepheid.languages.cep import read_program
from cepheid.testing import Case
from cepheid.testing.cases import Draw, random_cuts, random_disordered, seeded
from tests.kernels.checked_cases import check_agreement, check_certainty
from tests.kernels.held_in_stages import check_bounds, waiting
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels.test_agreement import disagreements
from tests.kernels_runner import KernelsRunner

SEEDS, TOGETHER = 120, 40
EQUAL = ("", "on a.key == b.key", "on a.key == b.key, b.key == c.key", "on a.key == c.key")


def random_combining(draw: Draw) -> Case:
    """Return a rule that joins three or four, some of them groups, late ones or points of time."""
    parts = [draw.pick(_parts(name, kind)) for name, kind in zip("abc", draw.pick(("ABC", "AAB", "ABA")), strict=True)]
    more = [draw.pick(("d: D", "instant d: every(4, 1)"))] if draw.chance(40) else []
    pairs = range(len(parts) + len(more) - 1)
    relation = ", ".join(
        f"{draw.integer(-4, 0)} <= {draw.pick(('start', 'end'))}(${one + 1}) - end(${one}) <= {draw.integer(1, 6)}"
        for one in pairs
    )
    within = f"within {draw.integer(1, 6)} us" if draw.chance(40) else ""
    where = "where c.value >= a.value" if draw.chance(40) else ""
    join = f"join [{', '.join([*parts, *more])}] relation {relation} {within} {draw.pick(EQUAL)} {where}"
    emits = f"emits C(key = a.key, value = 2) {draw.pick(('', 'from start(a) to end(a)', 'from end(b) to end(b) + 2'))}"
    program = read_program(
        draw.pick(
            (
                f"rule match: {join} emits Match(value = a.value)",
                f"rule match: ({join}) then e: D within 5 us choose recent emits Match(value = b.value)",
                f"rule first: a: A then b: B within 3 us {emits} rule match: {join} emits M",
            )
        )
    )
    trace = _trace(draw, longest=3 if draw.chance(60) else 0)
    disorder = draw.integer(1, 4) if draw.chance(40) else 0
    arrivals = tuple(random_disordered(draw, trace, disorder))
    return Case(program, tuple(trace), arrivals, disorder, random_cuts(draw, len(arrivals)))


def _parts(name: str, kind: str) -> tuple[str, ...]:
    late = f"({name}: {kind} unless {name}x: D relation 0 <= start($absent) - end({name}) <= 2)"
    return (f"{name}: {kind}", f"{name}: {kind} [{name}.value > 1]", f"({name}: {kind} or {name}: D)", late)


def _trace(draw: Draw, longest: int) -> list[Event]:
    time, found = 0, []
    for number in range(draw.integer(6, 18)):
        time += draw.integer(0, 2)
        fields = {"key": draw.pick([1, 2, None]), "value": draw.pick([1, 2, 3, None])}
        found.append(Event(draw.pick(["A", "B", "C", "D"]), time - draw.integer(0, longest), time, number, fields))
    return found


def cases(first: int) -> Iterator[Case]:
    return (random_combining(seeded(seed)) for seed in range(first, first + TOGETHER))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules(first: int) -> None:
    compiled, found = check_agreement(cases(first))
    assert compiled > 0.8 * TOGETHER
    assert found > TOGETHER / 6, "too few find anything"


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(0, 48, 8))
def test_random_rules_in_machine_code(seed: int) -> None:
    assert disagreements(random_combining(seeded(seed))) == []


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_matches_are_certain_when_the_interpreter_says_so(first: int) -> None:
    check_certainty(cases(first))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules_stay_below_their_bounds(first: int) -> None:
    assert check_bounds(cases(first)) > TOGETHER / 4, "too few have a bound"


def test_only_events_wait_and_no_parts_of_matches() -> None:
    """Of ten events of each of two parts within the window, a pair of which would be a hundred."""
    program = read_program(
        "rule r: join [a: A, b: B, c: C] relation end($1) - end($0) <= 40, end($2) - end($0) <= 40 emits R"
    )
    run = KernelRun(plan_of(program, intervals=True), disorder=0, identified=True, evidence=True, state=None)
    assert run.staged
    events = [point("AB"[number % 2], number, number, {}) for number in range(20)]
    assert list(waiting(run, events))[-1] == 20


def test_what_some_parts_have_in_common_is_forgotten_with_them() -> None:
    near = ", ".join(f"end(${part}) - end($0) <= 4" for part in (1, 2))
    program = read_program(f"rule r: join [a: A, b: B, c: C] relation {near} on a.key == b.key emits R")
    with plain_kernels():
        run = KernelRun(plan_of(program, intervals=True), disorder=0, identified=True, evidence=True, state=None)
    list(waiting(run, [point("A", time, time, {"key": time}) for time in range(200)]))
    (stage,) = (one for rule in run.staged for one in rule.stage.every() if isinstance(one, CombinationStage))
    assert [len(keys) < 50 for keys in stage.others] == [True]


def test_what_is_longer_than_the_window_is_left_out() -> None:
    program = read_program("rule match: a: A and b: B and c: C within 3 us emits Match")
    trace = (Event("B", 2, 2, 1, {}), Event("C", 3, 3, 2, {}), Event("A", 1, 4, 3, {}), Event("A", 0, 5, 4, {}))
    case = Case(program, trace, trace, 0, ())
    with plain_kernels():
        assert disagreements(case) == []
    assert [match.evidence for match in KernelsRunner().run(program, trace).matches] == [(1, 2, 3)]
