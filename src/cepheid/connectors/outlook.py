"""What is known of the times of an input before its events are read: the first, the last, whether they are in order."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import types

from cepheid.connectors.records import Reading
from cepheid.connectors.time_columns import ticks_of_column

Column = Any  # pyarrow has no types: an Array
LONG = 1 << 20
"""So many times keep several threads busy."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """The least and the greatest time of an input, in ticks; `in_order`: none is before another that it follows.

    Where that is known of parts of the input only, no time in one of them is before those in another that it follows,
    and `parts` says how many rows each has.
    """

    least: int
    greatest: int
    in_order: bool
    parts: tuple[int, ...] = ()

    def is_within(self, reach: int) -> bool:
        """Say whether all times are less than so many ticks from 1970."""
        return -reach < self.least and self.greatest < reach


def outlook_of(columns: Iterable[Column], reading: Reading, threads: int = 1) -> Outlook | None:
    """Return what is known of the times in some columns, one after the other; None where they have to be read singly.

    So many threads look at them at once, if they are long.

    >>> found = outlook_of([pa.array([1, 2]), pa.array([2, None, 5])], Reading())
    >>> found.least, found.greatest, found.in_order
    (1000000, 5000000, True)
    """
    in_order, least, greatest, kind = True, None, None, None
    for look in _looks(columns, threads):
        if look is None:
            return None
        in_order = in_order and look.in_order and (greatest is None or bool(look.first >= greatest))
        kind, least = look.kind, look.least if least is None else min(least, look.least)
        greatest = look.greatest if greatest is None else max(greatest, look.greatest)
    if least is None or greatest is None:
        return None
    return _in_ticks(least, greatest, in_order, kind, reading)


@dataclass(frozen=True, slots=True)
class _Look:
    """What is known of the times in one column, as they are stored."""

    kind: Any  # pyarrow's DataType
    first: Any  # numbers of NumPy
    least: Any
    greatest: Any
    in_order: bool


def _looks(columns: Iterable[Column], threads: int) -> Iterator[_Look | None]:
    """Yield what each column shows that is not empty; None for one that cannot be compared."""
    each = list(columns) if threads > 1 else columns
    if not isinstance(each, list) or sum(map(len, each)) < LONG:
        yield from _looks_of(each)
        return
    size = -(-len(each) // threads)
    with ThreadPoolExecutor(threads, "cepheid-outlook") as pool:
        for some in pool.map(lambda first: [*_looks_of(each[first : first + size])], range(0, len(each), size)):
            yield from some


def _looks_of(columns: Iterable[Column]) -> Iterator[_Look | None]:
    for column in columns:
        times = _comparable(column)
        if times is None:
            yield None
        elif len(times):
            in_order = not bool((times[1:] < times[:-1]).any())
            low, high = (times[0], times[-1]) if in_order else (times.min(), times.max())
            yield _Look(column.type, times[0], low, high, in_order)


def _comparable(column: Column) -> Any:  # an array of NumPy
    """Return the times of a column as they are stored, those that are not null; None for what is no number."""
    kind = column.type
    if not (types.is_timestamp(kind) or types.is_float64(kind) or (types.is_integer(kind) and kind != pa.uint64())):
        return None
    there = column.drop_null() if column.null_count else column
    times = np.asarray(there.view(pa.int64()) if types.is_timestamp(kind) else there)
    return None if types.is_float64(kind) and np.isnan(times).any() else times


def _in_ticks(least: object, greatest: object, in_order: bool, kind: Any, reading: Reading) -> Outlook | None:
    ends = pa.array(np.array([least, greatest])).cast(pa.float64() if types.is_float64(kind) else pa.int64())
    found = ticks_of_column(ends.cast(kind), Reading(reading.columns, reading.unit))
    if found is None or found[1].any():
        return None
    return Outlook(int(found[0][0]), int(found[0][1]), in_order)
