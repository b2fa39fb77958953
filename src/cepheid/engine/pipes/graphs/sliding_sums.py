"""Sums over the last values, correctly rounded, in time that does not grow with their number.

Floats are added as whole multiples of a power of two that divides all of them, which loses nothing; the sum is rounded
once, when it is told. What is no number, or not finite, is summed as the definition does while it is in the window.
"""

import math
from collections import deque
from collections.abc import Iterator
from typing import Final

from cepheid.algebra.graphs.functions import NOTHING
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.running import Column
from cepheid.algebra.graphs.sums import exact_sum
from cepheid.engine.pipes.graphs.cells import InCell
from cepheid.events.values import integer

CUT: Final = 1.5 * 2.0**36
"""What is added to a float and taken away again makes it a multiple of 2**-16."""
GRAIN: Final = 2.0**57
COARSE: Final = 2.0**-4
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


def most(size: int) -> float:
    """Return what all usual floats of a window are smaller than, so that their sums are exact floats."""
    return 2.0**34 / size if size <= _LARGEST_WINDOW else 0.0


def is_usual(value: float, limit: float) -> bool:
    """Say whether a float can be cut into a multiple of 2**-16 and a rest without loss."""
    if not -limit < value < limit:
        return False
    return value >= COARSE or value <= -COARSE or ((value - (value + CUT - CUT)) * GRAIN).is_integer()


class ConstantSum:
    """The sum of a window in which all values are the same whole number."""

    def __init__(self, initial: int, value: int, size: int) -> None:
        self.initial, self.value, self.seen = initial, value, 0
        self.full = integer(initial + value * size)

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
        return [self.full] * count

    def slide_one(self, value: Thing, size: int) -> Thing:
        """Take one value, and return the sum where a window of this size is complete, else `NOTHING`."""
        if self.seen < size:
            self.seen += 1
        return self.full if self.seen == size else NOTHING


class SlidingSum:
    """The sum of the values of a window, with what a cumulation starts with."""

    high, low, total = InCell[float](), InCell[float](), InCell[int]()
    in_floats, in_whole, is_ready = InCell[bool](), InCell[bool](), InCell[bool]()

    def __init__(self, initial: Thing, size: int) -> None:
        self.initial = [] if initial is NOTHING else [initial]
        self.window: deque[Thing] = deque()
        self._parts: deque[int | None] = deque()
        self._scale = _FIRST_SCALE
        self._power, self._inverse = 2.0**_FIRST_SCALE, 2.0**-_FIRST_SCALE
        self._total = self._floats = self._others = 0
        # How many of the last values were usual floats, or whole numbers; a window of these has a shorter way. Where
        # another one came, nobody looks for it for a while.
        self.usual = self.whole = self._pause = 0
        self.is_ready = False
        self._limit = most(size)
        self._starts_plainly = self.initial == [0] and type(self.initial[0]) is int
        self._is_short = False
        self.high, self.low, self.total = 0.0, 0.0, 0
        self.in_floats = self.in_whole = False
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
        self.usual = self.whole = 0
        self.is_ready = False
        rest = iter(column)
        while not self._slide_floats(rest, size, outputs):
            pass
        return outputs

    def slide_one(self, value: Thing, size: int) -> Thing:
        """Take one value, and return the sum where a window of this size is complete, else `NOTHING`."""
        if self._is_short:
            self._catch_up()
        if self._pause:
            self._pause -= 1
        else:
            self._note(value, size)
        self.add(value)
        if len(self.window) > size:
            self.drop()
        return self.told() if len(self.window) == size else NOTHING

    def _note(self, value: Thing, size: int) -> None:
        """Count a value among the usual ones."""
        kind = type(value)
        if kind is int and not self.usual:
            self.whole += 1
        elif kind is float and not self.whole and is_usual(value, self._limit):
            self.usual += 1
        else:
            self.usual = self.whole = 0
            self._pause, self.is_ready = size, False
        if self._starts_plainly and (self.usual == size or self.whole == size):
            self.is_ready = True

    def can_shorten(self, kind: type, size: int) -> bool:
        """Say whether all values of a window of this size are usual floats, or whole numbers."""
        return self._starts_plainly and (self.usual if kind is float else self.whole) >= size

    def shorten(self, kind: type) -> None:
        """Keep the sum from now on as those do who take such values one by one.

        A usual float is a multiple of 2**-16 and a rest; the sums of both are exact, and adding them rounds once.
        """
        self._is_short = True
        if kind is int:
            self.total, self.in_whole = sum(self.window), True
            return
        cuts = [value + CUT - CUT for value in self.window]
        self.high, self.in_floats = sum(cuts, 0.0), True
        self.low = sum((value - cut for value, cut in zip(self.window, cuts, strict=True)), 0.0)

    def _catch_up(self) -> None:
        """Count the values that were taken since `shorten`."""
        if self._is_short:
            self.in_floats = self.in_whole = self._is_short = False
            taken = list(self.window)
            self.window.clear()
            self._parts.clear()
            self._total = self._floats = self._others = 0
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
