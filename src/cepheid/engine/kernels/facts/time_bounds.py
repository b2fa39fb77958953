"""How far apart the events of a match can be: the greatest distance between any two of them, closed under addition.

Kernels add and compare in 64 bits, so times and distances are kept where no sum of them leaves these. Other times, and
rules with other distances, are for the interpreter.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

MOST = 2**61
"""Times are less than this, in either direction."""
LONGEST = 2**58
"""Distances are no longer than this, which is some nine thousand years."""
FAR = MOST + 4 * LONGEST
"""From here on times are no times: no time reaches it with the few distances that are ever added to one."""
UNLIMITED = FAR + MOST
"""Where there is no limit: any time and this is from `FAR` on, any time without this before all times."""
AT_ONCE = -UNLIMITED
"""Where nothing is waited for."""


@dataclass
class TimeBounds:
    """`most[i][j]` is the greatest value of time j minus time i, None if there is none."""

    count: int
    most: list[list[int | None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.most = [[0 if i == j else None for j in range(self.count)] for i in range(self.count)]

    def limit(self, earlier: int, later: int, low: int | None, high: int | None) -> None:
        """Note that `low <= time of later - time of earlier <= high`."""
        if high is not None:
            self._at_most(earlier, later, high)
        if low is not None:
            self._at_most(later, earlier, -low)

    def close(self) -> None:
        """Draw all conclusions."""
        for middle in range(self.count):
            for i in range(self.count):
                for j in range(self.count):
                    first, second = self.most[i][middle], self.most[middle][j]
                    if first is not None and second is not None:
                        self._at_most(i, j, first + second)

    @property
    def closed(self) -> tuple[tuple[int | None, ...], ...]:
        """All bounds with all conclusions, which are not drawn here."""
        found = TimeBounds(self.count)
        found.most = [list(row) for row in self.most]
        found.close()
        return tuple(map(tuple, found.most))

    @property
    def possible(self) -> bool:
        return all(self.most[i][i] == 0 for i in range(self.count))

    def order(self) -> list[int] | None:
        """Return the events in the order of time, None if two of them may be simultaneous or change places."""
        ranked = sorted(range(self.count), key=lambda i: sum(self._is_before(j, i) for j in range(self.count)))
        in_order = all(self._is_before(one, other) for one, other in pairwise(ranked))
        return ranked if in_order else None

    def arranged(self, order: Sequence[int]) -> "TimeBounds":
        """Return the same bounds for the events in another order."""
        found = TimeBounds(self.count)
        found.most = [[self.most[i][j] for j in order] for i in order]
        return found

    def _is_before(self, one: int, other: int) -> bool:
        back = self.most[other][one]
        return back is not None and back <= -1

    def _at_most(self, earlier: int, later: int, high: int) -> None:
        known = self.most[earlier][later]
        self.most[earlier][later] = high if known is None else min(known, high)
