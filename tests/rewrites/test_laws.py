"""A law changes how a query is written and never what it finds: not a match, not a value, not a piece of evidence."""

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.instances import Instance
from cepheid.algebra.patterns import Join, Pattern
from cepheid.algebra.policies import Choice
from cepheid.algebra.semantics import instances, matches
from cepheid.algebra.traversal import walk
from cepheid.analysis.plans.choice_windows import takes_windows
from cepheid.events import Event
from cepheid.rewrites import LAWS, EventLengths, rewriting
from cepheid.rewrites.lengths import point_test
from cepheid.testing import Case
from cepheid.testing.cases import seeded
from cepheid.testing.strategies import cases, traces
from tests.rewrites.single_law import applied_everywhere
from tests.rewrites.situations import situation, situations

LASTING = EventLengths(default=None)
ALL_LAWS = [*LAWS, "bounded_memory"]
ONLY_UNDER_ALL = ["flatten_joins", "move_where_into_candidate"]


def told(found: Iterable[Instance]) -> Counter[str]:
    """What there is to know about instances: where they lie, what they bind and what they rest on."""
    return Counter(
        repr((one.start, one.end, sorted((name, part.identity) for name, part in one.parts.items()), one.order))
        for one in found
    )


@pytest.mark.parametrize("law", ALL_LAWS)
@given(data=st.data(), trace=traces(types="ABC", most=5))
def test_a_law_keeps_every_match(law: str, data: st.DataObject, trace: list[Event]) -> None:
    pattern = data.draw(situations(law))
    after = applied_everywhere(law, pattern, LASTING)
    assert told(instances(after, trace)) == told(instances(pattern, trace))


@pytest.mark.parametrize(
    "law", ["limit_chain", "drop_loose_window", "narrow_absence", "push_window_into_join", "bounded_memory"]
)
@given(data=st.data(), trace=traces(types="ABC", most=5, intervals=0))
def test_a_law_keeps_every_match_of_points(law: str, data: st.DataObject, trace: list[Event]) -> None:
    pattern = data.draw(situations(law))
    after = applied_everywhere(law, pattern, EventLengths())
    assert told(instances(after, trace)) == told(instances(pattern, trace))


@pytest.mark.parametrize("law", ALL_LAWS)
def test_a_law_has_something_to_say(law: str) -> None:
    some = [situation(seeded(seed), law) for seed in range(60)]
    assert sum(applied_everywhere(law, pattern, LASTING) != pattern for pattern in some) >= 15


@given(cases())
def test_all_laws_together_keep_every_match(case: Case) -> None:
    done = rewriting(case.program, intervals=True)
    found = matches(done.program, case.trace, written=case.program)
    assert [(one.id, one.content()) for one in found] == [
        (one.id, one.content()) for one in matches(case.program, case.trace)
    ]


@given(cases())
def test_what_was_rewritten_is_left_as_it_is(case: Case) -> None:
    once = rewriting(case.program, intervals=True).program
    assert rewriting(once, intervals=True).firings == ()


@pytest.mark.parametrize("law", ONLY_UNDER_ALL)
@given(data=st.data())
def test_a_choice_keeps_its_candidates_and_its_conditions(law: str, data: st.DataObject) -> None:
    pattern = data.draw(situations(law))
    after = applied_everywhere(law, pattern, LASTING)
    assert choosing_joins(after) == choosing_joins(pattern)


@given(situations("push_window_into_join"))
def test_a_window_becomes_part_of_a_relation_only_where_it_cannot_change_the_choice(pattern: Pattern) -> None:
    after = applied_everywhere("push_window_into_join", pattern, LASTING)
    relations = [
        Counter(join.relation for join in joins(some) if not takes_windows(join, point_test(LASTING)))
        for some in (pattern, after)
    ]
    assert relations[0] == relations[1]


def joins(pattern: Pattern) -> list[Join]:
    return [node for node in walk(pattern) if isinstance(node, Join)]


def choosing_joins(pattern: Pattern) -> Counter[object]:
    """The joins that choose, each with its number of parts, what they may be and what is asked afterwards."""
    return Counter(
        (len(join.parts), join.relation, join.equal, join.candidate, join.policy, join.where)
        for join in joins(pattern)
        if join.policy.choice is not Choice.ALL
    )
