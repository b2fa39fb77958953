"""The best of those that wait is found by search: what a push costs does not grow with them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cepheid as c
from cepheid.algebra.instances import of_event
from cepheid.analysis import Plan, plan_of
from cepheid.engine import Detector
from cepheid.engine.operators.choice import ChoiceJoin
from cepheid.engine.operators.ladders import Ladder, Rung
from cepheid.events import Event, point
from cepheid.languages.cep import read_program
from cepheid.rewrites import rewrite
from tests.breadth import all_is_run
from tests.counted_lines import lines_of_ours


def rung(number: int, grade: int, end: int) -> Rung:
    """Of those that are preferred alike, the one that ended first is better, as under latest start."""
    return Rung(grade, (-end, number), end, number, of_event(point("A", end, number), None))


def kept(rungs: list[Rung], threshold: int) -> set[int]:
    """Return what must be kept, as it is said: whoever is not dominated by a better one."""
    return {
        one.number
        for one in rungs
        if not any(other.is_better(one) and _reach(other, threshold) <= _reach(one, threshold) for other in rungs)
    }


def _reach(one: Rung, threshold: int) -> int:
    return -1 if one.instance.end < threshold else int(one.end)


NUMBERS = st.integers(0, 8)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=12), st.lists(NUMBERS, max_size=12))
def test_a_ladder_keeps_whoever_somebody_may_take(graded: list[tuple[int, int]], thresholds: list[int]) -> None:
    ladder, alive = Ladder(), dict[int, Rung]()
    rising = iter(sorted(thresholds))
    threshold = 0
    for number, (grade, end) in enumerate(graded):
        threshold = next(rising, threshold)
        new = rung(number, grade, end)
        alive[number] = new
        expected = kept(list(alive.values()), threshold)
        for gone in (*ladder.add(new, threshold), *ladder.lapse(threshold)):
            del alive[gone]
        assert set(alive) == expected
        assert [one.number for one in ladder.best_until(9)] == [
            one.number for one in sorted(alive.values(), key=lambda one: one.grade, reverse=True)
        ]


@pytest.mark.parametrize("choice", ["latest-start", "recent"])
def test_a_push_looks_at_as_few_partners_with_many_that_wait(choice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = [_looked(choice, waiting, monkeypatch) for waiting in (30, 600)]
    assert looked[0] == looked[1]
    assert 0 < looked[1] < 20


def _looked(choice: str, waiting: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how many pairs are looked at by a few events that each find the best of many before them."""
    a, b, x = c.event("A"), c.event("B"), c.event("C")
    lasting = (b & x).within("1 h").choose("latest-start")
    plan = c.compile(c.query((a >> lasting).within("1 h").choose(choice), name="best")).plan
    detector = Detector(plan, direct=False)
    for place, kind in enumerate("A" * waiting + "B", 1):
        detector.push(point(kind, 10 * place, place))
    calls = 0
    plain = ChoiceJoin._pair

    def counted(join: ChoiceJoin, *arguments: object) -> object:
        nonlocal calls
        calls += 1
        return plain(join, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(ChoiceJoin, "_pair", counted)
    after = range(waiting + 2, waiting + 6)
    found = [match for place in after for match in detector.push(point("C", 10 * place, place))]
    found += detector.advance(10 * waiting + 100)
    monkeypatch.setattr(ChoiceJoin, "_pair", plain)
    assert found
    return calls


WINDOW = "within 1000000"
PATTERNS = {
    "one after the other": (f"a: A then b: B {WINDOW}", "A", "B"),
    "under a key": (f"a: A then b: B {WINDOW} on a.key == b.key", "A", "B"),
    "not too soon": ("a: A then b: B relation 300 <= start($1) - end($0) <= 1000000", "A", "B"),
    "in any order": (f"a: A and b: B {WINDOW}", "A", "B"),
    "the right one first": (f"a: A and b: B {WINDOW}", "B", "A"),
}
CHOICES = ("latest-start", "recent", "chronological", "next")
FEW, MANY, VERY_MANY = 200, 2000, 100_000


@pytest.mark.one_in(4)
@pytest.mark.parametrize("ties", ["simultaneous", "arrival"])
@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_what_a_push_does_is_independent_of_how_many_wait(pattern: str, choice: str, ties: str) -> None:
    text, before, after = PATTERNS[pattern]
    program = read_program(f"ties {ties}\nrule best: {text} choose {choice} emits R")
    plan = plan_of(rewrite(program), written=program)
    few, many = (_lines_of_a_push(plan, number, before, after) for number in (FEW, VERY_MANY if all_is_run() else MANY))
    for tier, lines in few.items():
        assert 0 < many[tier] <= 1.1 * lines + 10, tier


def _lines_of_a_push(plan: Plan, waiting: int, before: str, after: str) -> dict[str, float]:
    """Return how many lines of ours run for each of some events that find their best partner among many, by tier."""
    detector = Detector(plan)
    for place in range(waiting):
        detector.push(_event(before, place))
    state = detector.snapshot()
    found = {}
    for tier in ("directly", "interpreted"):
        taken_up = Detector(plan, state=state, direct=tier == "directly")
        told = [taken_up.push(_event(after, waiting + place)) for place in range(4)]
        pushes = [_event(after, waiting + place) for place in range(4, 12)]
        with lines_of_ours() as count:
            told += [taken_up.push(event) for event in pushes]
        assert any(told), "nothing is found"
        found[tier] = count.lines / len(pushes)
    return found


def _event(kind: str, place: int) -> Event:
    return Event(kind, 3 * place, 3 * place, place, {"key": 1, "value": place})
