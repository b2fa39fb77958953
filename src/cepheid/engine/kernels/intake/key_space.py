"""The keys of a rule: one number for the values that several expressions have together."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cepheid.engine.kernels.columns.column_evaluation import Frame, column_for
from cepheid.engine.kernels.columns.columns import Column, Kind, as_objects
from cepheid.engine.kernels.columns.key_numbers import MARKED, PAIRED, WHOLE, WORD, KeyNumbers, Numbers, key_parts
from cepheid.engine.kernels.columns.state_bytes import Coded, Entry
from cepheid.engine.kernels.columns.words import KeyMarks, Words
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows
from cepheid.engine.kernels.facts.shapes import Part

LOW = (1 << 32) - 1


class KeySpace:
    """Numbers for each expression of the key where there are several, and for all of them together.

    With `nulls`, null is a value like any other.
    """

    def __init__(self, width: int, per: int, words: Words, marks: KeyMarks, *, nulls: bool = False) -> None:
        self.width, self.per, self.words, self.marks, self.nulls = width, per, words, marks, nulls
        self.whole = KeyNumbers()
        self.single = [KeyNumbers() for _ in range(width)] if width > 1 else []

    def __len__(self) -> int:
        return max(len(self.whole), 1)

    def each(self) -> list[KeyNumbers]:
        """Return the numbers of all together, then those of each expression."""
        return [self.whole, *self.single]

    def numbers(self, part: Part, frame: Frame) -> tuple[Numbers, Mask | None]:
        """Return the key of every row as an event of that part, and where there is one; None: everywhere."""
        if not self.width:
            return np.zeros(frame.count, np.int32), None
        found: Data | None = None
        there: Mask | None = None
        for place, expression in enumerate(part.keys):
            column = column_for(expression, frame)
            data, spaces, present = key_parts(column, self.marks, self.words, equal=place >= self.per)
            if self.nulls and present is not None:
                # Nothing else has the mark of null.
                data = np.where(present, data, self.marks.code(None))
                spaces, present = np.where(present, spaces, MARKED), None
            if self.width == 1:
                return self._named(self.whole, data, spaces, present), present
            numbers = self._named(self.single[place], data, spaces, present).astype(np.int64)
            there = present if there is None else there if present is None else there & present
            found = (
                numbers if found is None else (self.whole.of(found, PAIRED + place).astype(np.int64) << 32) | numbers
            )
        assert found is not None
        return self.whole.of(found, WHOLE), there

    def written(self, known: str = "known", spaces: str = "spaces") -> dict[str, Entry]:
        """Return all keys by name."""
        found: dict[str, Entry] = {}
        for number, keys in enumerate(self.each()):
            own = keys.spaces[: len(keys)]
            found |= {f"{known} {number}": Coded(keys.known[: len(keys)], own == WORD), f"{spaces} {number}": own}
        return found

    def take_up(self, entries: Mapping[str, Any], known: str = "known", spaces: str = "spaces") -> None:
        for number, keys in enumerate(self.each()):
            keys.restore(entries[f"{known} {number}"], entries[f"{spaces} {number}"])

    def coded(self, column: Column, *, equal: bool) -> Numbers:
        """Return the numbers of the values of one column, -1 where it is null; `equal`: or equals nothing."""
        if column.kind in (Kind.FLOAT, Kind.BOOL):
            some, which = np.unique(column.data, return_inverse=True)
            numbers = self.coded(as_objects(Column(column.kind, some), self.words), equal=equal)[which]
            return numbers if column.valid is None else np.where(column.valid, numbers, np.int32(-1))
        data, spaces, present = key_parts(column, self.marks, self.words, equal=equal)
        numbers = self._named(self.whole, data, spaces, present)
        return numbers if present is None else np.where(present, numbers, np.int32(-1))

    def keep(self, numbers: Rows, many: int) -> bool:
        """Forget all keys but some, which are numbered anew in this order, unless there are not many others."""
        if len(self) <= 2 * self.width * len(numbers) + many or not self.width:
            return False
        if self.width == 1:
            self.whole.keep(numbers.astype(np.int32))
        else:
            self._keep_together(numbers)
        return True

    def _keep_together(self, numbers: Rows) -> None:
        """Keep of each expression the values that some keys have, and what the first of them have together.

        A key of several expressions is the number of its last value and, above it, of what it has in common with others
        before that; these have their numbers after the keys that are kept.
        """
        known, told = self.whole.known[numbers], list[tuple[Data, Data]]()
        for place in range(self.width - 1, 0, -1):
            self.single[place].keep(used := np.unique(known & LOW).astype(np.int32))
            before, which = np.unique(known >> 32, return_inverse=True)
            told.append((np.searchsorted(used, known & LOW), which))
            known = self.whole.known[before]
        self.single[0].keep(used := np.unique(known).astype(np.int32))
        found, spaces = [np.searchsorted(used, known).astype(np.int64)], [np.full(len(known), PAIRED + 1, np.int8)]
        for place, (last, which) in enumerate(reversed(told), start=2):
            first = len(numbers) + sum(len(one) for one in found[:-1])
            found.append(((first + which).astype(np.int64) << 32) | last)
            spaces.append(np.full(len(last), PAIRED + place if place < self.width else WHOLE, np.int8))
        order = (found.pop(), *found), (spaces.pop(), *spaces)
        self.whole.restore(np.concatenate(order[0]), np.concatenate(order[1]))

    def _named(self, numbers: KeyNumbers, data: Data, spaces: int | Data, present: Mask | None) -> Numbers:
        if isinstance(spaces, int):
            return numbers.of(data, spaces)
        found = np.zeros(len(data), np.int32)
        for space in (WHOLE, WORD, MARKED):
            rows = spaces == space if present is None else (spaces == space) & present
            found[rows] = numbers.of(data[rows], space)
        return found
