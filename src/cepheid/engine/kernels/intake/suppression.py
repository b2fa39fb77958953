"""What is left out after a match, in columns: for every key when the last match that passed ended."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cepheid.algebra.expressions import Expr
from cepheid.engine.kernels.columns.column_evaluation import Frame
from cepheid.engine.kernels.columns.row_store import ByKey, KeyStore
from cepheid.engine.kernels.columns.state_bytes import Entry
from cepheid.engine.kernels.columns.words import KeyMarks, Words
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask
from cepheid.engine.kernels.facts.shapes import Part
from cepheid.engine.kernels.intake.key_space import KeySpace

NEVER = -(1 << 62)
MANY_KEYS = 1 << 10

PASS = """
def run(numbers, ends, apart, last, passed):
    \"\"\"Say which matches pass: each that ends more than a span after the last of its key that did.\"\"\"
    for m in range(ends.shape[0]):
        k = numbers[m]
        if last[k] == NEVER or ends[m] > last[k] + apart:
            last[k] = ends[m]
            passed[m] = True
"""


class Suppression(KeyStore):
    """When the last match of each key ended, by the number of the key; keys whose span is over are forgotten."""

    last: Data

    def __init__(self, keys: tuple[Expr, ...], apart: int, words: Words, marks: KeyMarks) -> None:
        self.part, self.apart = Part("", frozenset(), None, keys), apart
        self.space = KeySpace(len(keys), len(keys), words, marks, nulls=True)
        super().__init__(last=ByKey(np.int64, None, NEVER, written=True))
        self.many = MANY_KEYS

    def numbers(self, frame: Frame, newest: int) -> Data:
        """Return the number of the key of every match; none of them ends before the newest one."""
        if len(self.space) > self.many:
            self.forget(newest)
            self.many = 2 * len(self.space) + MANY_KEYS
        numbers, _ = self.space.numbers(self.part, frame)
        self.make_room_for_keys(len(self.space))
        return numbers

    def passing(self, numbers: Data, ends: Data) -> Mask:
        """Say which matches pass, which come in order."""
        passed: Mask = np.zeros(len(ends), np.bool_)
        compiled(PASS)(np.ascontiguousarray(numbers), np.ascontiguousarray(ends), self.apart, self.last, passed)
        return passed

    def forget(self, frontier: int) -> None:
        """Forget the keys that keep nothing away any more that ends at the frontier or later."""
        used = np.flatnonzero(self._near(frontier)[: len(self.space)])
        if self.space.keep(used, MANY_KEYS):
            self.keep_keys(used)

    def live(self, frontier: int) -> int:
        """Return how many keys keep something away that ends at the frontier or later."""
        return int(np.count_nonzero(self._near(frontier)))

    def _near(self, frontier: int) -> Mask:
        near: Mask = (self.last != NEVER) & (self.last + self.apart >= frontier)
        return near

    def written(self) -> dict[str, Entry]:
        """Return the state by name."""
        return super().written() | self.space.written("named", "named in")

    def take_up(self, entries: Mapping[str, Any], keys: int = 1) -> None:
        """Go on from a state that `written` gave."""
        super().take_up(entries, keys)
        self.space.take_up(entries, "named", "named in")
