"""How much of a trace a temporal formula needs: how many positions it looks at, and what it can still demand.

A verdict about each position in turn needs all values from the first undecided position on. A verdict about the first
position alone needs none of them: each value turns the formula into what must hold from the next position on, and
that is made of parts of the formula, one for each value that a quantifier has bound.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

from cepheid.algebra.expressions import Expr, Literal
from cepheid.algebra.formulas import (
    And,
    Eventually,
    Exists,
    ForAll,
    Formula,
    Globally,
    Holds,
    Implies,
    Next,
    Not,
    Or,
    Until,
)
from cepheid.algebra.text import show
from cepheid.analysis.bounds.bound_algebra import NOTHING, ONE, power, product, total
from cepheid.analysis.bounds.bounds import Bound, Number, Unbounded

MOST_COUNTED = 64


def positions(formula: Formula) -> int | None:
    """Return how many positions a formula looks at, this one included; None if there is no end to them.

    >>> here = Holds(Literal(True))
    >>> positions(Globally(Next(here), 3)), positions(Eventually(here)) is None
    (4, True)
    """
    match formula:
        case Holds():
            return 1
        case Next(inner):
            return _more(1, positions(inner))
        case Globally(inner, within) | Eventually(inner, within):
            return None if within is None else _more(within - 1, positions(inner))
        case Until():
            return None
        case _:
            known = [positions(inner) for inner in _inner(formula)]
            return None if None in known else max(one for one in known if one is not None)


def _more(by: int, inner: int | None) -> int | None:
    return None if inner is None else by + inner


def _inner(formula: Formula) -> Iterator[Formula]:
    match formula:
        case Not(inner) | ForAll(formula=inner) | Exists(formula=inner):
            yield inner
        case And(left, right) | Or(left, right) | Implies(left, right):
            yield from (left, right)


@dataclass(frozen=True, slots=True)
class Demand:
    """What can remain of a formula: parts of it, all of which must hold, or one of which must, or neither form.

    `parts` is how many different ones there can be.
    """

    parts: Bound = NOTHING
    all_must: bool = True
    one_must: bool = True

    @property
    def decided(self) -> bool:
        return self.parts == NOTHING


def most_demanded(formula: Formula) -> Bound:
    """Return how many parts of a formula can be left to hold, each counted as often as it stands in the rest.

    >>> here = Holds(Literal(True))
    >>> str(most_demanded(Globally(Implies(here, Eventually(here))))), str(most_demanded(here))
    ('2', '0')
    """
    demand = _demand(formula, True)
    if demand.all_must or demand.one_must or not demand.parts.bounded:
        return demand.parts
    if isinstance(demand.parts, Number) and demand.parts.number <= MOST_COUNTED:
        # The rest is alternatives, none of which contains another: the most there are have half of all parts each.
        count = demand.parts.number
        return Number(max(size * comb(count, size) for size in range(1, count + 1)))
    return product(demand.parts, power(2, demand.parts))


def _demand(formula: Formula, positive: bool) -> Demand:
    """Return what can remain of a formula, or of its opposite."""
    match formula:
        case Not(inner):
            return _demand(inner, not positive)
        case And(left, right):
            return _joined([_demand(left, positive), _demand(right, positive)], all_must=positive)
        case Or(left, right):
            return _joined([_demand(left, positive), _demand(right, positive)], all_must=not positive)
        case Implies(left, right):
            return _joined([_demand(left, not positive), _demand(right, positive)], all_must=not positive)
        case ForAll(_, domain, inner) | Exists(_, domain, inner):
            return _quantified(domain, _demand(inner, positive), isinstance(formula, ForAll) is positive)
        case _:
            return _later(formula, positive)


def _later(formula: Formula, positive: bool) -> Demand:
    match formula:
        case Next(inner):
            demand = _demand(inner, positive)
            return Demand(total(ONE, demand.parts), demand.all_must, demand.one_must)
        case Globally(inner, within) | Eventually(inner, within):
            own = Demand(ONE if within is None else Number(within - 1))
            return _joined([own, _demand(inner, positive)], all_must=isinstance(formula, Globally) is positive)
        case Until(hold, goal):
            goes_on = _joined([Demand(ONE), _demand(hold, positive)], all_must=positive)
            return _joined([_demand(goal, positive), goes_on], all_must=not positive)
        case _:
            return Demand()


def _joined(demands: list[Demand], *, all_must: bool) -> Demand:
    """Return what several make together: parts stay in one form where only one of them is left undecided."""
    parts = total(*(one.parts for one in demands))
    alone = len([one for one in demands if not one.decided]) <= 1
    return Demand(
        parts,
        all(one.all_must for one in demands) and (all_must or alone),
        all(one.one_must for one in demands) and (not all_must or alone),
    )


def _quantified(domain: Expr, inner: Demand, all_must: bool) -> Demand:
    if inner.decided:
        return inner
    parts = product(_values(domain), inner.parts)
    return Demand(parts, inner.all_must and all_must, inner.one_must and not all_must)


def _values(domain: Expr) -> Bound:
    """Return how many values a quantifier can bind, over all positions."""
    if isinstance(domain, Literal):
        return Number(len(domain.value) if isinstance(domain.value, tuple) else 1)
    reason = f"nobody knows how many values `{show(domain)}` has"
    return Unbounded(
        reason, None, "slice by it instead: the formula without the quantifier is then the body of a slice"
    )
