"""The binary operators as relations of two intervals, and limits on how long a pair may last."""

from collections.abc import Mapping
from typing import Final

from cepheid.algebra import intervals
from cepheid.algebra.relations import Relation
from cepheid.languages.etalis.syntax import Operator

RELATIONS: Final[Mapping[Operator, Relation]] = {
    Operator.SEQ: intervals.then(),
    Operator.PAR: intervals.par(),
    Operator.EQUALS: intervals.equals(),
    Operator.MEETS: intervals.meets(),
    Operator.DURING: intervals.during(),
    Operator.STARTS: intervals.starts(),
    Operator.FINISHES: intervals.finishes(),
    Operator.AND: (),
}
"""How the two sides of an operator lie to each other; `AND` comes last, for it begins every relation."""

_IN_ORDER: Final = frozenset([Operator.SEQ, Operator.MEETS, Operator.EQUALS, Operator.STARTS])


def limit(operator: Operator, longest: int) -> Relation:
    """Return that a pair lasts at most so long."""
    return intervals.within(2, longest, in_order=operator in _IN_ORDER)


def operator_of(relation: Relation) -> tuple[Operator, tuple[int, ...]] | None:
    """Return the operator and the limits that a relation is made of; None where it is made of something else."""
    for operator, own in RELATIONS.items():
        if relation[: len(own)] == own:
            limits = _limits(operator, relation[len(own) :])
            if limits is not None:
                return operator, limits
    return None


def _limits(operator: Operator, relation: Relation) -> tuple[int, ...] | None:
    size = len(limit(operator, 0))
    found = []
    for place in range(0, len(relation), size):
        longest = relation[place].high
        if longest is None or relation[place : place + size] != limit(operator, longest):
            return None
        found.append(longest)
    return tuple(found)
