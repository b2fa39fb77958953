"""Claims about a trace in temporal logic, written with `here`, the value at the position in question.

    always(holds(here.kind == "request").implies(eventually(here.kind == "answer")))
    for_every(here.items, lambda item: next_(always(here.item != item)))

`&`, `|` and `~` mean and, or and not. A term is a claim about one position.
"""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from inspect import signature
from typing import TypeAlias, Union

from cepheid.algebra.builder.names import readable
from cepheid.algebra.builder.records import attribute
from cepheid.algebra.builder.terms import Operand, Term, expression_of
from cepheid.algebra.expressions import Field, Variable
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

Claimed: TypeAlias = Union["Claim", Term, bool]
Quantifier: TypeAlias = type[ForAll] | type[Exists]

_names_in_use: ContextVar[tuple[str, ...]] = ContextVar("names of quantified variables", default=())


class Item(Term):
    """A value of a trace; where it is a record, `item.price` and `item["price"]` are its field."""

    __slots__ = ()
    __iter__ = None

    def __getitem__(self, name: str) -> "Item":
        match self.expression:
            case Variable(own):
                return Item(Field(own, name))
            case _:
                return Item(self.get(name).expression)

    def __getattr__(self, name: str) -> "Item":
        return self[attribute(name)]


here = Item(Variable("$0"))
"""The value at this position of the trace."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Claim:
    """Something that is true or false of each position of a trace, perhaps known only later."""

    formula: Formula

    def __and__(self, other: Claimed) -> "Claim":
        return Claim(And(self.formula, formula_of(other)))

    def __or__(self, other: Claimed) -> "Claim":
        return Claim(Or(self.formula, formula_of(other)))

    def __invert__(self) -> "Claim":
        return Claim(Not(self.formula))

    def implies(self, other: Claimed) -> "Claim":
        """Wherever this is true, `other` is."""
        return Claim(Implies(self.formula, formula_of(other)))

    def until(self, goal: Claimed) -> "Claim":
        """The goal comes, here or later, and before it this is true all the time."""
        return Claim(Until(self.formula, formula_of(goal)))

    def __repr__(self) -> str:
        return f"Claim({readable(self.formula)})"


def holds(condition: Term | bool) -> Claim:
    """The condition is true at this position.

    >>> holds(here.kind == "a").implies(eventually(here.kind == "b"))
    Claim([$0.kind == "a"] implies eventually [$0.kind == "b"])
    """
    return Claim(Holds(expression_of(condition)))


def always(claim: Claimed, within: int | None = None) -> Claim:
    """At this and all later positions; `within` n: at this and the n - 1 after it."""
    return Claim(Globally(formula_of(claim), within))


def eventually(claim: Claimed, within: int | None = None) -> Claim:
    """At this or some later position; `within` n: at this or one of the n - 1 after it."""
    return Claim(Eventually(formula_of(claim), within))


def next_(claim: Claimed) -> Claim:
    """At the position after this one."""
    return Claim(Next(formula_of(claim)))


def for_every(domain: Operand, claim: Callable[[Item], Claimed]) -> Claim:
    """For every element that the collection has at this position.

    >>> for_every(here.items, lambda item: eventually(here.sold == item))
    Claim(forall item in $0.items: eventually [$0.sold == @item])
    """
    return _quantified(ForAll, domain, claim)


def for_some(domain: Operand, claim: Callable[[Item], Claimed]) -> Claim:
    """For at least one element that the collection has at this position."""
    return _quantified(Exists, domain, claim)


def formula_of(claim: Claimed) -> Formula:
    """Return the formula that a claim or a condition stands for."""
    return claim.formula if isinstance(claim, Claim) else Holds(expression_of(claim))


def _quantified(quantifier: Quantifier, domain: Operand, claim: Callable[[Item], Claimed]) -> Claim:
    """Call the variable as the function calls its parameter, but never as a variable around it is called."""
    in_use = _names_in_use.get()
    wanted = next(iter(signature(claim).parameters))
    name = next(free for free in _candidates(wanted, len(in_use)) if free not in in_use)
    token = _names_in_use.set((*in_use, name))
    try:
        return Claim(quantifier(name, expression_of(domain), formula_of(claim(Item(Variable(name))))))
    finally:
        _names_in_use.reset(token)


def _candidates(wanted: str, taken: int) -> list[str]:
    return [wanted, *(f"{wanted}{number}" for number in range(2, taken + 3))]
