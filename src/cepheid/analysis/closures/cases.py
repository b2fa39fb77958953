"""The conjunctive cases of a pattern: which branch is taken, and which part of an unordered join reaches farthest.

Within one case everything is a conjunction of differences, and its closure is exact. What holds for the pattern is
what holds in every case. Past `MOST_CASES` the splits are dropped, which is still safe: fewer constraints give wider
bounds.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from cepheid.algebra.patterns import Either, Join, Pattern
from cepheid.algebra.relations import Edge
from cepheid.analysis.closures.tree import Path, paths

MOST_CASES = 64


@dataclass(frozen=True, slots=True)
class Split:
    """A decision to take: which branch (no edge), or which part of a join attains that edge of its hull."""

    path: Path
    edge: Edge | None
    count: int


Case = Mapping[Split, int]


def decision(case: Case, path: Path, edge: Edge | None = None) -> int | None:
    """Return what a case decides at a node, None where it leaves the node open."""
    return next((choice for split, choice in case.items() if (split.path, split.edge) == (path, edge)), None)


def splits(pattern: Pattern, attained: frozenset[tuple[Path, Edge]]) -> list[Split]:
    """Return the decisions that `pattern` leaves open; of hulls only those edges that something asks for."""
    found = []
    for path, node in paths(pattern):
        if isinstance(node, Either):
            found.append(Split(path, None, len(node.branches)))
        if isinstance(node, Join):
            found += [Split(path, edge, len(node.parts)) for edge in Edge if (path, edge) in attained]
    return found


def cases(pattern: Pattern, attained: frozenset[tuple[Path, Edge]]) -> tuple[list[Case], bool]:
    """Return all combinations of decisions, and whether hull decisions had to be dropped to stay in bounds."""
    every = splits(pattern, attained)
    if _number(every) <= MOST_CASES:
        return list(_combinations(every)), False
    branches = [split for split in every if split.edge is None]
    return list(_combinations(branches if _number(branches) <= MOST_CASES else [])), True


def _number(some: list[Split]) -> int:
    total = 1
    for split in some:
        total *= split.count
    return total


def _combinations(some: list[Split]) -> Iterator[Case]:
    for choice in product(*(range(split.count) for split in some)):
        yield dict(zip(some, choice, strict=True))
