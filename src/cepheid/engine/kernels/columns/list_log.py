"""Lists of references by row, in one array: rows are added at the end, and forgotten from the first on."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cepheid.engine.kernels.columns.packing import with_room
from cepheid.engine.kernels.columns.ragged import Ragged
from cepheid.engine.kernels.columns.state_bytes import Entry
from cepheid.engine.kernels.compiling.typed_arrays import Data


class ListLog:
    """The list of row `i` goes from `starts[i]` to `starts[i + 1]`."""

    def __init__(self) -> None:
        self.flat, self.starts, self.top = np.zeros(0, np.int64), np.zeros(1, np.int64), 0

    def append(self, lists: Ragged) -> None:
        """Add a row for each list.

        >>> log = ListLog()
        >>> log.append(Ragged(np.array([7, 8, 9]), np.array([0, 2, 3])))
        >>> log.append(Ragged(np.array([5]), np.array([0, 0, 1])))
        >>> log.drop(1)
        >>> [log.row(number).tolist() for number in range(log.top)]
        [[9], [], [5]]
        """
        count, used = len(lists.offsets) - 1, int(self.starts[self.top])
        self.flat = with_room(self.flat, used, len(lists.flat))
        self.starts = with_room(self.starts, self.top + 1, count)
        self.flat[used : used + len(lists.flat)] = lists.flat
        self.starts[self.top + 1 : self.top + 1 + count] = lists.offsets[1:] + used
        self.top += count

    def row(self, number: int) -> Data:
        found: Data = self.flat[self.starts[number] : self.starts[number + 1]]
        return found

    def all(self, row: int = 0) -> Data:
        """Return all references from a row on, one list after the other."""
        found: Data = self.flat[self.starts[row] : self.starts[self.top]]
        return found

    def drop(self, rows: int) -> None:
        """Forget the first rows."""
        first = int(self.starts[rows])
        self.flat = self.flat[first : self.starts[self.top]].copy()
        self.starts = self.starts[rows : self.top + 1] - first
        self.top -= rows

    def written(self) -> dict[str, Entry]:
        return {"flat": self.all(), "starts": self.starts[: self.top + 1]}

    def take_up(self, entries: Mapping[str, Any]) -> None:
        self.flat, self.starts = entries["flat"].copy(), entries["starts"].copy()
        self.top = len(self.starts) - 1
