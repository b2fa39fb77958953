"""Sums that are rounded once: of floats as `math.fsum` does, of whole numbers exactly."""

import math
from collections.abc import Sequence
from functools import reduce

from cepheid.algebra.graphs.objects import Thing, operation_named
from cepheid.events.values import integer

_add = operation_named("+")


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
    try:
        return math.fsum(values)
    except OverflowError:
        return _too_large(values)
    except ValueError:  # infinities of both signs
        return math.nan


def _too_large(values: Sequence[float]) -> float:
    """Return the sum where parts of it leave the floats: by whole numbers, which do not."""
    numerators = [float(value).as_integer_ratio() for value in values]
    scale = max(denominator for _, denominator in numerators)
    total = sum(numerator * (scale // denominator) for numerator, denominator in numerators)
    try:
        return total / scale
    except OverflowError:
        return math.inf if total > 0 else -math.inf
