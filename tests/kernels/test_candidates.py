"""Choices among partners that satisfy a condition, and with ties that look at what they say, in kernels."""

from collections.abc import Iterator

import numpy as np
import pytest

from cepheid.engine.kernels.joins.tie_weights import TieWeights
from cepheid.events import Event, values
from cepheid.languages.cep import read_program
from cepheid.testing import Case
from cepheid.testing.cases import Draw, random_cuts, random_disordered, seeded
from tests.kernels.checked_cases import check_agreement, check_certainty
from tests.kernels.held_in_stages import check_bounds
from tests.kernels.test_agreement import disagreements

SEEDS, TOGETHER = 120, 40
CHOICES = ("recent", "chronological", "next", "latest-start", "strict", "all")
TIES = ("a.value", "b.value", "coalesce(a.value, b.name), start($candidate) - end($candidate)", "a.mixed, b.mixed")
CONDITIONS = ("b.value > a.value", "b.name != a.name", "b.value + 1 >= a.value and a.name == b.name")


def random_choosing(draw: Draw) -> Case:
    """Return a rule that chooses among what satisfies a condition, and events of which some may last."""
    how = f"{f'if {draw.pick(CONDITIONS)}' if draw.chance(60) else ''} choose {draw.pick(CHOICES)}"
    tie = f"tie {draw.pick(TIES)}" if draw.chance(60) else ""
    keyed = draw.pick(("", "on a.key == b.key", "on a.key == b.key"))
    per = "per a.key" if keyed and draw.chance(50) else ""
    window = draw.pick((f"within {draw.integer(2, 8)} us", f"within {draw.integer(3, 8)} records", ""))
    sides = draw.pick((("a: A", "b: B"), ("a: A", "b: A"), ("a: {A, B}", "(b: B then c: C within 4 us)")))
    relation = draw.pick(("then", "and", "overlaps" if draw.chance(20) else "then"))
    pair = f"{sides[0]} {relation} {sides[1]} {window} {keyed} {how} {per} {tie}"
    rule = draw.pick((pair, pair, pair, f"({pair}) then d: C within 5 us choose recent", f"({pair}) where b.value < 3"))
    trace = _trace(draw, longest=3 if draw.chance(50) else 0)
    disorder = draw.integer(1, 4) if draw.chance(40) else 0
    arrivals = tuple(random_disordered(draw, trace, disorder))
    program = read_program(f"rule match: {rule} emits Match(value = a.value)")
    return Case(program, tuple(trace), arrivals, disorder, random_cuts(draw, len(arrivals)))


def _trace(draw: Draw, longest: int) -> list[Event]:
    time, found = 0, []
    for number in range(draw.integer(12, 24)):
        time += draw.integer(0, 2)
        fields = {
            "key": draw.pick([1, 1, 2, None]),
            "value": draw.pick([1, 2, 3, 3, None]),
            "name": draw.pick(["x", "y"]),
            "mixed": draw.pick([1, 2.5, "x", None, True, (1, 2), float("nan")]),
        }
        found.append(Event(draw.pick(["A", "A", "B", "C"]), time - draw.integer(0, longest), time, number, fields))
    return found


def cases(first: int) -> Iterator[Case]:
    return (random_choosing(seeded(seed)) for seed in range(first, first + TOGETHER))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules(first: int) -> None:
    compiled, found = check_agreement(cases(first))
    assert compiled > 0.8 * TOGETHER
    assert found > TOGETHER / 4, "too few find anything"


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(0, 48, 8))
def test_random_rules_in_machine_code(seed: int) -> None:
    assert disagreements(random_choosing(seeded(seed))) == []


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_matches_are_certain_when_the_interpreter_says_so(first: int) -> None:
    check_certainty(cases(first))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules_stay_below_their_bounds(first: int) -> None:
    assert check_bounds(cases(first)) > TOGETHER / 4, "too few have a bound"


def test_weights_stay_in_the_order_of_values_however_many_come_between() -> None:
    ties, weights = TieWeights(()), np.zeros((2, 200), np.int64)
    told: list[float] = [0.0, 1.0]
    for row in range(100):
        told.append((told[0] + told[-1]) / 2)  # always next to the first one
        keys = [(values.sort_key(value),) for value in told]
        ties.learn(keys, weights[:, :row])
        weights[0, : len(told)] = ties.numbers_of(keys)
    by_weight = sorted(range(len(told)), key=lambda row: int(weights[0, row]))
    assert [told[row] for row in by_weight] == sorted(told)
    ties.forget(weights[:, :3])
    assert len(ties.keys) == len(told), "few are not worth the while"
