"""Lengths of time as they are read: with a unit, or a lone number whose unit depends on where it stands.

within 5 s        within 5        position(start(b)) - position(end(a)) <= 5
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from cepheid.algebra.relations import Axis, Ticks
from cepheid.diagnostics import Span
from cepheid.languages.cep.mistakes import mistake
from cepheid.languages.shared.lengths import MOST_DIGITS, beyond_counting


@dataclass(frozen=True, slots=True)
class Bare:
    """A number without a unit, and its place."""

    number: Fraction
    span: Span


Length: TypeAlias = Ticks | Bare


def ticks_of(length: Length, unit: Ticks, axis: Axis = Axis.TIME) -> Ticks:
    """Return a length in ticks, where a lone number counts `unit` of them; records are counted as they are.

    >>> ticks_of(5_000_000, unit=1000)
    5000000
    """
    if not isinstance(length, Bare):
        return length
    counted = length.number * (unit if axis is Axis.TIME else 1)
    if abs(counted) >= 10**MOST_DIGITS:
        raise beyond_counting(length.span)
    if counted.denominator == 1:
        return int(counted)
    raise mistake("this is no whole number of steps", length.span, "it has a fraction", "write a unit: `1500 us`")
