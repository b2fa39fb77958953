"""Repetitions to which the places of their items matter, in kernels: gaps and windows of so many records."""

from collections.abc import Iterator

import pytest

from cepheid.events import Event, Value
from cepheid.languages.cep import read_program
from cepheid.testing import Case
from cepheid.testing.cases import Draw, random_cuts, random_disordered, seeded
from tests.kernels.checked_cases import check_agreement, check_certainty
from tests.kernels.held_in_stages import check_bounds
from tests.kernels.test_agreement import disagreements

SEEDS, TOGETHER = 120, 40


def random_counted(draw: Draw) -> Case:
    """Return a rule with a repetition whose neighbours, or whose ends, are so many records apart."""
    nested = draw.chance(30)
    item = draw.pick(("(x: A then y: B within 4 choose next)", "(x: A or x: B)")) if nested else "x: A"
    gap = f"gap 1 <= position(start($next)) - position(end($previous)) <= {draw.integer(1, 4)}"
    gap = draw.pick((gap, gap, f"{gap}, start($next) - end($previous) <= 4", "gap $previous then $next"))
    window = f"within {draw.integer(2, 7)} records"
    window = window if "position" not in gap else draw.pick(("", window, "within 6"))
    link = "" if nested else draw.pick(("", "link $next.value >= $previous.value", "link $next.name != $previous.name"))
    how = f"{draw.pick(('choose next', 'choose all'))} {draw.pick(('', '' if nested else 'per x.name'))}"
    run = f"repeat g: {draw.integer(1, 3)}..{draw.pick((3, 4, '*'))} of {item} {gap} {link} {window} {how}"
    run += " with count = count of items"
    shapes = (run, run, f"({run}) then c: C within {draw.integer(2, 7)} records choose {draw.pick(('all', 'next'))}")
    keyed = draw.pick(("", "", " per key"))
    trace = _trace(draw, longest=2 if draw.chance(40) else 0)
    disorder = draw.integer(1, 4) if draw.chance(40) else 0
    arrivals = tuple(random_disordered(draw, trace, disorder))
    program = read_program(f"rule match{keyed}: {draw.pick(shapes)} emits Match(count = g.count)")
    return Case(program, tuple(trace), arrivals, disorder, random_cuts(draw, len(arrivals)))


def _trace(draw: Draw, longest: int) -> list[Event]:
    time, found = 0, []
    for number in range(draw.integer(8, 20)):
        time += draw.integer(0, 2)
        fields: dict[str, Value] = {"key": draw.integer(1, 2), "value": draw.integer(1, 3)}
        fields["name"] = draw.pick(["x", "y"])
        found.append(Event(draw.pick(["A", "A", "B", "C"]), time - draw.integer(0, longest), time, number, fields))
    return found


def cases(first: int) -> Iterator[Case]:
    return (random_counted(seeded(seed)) for seed in range(first, first + TOGETHER))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules(first: int) -> None:
    compiled, found = check_agreement(cases(first))
    assert compiled == TOGETHER
    assert found > TOGETHER / 4, "too few find anything"


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(0, 48, 8))
def test_random_rules_in_machine_code(seed: int) -> None:
    assert disagreements(random_counted(seeded(seed))) == []


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_matches_are_certain_when_the_interpreter_says_so(first: int) -> None:
    check_certainty(cases(first))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules_stay_below_their_bounds(first: int) -> None:
    assert check_bounds(cases(first)) > TOGETHER / 4, "too few have a bound"
