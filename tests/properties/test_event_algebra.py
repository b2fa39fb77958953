"""Joins of all candidates, conditions and absences: the definition gives what PARTElang's event algebra gives."""

from collections import Counter
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.patterns import Either
from cepheid.algebra.semantics import instances
from cepheid.events import Event, sort_events
from tests.oracles.event_algebra import Assignment, Or
from tests.oracles.event_algebra import assignments as by_comprehension
from tests.properties.event_algebra_lowering import Part, event_pattern, join_with_absences, rules
from tests.properties.results import assignments
from tests.properties.traces import KEYED, traces

TRACES = traces(types="aab", least=4, latest=4, fields=KEYED)


def expected(found: Sequence[Assignment]) -> Counter[tuple[tuple[str, object], ...]]:
    return Counter(tuple(sorted((name, event.id) for name, event in one.items())) for one in found)


def counted(found: Sequence[dict[str, object]]) -> Counter[tuple[tuple[str, object], ...]]:
    return Counter(tuple(sorted(one.items())) for one in found)


@given(rules(), st.booleans(), TRACES)
def test_a_rule_finds_the_assignments_of_its_pattern(
    parts: list[Part], conditions_after: bool, trace: list[Event]
) -> None:
    found = assignments(instances(join_with_absences(parts, conditions_after), trace))
    assert counted(found) == expected(by_comprehension(event_pattern(parts), trace))


@given(rules(), rules(), TRACES)
def test_either_finds_the_assignments_of_both(one: list[Part], two: list[Part], trace: list[Event]) -> None:
    pattern = Either((join_with_absences(one, False), join_with_absences(two, False)))
    found = assignments(instances(pattern, trace))
    assert counted(found) == expected(by_comprehension(Or(event_pattern(one), event_pattern(two)), trace))


@given(rules(), TRACES)
def test_a_match_lies_from_its_first_to_its_last_event(parts: list[Part], trace: list[Event]) -> None:
    for found in instances(join_with_absences(parts, False), trace):
        times = [event.end for event in trace if event.id in found.support]
        assert (found.start, found.end) == (min(times), max(times))
        places = [place for place, event in enumerate(sort_events(trace)) if event.id in found.support]
        assert (found.low, found.high) == (min(places), max(places))
        assert found.support == {part.identity for part in found.parts.values()}
