"""Lists of several lengths as two arrays: their entries one after the other, and where each list begins."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from cepheid.engine.kernels.typed_arrays import Data, Rows


@dataclass(frozen=True, slots=True)
class Ragged:
    """The list `i` goes from `offsets[i]` to `offsets[i + 1]`."""

    flat: Data
    offsets: Data

    def take(self, rows: Rows) -> "Ragged":
        """Return some of the lists.

        >>> Ragged(np.array([1, 2, 3, 4]), np.array([0, 1, 3, 4])).take(np.array([2, 1])).tuples()
        [(4,), (2, 3)]
        """
        counts = np.diff(self.offsets)[rows]
        offsets = np.concatenate(([0], np.cumsum(counts)))
        places = np.repeat(self.offsets[rows] - offsets[:-1], counts) + np.arange(offsets[-1])
        return Ragged(self.flat[places], offsets)

    def times(self, count: int) -> "Ragged":
        """Return each list so many times over, as one.

        >>> Ragged(np.array([1, 2, 3]), np.array([0, 2, 3])).times(2).tuples()
        [(1, 2, 1, 2), (3, 3)]
        """
        if count == 1:
            return self
        lists = self.take(np.repeat(np.arange(len(self.offsets) - 1), count))
        return Ragged(lists.flat, lists.offsets[::count])

    def tuples(self) -> list[tuple[Any, ...]]:  # what the entries are
        """Return the lists as Python has them."""
        entries = self.flat.tolist()
        return [tuple(entries[first:end]) for first, end in pairwise(self.offsets.tolist())]
