"""Repetitions and collections in kernels, and what waits for something that must not come after a match."""

from collections.abc import Iterator

import pytest

from cepheid.engine.kernels.rules.kernel_run import KernelRun
from cepheid.engine.kernels.runs.repeat_stage import RepeatStage
from cepheid.events import Event, Value, point
from cepheid.languages.cep import read_program
from cepheid.testing import Case, DefinitionRunner
from cepheid.testing.cases import Draw, random_cuts, random_disordered, seeded
from tests.engine_runner import plan_for
from tests.kernels.checked_cases import check_agreement, check_certainty
from tests.kernels.held_in_stages import check_bounds, waiting
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels.test_agreement import disagreements, told

SEEDS, TOGETHER = 160, 40
FOLDS = "with n = count of items, total = sum of a.value, all = list of a.value"
COLLECTED = "with n = count of items, most = max of b.value, share = sum of b.value / a.value"
LINKS = ("$next.value > $previous.value", "$next.key == $previous.key", "$next.name != $previous.name")


def random_grouping(draw: Draw) -> Case:
    """Return a rule with a group in it or a late absence, and events of which some may last."""
    text = draw.pick((_repeated, _repeated, _collected, _collected, _late))(draw)
    trace = _trace(draw, longest=3 if draw.chance(50) else 0)
    disorder = draw.integer(1, 4) if draw.chance(40) else 0
    arrivals = tuple(random_disordered(draw, trace, disorder))
    return Case(read_program(text), tuple(trace), arrivals, disorder, random_cuts(draw, len(arrivals)))


def _repeated(draw: Draw) -> str:
    item = draw.pick(("a: A", "a: {A, B}", "(a: A then b: B within 4 us)", "(a: A or b: B)", "a: A [a.value > 1]"))
    times = draw.pick(("1..*", "2..*", "1..3", "2"))
    gap = f"gap 0 <= start($next) - end($previous) <= {draw.integer(1, 5)}" if draw.chance(80) else ""
    link = f"link {draw.pick(LINKS)}" if draw.chance(60) else ""
    window = f"window end($last) - start($first) <= {draw.integer(3, 9)}" if draw.chance(40) else ""
    choose = f"choose {draw.pick(('next', 'all'))} {'per a.key' if draw.chance(30) else ''}"
    group = f"(repeat r: {times} of {item} {gap} {link} {window} {FOLDS} {choose})"
    return _around(draw, group, "r", "r.n + 0")


def _collected(draw: Draw) -> str:
    lonely = "(a: A unless y: B relation 0 <= start($absent) - end(a) <= 2)"
    anchor = draw.pick(("a: A", "(a: A then x: B within 3 us)", lonely))
    item = draw.pick(("b: B", "b: {A, B}", "(b: B then z: C within 4 us)"))
    relation = draw.pick(
        (
            f"-{draw.integer(2, 6)} <= start($item) - end($anchor) <= 0, end($item) - end($anchor) <= 0",
            f"0 <= start($item) - end($anchor) <= {draw.integer(2, 6)}, end($item) - end($anchor) <= 9",
            "$item inside $anchor",
            "start($item) - start($anchor) >= 0",
        )
    )
    keyed = "on a.key == b.key" if draw.chance(50) else ""
    where = "where b.value >= a.value" if draw.chance(30) else ""
    group = f"(collect r: all of {item} for {anchor} relation {relation} {keyed} {where} {COLLECTED})"
    return _around(draw, group, "a", "r.n")


def _late(draw: Draw) -> str:
    match = draw.pick(("a: A", "(a: A then b: B within 4 us)", "(a: A then b: B within 4 us choose recent)"))
    keyed = "on a.key == c.key" if draw.chance(50) else ""
    where = "where c.value > a.value" if draw.chance(40) else ""
    pattern = f"({match} unless c: C relation 0 <= start($absent) - end(a) <= {draw.integer(1, 6)} {keyed} {where})"
    return _around(draw, pattern, "a", "a.value")


