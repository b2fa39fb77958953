"""Windows are part of a join's relation, and restrict anything else."""

from dataclasses import replace

import pytest

import cepheid as c
from cepheid.algebra import intervals
from cepheid.algebra.expressions import Moment
from cepheid.algebra.patterns import Either, Join, Pattern, Restrict
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.relations import Axis, Difference, after, end, length, start
from tests.algebra.builder.nodes import SECOND, A, B, X, call

a, b, x = c.event("A"), c.event("B"), c.event("X")

POSITION = Axis.POSITION


def pairs(count: int, longest: int, axis: Axis = Axis.TIME) -> tuple[Difference, ...]:
    hulls = [f"${index}" for index in range(count)]
    return tuple(length(first, last, longest, axis) for last in hulls for first in hulls)


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ((a >> b).within("1 s"), Join((A, B), (after("$1", "$0"), length("$0", "$1", SECOND)))),
        ((a >> b).within(7), Join((A, B), (after("$1", "$0"), length("$0", "$1", 7)))),
        ((a >> b).within(c.Duration.seconds(1)), Join((A, B), (after("$1", "$0"), length("$0", "$1", SECOND)))),
        (
            c.then(a, b, x).within("1 s"),
            Join((A, B, X), (after("$1", "$0"), after("$2", "$1"), length("$0", "$2", SECOND))),
        ),
        ((a & b).within("1 s"), Join((A, B), pairs(2, SECOND))),
        (c.both(a, b, x).within("1 s"), Join((A, B, X), pairs(3, SECOND))),
        (a.meets(b).within("1 s"), Join((A, B), (*intervals.meets(), length("$0", "$1", SECOND)))),
        (a.overlaps(b).within("1 s"), Join((A, B), (*intervals.overlaps(), length("$0", "$1", SECOND)))),
        (a.during(b).within("1 s"), Join((A, B), (*intervals.during(), *pairs(2, SECOND)))),
        (a.after(b).within("1 s"), Join((A, B), (*intervals.after(), *pairs(2, SECOND)))),
    ],
)
def test_a_window_is_part_of_the_relation_of_a_join(part: c.Part, expected: Pattern) -> None:
    assert c.pattern_of(part) == expected


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ((a >> b).within(records=10), Join((A, B), (after("$1", "$0"), length("$0", "$1", 9, POSITION)))),
        ((a & b).within(records=10), Join((A, B), pairs(2, 9, POSITION))),
        # What meets may end at the same time, and then either may be first in order.
        (a.meets(b).within(records=10), Join((A, B), (*intervals.meets(), *pairs(2, 9, POSITION)))),
        (
            (a >> b).within("1 s", records=10),
            Join((A, B), (after("$1", "$0"), length("$0", "$1", SECOND), length("$0", "$1", 9, POSITION))),
        ),
    ],
)
def test_a_window_of_records_is_a_distance_of_one_less(part: c.Part, expected: Pattern) -> None:
    assert c.pattern_of(part) == expected


def test_a_window_comes_before_the_choice_also_when_it_is_said_after_it() -> None:
    expected = Join((A, B), (after("$1", "$0"), length("$0", "$1", SECOND)), policy=Policy(Choice.RECENT))
    assert c.pattern_of((a >> b).choose("recent").within("1 s")) == expected
    assert c.pattern_of((a >> b).within("1 s").choose("recent")) == expected


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (a.within("1 s"), Restrict(A, (length("$pattern", "$pattern", SECOND),))),
        ((a | b).within("1 s"), Restrict(Either((A, B)), (length("$pattern", "$pattern", SECOND),))),
        (
            (a | b).within(records=2).within("1 s"),
            Restrict(
                Either((A, B)),
                (length("$pattern", "$pattern", 1, POSITION), length("$pattern", "$pattern", SECOND)),
            ),
        ),
        (a.at_least("1 s"), Restrict(A, (Difference(end("$pattern"), start("$pattern"), SECOND),))),
    ],
)
def test_a_window_restricts_anything_else(part: c.Part, expected: Pattern) -> None:
    assert c.pattern_of(part) == expected


def test_the_least_length_of_parts_in_order_is_a_distance() -> None:
    expected = Join((A, B), (after("$1", "$0"), Difference(end("$1"), start("$0"), SECOND)))
    assert c.pattern_of((a >> b).at_least("1 s")) == expected


def test_the_least_length_of_parts_in_any_order_is_a_condition_before_the_choice() -> None:
    ends = call("max", Moment(end("$0")), Moment(end("$1")))
    starts = call("min", Moment(start("$0")), Moment(start("$1")))
    lasts = call(">=", call("-", ends, starts), SECOND)
    assert c.pattern_of((a & b).at_least("1 s")) == Join((A, B), candidate=lasts)
    late = call(">", Moment(start("a")), 5)
    assert c.pattern_of((a & b).given(a.start > 5).at_least("1 s")) == Join((A, B), candidate=call("and", late, lasts))


def test_a_least_length_holds_over_a_trace() -> None:
    events = [{"type": "A", "time": 1}, {"type": "B", "time": 3}, {"type": "B", "time": 4}, {"type": "B", "time": 0}]
    found = c.query((a & b).at_least(2)).run(events, time_unit="us")
    assert [(match.start, match.end) for match in found] == [(1, 3), (1, 4)]


def test_nothing_said_is_no_window() -> None:
    assert c.pattern_of((a >> b).within()) == replace(Join((A, B)), relation=(after("$1", "$0"),))
