"""Running sums that are rounded once, as the definition has them inside windows.

Whole numbers and floats are added as whole multiples of the least float, which loses nothing.
"""

import math
from typing import Final

from cepheid.algebra.graphs.functions import NOTHING
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.running import Column, Outputs, Stepwise
from cepheid.algebra.graphs.sums import exact_sum
from cepheid.events.values import integer

_LEAST: Final = 1 << 1074
"""How many of the least floats make one."""


class ExactTotal(Stepwise):
    """The sum so far of whole numbers and of floats; the values themselves once there is another object among them."""

    kept = ("whole", "parts", "has_floats", "values")

    def __init__(self, initial: Thing) -> None:
        self.whole, self.parts, self.has_floats = 0, 0, False
        self.values: Column = [] if initial is NOTHING else [initial]
        self.is_plain = True

    def take(self, *columns: Column) -> Outputs:
        return [self._added(value) for value in columns[0]]

    def _added(self, value: Thing) -> Thing:
        self.values.append(value)
        if len(self.values) <= 2 or not self.is_plain:
            return self._by_definition()
        return self._told() if self._counts(value) else self._by_definition()

    def _by_definition(self) -> Thing:
        self.whole, self.parts, self.has_floats = 0, 0, False
        self.is_plain = all(self._counts(value) for value in self.values)
        return exact_sum(self.values)

    def _counts(self, value: Thing) -> bool:
        if type(value) is int:
            self.whole += value
            return True
        if type(value) is not float or not math.isfinite(value):
            self.is_plain = False
            return False
        numerator, denominator = value.as_integer_ratio()
        self.parts += numerator * (_LEAST // denominator)
        self.has_floats = True
        return True

    def _told(self) -> Thing:
        if not self.has_floats:
            return integer(self.whole)
        try:
            return (self.whole * _LEAST + self.parts) / _LEAST
        except OverflowError:
            return exact_sum(self.values)

    def restore(self, state: Thing) -> None:
        super().restore(state)
        self._by_definition()
