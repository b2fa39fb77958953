"""Distances from what a part is made of, in kernels: they are conditions, and the end of the part says what waits."""

from collections.abc import Iterator

import pytest

from cepheid.algebra.programs import Ties
from cepheid.events import Event
from cepheid.languages.cep import read_program
from cepheid.testing import Case
from cepheid.testing.cases import Draw, random_cuts, random_disordered, seeded
from tests.kernels.checked_cases import check_agreement, check_certainty
from tests.kernels.held_in_stages import check_bounds
from tests.kernels.test_agreement import disagreements
from tests.properties.arriving_cases import by_arrival

SEEDS, TOGETHER = 120, 40
CHOICES = ("all", "recent", "chronological", "next", "latest-start", "strict")
GROUP = "(repeat g: 1..2 of y: B gap 0 <= start($next) - end($previous) <= 3 with count = count of items)"
PARTS = ("(x: A then y: B within 4)", "(x: A or y: B)", f"(x: A then {GROUP} within 5)", "(x: A and y: B choose next)")


def random_named(draw: Draw) -> Case:
    """Return a rule that says how far events of its parts are from each other, and not only the parts."""
    part = draw.pick(PARTS)
    name = draw.pick(("x", "g" if "g:" in part else "y"))
    later, earlier = draw.pick((("c", name), (name, "c"), ("x", "c"), ("$1", name)))
    edges = draw.pick(("start", "end")), draw.pick(("start", "end"))
    low = draw.integer(-4, 1)
    distance = f"{low} <= {edges[0]}({later}) - {edges[1]}({earlier}) <= {low + draw.integer(1, 6)}"
    if draw.chance(30):
        distance = f"{low} <= position({edges[0]}({later})) - position({edges[1]}({earlier})) <= {draw.integer(2, 4)}"
    choice = draw.pick(CHOICES)
    shapes = (
        f"{part} {draw.pick(('then', 'and'))} c: C relation {distance} choose {choice}",
        f"c: C {draw.pick(('then', 'and'))} {part} relation {distance} choose {choice}",
        f"join [{part}, c: C, d: D] relation {distance} {draw.pick(('', 'within 6', 'within 5 records'))}",
    )
    trace = _trace(draw, longest=2 if draw.chance(50) else 0)
    disorder = draw.integer(1, 4) if draw.chance(40) else 0
    arrivals = tuple(random_disordered(draw, trace, disorder))
    program = read_program(f"rule match: {draw.pick(shapes)} emits Match")
    case = Case(program, tuple(trace), arrivals, disorder, random_cuts(draw, len(arrivals)))
    return by_arrival(case) if draw.chance(30) else case


def _trace(draw: Draw, longest: int) -> list[Event]:
    time, found = 0, []
    for number in range(draw.integer(8, 20)):
        time += draw.integer(0, 2)
        found.append(Event(draw.pick(["A", "B", "C", "D"]), time - draw.integer(0, longest), time, number, {}))
    return found


def cases(first: int) -> Iterator[Case]:
    return (random_named(seeded(seed)) for seed in range(first, first + TOGETHER))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules(first: int) -> None:
    compiled, found = check_agreement(cases(first))
    assert compiled > TOGETHER / 2, "only arrivals and distances from the hulls of parts are interpreted"
    assert found > TOGETHER / 4, "too few find anything"


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(0, 48, 8))
def test_random_rules_in_machine_code(seed: int) -> None:
    assert disagreements(random_named(seeded(seed))) == []


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_matches_are_certain_when_the_interpreter_says_so(first: int) -> None:
    check_certainty(cases(first))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules_stay_below_their_bounds(first: int) -> None:
    # By arrival, strict steps keep an instant until it is complete.
    in_time = (case for case in cases(first) if case.program.ties is not Ties.ARRIVAL)
    assert check_bounds(in_time) > TOGETHER / 8, "too few have a bound"
