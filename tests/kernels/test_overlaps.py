"""Of what may overlap partners to come, `recent` keeps the one that ended last: all of these can take it."""

from collections.abc import Iterator

import pytest

from cepheid.analysis import certify, plan_of
from cepheid.events import Event
from cepheid.languages.cep import read_program
from cepheid.testing import Case
from cepheid.testing.cases import Draw, random_cuts, random_disordered, seeded
from tests.kernels.checked_cases import check_agreement, check_certainty
from tests.kernels.held_in_stages import check_bounds
from tests.kernels.test_agreement import disagreements

SEEDS, TOGETHER = 160, 40
EACH_LASTS = "end($0) - start($0) >= 1, end($1) - start($1) >= 1"
OVERLAP = "end($1) - start($0) >= 1, end($0) - start($1) >= 1"
TIES = ("", "tie start($candidate) - end($candidate)", "tie $candidate.value")


def random_overlap(draw: Draw) -> Case:
    """Return a rule that joins what overlaps, under `recent`, and events of which most last."""
    relation = draw.pick(
        (f"{OVERLAP}, {EACH_LASTS}", OVERLAP, "end($1) - start($0) >= 0, end($0) - start($1) >= -2", EACH_LASTS)
    )
    left, right = draw.pick((("a: A", "b: B"), ("a: A", "b: A"), ("a: P", "b: B"), ("a: P", "b: P")))
    equal, per = draw.pick((("", ""), ("on a.key == b.key", ""), ("", "per a.key")))
    within = f"within {draw.integer(3, 9)}" if draw.chance(20) else ""
    where = "where b.value >= a.value" if draw.chance(30) else ""
    choose = f"choose recent {per} {draw.pick(TIES)}"
    pattern = f"({left} and {right} relation {relation} {within} {equal} {choose} {where})"
    whole = draw.pick((f"{pattern}", f"({pattern} unless c: C relation 0 <= start($pattern) - end($absent) <= 4)"))
    made = "rule first: (x: A then y: B choose recent) emits P(key = x.key, value = y.value)\n" * ("P" in left + right)
    trace = _trace(draw)
    disorder = draw.integer(1, 4) if draw.chance(40) else 0
    arrivals = tuple(random_disordered(draw, trace, disorder))
    program = read_program(f"{made}rule second: {whole} emits R(both = a.value)")
    return Case(program, tuple(trace), arrivals, disorder, random_cuts(draw, len(arrivals)))


def _trace(draw: Draw) -> list[Event]:
    time, found = 0, []
    for number in range(draw.integer(8, 20)):
        time += draw.integer(0, 2)
        fields = {"key": draw.pick([1, 2]), "value": draw.integer(0, 3)}
        found.append(Event(draw.pick("AABBC"), time - draw.integer(0, 6), time, number, fields))
    return found


def cases(first: int) -> Iterator[Case]:
    return (random_overlap(seeded(seed)) for seed in range(first, first + TOGETHER))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules(first: int) -> None:
    compiled, found = check_agreement(cases(first))
    assert compiled > TOGETHER / 2, "too few run in kernels"
    assert found > TOGETHER / 3, "too few find anything"


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(0, 64, 8))
def test_random_rules_in_machine_code(seed: int) -> None:
    assert disagreements(random_overlap(seeded(seed))) == []


@pytest.mark.one_in(2)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_matches_are_certain_when_the_interpreter_says_so(first: int) -> None:
    check_certainty(cases(first))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules_stay_below_their_bounds(first: int) -> None:
    assert check_bounds(cases(first)) > TOGETHER / 8, "too few have a bound"


@pytest.mark.parametrize(
    ("relation", "bounded"),
    [
        (f"{OVERLAP}, {EACH_LASTS}", True),
        ("end($1) - start($0) >= 0, end($0) - start($1) >= -2", True),
        ("end($1) - start($0) >= 2, end($1) - start($1) >= 1", False),
        ("end($1) - start($0) >= 1", False),
        ("start($1) - start($0) >= 0", False),
        ("end($0) - start($1) >= 0, start($1) - end($0) >= -5", False),
    ],
)
def test_only_what_every_partner_to_come_can_take_stands_for_all(relation: str, bounded: bool) -> None:
    program = read_program(f"rule r: (a: A and b: B relation {relation} choose recent) emits R")
    [rule] = certify(plan_of(program, intervals=True)).rules
    assert [one.entries.number for one in rule.operators] == ([0, 0, 2] if bounded else [0, 0, None])
