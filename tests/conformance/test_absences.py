"""Absences: what blocks, what does not, and when it is too late to block."""

from cepheid.testing import Runner
from tests.conformance.examples import Example, examples, shows

AFTER = "a unless b relation 1 <= start($absent) - end($pattern) <= 3"

WHERE_IT_LIES = (
    shows("inside includes both ends", "(a then b) unless c inside", "1 a, 3 b, 3 c, 5 a, 7 b#9, 6 q", "5-7 a#4 b#9"),
    shows("between includes neither", "(a then b) unless c between a and b", "1 a c, 3 b c", "1-3 a b"),
    shows("a long event that sticks out is not inside", "(a then b) unless c inside", "1 a, 0-2 c, 3 b", "1-3 a b"),
    shows("the edge of the wait counts", AFTER, "1 a, 4 b"),
    shows("one tick later it does not", AFTER, "1 a, 5 b", "1 a"),
    shows("at the same time it is not after", AFTER, "1 a b", "1 a"),
    shows("an absence up to the end of the input is one", AFTER, "1 a", "1 a"),
    shows("nothing before", "a unless b relation start($pattern) - end($absent) >= 1", "1 a, 2 b, 3 a", "1 a#1"),
    shows("nothing anywhere", "a unless b", "1 a, 9 b"),
)

WHICH_ONE = (
    shows(
        "only what has the key blocks",
        "a unless b on a.k == b.k",
        "1 a{k: 1} a{k: 2} a, 2 b{k: 1} b",
        "1 a#2",
        "1 a#3",
    ),
    shows("a condition that is null does not block", "a unless b where b.value > a.value", "1 a(1), 2 b", "1 a"),
    shows("an absence of an absence", "a unless (b unless c)", "1 a, 2 b, 3 c", "1 a"),
    shows("a chosen match blocks where others would", "a unless (x: b then c choose recent) inside", "1-5 a, 2 b, 3 c"),
    shows(
        "what was not chosen does not block",
        "(p then q) unless (x: b then c choose chronological) between p and q",
        "1 b, 2 p, 3 b, 4 c, 5 q",
        "2-5 p q",
    ),
    shows(
        "a derived event that is dated back blocks",
        "rule back: x then y emits b from start(x) to start(x)\n"
        "rule lone: a unless b relation start($absent) - end(a) == 1 emits lone",
        "1 a, 2 x, 9 y",
        "back: 2 x y",
    ),
    shows(
        "an instant can block",
        "a unless (instant t: every(5, 0)) relation start(t) - end(a) == 1",
        "4 a, 6 a, 9 b",
        "6 a#2",
    ),
)

DISORDER = (
    shows("one that comes out of order blocks", AFTER, "1 a, 6 q, 4 b", disorder=3),
    shows("one that is late does not", AFTER, "1 a, 6 q, 4 b", "1 a", disorder=1),
)


@examples(*WHERE_IT_LIES)
def test_where_it_lies(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found


@examples(*WHICH_ONE)
def test_which_one(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found


@examples(*DISORDER)
def test_disorder(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found
