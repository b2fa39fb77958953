"""Repetitions and collections."""

from cepheid.testing import Runner
from tests.conformance.examples import Example, examples, shows

STEADY = "repeat g: 2..* of a gap 1 <= start($next) - end($previous) <= 2"


def folding(fold: str) -> str:
    return f"rule r: repeat g: 1..* of a with x = {fold} emits r(x = g.x)"


GREEDY = (
    shows("too few are no run", "repeat g: 3..* of a", "1 a, 2 a"),
    shows("one is a run of one", "repeat g: 1 of a", "1 a, 2 a", "1 a#1", "2 a#2"),
    shows("a gap that is too long ends it", STEADY, "1 a, 3 a, 6 a, 7 a", "1-3 a#1 a#2", "6-7 a#3 a#4"),
    shows("simultaneous items do not follow each other", STEADY, "1 a a, 2 a", "1-2 a#1 a#3", "1-2 a#2 a#3"),
    shows("without a gap they do", "repeat g: 2..* of a", "1 a a, 2 a", "1-2 a#1 a#2 a#3"),
    shows("a full run takes no more", "repeat g: 2 of a", "1 a, 2 a, 3 a", "1-2 a#1 a#2"),
    shows(
        "neighbours on the record",
        "repeat g: 2..* of a gap position(start($next)) - position(end($previous)) == 1",
        "1 a, 2 a, 3 q, 4 a",
        "1-2 a#1 a#2",
    ),
    shows(
        "null links to nothing",
        "repeat g: 1..* of a link $next.value >= $previous.value",
        "1 a(1), 2 a, 3 a(1)",
        "1-3 a#1 a#3",
        "2 a#2",
    ),
    shows(
        "a window of records",
        "repeat g: 2..* of a within 3 records",
        "1 a, 2 q, 3 a, 4 a, 5 a",
        "1-3 a#1 a#3",
        "4-5 a#4 a#5",
    ),
)

EVERY = (
    shows(
        "every selection", "repeat g: 2 of a choose all", "1 a, 2 a, 3 a", "1-2 a#1 a#2", "1-3 a#1 a#3", "2-3 a#2 a#3"
    ),
    shows(
        "a gap is of neighbours in the selection",
        "repeat g: 2..3 of a gap 1 <= start($next) - end($previous) <= 1 choose all",
        "1 a, 2 a, 3 a",
        "1-2 a#1 a#2",
        "1-3 a#1 a#2 a#3",
        "2-3 a#2 a#3",
    ),
    shows(
        "for each key",
        "repeat g: 2 of a choose all per a.k",
        "1 a{k: 1}, 2 a{k: 2}, 3 a{k: 1}, 4 a, 5 a",
        "1-3 a#1 a#3",
    ),
)

FOLDS = (
    shows("a sum", folding("sum of a.value"), "1 a(1), 2 a(2.5)", "1-2 a#1 a#2 {x: 3.5}"),
    shows("a sum over what cannot be added", folding("sum of a.value"), "1 a(1), 2 a(text)", "1-2 a#1 a#2 {x: null}"),
    shows(
        "a sum that does not fit",
        folding("sum of a.value"),
        "1 a(9223372036854775807), 2 a(1)",
        "1-2 a#1 a#2 {x: null}",
    ),
    shows("an average without nulls", folding("avg of a.value"), "1 a(1), 2 a, 3 a(2)", "1-3 a#1 a#2 a#3 {x: 1.5}"),
    shows("the first that is not null", folding("first of a.value"), "1 a, 2 a(4), 3 a(5)", "1-3 a#1 a#2 a#3 {x: 4}"),
    shows("the greatest is NaN", folding("max of a.value"), "1 a(1), 2 a(NaN)", "1-2 a#1 a#2 {x: NaN}"),
    shows("values in order", folding("list of a.value"), "1 a(2) a(1), 3 a(3)", "1-3 a#1 a#2 a#3 {x: [2, 1, 3]}"),
    shows("how many have a value", folding("count of a.value"), "1 a, 2 a(1)", "1-2 a#1 a#2 {x: 1}"),
    shows(
        "more than one aggregate", folding("max of a.value - min of a.value"), "1 a(2), 2 a(9)", "1-2 a#1 a#2 {x: 7}"
    ),
)

COLLECTED = (
    shows(
        "items on both sides, and none",
        "rule r: collect g: all of b for a relation -1 <= start($item) - start($anchor) <= 1"
        " with n = count of items emits r(n = g.n)",
        "1 b, 2 a, 3 b, 4 b, 9 a",
        "2 b#1 a#2 b#3 {n: 2}",
        "9 a#5 {n: 0}",
    ),
    shows(
        "an anchor can be its own item",
        "rule r: collect g: all of x: a for a relation 0 <= start(a) - start(x) <= 2"
        " with n = count of items emits r(n = g.n)",
        "1 a, 3 a",
        "1 a#1 {n: 1}",
        "3 a#1 a#2 {n: 2}",
    ),
    shows(
        "the group lies where its items lie",
        "rule r: (collect g: all of b for a) emits r from start(g) to end(g)",
        "2 b, 3 a, 5 b",
        "2-5 b#1 a b#3",
    ),
    shows(
        "folds can read the anchor",
        "rule r: collect g: all of b for a with x = max of b.value - a.value emits r(x = g.x)",
        "1 b(5), 2 a(2), 3 b(9)",
        "2 b#1 a b#3 {x: 7}",
    ),
)


@examples(*GREEDY)
def test_greedy_runs(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found


@examples(*EVERY)
def test_every_selection(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found


@examples(*FOLDS)
def test_folds(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found


@examples(*COLLECTED)
def test_collections(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found
