"""Difference constraints and all that follows from them.

    b.start - a.end >= 1,  b.end - a.start <= 5      entail      a.end - a.start <= 4

Every constraint is `x - y <= high`. The closure (shortest paths between all variables) is exact: each bound it gives
is attained by some assignment, and there is an assignment at all unless a variable would be less than itself.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from cepheid.analysis.closures.shortest_paths import INFINITE, LEAST, closed

V = TypeVar("V", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Constraint(Generic[V]):
    """`x - y <= high`, and what in the query says so."""

    x: V
    y: V
    high: int
    reason: str


class Closure(Generic[V]):
    """Some constraints and what they entail.

    >>> follows = Closure([Constraint("a", "b", -1, "a before b"), Constraint("b", "c", -1, "b before c")])
    >>> follows.upper("a", "c"), follows.upper("c", "a") is None
    (-2, True)
    """

    def __init__(self, constraints: Iterable[Constraint[V]]) -> None:
        self.constraints = tuple(constraints)
        names = dict.fromkeys(name for constraint in self.constraints for name in (constraint.x, constraint.y))
        self._index = {name: number for number, name in enumerate(names)}
        self._upper = self._closed()
        # It is asked for with every distance, so it is found out once.
        self.satisfiable = all(row[number] >= 0 for number, row in enumerate(self._upper))

    def __contains__(self, variable: V) -> bool:
        return variable in self._index

    def upper(self, x: V, y: V) -> int | None:
        """Return the greatest value of `x - y`, None if there is none."""
        if x not in self._index or y not in self._index:
            return 0 if x == y else None
        high = self._upper[self._index[x]][self._index[y]]
        return None if high >= INFINITE else high

    def clash(self) -> tuple[str, ...]:
        """Return the reasons that contradict each other: the shortest such cycle, none if all is well."""
        if self.satisfiable:
            return ()
        cycles = (self._cycle_from(name) for name in self._index)
        reasons = min((cycle for cycle in cycles if cycle), key=len)
        return tuple(dict.fromkeys(constraint.reason for constraint in reasons if constraint.reason))

    def _closed(self) -> list[list[int]]:
        count = len(self._index)
        upper = [[INFINITE] * count for _ in range(count)]
        for number, row in enumerate(upper):
            row[number] = 0
        for constraint in self.constraints:
            row, column = upper[self._index[constraint.x]], self._index[constraint.y]
            # What is beyond counting says nothing, or as much as can be said.
            row[column] = min(row[column], max(constraint.high, LEAST))
        return closed(upper)

    def _cycle_from(self, origin: V) -> list[Constraint[V]]:
        """Return a contradictory cycle through `origin` with the fewest constraints, none if there is none."""
        best: dict[V, tuple[int, list[Constraint[V]]]] = {origin: (0, [])}
        for _ in range(len(self._index)):
            grown = dict(best)
            for constraint in self.constraints:
                if constraint.x in best:
                    length, way = best[constraint.x]
                    total = length + constraint.high
                    if constraint.y == origin and total < 0:
                        return [*way, constraint]
                    if constraint.y not in grown or total < grown[constraint.y][0]:
                        grown[constraint.y] = (total, [*way, constraint])
            best = grown
        return []
