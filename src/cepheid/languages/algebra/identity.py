"""Whether a set of events can be found in only one way.

An instance of the algebra is a set of occurrences, so `A + A` on one `A` is that `A`, found once. Where every match is
kept, two ways to find one set have to be merged; here is said where there is no such pair of ways.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from cepheid.languages.algebra.syntax import By, Combination, Expression, Operator, Primitive, Within

Types = Mapping[str, frozenset[str]]
"""The input types that a derived event can rest on."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """The types of a match's events, their number where it is fixed, and whether there is one way to find them."""

    types: frozenset[str]
    size: int | None
    is_unique: bool


def is_found_once(expression: Expression, rests_on: Types) -> bool:
    """Say whether no two matches of an expression have the same set of events."""
    return _shape(expression, rests_on).is_unique


def _shape(expression: Expression, rests_on: Types) -> _Shape:
    match expression:
        case Primitive(name) if name.name in rests_on:
            return _Shape(rests_on[name.name], None, is_unique=True)
        case Primitive(name):
            return _Shape(frozenset([name.name]), 1, is_unique=True)
        case Within(inner) | By(inner):
            return _shape(inner, rests_on)
        case Combination(operator, left, right):
            return _combined(operator, _shape(left, rests_on), _shape(right, rests_on))


def _combined(operator: Operator, left: _Shape, right: _Shape) -> _Shape:
    types, both = left.types | right.types, left.is_unique and right.is_unique
    apart = left.types.isdisjoint(right.types)
    sizes = None if left.size is None or right.size is None else (left.size, right.size)
    match operator:
        case Operator.MINUS:
            return left
        case Operator.OR:
            told_apart = apart or (sizes is not None and sizes[0] != sizes[1])
            size = left.size if left.size == right.size else None
            return _Shape(types, size, both and told_apart)
        case Operator.AND:
            return _Shape(types, sum(sizes) if sizes and apart else None, both and apart)
        case Operator.THEN:
            # The earliest events are the left ones: knowing how many they are, or the others, is enough.
            told_apart = apart or left.size is not None or right.size is not None
            return _Shape(types, sum(sizes) if sizes else None, both and told_apart)
