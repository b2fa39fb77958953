"""Sums that are rounded once: of floats as `math.fsum` does, of whole numbers exactly."""

import math
from collections.abc import Sequence
from functools import reduce
from typing import Final

from cepheid.algebra.graphs.objects import Thing, operation_named
from cepheid.events.values import integer

_add = operation_named("+")
_EXACT: Final = 1 << 53
"""Whole numbers up to here are floats too."""


def exact_sum(values: Sequence[Thing]) -> Thing:
    """Return the sum of numbers, correctly rounded; other objects are added one after the other.

    >>> exact_sum([0, 1e100, 1.0, -1e100]), exact_sum([2**62, 2**62, -(2**62)]) == 2**62, exact_sum([1, None]) is None
    (1.0, True, True)
    """
    if all(type(value) is int for value in values):
        return integer(sum(values))
    if all(type(value) is int or type(value) is float for value in values):
        return float_sum(values)
    return reduce(_add, values)


def float_sum(values: Sequence[float]) -> float:
    """Return the correctly rounded sum of numbers; where it is too large, infinity, and opposite ones have none."""
    odd = [value for value in values if not _is_finite(value)]
    if odd:
        return sum(odd)
    try:
        has_large = any(type(value) is int and abs(value) > _EXACT for value in values)
        return _by_ratios(values) if has_large else math.fsum(values)
    except OverflowError:
        return _by_ratios(values)


def _is_finite(value: float) -> bool:
    return type(value) is int or math.isfinite(value)


def _by_ratios(values: Sequence[float]) -> float:
    """Return the sum where a part of it is no float: by whole numbers, which lose nothing."""
    numerators = [value.as_integer_ratio() for value in values]
    scale = max(denominator for _, denominator in numerators)
    total = sum(numerator * (scale // denominator) for numerator, denominator in numerators)
    try:
        return total / scale
    except OverflowError:
        return math.inf if total > 0 else -math.inf
