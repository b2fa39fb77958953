"""The key that all parts of a rule have in common: equalities that tie every part to every other."""

from collections.abc import Sequence
from dataclasses import dataclass

from cepheid.algebra.expressions import Call, Expr
from cepheid.algebra.patterns import Equalities
from cepheid.analysis.plans.retention import parts_read


@dataclass(frozen=True, slots=True)
class CommonKey:
    """For every class of equal expressions the one of each part; equalities beside these are conditions."""

    classes: tuple[tuple[Expr, ...], ...]
    conditions: tuple[Expr, ...]

    def of_part(self, number: int) -> tuple[Expr, ...]:
        return tuple(one[number] for one in self.classes)


def common_key(equal: Equalities, names: Sequence[str]) -> CommonKey:
    """Return what all parts agree on, given the equalities between them.

    >>> from cepheid.algebra.expressions import Field
    >>> a, b, c = (Field(name, "k") for name in "abc")
    >>> len(common_key(((a, b), (b, c)), "abc").classes), len(common_key(((a, b),), "abc").conditions)
    (1, 1)
    """
    groups = _classes(equal)
    covering = []
    for group in groups:
        by_part = _by_part(group, names)
        if by_part is not None:
            covering.append(by_part)
    chosen = {one for each in covering for one in each}
    rest = tuple(Call("==", pair) for pair in equal if not (pair[0] in chosen and pair[1] in chosen))
    return CommonKey(tuple(covering), rest)


def _classes(equal: Equalities) -> list[list[Expr]]:
    groups: list[list[Expr]] = []
    for pair in equal:
        touched = [group for group in groups if pair[0] in group or pair[1] in group]
        joined = [one for group in touched for one in group]
        joined += [one for one in pair if one not in joined]
        groups = [group for group in groups if not any(group is other for other in touched)]
        groups.append(joined)
    return groups


def _by_part(group: Sequence[Expr], names: Sequence[str]) -> tuple[Expr, ...] | None:
    """Return the first expression of each part, None if a part has none."""
    found: dict[str, Expr] = {}
    for one in group:
        read = parts_read((one,))
        if len(read) == 1:
            found.setdefault(next(iter(read)), one)
    return tuple(found[name] for name in names) if set(names) <= set(found) else None
