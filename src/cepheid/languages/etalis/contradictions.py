"""Conditions on values that contradict each other.

    a(X) SEQ b(X, Y) WHERE (X > 5, Y = X, Y < 3)        X > 5 and Y < 3, and Y is X

Every condition that a match must satisfy bounds some expression, or says which constant it is. Expressions that must be
equal share what is said about them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from cepheid.algebra.evaluation import Scope, evaluate
from cepheid.algebra.expressions import Call, Expr, Field, Literal, Lookup, Moment, conjuncts
from cepheid.algebra.patterns import Atom, Equalities, Join, Pattern, Restrict, Unless
from cepheid.algebra.traversal import walk
from cepheid.events import Value, values

Conditions = tuple[Expr, ...]

_TURNED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


@dataclass(frozen=True, slots=True)
class _Bound:
    """What a condition says about an expression: how it compares with a constant."""

    sign: str
    value: Value
    condition: Expr

    def excludes(self, other: "_Bound") -> bool:
        """Is there nothing that both can be true of?"""
        if self.sign == "==":
            return evaluate(Call(other.sign, (Literal(self.value), Literal(other.value))), Scope()) is False
        if other.sign == "==":
            return other.excludes(self)
        if self.sign[0] == other.sign[0]:
            return False
        low, high = (self, other) if self.sign[0] == ">" else (other, self)
        strict = "=" not in low.sign or "=" not in high.sign
        return values.less(high.value, low.value) is True or (strict and values.equal(low.value, high.value) is True)


@dataclass(slots=True)
class _Classes:
    """Expressions that must be equal, and what bounds them."""

    leaders: dict[Expr, Expr] = field(default_factory=dict)
    bounds: dict[Expr, list[_Bound]] = field(default_factory=dict)

    def leader(self, expression: Expr) -> Expr:
        while expression in self.leaders:
            expression = self.leaders[expression]
        return expression

    def unite(self, one: Expr, other: Expr) -> None:
        first, second = self.leader(one), self.leader(other)
        if first != second:
            self.leaders[second] = first

    def clash(self) -> Conditions:
        """Return two conditions that contradict each other, if there are any."""
        together: dict[Expr, list[_Bound]] = {}
        for expression, bounds in self.bounds.items():
            together.setdefault(self.leader(expression), []).extend(bounds)
        for bounds in together.values():
            for place, one in enumerate(bounds):
                for other in bounds[:place]:
                    if one.excludes(other):
                        return (other.condition, one.condition)
        return ()


def contradiction(pattern: Pattern) -> Conditions:
    """Return the conditions because of which a pattern can never match; none where it may."""
    classes = _Classes()
    for one, other in _equalities(pattern):
        classes.unite(one, other)
    for condition in _conditions(pattern):
        if _is_constant(condition) and evaluate(condition, Scope()) is not True:
            return (condition,)
        match condition:
            case Call("==", (one, other)) if not isinstance(one, Literal) and not isinstance(other, Literal):
                classes.unite(one, other)
            case Call(sign, (expression, Literal(value))) if sign in _TURNED:
                classes.bounds.setdefault(expression, []).append(_Bound(sign, value, condition))
            case Call(sign, (Literal(value), expression)) if sign in _TURNED:
                classes.bounds.setdefault(expression, []).append(_Bound(_TURNED[sign], value, condition))
    return classes.clash()


def _is_constant(condition: Expr) -> bool:
    return not any(isinstance(node, Field | Lookup | Moment) for node in walk(condition))


def _certain(pattern: Pattern) -> Iterator[Pattern]:
    """Yield the patterns that every match consists of."""
    yield pattern
    match pattern:
        case Join(parts):
            for part in parts:
                yield from _certain(part)
        case Restrict(inner) | Unless(inner):
            yield from _certain(inner)


def _conditions(pattern: Pattern) -> Iterator[Expr]:
    for one in _certain(pattern):
        if isinstance(one, Atom | Join | Restrict):
            yield from conjuncts(one.where)


def _equalities(pattern: Pattern) -> Equalities:
    return tuple(pair for one in _certain(pattern) if isinstance(one, Join) for pair in one.equal)
