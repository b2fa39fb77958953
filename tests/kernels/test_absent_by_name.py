"""Where something must be absent is said of it by its own name too, and of any part of the match, as PARTElang does."""

from collections.abc import Iterator

import pytest

from cepheid.api.compiling import Settings, load
from cepheid.engine import tiers_of
from cepheid.events import Event
from cepheid.languages.cep import read_program
from cepheid.testing import Case
from cepheid.testing.cases import Draw, random_cuts, random_disordered, seeded
from tests.kernels.checked_cases import check_agreement, check_certainty
from tests.kernels.held_in_stages import check_bounds
from tests.kernels.test_agreement import disagreements

SEEDS, TOGETHER = 160, 40


def random_absence(draw: Draw) -> Case:
    """Return a rule with something absent that is near one of two or three events of its match."""
    joined = draw.pick(("a: A then b: B within 9", "a: A then b: B then d: A within 12", "a: A and b: B within 6"))
    named = draw.pick(("x: C", "x: {A, C}", "x: B"))
    near, edge = draw.pick(("a", "b", "b", "$pattern")), draw.pick(("start", "end"))
    low = draw.integer(-8, 2)
    limits = f"{low} <= {draw.pick(('start', 'end'))}(x) - {edge}({near}) <= {low + draw.integer(0, 7)}"
    of_two = f", start(x) - start(a) >= {draw.integer(-9, 0)}" if draw.chance(20) else ""
    own = draw.pick(("", "on x.key == b.key", "where x.value >= b.value", "on x.key == a.key where x.value != b.value"))
    lasting = draw.chance(40)
    trace = _trace(draw, 4 if lasting else 0)
    disorder = draw.integer(1, 4) if draw.chance(40) else 0
    arrivals = tuple(random_disordered(draw, trace, disorder))
    program = read_program(f"rule r: ({joined}) unless {named} relation {limits}{of_two} {own} emits R(both = a.value)")
    return Case(program, tuple(trace), arrivals, disorder, random_cuts(draw, len(arrivals)))


def _trace(draw: Draw, longest: int) -> list[Event]:
    time, found = 0, []
    for number in range(draw.integer(8, 20)):
        time += draw.integer(0, 3)
        fields = {"key": draw.pick([1, 2]), "value": draw.integer(0, 3)}
        found.append(Event(draw.pick("AABBC"), time - draw.integer(0, longest), time, number, fields))
    return found


def cases(first: int) -> Iterator[Case]:
    return (random_absence(seeded(seed)) for seed in range(first, first + TOGETHER))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules(first: int) -> None:
    compiled, found = check_agreement(cases(first))
    assert compiled > TOGETHER / 2, "too few run in kernels"
    assert found > TOGETHER / 3, "too few find anything"


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(0, 64, 8))
def test_random_rules_in_machine_code(seed: int) -> None:
    assert disagreements(random_absence(seeded(seed))) == []


@pytest.mark.one_in(2)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_matches_are_certain_when_the_interpreter_says_so(first: int) -> None:
    check_certainty(cases(first))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules_stay_below_their_bounds(first: int) -> None:
    assert check_bounds(cases(first)) > TOGETHER / 8, "too few have a bound"


def test_every_rule_about_fraud_runs_compiled() -> None:
    query = load("examples/fraud/fraud.parte", settings=Settings(time_unit="us"))
    assert [(tier.rule, tier.reason) for tier in tiers_of(query.plan) if tier.shape is None] == []
