"""Joins whose parts follow each other: the first one starts the match and the last one ends it."""

from itertools import pairwise

from cepheid.algebra.patterns import Join
from cepheid.algebra.relations import Axis, Difference, Relation, end, start


def hull(index: int) -> str:
    """Return the name of a part's hull."""
    return f"${index}"


def in_order(join: Join) -> bool:
    """Say whether each part starts no earlier than the one before it ends."""
    parts = [hull(index) for index in range(len(join.parts))]
    return all(_follows(later, earlier, join.relation) for earlier, later in pairwise(parts))


def is_sequence(join: Join) -> bool:
    """Say whether a join of two has its right part strictly after its left one."""
    strictly = any(_at_least(difference, hull(1), hull(0), 1) for difference in join.relation)
    return len(join.parts) == 2 and strictly


def _follows(later: str, earlier: str, relation: Relation) -> bool:
    return any(_at_least(difference, later, earlier, 0) for difference in relation)


def _at_least(difference: Difference, later: str, earlier: str, gap: int) -> bool:
    ends = [(start(later, axis), end(earlier, axis)) for axis in (Axis.TIME, Axis.ARRIVAL)]
    return (difference.later, difference.earlier) in ends and difference.low is not None and difference.low >= gap
