"""Numbers for keys: every different value of a key has a small number, by which state is found in arrays.

Whole numbers are told apart by a hash table in machine code; all else has a mark in a dictionary first.
"""

from collections.abc import Callable, Hashable

import numpy as np
import numpy.typing as npt

from cepheid.engine.kernels.columns.columns import Column, Kind, values_of
from cepheid.engine.kernels.columns.intake_kernels import NAME_KEYS_TYPES, name_keys
from cepheid.engine.kernels.columns.words import KeyMarks, Words
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask
from cepheid.events import Value, values

Numbers = npt.NDArray[np.int32]
WHOLE, WORD, MARKED, PAIRED = 0, 1, 2, 3
LEAST_ROOM = 1024
SMALL = 1 << 14
GROWTH = 4
_FIRST_ROWS = np.arange(SMALL, dtype=np.uint32)


class KeyNumbers:
    """The numbers of the keys seen so far."""

    def __init__(self) -> None:
        self.known = np.zeros(LEAST_ROOM, np.int64)
        self.spaces = np.zeros(LEAST_ROOM, np.int8)
        self.table = np.full(2 * LEAST_ROOM, -1, np.int32)
        # Small numbers, which most keys are, are found without hashing.
        self.direct = np.full(SMALL, -1, np.int32)
        self.control = np.zeros(1, np.int64)

    def __len__(self) -> int:
        return int(self.control[0])

    def of(self, found: Data, space: int) -> Numbers:
        """Return the number of every value."""
        count = len(found)
        numbers = np.empty(count, np.int32)
        self.write(found, _FIRST_ROWS[:count] if count <= SMALL else np.arange(count, dtype=np.uint32), space, numbers)
        return numbers

    def write(self, found: Data, rows: Data, space: int, numbers: Numbers, top: int = 0) -> None:
        """Write the numbers of some of the values, from a place on."""
        flat, kernel = np.ascontiguousarray(found, np.int64), compiled(name_keys, NAME_KEYS_TYPES)
        self.let(lambda first, *own: kernel(flat, rows, space, first, *own, top, numbers), len(rows))

    def let(self, name: Callable[..., int], last: int) -> None:
        """Let a kernel name the keys of all rows before `last`, with more room whenever it has none.

        It is called with the row to begin at and with the tables, and returns the row at which room ended.
        """
        first = 0
        while (first := name(first, self.direct, self.table, self.known, self.spaces, self.control)) < last:
            count = len(self)
            self.restore(self.known[:count], self.spaces[:count], max(GROWTH * len(self.known), SMALL))

    def keep(self, numbers: Numbers) -> None:
        """Forget all keys but some, which are numbered anew in this order."""
        known, spaces = self.known[numbers], self.spaces[numbers]
        self.restore(known, spaces)

    def restore(self, known: Data, spaces: Data, least: int | None = None) -> None:
        """Take up keys in the order of their numbers, with room for some more."""
        self.control[0] = 0
        self.direct[:] = -1
        room = max(LEAST_ROOM if least is None else least, 2 << len(known).bit_length())
        self.known, self.spaces = np.zeros(room, np.int64), np.zeros(room, np.int8)
        self.table = np.full(2 * room, -1, np.int32)
        some = np.unique(spaces).tolist()
        for space in some:
            # Each space goes through the kernel on its own, so numbers are put right afterwards.
            self.of(known[spaces == space], space)
        if len(some) > 1:
            self._renumber(np.concatenate([np.flatnonzero(spaces == space) for space in some]))

    def _renumber(self, order: Data) -> None:
        used = self.table >= 0
        self.table[used] = order[self.table[used]]
        count = len(self)
        known, spaces = self.known[:count].copy(), self.spaces[:count].copy()
        self.known[order], self.spaces[order] = known, spaces
        small = self.direct >= 0
        self.direct[small] = order[self.direct[small]]


def key_parts(column: Column, marks: KeyMarks, words: Words, *, equal: bool) -> tuple[Data, int | Data, Mask | None]:
    """Return every value of a key as a whole number or a mark, in which space that is, and where there is a key.

    One space stands for all values, and no mask for a key everywhere. `equal`: the key comes of an equality, and a list
    or record with a null in it equals nothing.
    """
    if column.kind in (Kind.INT, Kind.TEXT):
        return column.data, WHOLE if column.kind is Kind.INT else WORD, column.valid
    told = [_marked(value, marks, words, equal) for value in values_of(column, words)]
    spaces = np.array([space for space, _ in told], np.int8)
    return np.array([mark for _, mark in told], np.int64), spaces, spaces >= 0


def _marked(value: Value, marks: KeyMarks, words: Words, equal: bool) -> tuple[int, int]:
    key: Hashable = values.key_of(value)
    if key is None or (equal and values.equal(value, value) is not True):
        return -1, 0
    if isinstance(key, int) and values.integer(key) is not None:
        return WHOLE, key
    if isinstance(key, str):
        return WORD, words.code(key)
    return MARKED, marks.code(key)
