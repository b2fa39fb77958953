"""The rows of matches are put into the order in which matches come out, before anything is read by them.

Kernels find matches by the event that completes them. Those that end at one time follow by their start, then by their
rule, and then by the events that they are made of; rows of the log are in the order of events.
"""

from collections.abc import Sequence

import numpy as np

from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows
from cepheid.engine.kernels.emitting.order_kernels import put_in_order

_MOST_PARTS, _AT_ONCE = 3, 1024


def ordered_rows(every: Rows, parts: int, time: Data, numbers: Sequence[int], count: int | None = None) -> Rows:
    """Return the rows of matches, or of so many, in order.

    The last line says whose they are where there are several `numbers`.

    >>> rows = np.array([[2, 1, 0, 1, 0], [3, 3, 3, 2, 2], [4, 4, 4, 4, 4]], np.int32)
    >>> ordered_rows(rows, 3, np.arange(5), (0,)).tolist()
    [[0, 0, 1, 1, 2], [2, 3, 2, 3, 3], [4, 4, 4, 4, 4]]
    """
    count = every.shape[1] if count is None else count
    rows = every[:, :count]
    if count < 2 or (parts == 1 and len(numbers) == 1):
        return rows
    if 1 < parts <= _MOST_PARTS and len(numbers) == 1:
        target = np.empty((len(every), count), every.dtype)
        if compiled(put_in_order)(np.ascontiguousarray(every), count, time, target, np.empty(1 << 16, np.int32)):
            return target
    keys = _keys(rows, parts, time, numbers)
    return rows[:, _sorted(keys)] if ties_of(keys) is None else rows


def _keys(rows: Rows, parts: int, time: Data, numbers: Sequence[int]) -> list[Data]:
    """Return what orders matches: end, start and rule, where they may differ, and the events that they are made of."""
    keys = [time[rows[parts - 1]]]
    if len(numbers) > 1:
        keys += [time[rows[0]], np.array(numbers)[rows[parts]]]
    return [*keys, *rows[:parts]]


def ties_of(keys: Sequence[Data]) -> Mask | None:
    """Return which rows are tied with the next one in all keys, None where rows are not in the order of these.

    >>> ties_of([np.array([1, 1, 2]), np.array([5, 5, 4])]).tolist(), ties_of([np.array([2, 1])])
    ([True, False], None)
    """
    tied: Mask = np.ones(len(keys[0]) - 1, np.bool_)
    for key in keys:
        if (tied & (key[1:] < key[:-1])).any():
            return None
        tied &= key[1:] == key[:-1]
        if not tied.any():
            break
    return tied


def _sorted(keys: Sequence[Data]) -> Rows:
    """Return the order of keys: what ends at one time is together already, or nearly so."""
    ends = keys[0]
    if (ends[1:] < ends[:-1]).any():
        return np.lexsort(keys[::-1])
    group = np.concatenate(([0], np.cumsum(ends[1:] != ends[:-1])))
    order = np.arange(len(ends))
    for key in keys[:0:-1]:
        ranks = key - key.min()
        step = int(ranks.max()) + 1
        if step > 1 and step < (1 << 62) // (int(group[-1]) + 1):
            order = order[np.argsort((group * step + ranks)[order], kind="stable")]
        elif step > 1:
            order = order[np.lexsort((ranks[order], group[order]))]
    return order


def complete_groups(rows: Rows, parts: int, time: Data) -> int:
    """Return how many matches end before the last ones do, where they come by their ends.

    >>> complete_groups(np.array([[0, 0, 1, 2], [1, 2, 3, 3]], np.int32), 2, np.array([0, 1, 1, 2]))
    2
    """
    last, done = rows[parts - 1], len(rows[parts - 1])
    while done and time[last[done - 1]] == time[last[-1]]:
        some = time[last[max(done - _AT_ONCE, 0) : done]] == time[last[-1]]
        done -= int(some[::-1].argmin()) if not some.all() else len(some)
    return done
