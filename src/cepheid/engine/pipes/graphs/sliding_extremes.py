"""The least or the greatest of the last values, in time that does not grow with their number.

Only values that may still become the extreme are kept in order. While there is something in the window that is no
number, the definition is asked.
"""

from collections import deque
from functools import reduce

from cepheid.algebra.graphs.functions import NOTHING
from cepheid.algebra.graphs.objects import Thing, operation_named
from cepheid.algebra.graphs.running import Column


class SlidingExtreme:
    """The least or the greatest of the values of a window, the first of those that are equal."""

    def __init__(self, function: str, initial: Thing) -> None:
        self.initial = [] if initial is NOTHING else [initial]
        self.window: deque[Thing] = deque()
        self._apply = operation_named(function)
        self._is_least = function == "min"
        self._candidates: deque[Thing] = deque()
        self._others = 0

    def add(self, value: Thing) -> None:
        """Take the next value."""
        self.window.append(value)
        if not _is_number(value):
            self._others += 1
            return
        candidates = self._candidates
        while candidates and (candidates[-1] > value if self._is_least else candidates[-1] < value):
            candidates.pop()
        candidates.append(value)

    def drop(self) -> None:
        """Let go of the oldest value."""
        value = self.window.popleft()
        if not _is_number(value):
            self._others -= 1
        elif self._candidates[0] is value or self._is_same(self._candidates[0], value):
            self._candidates.popleft()

    def told(self) -> Thing:
        """Return the extreme."""
        if self._others:
            return reduce(self._apply, [*self.initial, *self.window])
        extreme = self._candidates[0]
        return self._apply(self.initial[0], extreme) if self.initial else extreme

    def slide_one(self, value: Thing, size: int) -> Thing:
        """Take one value, and return the extreme where a window of this size is complete, else `NOTHING`."""
        self.add(value)
        if len(self.window) > size:
            self.drop()
        return self.told() if len(self.window) == size else NOTHING

    def slide(self, column: Column, size: int) -> Column:
        """Take several values, and return the extreme after each with which a window of this size is complete."""
        outputs: Column = []
        for value in column:
            self.add(value)
            if len(self.window) > size:
                self.drop()
            if len(self.window) == size:
                outputs.append(self.told())
        return outputs

    def _is_same(self, one: Thing, other: Thing) -> bool:
        # Candidates stand in the order of arrival, and the oldest value is the first of them or none.
        return bool(one == other) and type(one) is type(other)


def _is_number(value: Thing) -> bool:
    return type(value) is int or (type(value) is float and value == value)
