"""Keep some rows of an array, which come first then: in place where there is room, so that memory is used again."""

import numpy as np

from cepheid.engine.kernels.typed_arrays import Data, Rows

Kept = Rows | slice


def count_of(kept: Kept) -> int:
    """Return how many rows are kept; a slice has a beginning and an end.

    >>> count_of(slice(2, 5)), count_of(np.array([1, 7]))
    (3, 2)
    """
    return kept.stop - kept.start if isinstance(kept, slice) else len(kept)


def packed(array: Data, kept: Kept, top: int, room: int, blank: object) -> Data:
    """Return an array of `room` with the rows that are kept, of which `top` are in use; the rest is blank.

    >>> packed(np.array([1, 2, 3, 4, 0]), slice(2, 4), 4, 5, 0)
    array([3, 4, 0, 0, 0])
    """
    count = count_of(kept)
    if array.shape[-1] == room:
        array[..., :count] = array[..., kept]
        array[..., count:top] = blank
        return array
    more = np.zeros((*array.shape[:-1], room), array.dtype)
    if array.dtype == object or blank:
        more[..., count:] = blank
    more[..., :count] = array[..., kept]
    return more


def renumbered(rows: Data, kept: Kept, room: int) -> Data:
    """Return rows by their new numbers, -1 where they are not kept.

    >>> renumbered(np.array([-1, 1, 2, 4], np.int32), slice(2, 5), 5).tolist()
    [-1, -1, 0, 2]
    >>> renumbered(np.array([-1, 1, 2, 4], np.int32), np.array([1, 4]), 5).tolist()
    [-1, 0, -1, 1]
    """
    if isinstance(kept, slice):
        return np.maximum(rows - np.int32(kept.start), np.int32(-1))
    new = np.full(room + 1, -1, np.int32)
    new[kept] = np.arange(len(kept), dtype=np.int32)
    found: Data = new[rows]
    return found
