"""Every choice at its edges: ties, keys, intervals, consumption, and what comes before and after the choice."""

from cepheid.testing import Runner
from tests.conformance.examples import Example, examples, shows

RECENT = (
    shows(
        "the most recent is the one that ended last, not the one that started last",
        "a then b choose recent",
        "1-5 a, 3-4 a, 7 b",
        "1-7 a#1 b",
    ),
    shows(
        "what overlaps is passed over",
        "a then b choose recent",
        "1 a, 2-6 a, 5-7 b",
        "1-7 a#1 b",
    ),
    shows("it is not consumed", "a then b choose recent", "1 a, 2 b, 3 b", "1-2 a b#2", "1-3 a b#3"),
    shows(
        "either side completes",
        "a and b choose recent",
        "1 a, 2 a, 3 b, 4 a",
        "2-3 a#2 b",
        "3-4 b a#4",
    ),
    shows(
        "of simultaneous ones the later in order completes",
        "a and b choose recent",
        "1 a#1 b#2, 1 a#3",
        "1 a#1 b",
        "1 b a#3",
    ),
    shows(
        "a tie is broken by the greatest value, and null is the least",
        "a then b choose recent tie a.value",
        "1 a(2) a(5) a(null), 3 b",
        "1-3 a#2 b",
    ),
    shows(
        "a shorter one can be preferred",
        "a then b choose recent tie start($candidate)",
        "1-4 a#9, 3-4 a#2, 6 b",
        "3-6 a#2 b",
    ),
    shows(
        "for each value of per",
        "a then b choose recent per a.k",
        "1 a{k: 1}, 2 a{k: 2}, 3 a, 4 b",
        "1-4 a#1 b",
        "2-4 a#2 b",
    ),
)

CHRONOLOGICAL = (
    shows(
        "each is used once",
        "a then b choose chronological",
        "1 a, 2 b, 3 b, 4 a, 5 b",
        "1-2 a#1 b#2",
        "4-5 a#4 b#5",
    ),
    shows(
        "the oldest is the one that started first",
        "a then b choose chronological",
        "1-4 a, 2-3 a, 5 b, 6 b",
        "1-5 a#1 b#3",
        "2-6 a#2 b#4",
    ),
    shows(
        "one that does not fit stays free",
        "a then b choose chronological",
        "1 a, 2-5 a, 4 b, 7 b",
        "1-4 a#1 b#3",
        "2-7 a#2 b#4",
    ),
    shows(
        "an event is consumed on each side by itself",
        "x: a and y: a choose chronological",
        "1 a, 2 a",
        "1 a#1",
        "2 a#2",
    ),
    shows(
        "consumption is of the key",
        "a then b on a.k == b.k choose chronological",
        "1 a{k: 1}, 2 a{k: 2}, 3 b{k: 2}, 4 b{k: 2}, 5 b{k: 1}",
        "2-3 a#2 b#3",
        "1-5 a#1 b#5",
    ),
    shows(
        "what where drops is consumed",
        "a then b choose chronological where b.value > 1",
        "1 a, 2 b(1), 3 b(2)",
    ),
    shows(
        "what a candidate condition refuses is not",
        "a then b if b.value > 1 choose chronological",
        "1 a, 2 b(1), 3 b(2)",
        "1-3 a b#3",
    ),
    shows(
        "of those that started together the greatest tie is first",
        "a then b choose chronological tie a.value",
        "1 a(1) a(2), 3 b, 4 b",
        "1-3 a#2 b#3",
        "1-4 a#1 b#4",
    ),
)

LATEST_START = (
    shows(
        "one match for each end",
        "a then b choose latest-start",
        "1 a, 2 a, 3 b b, 4 b",
        "2-3 a#2 b#4",
        "2-4 a#2 b#5",
    ),
    shows(
        "of simultaneous events the last in order stands for them",
        "a choose latest-start",
        "1 a#2 a#1, 2 a#3",
        "1 a#2",
        "2 a#3",
    ),
    shows(
        "in a conjunction the part that ends last is taken with the latest of the other",
        "a and b choose latest-start",
        "1 a, 2 a, 3 b, 4 a",
        "2-3 a#2 b",
        "3-4 b a#4",
    ),
    shows(
        "of alternatives with the same start the later one is kept",
        "((a then c) or (b then c)) choose latest-start",
        "1 b a, 2 c",
        "1-2 b c",
    ),
    shows(
        "a long event ends with a short one and the short one wins",
        "x: {a, b} choose latest-start",
        "1-4 a, 3-4 b",
        "3-4 b",
    ),
    shows(
        "for each value of per",
        "a choose latest-start per a.k",
        "1 a{k: 1} a{k: 2} a{k: 1} a",
        "1 a#2",
        "1 a#3",
    ),
)

NEXT_AND_STRICT = (
    shows("next takes the first that fits", "a then b if b.value > 1 choose next", "1 a, 2 b(1), 3 b(2)", "1-3 a b#3"),
    shows("next may take one twice", "a then b choose next", "1 a, 2 a, 3 b", "1-3 a#1 b", "2-3 a#2 b"),
    shows("next looks forward only if it is told to", "a and b choose next", "1 b, 2 a, 3 b", "1-2 b#1 a"),
    shows("next with a where does not look further", "a then b choose next where b.value > 1", "1 a, 2 b(1), 3 b(2)"),
    shows("strict allows nothing between", "a then b choose strict", "1 a, 2 q, 3 b"),
    shows("strict counts simultaneous events", "a then b choose strict", "1 a#1, 1 q#2, 2 b#3"),
    shows("strict is by the order of ends", "a and b choose strict", "1-5 a, 6 b, 2-6 b#9", "1-6 a b#2"),
    shows("strict is not the other way round", "a and b choose strict", "1 b, 2 a"),
    shows(
        "strict after a longer match is right after its last record",
        "(a then b) then c choose strict",
        "1 a, 2 b, 3 c, 4 b, 5 q, 6 c",
        "1-3 a b#2 c#3",
    ),
)


@examples(*RECENT)
def test_recent(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found


@examples(*CHRONOLOGICAL)
def test_chronological(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found


@examples(*LATEST_START)
def test_latest_start(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found


@examples(*NEXT_AND_STRICT)
def test_next_and_strict(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found
