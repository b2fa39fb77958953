"""Where a match of something else must not lie."""

from collections.abc import Callable

import pytest

import cepheid as c
from cepheid.algebra.patterns import Join, Pattern, Unless
from cepheid.algebra.relations import Difference, after, end, start
from tests.algebra.builder.nodes import A_USER, A_VALUE, SECOND, X_USER, X_VALUE, A, B, X, call, error_of

a, b, x = c.event("A"), c.event("B"), c.event("X")

PAIR = Join((A, B), (after("$1", "$0"),))
INSIDE = (Difference(start("$absent"), start("$pattern"), 0), Difference(end("$pattern"), end("$absent"), 0))


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ((a >> b).unless(x), Unless(PAIR, X, INSIDE)),
        (
            (a >> b).unless(x, between=(a, b)),
            Unless(PAIR, X, (after("$absent", "a"), after("b", "$absent"))),
        ),
        (
            a.unless(x, after="1 s"),
            Unless(A, X, (after("$absent", "$pattern"), Difference(end("$absent"), end("$pattern"), None, SECOND))),
        ),
        (
            a.unless(x, before="1 s"),
            Unless(A, X, (after("$pattern", "$absent"), Difference(start("$pattern"), start("$absent"), None, SECOND))),
        ),
        (a.unless(x, relation=[x.start > a.end]), Unless(A, X, (after("x", "a"),))),
        (a.unless(x, relation=x.start > a.end), Unless(A, X, (after("x", "a"),))),
        (
            (a >> b).unless(x, relation=lambda pattern, absent: absent.start > pattern.end),
            Unless(PAIR, X, (after("$absent", "$pattern"),)),
        ),
        (a.unless(x, relation=x.start > c.hull.end), Unless(A, X, (after("x", "$pattern"),))),
        (
            (a >> b).unless(x, on=x.user == a.user, where=x.value > a.value),
            Unless(PAIR, X, INSIDE, ((X_USER, A_USER),), call(">", X_VALUE, A_VALUE)),
        ),
        (
            (a >> b).unless(x, on=[x.user == a.user, x.value == a.value]),
            Unless(PAIR, X, INSIDE, ((X_USER, A_USER), (X_VALUE, A_VALUE))),
        ),
    ],
)
def test_an_absence_has_a_place(part: c.Part, expected: Pattern) -> None:
    assert c.pattern_of(part) == expected


@pytest.mark.parametrize(
    ("mistake", "named"),
    [
        (lambda: a.unless(x, after="1 s", before="1 s"), "`after` and `before`"),
        (
            lambda: (a >> b).unless(x, between=(a, b), after=3, relation=x.start > a.end),
            "`between` and `after` and `relation`",
        ),
    ],
)
def test_an_absence_has_one_place(mistake: Callable[[], object], named: str) -> None:
    assert error_of(mistake) == (
        f"error[conflicting-options]: an absence has one place, and {named} say where it is\n"
        "  = hint: keep one of them, or write `.unless(b)` once for each"
    )


@pytest.mark.parametrize(
    ("part", "ends"),
    [
        ((a >> b).unless(x), []),
        ((a >> b).unless(x, between=(a, b)), []),
        (a.unless(x, after=1), []),
        (a.unless(x, after=0), [1]),
        (a.unless(x, before=5), [1]),
        (b.unless(x, before=1), []),
        (b.unless(x, before=0), [3]),
    ],
)
def test_absences_over_a_trace(part: c.Part, ends: list[int]) -> None:
    events = [{"type": "A", "time": 1}, {"type": "X", "time": 2}, {"type": "B", "time": 3}]
    assert [match.end for match in c.query(part).run(events, time_unit="us")] == ends


def test_simultaneous_events_are_inside_and_not_between() -> None:
    events = [{"type": "A", "time": 1}, {"type": "X", "time": 1}, {"type": "B", "time": 3}]
    assert c.query((a >> b).unless(x)).run(events, time_unit="us") == []
    assert len(c.query((a >> b).unless(x, between=(a, b))).run(events, time_unit="us")) == 1
