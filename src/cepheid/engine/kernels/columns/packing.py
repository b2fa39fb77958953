"""Keep some rows of an array, which come first then: in place where there is room, so that memory is used again."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from cepheid.engine.kernels.columns.gathering import room_for
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows

Kept = Rows | Mask | slice
PORTION = 1 << 16
FEW = 8


def count_of(kept: Kept) -> int:
    """Return how many rows are kept; a slice has a beginning and an end, and a mask says of each row whether it is.

    >>> count_of(slice(2, 5)), count_of(np.array([1, 7])), count_of(np.array([True, False, True]))
    (3, 2, 2)
    """
    if isinstance(kept, slice):
        return int(kept.stop - kept.start)
    return int(np.count_nonzero(kept)) if kept.dtype == np.bool_ else len(kept)


def roomy(count: int) -> int:
    """Return how much room to make where so many rows must fit: more by a share, so that it is seldom made.

    >>> roomy(1), roomy(1000)
    (2, 1251)
    """
    return count + count // 4 + 1


def packed(array: Data, kept: Kept, room: int) -> Data:
    """Return an array of `room` that begins with the rows that are kept; what the others hold does not matter.

    >>> packed(np.array([1, 2, 3, 4, 0]), slice(2, 4), 5)[:2]
    array([3, 4])
    >>> packed(np.array([1, 2, 3, 4, 0]), np.array([False, True, False, True]), 5)[:2]
    array([2, 4])
    """
    more = array if array.shape[-1] == room else _more_room((*array.shape[:-1], room), array.dtype)
    if isinstance(kept, slice):
        more[..., : count_of(kept)] = array[..., kept]
        return more
    # Rows only move towards the first, so that those of one portion do not overwrite those of the next.
    place = 0
    for first in range(0, len(kept), PORTION):
        portion = kept[first : first + PORTION]
        last = first + len(portion)
        some = array[..., first:last][..., portion] if kept.dtype == np.bool_ else array[..., portion]
        more[..., place : place + some.shape[-1]] = some
        place += some.shape[-1]
    return more


def with_room(array: Data, used: int, more: int) -> Data:
    """Return an array in which so many more rows fit behind those that are used.

    >>> with_room(np.array([1, 2]), 2, 0), with_room(np.array([1, 2]), 2, 5)[:2]
    (array([1, 2]), array([1, 2]))
    """
    fits = used + more <= array.shape[-1]
    return array if fits else packed(array, slice(0, used), roomy(used + more))


def _more_room(shape: tuple[int, ...], kind: Any) -> Data:  # a dtype of NumPy
    """Return an array to be written: of numbers, in memory that was used before, if there is some."""
    return np.empty(shape, kind) if kind.hasobject else room_for(math.prod(shape), kind.type).reshape(shape)


def blank_rest(array: Data, count: int, blank: object) -> Data:
    """Make all rows but the first ones blank.

    >>> blank_rest(np.array([3, 4, 3, 4, 0]), 2, -1)
    array([ 3,  4, -1, -1, -1])
    """
    array[..., count:] = blank
    return array


def new_numbers(kept: Kept, rows: int) -> Callable[[Data], Data]:
    """Return a function that says some of so many rows by their new numbers, -1 where they are not kept.

    >>> new_numbers(slice(2, 5), 5)(np.array([-1, 1, 2, 4], np.int32)).tolist()
    [-1, -1, 0, 2]
    >>> new_numbers(np.array([1, 4]), 5)(np.array([-1, 1, 2, 4], np.int32)).tolist()
    [-1, 0, -1, 1]
    >>> new_numbers(np.array([False, True, False, False, True]), 5)(np.array([-1, 1, 2, 4], np.int32)).tolist()
    [-1, 0, -1, 1]
    """
    if isinstance(kept, slice):
        start = np.int32(kept.start)
        return lambda rows: np.maximum(rows - start, np.int32(-1))
    new = np.full(rows + 1, -1, np.int32)  # the last is for no row
    if kept.dtype == np.bool_:
        _count_up(kept, new)
    else:
        new[kept] = np.arange(len(kept), dtype=np.int32)
    return new.__getitem__


def _count_up(kept: Data, new: Data) -> None:
    before = 0
    for first in range(0, len(kept), PORTION):
        portion = kept[first : first + PORTION]
        counted = np.cumsum(portion, dtype=np.int32) + np.int32(before)
        new[first : first + len(portion)] = np.where(portion, counted - 1, -1)
        before = int(counted[-1])


def handy(kept: Mask) -> Kept:
    """Return the rows that are kept by their numbers where they are few, and as they are where those take more room.

    >>> handy(np.arange(100) == 7)
    array([7], dtype=int32)
    """
    return np.flatnonzero(kept).astype(np.int32) if FEW * np.count_nonzero(kept) < len(kept) else kept


def renumber(array: Data, new: Callable[[Data], Data]) -> None:
    """Say the rows that an array holds by their new numbers, a portion at a time, so that little is held twice."""
    for first in range(0, array.shape[-1], PORTION):
        portion = array[..., first : first + PORTION]
        portion[...] = new(portion)
