"""Lists of several lengths as two arrays: their entries one after the other, and where each list begins."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from cepheid.engine.kernels.compiling.typed_arrays import Data, Rows


@dataclass(frozen=True, slots=True)
class Ragged:
    """The list `i` goes from `offsets[i]` to `offsets[i + 1]`; where all are as long as each other, that is `width`."""

    flat: Data
    offsets: Data
    width: int | None = None

    def take(self, rows: Rows) -> "Ragged":
        """Return some of the lists.

        >>> Ragged(np.array([1, 2, 3, 4]), np.array([0, 1, 3, 4])).take(np.array([2, 1])).tuples()
        [(4,), (2, 3)]
        """
        if self.width is not None:
            return rectangle(self.flat.reshape(-1, self.width)[rows])
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

    def table(self) -> Data | None:
        """Return the lists as the rows of a table; None where they are not all as long as each other.

        >>> Ragged(np.array([1, 2, 3, 4]), np.array([0, 2, 4])).table()
        array([[1, 2],
               [3, 4]])
        """
        count = len(self.offsets) - 1
        width = len(self.flat) // count if count else 0
        if self.width is None and not (np.diff(self.offsets) == width).all():
            return None
        return self.flat.reshape(count, width)

    def tuples(self) -> list[tuple[Any, ...]]:  # what the entries are
        """Return the lists as Python has them."""
        return list(self.each())

    def each(self) -> Iterator[tuple[Any, ...]]:  # as above
        """Yield them one by one."""
        entries = self.flat.tolist()
        if self.width:
            return zip(*[iter(entries)] * self.width, strict=True)
        return (tuple(entries[first:end]) for first, end in pairwise(self.offsets.tolist()))


def rectangle(table: Data) -> Ragged:
    """Return the rows of a table as lists.

    >>> rectangle(np.array([[1, 2], [3, 4]])).tuples()
    [(1, 2), (3, 4)]
    """
    count, width = table.shape
    return Ragged(table.reshape(-1), _multiples(width, (count + 1).bit_length())[: count + 1], width)


@lru_cache(maxsize=64)
def _multiples(width: int, bits: int) -> Data:
    """Return where lists of one length begin: as many as so many bits can count, which all tables of a size share."""
    found = np.arange(1 << bits, dtype=np.int32) * np.int32(width)
    found.flags.writeable = False
    return found