def _around(draw: Draw, pattern: str, name: str, said: str) -> str:
    """Return a program around a pattern, of which a name can be read."""
    tells, choice = f"emits Match(said = {said})", draw.pick(("all", "recent", "next"))
    shapes = (
        f"rule match: {pattern} {tells}",
        f"rule match: {pattern} and z: {{A, B}} within 9 us choose {choice} {tells}",
        f"rule match per key: {pattern} {tells}",
        f"rule match: {pattern} then d: D within 9 us choose {choice} {tells}",
        f"rule match: {pattern} unless d: D relation 0 <= start($absent) - end({name}) <= 3 {tells}",
        f"rule match: {pattern} where {said} > 1 {tells}",
        f"rule first: {pattern} emits M(said = {said}) rule match: m: M then d: D within 8 us emits Match(m = m.said)",
    )
    return draw.pick(shapes)


def _trace(draw: Draw, longest: int) -> list[Event]:
    time, found = 0, []
    for number in range(draw.integer(6, 18)):
        time += draw.integer(0, 2)
        value: Value = draw.pick([1, 2, 3, 2.5, float("nan"), None, "2", 2**60])
        fields = {"key": draw.pick([1, 2, None]), "value": value, "name": draw.pick(["x", "y"])}
        found.append(Event(draw.pick(["A", "A", "B", "C", "D"]), time - draw.integer(0, longest), time, number, fields))
    return found


def cases(first: int) -> Iterator[Case]:
    return (random_grouping(seeded(seed)) for seed in range(first, first + TOGETHER))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules(first: int) -> None:
    compiled, found = check_agreement(cases(first))
    assert compiled == TOGETHER
    assert found > TOGETHER / 2, "too few find anything"


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(0, 64, 8))
def test_random_rules_in_machine_code(seed: int) -> None:
    assert disagreements(random_grouping(seeded(seed))) == []


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_matches_are_certain_when_the_interpreter_says_so(first: int) -> None:
    check_certainty(cases(first))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules_stay_below_their_bounds(first: int) -> None:
    assert check_bounds(cases(first)) > TOGETHER / 8, "too few have a bound"


def test_of_runs_that_are_over_nothing_is_kept() -> None:
    case = _case("rule runs: repeat r: 2..* of a: A gap 0 <= start($next) - end($previous) <= 3 emits Runs", 100)
    plan = plan_for(case.program, intervals=False)
    with plain_kernels():
        run = KernelRun(plan, disorder=0, identified=True, evidence=True, state=None)
    (chain,) = run.chains.values()
    held = list(waiting(run, case.trace))
    assert max(held) == 1
    assert chain.rules[0].stage.held().shape[1] == 5, "no more than the items of the run that can grow"


def test_keys_without_a_run_are_forgotten() -> None:
    text = (
        "rule runs: repeat r: 2..* of a: A gap 0 <= start($next) - end($previous) <= 3 choose next per a.key emits Runs"
    )
    plan = plan_for(read_program(text), intervals=False)
    with plain_kernels():
        run = KernelRun(plan, disorder=0, identified=True, evidence=True, state=None)
    assert max(waiting(run, [point("A", time, time, {"key": time}) for time in range(200)])) <= 5
    (stage,) = (one for rule in run.staged for one in rule.stage.every() if isinstance(one, RepeatStage))
    assert len(stage.keys) < 50


def _case(text: str, count: int) -> Case:
    """Return a rule with events that come in runs of five."""
    trace = tuple(point("A", number + 10 * (number // 5), number, {"value": number}) for number in range(count))
    return Case(read_program(text), trace, trace, 0, ())


def test_neighbours_that_numbers_do_not_decide_are_looked_at_one_by_one() -> None:
    text = "rule runs: repeat r: 2..* of a: A gap none link {} with n = count of items emits Runs(n = r.n)"
    values: tuple[Value, ...] = (1, 2, "x", 3, None, 4, 2**60, 2**60 + 1, float("nan"), 5.5)
    trace = tuple(point("A", number, number, {"value": value}) for number, value in enumerate(values))
    for link in ("$next.value > $previous.value", "$next.value + 1 > $previous.value and $next.value != 3"):
        case = Case(read_program(text.format(link)), trace, trace, 0, ())
        with plain_kernels():
            assert disagreements(case) == []
        assert told(DefinitionRunner().run(case.program, trace)), "something must be found"


def test_of_matches_that_are_alike_the_first_is_the_one_that_was_certain_first() -> None:
    text = "rule match: ((a: A or b: B) choose latest-start) or c: {A, B} emits Match"
    trace = tuple(point("AB"[number % 2], number // 3, number, {}) for number in range(9))
    check_certainty([Case(read_program(text), trace, trace, 0, ())])
