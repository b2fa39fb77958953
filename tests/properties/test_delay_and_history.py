"""A match is told no later than its delay says, and nothing before its history has a say in it."""

from hypothesis import assume, given
from hypothesis import strategies as st

from cepheid.algebra.expressions import Moment
from cepheid.algebra.matches import same_matches
from cepheid.algebra.patterns import Instant
from cepheid.algebra.programs import HULL, Rule
from cepheid.algebra.relations import end
from cepheid.algebra.semantics import matches
from cepheid.algebra.traversal import walk
from cepheid.analysis import certify, plan_of
from cepheid.engine import Detector
from cepheid.testing import Case
from cepheid.testing.strategies import cases
from tests.properties.measured_state import lasting


def _ends_with_its_match(rule: Rule) -> bool:
    return rule.end == Moment(end(HULL))


def _has_points(rule: Rule) -> bool:
    return any(isinstance(node, Instant) for node in walk(rule))


@given(cases())
def test_a_match_is_told_when_its_delay_is_over(case: Case) -> None:
    plan = plan_of(case.program, intervals=lasting(case))
    # A fixed point lies before the first event of a key that comes late, so it is told when it is long past.
    rules = [one for one in plan.rules if _ends_with_its_match(one.rule) and not _has_points(one.rule)]
    delays = {rule.rule.name: rule.root.delay for rule in rules}
    detector = Detector(plan, disorder=case.disorder, identified=True)
    frontier = detector.frontier
    for event in case.arrivals:
        for match in detector.push(event):
            delay = delays.get(match.name)
            # What needs no delay is told when its last event comes, and that may be while its instant lasts.
            assert delay is None or frontier < match.end + max(delay, 1)
        frontier = detector.frontier


@given(cases(most_rules=1), st.integers(0, 12), st.integers(1, 4))
def test_a_slice_with_its_history_finds_what_the_whole_finds(case: Case, first: int, length: int) -> None:
    program = case.program
    assume(len(program.rules) == 1 and case.trace)
    [rule] = certify(plan_of(program, intervals=lasting(case))).rules
    assume(rule.history is not None and rule.delay is not None)
    assume(_ends_with_its_match(program.rules[0]) and not _has_points(program.rules[0]))
    assert rule.history is not None
    assert rule.delay is not None
    low = case.trace[0].end + first
    high = low + length
    read = [event for event in case.trace if low - rule.history <= event.end <= high + rule.delay]
    found = [match for match in matches(program, read) if low <= match.end < high]
    assert same_matches(found, [match for match in matches(program, case.trace) if low <= match.end < high])
