"""Events that are dealt out under each of their roles have the matches of one place, each of them once."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings

from cepheid.algebra.matches import Match
from cepheid.algebra.semantics import matches
from cepheid.analysis import certify, plan_of
from cepheid.analysis.keys.common_keys import CommonKey, common_key
from cepheid.analysis.keys.roles import playing_roles
from cepheid.engine import Detector
from cepheid.events import Event
from cepheid.languages.cep import read_program
from cepheid.testing import Case
from cepheid.testing.strategies import drawn
from tests.properties.role_cases import dealt, draw_role_case, role_case

TOGETHER = 250
BUCKETS = 3


def told(found: Sequence[Match]) -> Counter[str]:
    return Counter(str((one.name, one.start, one.end, one.values, one.evidence, one.id)) for one in found)


def by_definition(case: Case, key: CommonKey, buckets: int) -> Counter[str]:
    """Return what the definition finds in buckets, each for itself."""
    program = playing_roles(plan_of(case.program, intervals=True), key.by_type, key.roles).program
    every = [matches(program, some, written=case.program) for some in dealt(case.trace, key.by_type, buckets)]
    return told([match for some in every for match in some])


def by_engine(case: Case, key: CommonKey, buckets: int) -> Counter[str]:
    """Return what detectors of buckets find, each for itself, within what is certified for all."""
    plan = plan_of(case.program, intervals=True)
    working = playing_roles(plan, key.by_type, key.roles)
    found: list[Match] = []
    for some in dealt(case.trace, key.by_type, buckets):
        detector = Detector(working, certificate=certify(plan))
        found += [*(match for event in some for match in detector.push(event)), *detector.close()]
    return told(found)


@settings(max_examples=300)
@given(drawn(draw_role_case))
def test_roles_of_one_rule_find_what_one_place_finds(case: Case) -> None:
    key = common_key(case.program.rules)
    if key is not None:
        assert by_definition(case, key, BUCKETS) == told(matches(case.program, case.trace))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, 2000, TOGETHER))
def test_roles_of_rules_that_feed_each_other_find_what_one_place_finds(first: int) -> None:
    several = 0
    for seed in range(first, first + TOGETHER):
        case = role_case(seed, most_rules=3)
        key = common_key(case.program.rules)
        if key is None:
            continue
        several += any(len(names) > 1 for names in key.by_type.values())
        expected = told(matches(case.program, case.trace))
        assert by_definition(case, key, BUCKETS) == expected, seed
        assert by_engine(case, key, BUCKETS) == expected, seed
    assert several > TOGETHER / 25


TO_ALL = (
    "a: A and b: A and c: C within 6 on a.key == b.value, b.key == c.key",
    "a: A then b: B then c: C on a.key == b.value, c.value == b.key",
    "(a: A then b: A on a.key == b.value choose recent) then c: C within 5 on c.key == a.value",
    "(a: A then b: A within 5 on a.value == b.key) unless c: C between a and b on c.key == a.key",
    "(a: A and b: A and e: A on a.key == b.key, b.key == e.value) unless (c: C then d: B choose next) inside",
    "collect g: all of c: C for (a: A then b: A on a.key == b.value) relation 0 <= end(b) - end(c) <= 4",
    "(a: A and b: A on a.key == b.value) and (c: C choose latest-start)",
)


@pytest.mark.parametrize("text", TO_ALL)
def test_what_has_no_attribute_of_the_key_may_be_given_to_all(text: str) -> None:
    [rule] = read_program(f"rule r: ({text}) emits R").rules
    key = common_key([rule])
    assert key is not None
    assert [kind for kind, names in key.by_type.items() if not names], "nothing goes everywhere"
    some = 0
    for seed in range(60):
        trace = role_case(seed).trace
        told_as = tuple(replace(event, type="AABC"[place % 4]) for place, event in enumerate(trace))
        case = Case(read_program(f"rule r: ({text}) emits R"), told_as, told_as)
        expected = told(matches(case.program, case.trace))
        some += bool(expected)
        assert by_definition(case, key, BUCKETS) == expected, seed
        assert by_engine(case, key, BUCKETS) == expected, seed
    assert some > 2


def test_an_event_that_has_both_roles_in_one_place_is_there_once() -> None:
    event = Event("A", 1, 1, 1, {"key": 7, "value": 7})
    assert dealt([event], {"A": ("key", "value")}, 1) == [[event]]
