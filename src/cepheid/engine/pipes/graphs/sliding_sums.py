"""Sums over the last values, correctly rounded, in time that does not grow with their number.

Floats are added as whole multiples of a power of two that divides all of them, which loses nothing; the sum is rounded
once, when it is told. What is no number, or not finite, is summed as the definition does while it is in the window.
"""

import math
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from cepheid.algebra.graphs.functions import NOTHING
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.running import Column
from cepheid.algebra.graphs.sums import exact_sum
from cepheid.events.values import integer

Give: TypeAlias = Callable[[Thing], Thing]
"""Takes one value, and gives the output that it has or `NOTHING`."""

_CUT: Final = 1.5 * 2.0**36
"""What is added to a float and taken away again makes it a multiple of 2**-16."""
_GRAIN: Final = 2.0**57
_COARSE: Final = 2.0**-4
"""Floats that are larger than this are multiples of 1 / grain."""
_LARGEST_WINDOW: Final = 1 << 13
"""So that the sum of all rests is an exact float."""

_FIRST_SCALE: Final = 16
_MORE: Final = 16
"""How many bits finer multiples become at least, so that they seldom do; small numbers are added faster."""
_LARGEST: Final = 2.0**100
_LEAST: Final = 2.0**-800
"""Floats that are smaller or larger than these are summed as the definition does."""
_FINEST: Final = 860
"""Of the least of them, the power that divides it."""


class ConstantSum:
    """The sum of a window in which all values are the same whole number."""

    def __init__(self, initial: int, value: int) -> None:
        self.initial, self.value, self.seen = initial, value, 0

    def add(self, value: Thing) -> None:
        """Take the next value."""
        self.seen += 1

    def drop(self) -> None:
        """Let go of the oldest value."""
        self.seen -= 1

    def told(self) -> Thing:
        """Return the sum."""
        return integer(self.initial + self.value * self.seen)

    def slide(self, column: Column, size: int) -> Column:
        """Take several values, and return the sum after each with which a window of this size is complete."""
        before, self.seen = self.seen, min(size, self.seen + len(column))
        count = max(0, before + len(column) - size + 1) - max(0, before - size + 1)
        return [integer(self.initial + self.value * size)] * count

    def giver(self, size: int) -> Give:
        """Return what takes one value, and gives the sum where a window of this size is complete."""
        full = integer(self.initial + self.value * size)

        def give(value: Thing) -> Thing:
            if self.seen < size:
                self.seen += 1
                if self.seen < size:
                    return NOTHING
            return full

        return give


class SlidingSum:
    """The sum of the values of a window, with what a cumulation starts with."""

    def __init__(self, initial: Thing) -> None:
        self.initial = [] if initial is NOTHING else [initial]
        self.window: deque[Thing] = deque()
        self._parts: deque[int | None] = deque()
        self._scale = _FIRST_SCALE
        self._power, self._inverse = 2.0**_FIRST_SCALE, 2.0**-_FIRST_SCALE
        self._total = self._floats = self._others = 0
        self._singly = 0  # how many values of the window are counted by a `giver` alone
        for value in self.initial:
            self._count(value)

    def add(self, value: Thing) -> None:
        """Take the next value."""
        self.window.append(value)
        self._parts.append(self._count(value))

    def drop(self) -> None:
        """Let go of the oldest value."""
        value, part = self.window.popleft(), self._parts.popleft()
        if part is None:
            self._others -= 1
        else:
            self._total -= part
            self._floats -= type(value) is float

    def told(self) -> Thing:
        """Return the sum."""
        if self._others:
            return exact_sum([*self.initial, *self.window])
        if self._floats:
            return math.ldexp(self._total, -self._scale)
        return integer(self._total >> self._scale)

    def slide(self, column: Column, size: int) -> Column:
        """Take several values, and return the sum after each with which a window of this size is complete."""
        outputs: Column = []
        self._catch_up()
        rest = iter(column)
        while not self._slide_floats(rest, size, outputs):
            pass
        return outputs

    def giver(self, size: int) -> Give:
        """Return what takes one value, and gives the sum where a window of this size is complete.

        As long as all values are usual floats, each is cut into a multiple of 2**-16 and a rest, and both sums are
        exact floats: adding them rounds once. Everything else counts anew in the way of the others.
        """
        window, limit = self.window, 2.0**34 / size
        add, drop = window.append, window.popleft
        high = low = 0.0
        in_floats = size <= _LARGEST_WINDOW and self.initial == [0] and type(self.initial[0]) is int

        def give(value: Thing) -> Thing:
            nonlocal high, low, in_floats
            if in_floats and self._singly == len(window) and type(value) is float and -limit < value < limit:
                cut = value + _CUT - _CUT
                rest = value - cut
                if value >= _COARSE or value <= -_COARSE or (rest * _GRAIN).is_integer():
                    add(value)
                    if len(window) > size:
                        old = drop()
                        gone = old + _CUT - _CUT
                        high += cut - gone
                        low += rest - (old - gone)
                        return high + low
                    high += cut
                    low += rest
                    self._singly += 1
                    return high + low if self._singly == size else NOTHING
            in_floats = False
            self._catch_up()
            outputs: Column = []
            self._slide_one(value, size, outputs)
            return outputs[0] if outputs else NOTHING

        return give

    def _catch_up(self) -> None:
        """Count the values that were taken one by one."""
        if self._singly:
            taken, self._singly = list(self.window), 0
            self.window.clear()
            for value in taken:
                self.add(value)

    def _slide_floats(self, rest: Iterator[Thing], size: int, outputs: Column) -> bool:
        """Slide as long as there are floats that need no finer multiples, and say whether that was all."""
        window, parts, told = self.window, self._parts, outputs.append
        total, floats, power, inverse = self._total, self._floats, self._power, self._inverse
        is_plain = not self._others
        for value in rest:
            if is_plain and type(value) is float and -_LARGEST < value < _LARGEST:
                scaled = value * power
                part = int(scaled)
                if part == scaled:
                    window.append(value)
                    parts.append(part)
                    total += part
                    floats += 1
                    if len(window) > size:
                        floats -= type(window.popleft()) is float
                        total -= parts.popleft()  # type: ignore[operator]  # all are numbers, for now
                    if len(window) == size:
                        told(float(total) * inverse)
                    continue
            self._total, self._floats = total, floats
            self._slide_one(value, size, outputs)
            return False
        self._total, self._floats = total, floats
        return True

    def _slide_one(self, value: Thing, size: int, outputs: Column) -> None:
        self.add(value)
        if len(self.window) > size:
            self.drop()
        if len(self.window) == size:
            outputs.append(self.told())

    def _count(self, value: Thing) -> int | None:
        """Return a value as a multiple, counted in; None for what is summed otherwise."""
        if type(value) is int:
            part = value << self._scale
        elif type(value) is float and -_LARGEST < value < _LARGEST and not 0 < abs(value) < _LEAST:
            part = self._finer(value)
            self._floats += 1
        else:
            self._others += 1
            return None
        self._total += part
        return part

    def _finer(self, value: float) -> int:
        """Return a float as a whole multiple, of a finer power of two where that is needed."""
        numerator, denominator = value.as_integer_ratio()
        needed = denominator.bit_length() - 1
        if needed > self._scale:
            more = max(needed - self._scale, min(_MORE, _FINEST - self._scale))
            self._scale, self._total = self._scale + more, self._total << more
            self._power, self._inverse = 2.0**self._scale, 2.0**-self._scale
            finer = [None if part is None else part << more for part in self._parts]
            self._parts.clear()
            self._parts.extend(finer)
        return numerator << (self._scale - needed)
