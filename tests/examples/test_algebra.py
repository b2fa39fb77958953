"""The detection algebra's own example: a button pressed twice within two ticks, with no alarm in between.

(B ; B) within 2 - (P | T)
"""

import pytest

import cepheid as c
from cepheid.testing import trace

TWO_PRESSES = "1 B, 2 P, 3 B, 4 B"


def presses() -> c.Part:
    """Two buttons, one after the other, and no alarm from the first to the second."""
    first, second = c.event("B", name="first"), c.event("B", name="second")
    return (first >> second).within(2).unless(c.event("P") | c.event("T"))


def found(pattern: c.Part, written: str, policy: str) -> list[tuple[int, int, tuple[object, ...]]]:
    matches = c.query(pattern.distinct(), policy=policy).run(trace(written))
    return [(match.start, match.end, match.evidence) for match in matches]


@pytest.mark.parametrize("policy", ["all", "latest-start"])
def test_an_alarm_between_two_presses_spoils_them(policy: str) -> None:
    assert found(presses(), TWO_PRESSES, policy) == [(3, 4, (3, 4))]


@pytest.mark.parametrize("policy", ["all", "latest-start"])
def test_an_alarm_at_the_very_moment_of_a_press_spoils_it_too(policy: str) -> None:
    assert found(presses(), "1 B, 2 B T", policy) == []


@pytest.mark.parametrize(
    ("policy", "expected"), [("all", [(1, 2), (1, 3), (2, 3)]), ("latest-start", [(1, 2), (2, 3)])]
)
def test_of_three_presses_the_restriction_keeps_the_latest_pair_of_each_end(
    policy: str, expected: list[tuple[int, int]]
) -> None:
    assert [(start, end) for start, end, _ in found(presses(), "1 B, 2 B, 3 B, 6 B", policy)] == expected


def test_a_sequence_takes_the_stored_instance_with_the_latest_start() -> None:
    """The pair of 1 and 4 ends last, but it is the pair of 2 and 3 that starts last."""
    a, b, later = c.event("A"), c.event("B"), c.event("C")
    pairs = (a & b).distinct()
    assert found(pairs >> later, "1 A, 2 A, 3 B, 5 C", "latest-start") == [(2, 5, (2, 3, 4))]


def test_an_instance_is_a_set_so_an_event_and_itself_are_one_event() -> None:
    one, other = c.event("A", name="one"), c.event("A", name="other")
    assert found(one & other, "1 A", "all") == [(1, 1, (1,))]
    assert found(one & other, "1 A, 2 A", "all") == [(1, 1, (1,)), (1, 2, (1, 2)), (2, 2, (2,))]


def test_by_a_key_presses_and_alarms_of_other_users_do_not_count() -> None:
    written = '1 B{user: "ann"}, 2 B{user: "bob"} P{user: "bob"}, 3 B{user: "ann"}, 4 B{user: "bob"}'
    query = c.query(presses().distinct(), by="user", policy="latest-start")
    assert [(match.start, match.end) for match in query.run(trace(written))] == [(1, 3)]
