"""Linear temporal logic with quantifiers, over the values of a trace."""

from dataclasses import dataclass

from cepheid.algebra.expressions import Expr


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula; `Formula` itself is only the common name of the nodes below."""


@dataclass(frozen=True, slots=True)
class Holds(Formula):
    """A condition on the value at this position (`$0`) and the quantified variables; null counts as false."""

    condition: Expr


@dataclass(frozen=True, slots=True)
class Not(Formula):
    formula: Formula


@dataclass(frozen=True, slots=True)
class And(Formula):
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Or(Formula):
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Implies(Formula):
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Next(Formula):
    """At the next position."""

    formula: Formula


@dataclass(frozen=True, slots=True)
class Globally(Formula):
    """At this and every later position; with `within` n: at this and the n - 1 following ones."""

    formula: Formula
    within: int | None = None


@dataclass(frozen=True, slots=True)
class Eventually(Formula):
    """At this or some later position; with `within` n: at this or one of the n - 1 following ones."""

    formula: Formula
    within: int | None = None


@dataclass(frozen=True, slots=True)
class Until(Formula):
    """`goal` holds at this or a later position, and `hold` at all positions before that."""

    hold: Formula
    goal: Formula


@dataclass(frozen=True, slots=True)
class ForAll(Formula):
    """For every element of `domain` (a collection computed from `$0` here), bound to `variable`."""

    variable: str
    domain: Expr
    formula: Formula


@dataclass(frozen=True, slots=True)
class Exists(Formula):
    """For some element of `domain` (a collection computed from `$0` here), bound to `variable`."""

    variable: str
    domain: Expr
    formula: Formula
