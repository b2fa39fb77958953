"""Joins under `all`: relations, windows, keys and conditions at their edges."""

from cepheid.testing import Runner
from tests.conformance.examples import Example, examples, shows

ORDER = (
    shows("an empty input has no match", "a then b", ""),
    shows("what ends when the next one starts is not before it", "a then b", "1-3 a, 3-4 b"),
    shows("one tick apart is enough", "a then b", "1-3 a, 4-4 b", "1-4 a b"),
    shows("times before zero are times", "a then b", "-3 a, -1 b", "-3--1 a b"),
    shows("a long event can end after the one it came before", "a and b", "1-9 a, 2 b", "1-9 b a"),
    shows("one event can be two parts", "x: a and y: a", "1 a", "1 a"),
    shows("an event does not come before itself", "x: a then y: a", "1 a"),
    shows("a part may be of any type", "a then x: *", "1 a, 2 q", "1-2 a q"),
    shows(
        "the second of three is later than the first and before the third",
        "a then b then c",
        "2 a, 1 b, 3 b, 3 c, 4 c",
        "2-4 a b#3 c#5",
    ),
    shows(
        "a nested join is a part with its own start and end",
        "(a and b) then c",
        "1 b, 3 a, 2 c, 4 c",
        "1-4 b a c#4",
    ),
    shows(
        "a relation can reach into a nested join",
        "(a then b) and c relation start(c) - start(b) >= 1",
        "1 a, 2 b, 2 c, 3 c",
        "1-3 a b c#4",
    ),
)

WINDOWS = (
    shows("a window of nothing wants everything at once", "a and b within 0", "1 a, 1 b, 2 b", "1 a b#2"),
    shows("the whole length counts, not the distance", "a and b within 3", "1-4 a, 4 b, 5 b", "1-4 a b#2"),
    shows("a part alone can be too long", "a and b within 1", "1-4 a, 2 b"),
    shows("a window of one record holds one event", "x: a and y: a within 1 records", "1 a, 2 a", "1 a#1", "2 a#2"),
    shows(
        "records of other types take up the window",
        "a then b within 2 records",
        "1 a, 2 b, 3 a, 3 q, 4 b",
        "1-2 a#1 b#2",
    ),
    shows(
        "two windows both hold",
        "a then b within 5 within 2 records",
        "1 a, 2 b, 9 a, 20 b",
        "1-2 a#1 b#2",
    ),
)

CONDITIONS = (
    shows("null is equal to nothing", "a then b on a.k == b.k", "1 a, 2 b, 3 a{k: null}, 4 b{k: null}"),
    shows("a key can be computed", "a then b on a.k + 1 == b.k", "1 a{k: 1}, 2 b{k: 1}, 3 b{k: 2}", "1-3 a b#3"),
    shows(
        "two keys both count",
        "a then b on a.k == b.k, a.v == b.v",
        "1 a{k: 1, v: 1}, 2 b{k: 1, v: 2}, 3 b{k: 1, v: 1}",
        "1-3 a b#3",
    ),
    shows("a condition that is null keeps nothing", "a then b where a.v < b.v", "1 a(1), 2 b, 3 b(text)"),
    shows("NaN is a key", "a then b on a.value == b.value", "1 a(NaN), 2 b(NaN), 3 b(1)", "1-2 a b#2"),
    shows("a boolean is not a number", "a then b on a.value == b.value", "1 a(1), 2 b(true)"),
)


@examples(*ORDER)
def test_order(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found


@examples(*WINDOWS)
def test_windows(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found


@examples(*CONDITIONS)
def test_keys_and_conditions(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found
