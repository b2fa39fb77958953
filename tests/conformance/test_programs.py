"""Rules: what they emit, whom they feed, and how keys part the stream; alternatives, instants and merging."""

from cepheid.testing import Runner
from tests.conformance.examples import Example, examples, shows

FEEDING = (
    shows(
        "a derived event is an event with a start and an end",
        "rule p: a then b emits p\nrule q: p then c emits q",
        "1 a, 2 c, 3 b, 4 c",
        "p: 1-3 a b",
        "q: 1-4 a b c#4",
    ),
    shows(
        "a derived event comes right after the input event that completes it",
        "rule p: a emits p\nrule q: p and b choose strict emits q\nrule r: b and p choose strict emits r",
        "1 a b",
        "p: 1 a",
        "q: 1 a b",
    ),
    shows(
        "derived events of one input event come in the order of their rules, whatever these are called",
        "rule z: b emits z\nrule a: b emits a\nrule f: chain from one { step one: z then two step two: a } emits f",
        "1 b, 2 b",
        "z: 1 b#1",
        "z: 2 b#2",
        "a: 1 b#1",
        "a: 2 b#2",
        "f: 1 b#1",
        "f: 2 b#2",
    ),
    shows(
        "a position counts only the derived types that are asked for",
        "rule p: a emits p\nrule q: a then b choose strict emits q",
        "1 a, 2 b",
        "p: 1 a",
        "q: 1-2 a b",
    ),
    shows(
        "any type means any type of the input",
        "rule p: a emits p\nrule q: x: *[value > 0] emits q",
        "1 a(1)",
        "p: 1 a",
        "q: 1 a",
    ),
    shows(
        "an event that is dated back takes its place in the past",
        "rule p: a then b emits p from start(a) to start(a)\nrule q: p then c emits q",
        "1 a, 2 c, 3 b",
        "p: 1 a b",
        "q: 1-2 a c b",
    ),
    shows(
        "an event can be dated ahead",
        "rule p: a emits p from end(a) + 5 to end(a) + 5\nrule q: b then p emits q",
        "1 a, 4 b",
        "p: 6 a",
        "q: 4-6 a b",
    ),
    shows(
        "a match that would end before it starts is no event",
        "rule p: a emits p to end(a) + a.value",
        "1 a(-1), 2 a(0), 3 a, 4 a(1.5)",
        "2 a#2",
    ),
    shows(
        "a closure over steps that fit together",
        "rule one: e emits p(x = e.x, y = e.y)\nrule more: p then e on p.y == e.x emits p(x = p.x, y = e.y)",
        "1 e{x: 1, y: 2}, 2 e{x: 2, y: 3}, 3 e{x: 3, y: 1}, 4 e{x: 9, y: 9}",
        "one: 1 e#1 {x: 1, y: 2}",
        "one: 2 e#2 {x: 2, y: 3}",
        "one: 3 e#3 {x: 3, y: 1}",
        "one: 4 e#4 {x: 9, y: 9}",
        "more: 1-2 e#1 e#2 {x: 1, y: 3}",
        "more: 2-3 e#2 e#3 {x: 2, y: 1}",
        "more: 1-3 e#1 e#2 e#3 {x: 1, y: 1}",
    ),
)

KEYED = (
    shows(
        "positions are of the key",
        "rule p per k: a then b choose strict emits p",
        "1 a{k: 1}, 2 b{k: 2}, 3 b{k: 1}",
        "1-3 a b#3",
    ),
    shows(
        "absences are of the key",
        "rule p per k: a unless b emits p",
        "1 a{k: 1} a{k: 2}, 2 b{k: 2} b",
        "1 a#1",
    ),
    shows("an event without a key is not seen", "rule p per k: a emits p", "1 a, 2 a{k: null}, 3 a{k: 0}", "3 a#3"),
    shows(
        "choices are of the key",
        "rule p per k: a then b choose chronological emits p",
        "1 a{k: 1}, 2 a{k: 2}, 3 b{k: 2}, 4 b{k: 1}",
        "2-3 a#2 b#3",
        "1-4 a#1 b#4",
    ),
    shows(
        "derived events have keys too",
        "rule p: a emits p(k = a.k + 1)\nrule q per k: p then b emits q",
        "1 a{k: 1}, 2 b{k: 1}, 3 b{k: 2}",
        "p: 1 a {k: 2}",
        "q: 1-3 a b#3",
    ),
)

OTHERS = (
    shows(
        "a branch not taken is null",
        "rule r: a or b emits r(x = a.value, y = b.value)",
        "1 a(1), 2 b(2)",
        "1 a {x: 1, y: null}",
        "2 b {x: null, y: 2}",
    ),
    shows("a branch of two and one of one", "(a then b) or b", "1 a, 2 b", "1-2 a b", "2 b"),
    shows("bound asks", "(a or b) where not bound(a)", "1 a, 2 b", "2 b"),
    shows("the first of equals is kept", "distinct by (a.k) (a)", "3 a{k: 1}, 1 a{k: 1}, 2 a{k: 2}", "1 a#2", "2 a#3"),
    shows("the same events once", "distinct ((x: a then y: a) or (v: a then w: a))", "1 a, 2 a", "1-2 a#1 a#2"),
    shows(
        "an instant is between the first end and the last",
        "instant t: every(2, 0)",
        "1 a, 5 a",
        "2",
        "4",
    ),
    shows("an instant is not before the first end", "instant t: every(2, 0)", "1-5 a, 3 a", "4"),
    shows("a fixed instant is always there", "instant t: at(9)", "1 a", "9"),
    shows("even without any event", "instant t: at(9)", "", "9"),
    shows("an instant is not a record", "a then instant t: at(2) within 1 records", "1 a"),
    shows("nothing is next to an instant", "a then instant t: at(2) choose strict", "1 a"),
)


@examples(*FEEDING)
def test_feeding(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found


@examples(*KEYED)
def test_keys(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found


@examples(*OTHERS)
def test_alternatives_instants_and_merging(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found
