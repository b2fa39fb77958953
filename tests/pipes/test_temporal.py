"""Temporal operators against all ways in which a trace can go on."""

from collections.abc import Callable, Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cepheid as c
from cepheid import pipes as p

truths = st.lists(st.booleans(), max_size=8)
Word = list[bool]
Claim = Callable[[Word, int], bool]
AROUND = [list(loop) for size in (1, 2) for loop in product([False, True], repeat=size)]


def goes_on(seen: Word) -> Iterator[Word]:
    """The ways in which a word goes on for ever: a few values, and then a loop, of which three rounds tell all."""
    for between in ([], [False], [True]):
        for loop in AROUND:
            yield [*seen, *between, *loop * 3]


def known(claim: Claim, seen: Word, position: int) -> bool | None:
    verdicts = {claim(word, position) for word in goes_on(seen)}
    return verdicts.pop() if len(verdicts) == 1 else None


def in_order(claim: Claim, seen: Word) -> list[bool]:
    verdicts = [known(claim, seen, position) for position in range(len(seen))]
    return [one for one in verdicts[: verdicts.index(None) if None in verdicts else None] if one is not None]


UNARY: dict[str, tuple[Claim, p.Processor, p.Processor]] = {
    "always": (lambda word, at: all(word[at:]), p.globally(), p.always()),
    "sometime": (lambda word, at: any(word[at:]), p.eventually(), p.sometime()),
    "next": (lambda word, at: word[at + 1], p.next_(), p.after()),
}


@pytest.mark.parametrize("name", UNARY)
@given(truths)
def test_an_operator_tells_what_all_futures_agree_on(name: str, seen: Word) -> None:
    claim, by_position, of_the_first = UNARY[name]
    assert by_position.run(seen) == in_order(claim, seen)
    assert of_the_first.run(seen) == [known(claim, seen[: place + 1], 0) for place in range(len(seen))]


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=8))
def test_until_tells_what_its_law_says(seen: list[tuple[bool, bool]]) -> None:
    hold, goal = [one for one, _ in seen], [other for _, other in seen]
    verdicts = [_until(seen[place:]) for place in range(len(seen))]
    assert p.until().run(hold, goal) == verdicts[: verdicts.index(None) if None in verdicts else None]
    assert p.up_to().run(hold, goal) == [_until(seen[: place + 1]) for place in range(len(seen))]


def _until(seen: list[tuple[bool, bool]]) -> bool | None:
    for hold, goal in seen:
        if goal or not hold:
            return goal
    return None


def test_a_filter_releases_its_values_when_the_verdict_is_known() -> None:
    """`a -> F b` over a c c b: nothing, nothing, nothing, and then all four."""
    claim = c.holds(c.here == "a").implies(c.eventually(c.here == "b"))
    passed = (p.fan(p.passthrough(), p.verdict(claim)) | p.filter()).start(allow_unbounded=True)
    assert [passed.push(value) for value in "accb"] == [[], [], [], ["a", "c", "c", "b"]]
    assert p.knowledge(claim).run("accb") == [None, None, None, True]


def test_a_formula_over_objects_that_are_no_values() -> None:
    seen = [{"tags": {1, 2}}, {"tags": {2}}, {"tags": set()}]
    assert (
        p.verdict(c.for_every(c.here.tags, lambda tag: c.next_(c.ltl.holds(c.here.tags != tag)))).run(seen)
        == [True] * 3
    )
    assert p.knowledge(c.eventually(c.here.tags == c.constant(())) | c.eventually(p.x["tags"] == set())).run(seen) == [
        None,
        None,
        True,
    ]


def test_a_formula_reads_the_context() -> None:
    limited = p.verdict(c.holds(c.here > p.context("limit")))
    running = limited.context(limit=2).start(allow_unbounded=True)
    assert [running.push(1), running.push(3)] == [[False], [True]]
    running.set("limit", 5)
    assert running.push(3) == [False]


def test_what_holds_for_all_is_told_in_order_when_it_is_known() -> None:
    sold = p.for_all("item", p.field("offers"), p.apply(p.field("sold") == p.context("item")) | p.eventually())
    running = sold.start(allow_unbounded=True)
    assert running.push({"offers": ["cup", "vase"]}) == []
    assert running.push({"offers": [], "sold": "vase"}) == []
    assert running.push({"sold": "cup"}) == [True, True, True]
    assert p.exists("n", p.x, p.apply(p.context("n") > 2)).run([[1, 3], [], [1, 2]]) == [True, False, False]


def test_every_and_some_are_told_after_each_value() -> None:
    rises = p.every(
        "user",
        p.field("user"),
        p.where(p.field("user") == p.context("user")) | p.successive(lambda a, b: b["n"] > a["n"]),
    )
    seen = [{"user": "a", "n": 1}, {"user": "b", "n": 5}, {"user": "a", "n": 2}, {"user": "b", "n": 4}]
    assert rises.run(seen) == [None, None, None, False]
    assert p.some("n", p.x, p.apply(p.x == p.context("n"))).run([1, 2, 1]) == [True, True, True]
