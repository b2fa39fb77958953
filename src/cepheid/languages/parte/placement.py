"""Where the conditions of a rule stand in the algebra: each at the first place where all it reads is bound.

amount >= 100                      at the event itself
originator = incoming.destination  an equality of the join, which is then looked up instead of tried out
amount <= incoming.amount * 1.1    a condition of the join
total > 100                        above the aggregate
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cepheid.algebra.expressions import Call, Expr, conjunction
from cepheid.algebra.patterns import Equalities
from cepheid.analysis.plans.retention import parts_read
from cepheid.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition, and where it is written."""

    expression: Expr
    span: Span

    @property
    def reads(self) -> frozenset[str]:
        return frozenset(parts_read((self.expression,)))


@dataclass(frozen=True, slots=True)
class Placed:
    """Conditions apart: on single variables, equalities between two, and all others."""

    own: dict[str, tuple[Expr, ...]]
    equal: Equalities
    others: tuple[Expr, ...]

    def where(self, variable: str) -> Expr | None:
        """Return the condition on one variable alone."""
        return conjunction(self.own.get(variable, ()))


def placed(conditions: Iterable[Condition], order: Sequence[str], singles: frozenset[str]) -> Placed:
    """Return the conditions between variables that are bound in this order; `singles` can have conditions of their own.

    Conditions that are ready at the same variable stay in the order of the text.
    """
    places = {name: place for place, name in enumerate(order)}
    ready = sorted(conditions, key=lambda one: max((places[name] for name in one.reads), default=0))
    own: dict[str, tuple[Expr, ...]] = {}
    equal: list[tuple[Expr, Expr]] = []
    others: list[Expr] = []
    for one in ready:
        pair = across(one.expression)
        if len(one.reads) == 1 and one.reads <= singles:
            [name] = one.reads
            own[name] = (*own.get(name, ()), one.expression)
        elif pair is not None:
            equal.append(pair)
        else:
            others.append(one.expression)
    return Placed(own, tuple(equal), tuple(others))


def beside(conditions: Iterable[Condition], variable: str) -> Placed:
    """Return the conditions of what is absent or collected: on it alone, equalities with another, and all others."""
    own: list[Expr] = []
    equal: list[tuple[Expr, Expr]] = []
    others: list[Expr] = []
    for one in conditions:
        pair = across(one.expression)
        if one.reads <= {variable}:
            own.append(one.expression)
        elif pair is not None and variable in one.reads:
            equal.append(pair)
        else:
            others.append(one.expression)
    return Placed({variable: tuple(own)}, tuple(equal), tuple(others))


def across(expression: Expr) -> tuple[Expr, Expr] | None:
    """Return the two sides of an equality between two variables, None if it is something else."""
    match expression:
        case Call("==", (left, right)):
            one, other = parts_read((left,)), parts_read((right,))
            return (left, right) if len(one) == len(other) == 1 and one != other else None
        case _:
            return None
