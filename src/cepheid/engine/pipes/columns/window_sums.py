"""Sums over windows of a column of floats, each correctly rounded, all at once.

Each number is cut into three whole numbers, `high + middle / 2**40 + low / 2**70`, after a power of two has made all
windows small. Their running sums are exact, so are their differences; high and middle make one float exactly, and
adding the low part rounds once; numbers that have no low part need one sum alone. Windows with a number that has finer
parts are summed one by one.
"""

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

_MIDDLE, _LOW = 40, 30
_LARGEST_WINDOW = 1 << 13
"""So that the sum of all middle parts is a float."""


def window_sums(values: Floats, size: int) -> Floats | None:
    """Return the sum of each window; None where a number is not finite, or where they are too different in size."""
    count = len(values) - size + 1
    if count <= 0:
        return np.empty(0)
    if size > _LARGEST_WINDOW:
        return None
    largest = float(np.max(np.abs(values)))
    if not math.isfinite(largest) or largest * size > 1e290 or (largest and largest < 1e-200):
        return None
    # So that no window has a high part of more than 12 bits.
    power = 12 - math.frexp(largest * size)[1] if largest else 0
    scaled = values * 2.0**power
    if not np.array_equal(scaled * 2.0**-power, values):
        return None  # some are so small beside others that they lost bits
    whole = scaled * 2.0**_MIDDLE
    if np.array_equal(np.trunc(whole), whole):
        return _slid(whole, size) * 2.0 ** (-_MIDDLE - power)
    high, rest = _cut(scaled, 0)
    middle, rest = _cut(rest, _MIDDLE)
    low, rest = _cut(rest, _LOW)
    sums = _slid(high, size) + _slid(middle, size) * 2.0**-_MIDDLE
    sums = (sums + _slid(low, size) * 2.0 ** (-_MIDDLE - _LOW)) * 2.0**-power
    odd = np.flatnonzero(rest)
    if len(odd) * size > len(values):
        return None
    for place in _windows_of(odd, size, count):
        sums[place] = math.fsum(values[place : place + size])
    return sums


def window_sums_of_integers(values: NDArray[np.int64], size: int) -> NDArray[np.int64] | None:
    """Return the sum of each window; None where running sums may leave 64 bits."""
    if len(values) < size:
        return np.empty(0, dtype=np.int64)
    largest = max(abs(int(values.min())), abs(int(values.max())))
    if largest * len(values) >= 1 << 62:
        return None
    running = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(values)))
    slid: NDArray[np.int64] = running[size:] - running[:-size]
    return slid


def _cut(rest: Floats, bits: int) -> tuple[Floats, Floats]:
    """Return the whole part of numbers after some bits were moved up, and what is left of them; both are exact."""
    moved = rest * 2.0**bits
    whole = np.trunc(moved)
    return whole, moved - whole


def _slid(parts: Floats, size: int) -> Floats:
    """Return the sums of windows of whole numbers, which are exact."""
    running = np.cumsum(parts.astype(np.int64))
    slid = running[size - 1 :].copy()
    slid[1:] -= running[:-size]
    return slid.astype(np.float64)


def _windows_of(places: NDArray[np.intp], size: int, count: int) -> list[int]:
    """Return the windows in which one of these places lies."""
    return sorted(
        {window for place in places.tolist() for window in range(max(0, place - size + 1), min(place + 1, count))}
    )
