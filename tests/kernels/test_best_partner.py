"""In kernels too, what one event costs is independent of how many wait, for every choice."""

import pytest

from cepheid.analysis import Plan, plan_of
from cepheid.engine import TieredDetector
from cepheid.events import Event
from cepheid.languages.cep import read_program
from cepheid.rewrites import rewrite
from tests.breadth import all_is_run
from tests.counted_lines import lines_of_ours
from tests.kernels.plain_kernels import plain_kernels

WINDOW = "within 1000000"
PATTERNS = {
    "one after the other": (f"a: A then b: B {WINDOW}", "A", "B"),
    "in any order": (f"a: A and b: B {WINDOW}", "A", "B"),
    "the right one first": (f"a: A and b: B {WINDOW}", "B", "A"),
    "one lasts": (f"(x: A then y: D within 5) then b: B {WINDOW}", "AD", "B"),
    "two at once": (f"a: A then (b: B and c: C within 4) {WINDOW}", "A", "BC"),
}
INTERPRETED = {("two at once", "latest-start", "arrival"), ("two at once", "recent", "arrival")}
"""By arrival, kernels do not say which of those that last are dominated."""
FEW, MANY, VERY_MANY = 100, 1000, 20_000


@pytest.mark.one_in(4)
@pytest.mark.parametrize("ties", ["simultaneous", "arrival"])
@pytest.mark.parametrize("choice", ["latest-start", "recent", "chronological", "next"])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_what_an_event_costs_is_independent_of_how_many_wait(pattern: str, choice: str, ties: str) -> None:
    text, before, after = PATTERNS[pattern]
    program = read_program(f"ties {ties}\nrule best: {text} choose {choice} emits R")
    plan = plan_of(rewrite(program), written=program)
    is_compiled = (pattern, choice, ties) not in INTERPRETED
    with plain_kernels():
        assert (TieredDetector(plan).interpreted is None) == is_compiled
        few, many = (_lines(plan, number, before, after) for number in (FEW, VERY_MANY if all_is_run() else MANY))
    assert 0 < many <= 1.1 * few + 10


OVERLAP = "end($1) - start($0) >= 1, end($0) - start($1) >= 1"
LONG_OVER = f"(x: A then y: D within 2) and (b: B then c: C within 2) relation {OVERLAP} choose chronological"


@pytest.mark.one_in(4)
def test_what_ended_before_a_partner_began_is_passed_over_at_once() -> None:
    program = read_program(f"ties simultaneous\nrule best: {LONG_OVER} emits R")
    plan = plan_of(rewrite(program), written=program)
    with plain_kernels():
        assert TieredDetector(plan).interpreted is None
        few, many = (_lines(plan, number, "AD", "ABDC") for number in (FEW, VERY_MANY if all_is_run() else MANY))
    assert 0 < many <= 1.1 * few + 10


def _lines(plan: Plan, waiting: int, before: str, after: str) -> float:
    """Return how many lines of ours run for each event of a batch that finds partners among many."""
    detector = TieredDetector(plan)
    detector.push_all([_event(kind, place, number) for place in range(waiting) for number, kind in enumerate(before)])
    some = [_event(kind, waiting + place, number) for place in range(24) for number, kind in enumerate(after)]
    told = detector.push_all(some[:8])
    with lines_of_ours() as count:
        told += detector.push_all(some[8:])
    assert told or detector.close(), "nothing is found"
    return count.lines / len(some[8:])


def _event(kind: str, place: int, number: int) -> Event:
    return Event(kind, 3 * place + number, 3 * place + number, 4 * place + number, {"key": 1, "value": place})
