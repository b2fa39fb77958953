"""Points of time in kernels: beside places of records, of which they have none, and beside rules that date events."""

from collections.abc import Iterator

import pytest

from cepheid.events import Event
from cepheid.languages.cep import read_program
from cepheid.testing import Case
from cepheid.testing.cases import Draw, random_cuts, random_disordered, seeded
from tests.kernels.checked_cases import check_agreement, check_certainty
from tests.kernels.held_in_stages import check_bounds
from tests.kernels.test_agreement import disagreements

SEEDS, TOGETHER = 120, 40
CHOICES = ("all", "recent", "chronological", "next", "latest-start")
DATED = ("from end(a) to end(a)", "from start(a) to start(a)", "to end($pattern) + 3", "from start($pattern) - 4")


def random_points(draw: Draw) -> Case:
    """Return rules with points of time, of which some count records, and others read events that rules date."""
    point = f"(instant t: {draw.pick(('every(3, 1)', 'every(2, 0)', 'at(4)', 'at(-3)'))})"
    near = f"{point} {draw.pick(('and', 'then'))} a: A within {draw.integer(1, 4)} choose {draw.pick(CHOICES)}"
    pair = f"a: A then b: B within {draw.integer(2, 6)} records"
    counting = (
        f"({pair} choose {draw.pick(CHOICES)}) and {point} within 4",
        f"join [{point}, a: A, b: B] relation 0 <= position(end($2)) - position(start($1)) <= {draw.integer(1, 4)}",
        f"join [{point}, a: A, b: B] within {draw.integer(2, 6)} records",
        f"({near}) then b: B within {draw.integer(2, 6)} records choose {draw.pick(CHOICES)}",
        f"(a: A or {point}) then b: B within {draw.integer(2, 6)} records",
        f"({pair}) unless {point} inside",
    )
    dated = f"rule dates: {draw.pick((near, 'a: A', 'a: A then b: B within 3'))} emits D {draw.pick(DATED)}"
    reads = draw.pick((f"{point} and d: D within 3", f"d: D unless {point} inside", f"{point} then d: D within 5"))
    rules = draw.pick((f"rule match: {draw.pick(counting)} emits Match", f"{dated}\nrule match: {reads} emits Match"))
    trace = _trace(draw, longest=2 if draw.chance(40) else 0)
    disorder = draw.integer(1, 4) if draw.chance(40) else 0
    arrivals = tuple(random_disordered(draw, trace, disorder))
    return Case(read_program(rules), tuple(trace), arrivals, disorder, random_cuts(draw, len(arrivals)))


def _trace(draw: Draw, longest: int) -> list[Event]:
    time, found = 0, []
    for number in range(draw.integer(6, 16)):
        time += draw.integer(0, 3)
        found.append(Event(draw.pick(["A", "B", "C"]), time - draw.integer(0, longest), time, number, {}))
    return found


def cases(first: int) -> Iterator[Case]:
    return (random_points(seeded(seed)) for seed in range(first, first + TOGETHER))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules(first: int) -> None:
    compiled, found = check_agreement(cases(first))
    assert compiled > 0.7 * TOGETHER, "only rules that ask for the place of a point are interpreted"
    assert found > TOGETHER / 4, "too few find anything"


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(0, 48, 8))
def test_random_rules_in_machine_code(seed: int) -> None:
    assert disagreements(random_points(seeded(seed))) == []


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_matches_are_certain_when_the_interpreter_says_so(first: int) -> None:
    check_certainty(cases(first))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules_stay_below_their_bounds(first: int) -> None:
    assert check_bounds(cases(first)) > TOGETHER / 8, "too few have a bound"
