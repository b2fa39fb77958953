"""Repetition: runs of items, depth first where the definition goes breadth first."""

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Follows: TypeAlias = Callable[[T, T], bool]


def every_run(items: Sequence[T], most: int | None, follows: Follows[T], spans: Follows[T]) -> list[tuple[T, ...]]:
    """Return every subsequence whose neighbours follow each other and whose ends span no more than allowed."""
    longest = len(items) if most is None else min(most, len(items))
    return [
        run
        for size in range(1, longest + 1)
        for run in combinations(items, size)
        if all(follows(one, two) for one, two in pairwise(run)) and spans(run[0], run[-1])
    ]


def greedy_runs(
    items: Sequence[T], most: int | None, follows: Follows[T], reaches: Follows[T], spans: Follows[T]
) -> list[tuple[T, ...]]:
    """Return the run of each item that no earlier run took: it takes whatever it reaches, as soon as it can."""
    covered: set[int] = set()
    runs = []
    for begin in range(len(items)):
        if begin in covered:
            continue
        run = [begin]
        for here in range(begin + 1, len(items)):
            fits = follows(items[run[-1]], items[here]) and reaches(items[begin], items[here])
            if fits and (most is None or len(run) < most):
                run.append(here)
        covered |= set(run[1:])
        runs.append(tuple(items[here] for here in run))
    return [run for run in runs if spans(run[0], run[-1])]
