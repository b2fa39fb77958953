"""What an absence keeps of what forbids: the latest per key, where it forbids all that the others do."""

import pytest

from cepheid.analysis import plan_of
from cepheid.engine import Detector
from cepheid.events import point
from tests.analysis.queries import certified, program


def forbids(*lines: str, disorder: int = 0, intervals: bool = False) -> str:
    """The formula for what forbids matches in the last operator."""
    absence = certified(*lines, disorder=disorder, intervals=intervals).rules[0].operators[-1]
    assert absence.kind.value == "absence"
    return str(absence.histories[1].entries.formula)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("(a: A then b: B within 5 s) unless x: X inside", "1"),
        ("(a: A then b: B) unless x: X inside", "1"),
        ("(a: A then b: B) unless (x: X then y: Y) inside", "1"),
        ("(a: A then b: B) unless x: X between a and b", "arrivals(X, 0 s) + 1"),
        ("(a: A then (b: B and c: C within 3 s)) unless x: X between a and b", "arrivals(X, 3 s) + 1"),
        ("a: A unless x: X relation 0 s <= start(a) - end(x) <= 4 s", "1"),
        ("a: A unless x: X", "1"),
    ],
)
def test_one_is_enough_where_it_forbids_all_that_the_others_do(query: str, expected: str) -> None:
    assert forbids(query) == expected


def test_with_keys_it_is_one_for_each() -> None:
    query = "(a: A then b: B on a.user == b.user) unless x: X inside on x.user == a.user"
    assert forbids("stream X keys 50", query) == "keys(user)"
    assert forbids(f"rule r per user: {query} emits R", "stream X keys 50", "stream A keys 9", "stream B keys 9") == (
        "keys(user) * keys(user)"
    )


def test_disorder_keeps_those_that_some_matches_may_not_look_at() -> None:
    query = "(a: A then b: B) unless x: X inside"
    assert forbids(query, disorder=2_000_000) == "arrivals(X, 2 s - 1 us) + 1"


@pytest.mark.parametrize(
    "query",
    [
        "(a: A then b: B within 5 s) unless x: X inside where x.v > a.v",
        "(a: A then b: B within 5 s) unless x: X inside on x.v + a.v == b.v",
        "(a: A then b: B within 5 s) unless x: X relation start(x) - start(a) >= 0, end(x) - end(a) >= 0",
        "(a: A then b: B within 5 s) unless (x: X then y: Y) relation start(x) - start(a) >= 0",
    ],
)
def test_everything_in_reach_stays_where_something_tells_them_apart(query: str) -> None:
    [rule] = plan_of(program(query)).rules
    assert rule.root.forbidding is None


def test_the_engine_holds_one_however_many_came() -> None:
    detector = Detector(plan_of(program("(a: A then b: B) unless x: X inside")))
    detector.push(point("A", 0, "a"))
    for number in range(1, 50):
        detector.push(point("X", number, number))
    assert detector.runners[0].plan.root.forbidding is not None
    assert detector.runners[0].entries()[-1] == 1
    assert detector.push(point("B", 60, "b")) == []
    detector.push(point("A", 61, "c"))
    detector.push(point("B", 70, "d"))
    assert [match.start for match in detector.advance(71)] == [61]


def test_under_disorder_only_those_go_that_all_matches_to_come_look_at() -> None:
    detector = Detector(plan_of(program("(a: A then b: B) unless x: X inside")), disorder=10)
    for number in range(30):
        detector.push(point("X", number, number))
    assert detector.runners[0].entries()[-1] == 11
    detector.push(point("A", 20, "a"))
    detector.push(point("B", 22, "b"))
    assert detector.close() == []
