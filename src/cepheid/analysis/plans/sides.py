"""Each side's share of the equalities between two patterns, where every share reads one of them only."""

from collections.abc import Iterable, Sequence

from cepheid.algebra.expressions import Expr, Variable
from cepheid.algebra.patterns import Collect, Pattern, Unless
from cepheid.algebra.programs import HULL
from cepheid.algebra.traversal import named_parts, walk
from cepheid.analysis.plans.retention import parts_read

Sides = tuple[tuple[Expr, ...], tuple[Expr, ...]]


def sides_of(node: Pattern) -> Sides | None:
    """Return what the two inputs of an absence or a collection must agree on; None if that cannot be told apart."""
    match node:
        case Unless(pattern=first, absent=second, equal=equal):
            return _sides(equal, (HULL, *named_parts(first)), ("$absent", *named_parts(second)))
        case Collect(anchor=first, item=second, equal=equal):
            return _sides(equal, ("$anchor", *named_parts(first)), ("$item", *named_parts(second)))
        case _:
            return None


def _sides(equal: Sequence[tuple[Expr, Expr]], first: Iterable[str], second: Iterable[str]) -> Sides | None:
    known, beside = frozenset(first), frozenset(second)
    shares: list[tuple[Expr, Expr]] = []
    for one, other in equal:
        left, right = (one, other) if _reads(one) <= known else (other, one)
        if _has_variables((one, other)) or not _reads(left) <= known or not (_reads(right) <= beside | known):
            return None
        if _reads(right) <= beside and not _reads(right) <= known:
            shares.append((left, right))
        elif not _reads(right) <= known:
            return None
    return tuple(left for left, _ in shares), tuple(right for _, right in shares)


def _reads(expression: Expr) -> frozenset[str]:
    return frozenset(parts_read((expression,)))


def _has_variables(expressions: tuple[Expr, Expr]) -> bool:
    return any(isinstance(node, Variable) for node in walk(expressions))
