"""Windows pushed inwards: the same matches, and sequences that need to remember little."""

import pytest
from hypothesis import given

from cepheid.algebra.patterns import Join, Pattern, Restrict
from cepheid.algebra.policies import Choice
from cepheid.algebra.relations import length
from cepheid.algebra.semantics import instances
from cepheid.algebra.traversal import walk
from cepheid.events import Event
from cepheid.languages import algebra
from cepheid.rewrites import EventLengths, bounded_memory
from cepheid.rewrites.lengths import longest
from cepheid.testing.strategies import algebra_expressions, traces
from tests.properties.results import whole

LATEST = algebra_expressions(Choice.LATEST_START, depth=4)


def queues(pattern: Pattern) -> list[Join]:
    return [node for node in walk(pattern) if isinstance(node, Join) and node.relation]


def pattern_of(text: str) -> Pattern:
    return algebra.parse(text).rules[0].pattern


@given(LATEST, traces(types="ABC", intervals=0))
def test_matches_and_their_evidence_stay_the_same(pattern: Pattern, trace: list[Event]) -> None:
    assert whole(instances(bounded_memory(pattern).pattern, trace)) == whole(instances(pattern, trace))


@given(LATEST, traces(types="ABC"))
def test_matches_of_events_that_last_stay_the_same(pattern: Pattern, trace: list[Event]) -> None:
    after = bounded_memory(pattern, EventLengths(default=None)).pattern
    assert whole(instances(after, trace)) == whole(instances(pattern, trace))


@given(LATEST)
def test_a_sequence_is_bounded_where_its_right_side_is(pattern: Pattern) -> None:
    found = bounded_memory(pattern)
    plain = [join for join in queues(found.pattern) if longest(join.parts[1], EventLengths()) is None]
    assert list(found.unbounded) == plain


@given(LATEST)
def test_under_a_window_everything_is_bounded(pattern: Pattern) -> None:
    windowed = Restrict(pattern, (length("$pattern", "$pattern", 5),))
    assert bounded_memory(windowed).is_bounded


@given(LATEST)
def test_a_second_time_nothing_changes(pattern: Pattern) -> None:
    once = bounded_memory(pattern)
    assert bounded_memory(once.pattern) == once


@given(LATEST, traces(types="ABC", intervals=0))
def test_no_match_is_longer_than_it_says(pattern: Pattern, trace: list[Event]) -> None:
    found = bounded_memory(pattern)
    assert all(found.longest is None or one.end - one.start <= found.longest for one in instances(found.pattern, trace))


@pytest.mark.parametrize(
    ("text", "unbounded"),
    [
        ("A ; B", 0),
        ("A ; (B ; C)", 1),
        ("(A ; B) ; C", 0),
        ("A ; (B + C)", 1),
        ("(A ; (B + C)) within 2", 0),
        ("A - (B ; (C ; D))", 0),
        ("(A ; B) - (B ; (C ; D))", 1),
        ("A ; (B ; (C + D)) within 2", 0),
    ],
)
def test_sequences_without_a_bound_are_counted(text: str, unbounded: int) -> None:
    assert len(bounded_memory(pattern_of(text)).unbounded) == unbounded
