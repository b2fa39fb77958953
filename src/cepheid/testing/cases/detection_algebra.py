"""The event detection algebra: its expressions, and what they are as patterns.

    A | B      A + B      A - B      A ; B      A within 3

An instance of an expression is a set of occurrences. Under latest-start every node keeps, for each end, one instance
with the latest start; under all, instances that are the same set are merged.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from cepheid.algebra.intervals import inside
from cepheid.algebra.patterns import Atom, Distinct, Either, Join, Pattern, Restrict, Select, Unless
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.relations import after, length
from cepheid.testing.cases.draw import Draw


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression; `Expression` itself is only the common name of the forms below."""


@dataclass(frozen=True, slots=True)
class Primitive(Expression):
    """An event of one type."""

    type: str

    def __str__(self) -> str:
        return self.type


@dataclass(frozen=True, slots=True)
class Operation(Expression):
    """Two expressions under `|`, `+`, `-` or `;`."""

    operator: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        return f"({self.left} {self.operator} {self.right})"


@dataclass(frozen=True, slots=True)
class Within(Expression):
    """What is at most `longest` long."""

    expression: Expression
    longest: int

    def __str__(self) -> str:
        return f"({self.expression} within {self.longest})"


def random_expression(draw: Draw, types: tuple[str, ...], depth: int) -> Expression:
    """Return an expression with at most `depth` operators above one another."""
    kinds = {"primitive": 25, ";": 24, "+": 14, "|": 13, "-": 13, "within": 11}
    kind = draw.weighted(kinds) if depth else "primitive"
    if kind == "primitive":
        return Primitive(draw.pick(types))
    if kind == "within":
        return Within(random_expression(draw, types, depth - 1), draw.integer(0, 8))
    left, right = (random_expression(draw, types, depth - 1) for _ in range(2))
    return Operation(kind, left, right)


def lowered(expression: Expression, choice: Choice = Choice.LATEST_START) -> Pattern:
    """Return the pattern that an expression stands for, under latest-start or under all.

    >>> lowered(Operation(";", Primitive("A"), Primitive("B")), Choice.ALL).pattern.policy.choice
    <Choice.ALL: 'all'>
    """
    policy, names = Policy(choice), (f"e{number}" for number in count(1))
    pattern = _lowered(expression, policy, names)
    return Distinct(pattern) if choice is Choice.ALL else pattern


def _lowered(expression: Expression, policy: Policy, names: Iterator[str]) -> Pattern:
    match expression:
        case Primitive(name):
            return _chosen(Atom(next(names), frozenset((name,))), policy)
        case Within(below, longest):
            window = (length("$pattern", "$pattern", longest),)
            return _chosen(Restrict(_lowered(below, policy, names), window), policy)
        case Operation(operator, one, other):
            return _operation(operator, _lowered(one, policy, names), _lowered(other, policy, names), policy)
        case _:
            raise AssertionError(f"not an expression: {expression!r}")


def _operation(operator: str, left: Pattern, right: Pattern, policy: Policy) -> Pattern:
    match operator:
        case ";":
            return Join((left, right), (after("$1", "$0"),), policy=policy)
        case "+":
            return Join((left, right), policy=policy)
        case "|":
            return _chosen(Either((left, right)), policy)
        case _:
            return _chosen(Unless(left, right, inside("$absent", "$pattern")), policy)


def _chosen(pattern: Pattern, policy: Policy) -> Pattern:
    return pattern if policy.choice is Choice.ALL else Select(pattern, policy)
