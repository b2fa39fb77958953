"""Hypothesis strategies for queries and traces that mean something.

    @given(patterns(Shape(choices=frozenset({Choice.ALL}))), traces())
    def test_...(pattern, trace): ...

They wrap the makers in `cepheid.testing.cases`, decision by decision, so that a failure shrinks: towards fewer events,
the first types, plain atoms and no conditions. This module needs Hypothesis, which Cepheid itself does not.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeVar

from hypothesis import strategies as st

from cepheid.algebra.patterns import Pattern
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import Program
from cepheid.events import Event
from cepheid.testing.cases import (
    TYPES,
    Case,
    Draw,
    Shape,
    TraceShape,
    draw_case,
    random_disordered,
    random_duplicates,
    random_pattern,
    random_program,
    random_trace,
)
from cepheid.testing.cases.detection_algebra import Expression, lowered, random_expression

T = TypeVar("T")


def traces(
    types: Sequence[str] = TYPES,
    least: int = 0,
    most: int = 10,
    *,
    intervals: int = 35,
    ties: int = 40,
    plain: bool = False,
) -> st.SearchStrategy[list[Event]]:
    """Events with different ids, in the order of their ends; the percentages are those of `TraceShape`."""
    shape = TraceShape(tuple(types), least, most, intervals, ties, plain)
    return drawn(lambda draw: random_trace(draw, shape))


def disordered(trace: Sequence[Event], disorder: int) -> st.SearchStrategy[list[Event]]:
    """The events in an order in which each is at most `disorder` behind the greatest end seen: none is late."""
    return drawn(lambda draw: random_disordered(draw, trace, disorder))


def duplicates(arrivals: Sequence[Event], disorder: int) -> st.SearchStrategy[list[Event]]:
    """The arrivals with some of them a second time, before these would be late."""
    return drawn(lambda draw: random_duplicates(draw, arrivals, disorder))


def patterns(shape: Shape | None = None) -> st.SearchStrategy[Pattern]:
    """Well-formed patterns: names are unique, references are to what is bound."""
    return drawn(lambda draw: random_pattern(draw, shape))


def programs(shape: Shape | None = None, most_rules: int = 3) -> st.SearchStrategy[Program]:
    """One to three rules, some of which feed each other or themselves."""
    return drawn(lambda draw: random_program(draw, shape, most_rules))


def cases(shape: Shape | None = None, most_rules: int = 3) -> st.SearchStrategy[Case]:
    """A program, a trace that fits it, and a way in which the events arrive."""
    return drawn(lambda draw: draw_case(draw, shape, most_rules))


def expressions(types: Sequence[str] = TYPES[:3], depth: int = 3) -> st.SearchStrategy[Expression]:
    """Expressions of the event detection algebra."""
    return drawn(lambda draw: random_expression(draw, tuple(types), depth))


def algebra_expressions(
    choice: Choice = Choice.LATEST_START, types: Sequence[str] = TYPES[:3], depth: int = 3
) -> st.SearchStrategy[Pattern]:
    """Expressions of the event detection algebra as patterns, under latest-start or under all."""
    return expressions(types, depth).map(lambda expression: lowered(expression, choice))


def drawn(make: Callable[[Draw], T]) -> st.SearchStrategy[T]:
    """Whatever `make` makes out of decisions."""
    return _drawn(make)


@st.composite
def _drawn(draw: st.DrawFn, make: Callable[[Draw], T]) -> T:
    return make(Draw(lambda bound: draw(_below(bound))))


@cache
def _below(bound: int) -> st.SearchStrategy[int]:
    return st.integers(0, bound - 1)
