"""Chains: greed, variables, avoidance, alternatives, recursion, windows and merging."""

from cepheid.testing import Runner
from tests.conformance.examples import Example, examples, shows

LOOP = """rule r: chain from one let n = 0 {
  step one: a let n = @n + 1, k = a.k then more or done
  step more: b[k == @k] let n = @n + 1 then more or done
  step done: c[k == @k]
} emits r(n = @n)"""

STEPS = (
    shows("a single step is a match", "chain from one { step one: a }", "1 a, 2 a", "1 a#1", "2 a#2"),
    shows(
        "the first that fits is taken",
        "chain from one { step one: a then two step two: b then three step three: c }",
        "1 a, 2 b, 3 b, 4 c",
        "1-4 a b#2 c",
    ),
    shows(
        "there is no way back",
        "chain from one { step one: a then two step two: b let v = b.value then three step three: c[value == @v] }",
        "1 a, 2 b(1), 3 b(2), 4 c(2)",
    ),
    shows(
        "a record is taken once by a run",
        "chain from one { step one: x: a then two step two: y: a }",
        "1 a, 2 a, 3 a",
        "1-2 a#1 a#2",
        "2-3 a#2 a#3",
    ),
    shows(
        "simultaneous records follow each other in their order",
        "chain from one { step one: a then two step two: b }",
        "1 a#1 b#2 a#3",
        "1 a#1 b",
    ),
    shows(
        "a variable that is bound again is new for what follows",
        "chain from one { step one: x: a let v = x.value then two step two: y: a[value > @v] let v = y.value then three"
        " step three: z: a[value > @v] }",
        "1 a(1), 2 a(3), 3 a(2), 4 a(4)",
        "1-4 a#1 a#2 a#4",
    ),
)

AVOIDING = (
    shows(
        "an avoided record ends the run",
        "chain from one { step one: a avoid x then two step two: b }",
        "1 a, 2 x, 3 b",
    ),
    shows(
        "a record that fits both is taken",
        "chain from one { step one: a avoid x: b[value > 5] then two step two: b }",
        "1 a, 2 b(9)",
        "1-2 a b",
    ),
    shows(
        "only until the next step",
        "chain from one { step one: a avoid x then two step two: b then three step three: c }",
        "1 a, 2 b, 3 x, 4 c",
        "1-4 a b c",
    ),
    shows(
        "avoidance can read variables",
        "chain from one { step one: a let k = a.k avoid x[k == @k] then two step two: b }",
        "1 a{k: 1}, 2 x{k: 2}, 3 b, 4 a{k: 2}, 5 x{k: 2}, 6 b",
        "1-3 a#1 b#3",
    ),
)

BRANCHING = (
    shows(
        "each alternative goes its own way",
        "chain from one { step one: a then two or three step two: b step three: c then two }",
        "1 a, 2 c, 3 b",
        "1-3 a b",
        "1-3 a c b",
    ),
    shows("a loop of any length", LOOP, "1 a{k: 1}, 2 b{k: 1}, 3 c{k: 1}", "1-3 a b c {n: 2}", "1-3 a c {n: 1}"),
    shows("of the key of its first record", LOOP, "1 a{k: 1}, 2 b{k: 2}, 3 c{k: 2}, 4 c{k: 1}", "1-4 a c#4 {n: 1}"),
)

LIMITS = (
    shows(
        "a window of time",
        "chain from one within 2 { step one: a then two step two: b }",
        "1 a, 3 b, 4 a, 7 b",
        "1-3 a#1 b#2",
    ),
    shows(
        "a window does not make it look elsewhere",
        "chain from one within 2 records { step one: a then two step two: b[value > 1] }",
        "1 a, 2 b(1), 3 b(2)",
    ),
    shows(
        "merged runs are the one that started last",
        "chain from one merged { step one: a then two step two: b }",
        "1 a, 2 a, 3 b, 4 a, 5 b",
        "2-3 a#2 b#3",
        "4-5 a#4 b#5",
    ),
    shows(
        "what is observed keeps them apart",
        "chain from one merged { step one: a let k = a.k then two step two: b }",
        "1 a{k: 1}, 2 a{k: 2}, 3 a{k: 1}, 4 b",
        "2-4 a#2 b",
        "3-4 a#3 b",
    ),
    shows(
        "and what is not observed does not",
        "chain from one merged observing () { step one: a let k = a.k then two step two: b }",
        "1 a{k: 1}, 2 a{k: 2}, 3 b",
        "2-3 a#2 b",
    ),
)


@examples(*STEPS)
def test_steps(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found


@examples(*AVOIDING)
def test_avoiding(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found


@examples(*BRANCHING)
def test_branching(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found


@examples(*LIMITS)
def test_limits(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found
