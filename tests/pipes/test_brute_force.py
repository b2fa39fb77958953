"""Formulas and quantifiers against evaluators that try everything, on random traces.

A word that goes on for ever is a beginning and a loop. Whatever a formula is told to be after a beginning, it must be
in each of the words that begin so; and where a formula looks only so far ahead, it is told once that has been seen.
"""

from collections.abc import Callable
from itertools import product
from typing import Any, TypeAlias

from hypothesis import given
from hypothesis import strategies as st

import cepheid as c
from cepheid import pipes as p
from cepheid.events.values import and_, or_

LETTERS = (0, 1, 2)
LOOPS = [list(loop) for size in (1, 2) for loop in product(LETTERS, repeat=size)]
words = st.lists(st.sampled_from(LETTERS), max_size=6)

Formula: TypeAlias = tuple[Any, ...]
"""How a formula is written for the evaluator: its operator and its operands."""

atoms = st.sampled_from([("letter", 1), ("letter", 2), ("above", 0)])
bounded = st.recursive(
    atoms,
    lambda some: st.one_of(
        st.tuples(st.just("not"), some),
        st.tuples(st.sampled_from(["and", "or"]), some, some),
        st.tuples(st.just("next"), some),
    ),
    max_leaves=4,
)
formulas = st.recursive(
    bounded,
    lambda some: st.one_of(
        st.tuples(st.sampled_from(["not", "next", "always", "eventually"]), some),
        st.tuples(st.sampled_from(["and", "or", "until"]), some, some),
    ),
    max_leaves=4,
)


def claim(formula: Formula) -> Any:  # a formula of the builder
    match formula:
        case ("letter", value):
            return c.holds(c.here == value)
        case ("above", value):
            return c.holds(c.here > value)
        case ("not", part):
            return ~claim(part)
        case ("and", one, other):
            return claim(one) & claim(other)
        case ("or", one, other):
            return claim(one) | claim(other)
        case ("next", part):
            return c.next_(claim(part))
        case ("always", part):
            return c.ltl.always(claim(part))
        case ("eventually", part):
            return c.eventually(claim(part))
        case ("until", one, other):
            return claim(one).until(claim(other))
    raise AssertionError(formula)


def holds(formula: Formula, beginning: list[int], loop: list[int], at: int) -> bool:
    """Say whether a formula holds at a position of a word."""
    word = beginning + loop
    following = [*range(1, len(word)), len(beginning)]
    ahead = [at]
    while len(ahead) <= len(word) + len(loop):
        ahead.append(following[ahead[-1]])
    match formula:
        case ("letter", value):
            return bool(word[at] == value)
        case ("above", value):
            return bool(word[at] > value)
        case ("not", part):
            return not holds(part, beginning, loop, at)
        case ("and", one, other):
            return holds(one, beginning, loop, at) and holds(other, beginning, loop, at)
        case ("or", one, other):
            return holds(one, beginning, loop, at) or holds(other, beginning, loop, at)
        case ("next", part):
            return holds(part, beginning, loop, following[at])
        case ("always", part):
            return all(holds(part, beginning, loop, place) for place in ahead)
        case ("eventually", part):
            return any(holds(part, beginning, loop, place) for place in ahead)
        case ("until", one, other):
            return next(
                (
                    holds(other, beginning, loop, place)
                    for place in ahead
                    if holds(other, beginning, loop, place) or not holds(one, beginning, loop, place)
                ),
                False,
            )
    raise AssertionError(formula)


def reach(formula: Formula) -> int:
    """Return how far ahead a formula without `always`, `eventually` and `until` looks."""
    parts = [part for part in formula[1:] if isinstance(part, tuple)]
    return max(map(reach, parts), default=0) + int(formula[0] == "next")


@given(formulas, words)
def test_a_verdict_holds_in_every_word_that_begins_so(formula: Formula, seen: list[int]) -> None:
    told = p.verdict(claim(formula)).run(seen)
    assert len(told) <= len(seen)
    for loop in LOOPS:
        assert told == [holds(formula, seen, loop, at) for at in range(len(told))]


@given(formulas, words)
def test_what_is_known_holds_in_every_word_that_begins_so(formula: Formula, seen: list[int]) -> None:
    told = p.knowledge(claim(formula)).run(seen)
    assert len(told) == len(seen)
    for place, known in enumerate(told, start=1):
        if known is not None:
            assert all(holds(formula, seen[:place], loop, 0) is known for loop in LOOPS)
        assert known is None or all(one is known for one in told[place:])


@given(bounded, words)
def test_what_looks_only_so_far_ahead_is_told_once_that_is_seen(formula: Formula, seen: list[int]) -> None:
    expected = [holds(formula, seen, [0], at) for at in range(max(0, len(seen) - reach(formula)))]
    told = p.verdict(claim(formula)).run(seen)
    assert told[: len(expected)] == expected


Body: TypeAlias = tuple[p.Processor, Callable[[int, list[int]], list[bool]]]
"""A body over the element `e`, and what it gives in plain Python."""

bodies: st.SearchStrategy[Body] = st.sampled_from(
    [
        (p.apply(p.x == p.context("e")), lambda e, xs: [x == e for x in xs]),
        (p.apply(p.x != p.context("e")) | p.trim(1), lambda e, xs: [x != e for x in xs[1:]]),
        (p.where(p.x > 0) | p.apply(p.x >= p.context("e")), lambda e, xs: [x >= e for x in xs if x > 0]),
        (p.where(lambda x: x > 0) | p.apply(p.x < p.context("e")), lambda e, xs: [x < e for x in xs if x > 0]),
        (
            p.apply(p.x == p.context("e")) | p.eventually(),
            lambda e, xs: [True for at in range(len(xs)) if e in xs[at:]],
        ),
    ]
)
elements = st.sampled_from([(p.list_of(p.x, 1), lambda x: [x, 1]), (lambda x: range(x), lambda x: [*range(x)])])


def joined(is_all: bool, truths: Any) -> bool | None:
    known: bool | None = is_all
    for truth in truths:
        known = and_(known, truth) if is_all else or_(known, truth)
    return known


@given(st.booleans(), elements, bodies, words)
def test_quantifiers_over_positions(is_all: bool, drawn: Any, body: Body, seen: list[int]) -> None:
    (given_by, listed), (processor, gives) = drawn, body
    expected = []
    for at, value in enumerate(seen):
        outputs = [gives(element, seen[at:]) for element in listed(value)]
        known = joined(is_all, (one[0] if one else None for one in outputs))
        if known is None:
            break
        expected.append(known)
    quantifier = p.for_all if is_all else p.exists
    assert quantifier("e", given_by, processor).run(seen) == expected


@given(st.booleans(), elements, bodies, words)
def test_quantifiers_over_elements_that_were_seen(is_all: bool, drawn: Any, body: Body, seen: list[int]) -> None:
    (given_by, listed), (processor, gives) = drawn, body
    begun, expected = dict[int, int](), []
    for at, value in enumerate(seen):
        for element in listed(value):
            begun.setdefault(element, at)
        outputs = [gives(element, seen[first : at + 1]) for element, first in begun.items()]
        expected.append(joined(is_all, (one[-1] if one else None for one in outputs)))
    quantifier = p.every if is_all else p.some
    assert quantifier("e", given_by, processor).run(seen) == expected
