"""How many events of one type end in each window of time, counted apart and added up.

    rate 5 per 10 s, factor 1      windows of 10 s with at most 5 events each
    rate 5 per 10 s, factor 4      windows of 40 s with at most 20 events each

Windows are as long as the period of a rate, or a power of two times as long where there would be too many. All of them
begin at multiples of their length, so that those of several workers are the same. One that holds more events than the
rate allows breaks it, whatever else comes; a rate that is broken for no longer than a period may go unseen.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cepheid.algebra.programs import Arrival

MOST_WINDOWS = 1000


@dataclass(frozen=True, slots=True)
class WindowCounts:
    """How many events each window holds, by its number, with windows of `factor` periods."""

    factor: int
    counts: Mapping[int, int]


def counted(ends: Sequence[int], arrival: Arrival, most: int = MOST_WINDOWS) -> WindowCounts:
    """Return how many of some ends are in each window, in no more windows than `most`, which is 2 at least.

    >>> counted([-1, 0, 5, 9, 10], Arrival(2, 10))
    WindowCounts(factor=1, counts={-1: 1, 0: 3, 1: 1})
    >>> counted([-1, 0, 5, 9, 10], Arrival(2, 10), most=2)
    WindowCounts(factor=2, counts={-1: 1, 0: 4})
    """
    windows, numbers = np.unique(np.asarray(ends, np.int64) // arrival.per, return_counts=True)
    found = WindowCounts(1, dict(zip(windows.tolist(), numbers.tolist(), strict=True)))
    while len(found.counts) > most:
        found = widened(found, 2 * found.factor)
    return found


def widened(windows: WindowCounts, factor: int) -> WindowCounts:
    """Return the same events in windows of more periods.

    >>> widened(WindowCounts(1, {-1: 1, 0: 3, 1: 1, 2: 4}), 2)
    WindowCounts(factor=2, counts={-1: 1, 0: 4, 1: 4})
    """
    counts: Counter[int] = Counter()
    for window, number in windows.counts.items():
        counts[window * windows.factor // factor] += number
    return WindowCounts(factor, dict(counts))


def added_up(some: Iterable[WindowCounts]) -> WindowCounts:
    """Return the events of all in windows as wide as the widest of them.

    >>> added_up([WindowCounts(1, {0: 3, 1: 1}), WindowCounts(2, {0: 2})])
    WindowCounts(factor=2, counts={0: 6})
    """
    each = list(some)
    factor = max((one.factor for one in each), default=1)
    counts: Counter[int] = Counter()
    for one in each:
        counts.update(widened(one, factor).counts)
    return WindowCounts(factor, dict(counts))


def latest(windows: WindowCounts, most: int = MOST_WINDOWS) -> WindowCounts:
    """Return the latest windows only.

    >>> latest(WindowCounts(1, {3: 1, 7: 2, 5: 4}), 2)
    WindowCounts(factor=1, counts={5: 4, 7: 2})
    """
    return WindowCounts(windows.factor, dict(sorted(windows.counts.items())[-most:]))


def most_allowed(arrival: Arrival, factor: int) -> int:
    """Return how many events a window of so many periods holds at most, where none comes too fast.

    Events that are spaced are some whole number of ticks apart, and the first and the last may be at the edges.

    >>> most_allowed(Arrival(5, 10), 4), most_allowed(Arrival(1, 10, spaced=True), 4)
    (20, 4)
    >>> most_allowed(Arrival(2, 3, spaced=True), 1), most_allowed(Arrival(2, 3, spaced=True), 2)
    (2, 3)
    """
    if not arrival.spaced:
        return factor * arrival.count
    apart = -(-arrival.per // arrival.count)
    return 1 + (factor * arrival.per - 1) // apart


def is_broken(arrival: Arrival, windows: WindowCounts) -> bool:
    """Say whether some window holds more events than a rate allows."""
    return max(windows.counts.values(), default=0) > most_allowed(arrival, windows.factor)
