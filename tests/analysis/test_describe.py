"""Closure, plan and bounds as a person reads them."""

from cepheid.analysis import describe_bounds, describe_closure, describe_plan, plan_of
from tests.analysis.queries import program

QUERY = "rule r: ((a: A then b: B within 5 s) unless x: X inside) emits R"
RECORDS = "rule r: (a: A then b: B within 4 records choose recent) emits R"


def test_the_closure_says_how_far_apart_the_parts_can_be() -> None:
    assert describe_closure(plan_of(program(QUERY))).splitlines() == [
        "rule `r`",
        "  a match is 1 us to 5 s long",
        "  `b` ends 1 us to 5 s after `a`",
    ]


def test_parts_can_lie_on_both_sides_of_each_other() -> None:
    query = "rule r: (a: A and b: B relation -2 s <= start(b) - start(a) <= 5 s) emits R"
    assert "  `b` ends up to 2 s before to up to 5 s after `a`" in describe_closure(plan_of(program(query)))
    assert "  `b` ends any time before or after `a`" in describe_closure(plan_of(program("a: A and b: B")))
    assert "  `b` ends 1 us or more before `a`" in describe_closure(plan_of(program("a: A after b: B")))


def test_records_have_a_closure_of_their_own() -> None:
    assert "  `b` is at most 3 records after `a`" in describe_closure(plan_of(program(RECORDS)))


def test_a_contradiction_is_all_there_is_to_say() -> None:
    told = describe_closure(plan_of(program("a: A then b: B within 0 s")))
    assert told.splitlines()[1].startswith("  can never match: start of part 2")


def test_the_plan_says_who_waits_for_whom() -> None:
    assert describe_plan(plan_of(program(QUERY))).splitlines() == [
        "rule `r`",
        "  0 scan: `A`",
        "  1 scan: `B`",
        "  2 join of 0, 1: `A` with `B`",
        "      `A` waits 5 s for `B`",
        "      `B` waits not at all for `A`",
        "  3 scan: `X`",
        "  4 absence of 2, 3: `A` with `B`",
        "      `A` with `B` waits 0 s for `X`",
        "      `X` waits 5 s for `A` with `B`",
        "      keeps of `X` only the latest, and those that some matches to come are too early for",
        "  a match is certain 1 us after its end",
    ]


def test_parts_of_one_type_are_told_apart_by_their_names() -> None:
    assert "      `a` waits 5 s for `b`" in describe_plan(plan_of(program("a: A then b: A within 5 s")))


def test_the_plan_says_what_is_put_in_order() -> None:
    told = describe_plan(plan_of(program(RECORDS))).splitlines()
    assert told[1] == "  its events are put in order first, because their places count"
    assert "      sees an instant when it is complete" in told


def test_bounds_say_what_each_operator_holds() -> None:
    assert describe_bounds(plan_of(program("stream A rate 2 per 1 s", QUERY)), disorder=1_000_000).splitlines() == [
        "rule `r`",
        "  2 join holds `A`: 14 = arrivals(A, 6 s)",
        "  2 join holds `B`: arrivals(B, 1 s - 1 us)",
        "  4 absence holds `A` with `B`: arrivals(A, 6 s - 1 us) * arrivals(B, 1 s)",
        "  4 absence holds `X`: least(arrivals(X, 1 s - 1 us) + 1, arrivals(X, 6 s))",
    ]


def test_bounds_say_why_there_is_none() -> None:
    told = describe_bounds(plan_of(program("a: A then b: B")))
    assert told.splitlines()[1] == "  2 join holds `A`: unbounded (nothing ends the wait for `B`)"
