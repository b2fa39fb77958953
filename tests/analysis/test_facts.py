"""What is said about a pattern holds for all its matches."""

from hypothesis import given

from cepheid.algebra.semantics import instances
from cepheid.analysis.closures.facts import facts_about
from cepheid.analysis.closures.sizes import Lengths
from cepheid.analysis.closures.widths import longest
from cepheid.languages.cep import read_pattern
from cepheid.testing import Case
from cepheid.testing.strategies import cases
from tests.analysis.queries import certified
from tests.properties.measured_state import lasting


@given(cases(most_rules=1))
def test_no_match_is_longer_than_the_longest(case: Case) -> None:
    rule = case.program.rules[0]
    lengths = Lengths(default=None if lasting(case) else 0)
    most = longest(rule.pattern, lengths)
    found = instances(rule.pattern, case.trace, case.program.tables)
    assert most is None or all(one.end - one.start <= most for one in found)


@given(cases(most_rules=1))
def test_a_pattern_that_cannot_match_has_no_match(case: Case) -> None:
    rule = case.program.rules[0]
    facts = facts_about(rule.pattern, Lengths(default=None if lasting(case) else 0))
    assert facts.satisfiable or not instances(rule.pattern, case.trace, case.program.tables)


def test_the_hull_of_unordered_parts_is_as_long_as_their_window() -> None:
    assert longest(read_pattern("a: A and b: B within 5"), Lengths()) == 5


def test_nested_parts_share_the_window_around_them() -> None:
    assert longest(read_pattern("(a: A then b: B) then c: C within 5"), Lengths()) == 5


def test_one_branch_that_can_match_is_enough() -> None:
    pattern = read_pattern("(a: A then b: B within 0) or c: C")
    assert facts_about(pattern, Lengths()).satisfiable
    assert longest(pattern, Lengths()) == 0


def test_a_window_of_records_says_nothing_of_points_of_time() -> None:
    timed = certified("(a: A then b: B then instant t: every(2)) within 3 records")
    assert not timed.bounded
    assert certified("(a: A then b: B then c: C) within 3 records").bounded
