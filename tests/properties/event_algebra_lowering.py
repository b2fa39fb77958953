"""Random rules in the manner of PARTElang: as a pattern of its event algebra, and as one join with absences."""

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from cepheid.algebra.expressions import Call, Expr, Field, Literal, Moment, conjunction
from cepheid.algebra.patterns import Atom, Join, Pattern, Unless
from cepheid.algebra.relations import Difference, end
from tests.oracles.event_algebra import (
    COMPARE,
    TIMESTAMP,
    And,
    Attribute,
    Comparison,
    EventPattern,
    Tuples,
    Where,
    Without,
)
from tests.properties.traces import TYPES


@dataclass(frozen=True)
class Window:
    """`variable in other [low, high]`."""

    variable: str
    other: str
    low: int
    high: int

    def comparisons(self) -> tuple[Comparison, Comparison]:
        later, earlier = Attribute(self.variable, TIMESTAMP), Attribute(self.other, TIMESTAMP)
        return (Comparison(later, ">=", earlier, self.low), Comparison(later, "<=", earlier, self.high))

    def difference(self) -> Difference:
        return Difference(end(self.variable), end(self.other), self.low, self.high)


@dataclass(frozen=True)
class Part:
    """`variable : relation { conditions }`, with the windows that end at it; negated: `no variable ...`."""

    variable: str
    relation: str
    conditions: tuple[Comparison, ...]
    windows: tuple[Window, ...]
    negated: bool = False


def event_pattern(parts: Sequence[Part]) -> EventPattern:
    """Return the rule's pattern in the event algebra: conjunctions nested to the left, absences where they stand."""
    pattern: EventPattern | None = None
    for part in parts:
        this = Tuples(part.relation, part.variable)
        conditions = (*part.conditions, *(one for window in part.windows for one in window.comparisons()))
        if pattern is not None and part.negated:
            pattern = Without(pattern, this, conditions)
            continue
        pattern = this if pattern is None else And(pattern, this)
        for condition in conditions:
            pattern = Where(pattern, condition)
    assert pattern is not None
    return pattern


def join_with_absences(parts: Sequence[Part], conditions_after: bool) -> Pattern:
    """Return the rule as one join of all positive parts, under one absence for each negated part.

    Conditions across parts are candidate conditions, or with `conditions_after` conditions on what was joined: all
    are joined, so it is the same.
    """
    positive = [part for part in parts if not part.negated]
    condition = conjunction(tuple(expression(one) for part in positive for one in part.conditions))
    pattern: Pattern = Join(
        tuple(Atom(part.variable, frozenset({part.relation})) for part in positive),
        tuple(window.difference() for part in positive for window in part.windows),
        candidate=None if conditions_after else condition,
        where=condition if conditions_after else None,
    )
    for part in parts:
        if part.negated:
            pattern = Unless(
                pattern,
                Atom(part.variable, frozenset({part.relation})),
                tuple(window.difference() for window in part.windows),
                where=conjunction(tuple(expression(one) for one in part.conditions)),
            )
    return pattern


def expression(comparison: Comparison) -> Expr:
    """Return a comparison as an expression over the parts."""
    right = operand(comparison.right)
    if comparison.plus:
        right = Call("+", (right, Literal(comparison.plus)))
    return Call(comparison.operator, (operand(comparison.left), right))


def operand(attribute: Attribute | int) -> Expr:
    if isinstance(attribute, int):
        return Literal(attribute)
    if attribute.name == TIMESTAMP:
        return Moment(end(attribute.variable))
    return Field(attribute.variable, attribute.name)


@st.composite
def rules(draw: st.DrawFn) -> list[Part]:
    """One to three positive parts and up to two negated ones after the first, in any order."""
    negated = [False, *draw(st.permutations([False] * draw(st.integers(0, 2)) + [True] * draw(st.integers(0, 2))))]
    parts: list[Part] = []
    for number, is_negated in enumerate(negated):
        bound = [part.variable for part in parts if not part.negated]
        parts.append(draw(_part(f"x{number}", bound, is_negated)))
    return parts


@st.composite
def _part(draw: st.DrawFn, variable: str, bound: Sequence[str], negated: bool) -> Part:
    windows = []
    if bound:
        low = draw(st.integers(-3, 1))
        windows.append(Window(variable, draw(st.sampled_from(bound)), low, low + draw(st.integers(0, 5))))
    conditions = draw(st.lists(_comparisons(variable, bound), max_size=1))
    return Part(variable, draw(st.sampled_from(TYPES)), tuple(conditions), tuple(windows), negated)


def _comparisons(variable: str, bound: Sequence[str]) -> st.SearchStrategy[Comparison]:
    others: st.SearchStrategy[Attribute | int] = st.integers(0, 3)
    if bound:
        others = st.one_of(others, st.builds(Attribute, st.sampled_from(bound), st.sampled_from("kv")))
    mine = st.builds(Attribute, st.just(variable), st.sampled_from("kv"))
    return st.builds(Comparison, mine, st.sampled_from(sorted(COMPARE)), others, st.integers(0, 1))
