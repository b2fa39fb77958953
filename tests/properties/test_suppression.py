"""Suppression: a match passes unless one of its key that passed before it ended no more than a span before it."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.expressions import Field
from cepheid.algebra.instances import Instance
from cepheid.algebra.patterns import Atom, Distinct, Join, Pattern, Suppress
from cepheid.algebra.relations import after, length
from cepheid.algebra.semantics import instances
from cepheid.events import Event
from cepheid.testing.cases import Kind, Shape
from cepheid.testing.strategies import patterns
from tests.properties.traces import KEYED, traces

TRACES = traces(least=5, most=9, fields=KEYED)
PAIRS = Join(
    (Atom("a", frozenset({"a"})), Atom("b", frozenset({"b", "c"}))),
    (after("b", "a"), length("a", "b", 6)),
)
BELOW = Shape(depth=2, kinds=frozenset(Kind) - {Kind.INSTANT})
NAMES = st.sampled_from([(), ("k",), ("v",), ("k", "v")])


def values_of(one: Instance, names: tuple[str, ...]) -> tuple[object, ...]:
    """Return what a pair says of its first event."""
    return tuple(one.parts["a"].fields.get(name) for name in names)


@given(TRACES, st.integers(1, 4), NAMES)
def test_a_match_passes_unless_one_that_passed_is_near(trace: list[Event], apart: int, names: tuple[str, ...]) -> None:
    pairs = sorted(instances(PAIRS, trace), key=lambda one: one.rank)
    known: dict[int, bool] = {}

    def passes(number: int) -> bool:
        if number not in known:
            one = pairs[number]
            near = [
                other
                for other in range(number)
                if values_of(pairs[other], names) == values_of(one, names) and one.end - pairs[other].end <= apart
            ]
            known[number] = not any(map(passes, near))
        return known[number]

    expected = Counter(one.support for number, one in enumerate(pairs) if passes(number))
    by = tuple(Field("a", name) for name in names)
    assert Counter(one.support for one in instances(Suppress(PAIRS, apart, by), trace)) == expected


@given(patterns(BELOW), TRACES, st.integers(1, 3))
def test_what_passes_is_apart_and_what_does_not_is_near(pattern: Pattern, trace: list[Event], apart: int) -> None:
    ends = [one.end for one in instances(Suppress(pattern, apart), trace)]
    assert all(later - earlier > apart for earlier, later in pairwise(ends))
    assert all(any(0 <= one.end - end <= apart for end in ends) for one in instances(pattern, trace))


@pytest.mark.parametrize("by", [(), (Field("a", "k"),)])
@given(TRACES)
def test_a_span_without_end_is_distinct(by: tuple[Field, ...], trace: list[Event]) -> None:
    once = instances(Distinct(PAIRS, by), trace)
    assert [one.support for one in instances(Suppress(PAIRS, 10**9, by), trace)] == [one.support for one in once]
