"""What the two sides of a stage must have in common, as numbers; without any keys all have the number 0."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cepheid.algebra.expressions import Expr
from cepheid.engine.kernels.columns.row_store import KeyedRows
from cepheid.engine.kernels.columns.state_bytes import Entry
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask
from cepheid.engine.kernels.facts.shapes import Part
from cepheid.engine.kernels.intake.key_space import KeySpace
from cepheid.engine.kernels.sequences.rule_kernel import MANY_KEYS
from cepheid.engine.kernels.stages.stages import Context
from cepheid.engine.kernels.tables.occurrences import Occurrences, View


class StageKeys:
    """The keys of a stage, of so many expressions; the first of them are those that its rule is detected `per`."""

    def __init__(self, width: int, per: int, context: Context) -> None:
        self.width = width
        self.space = KeySpace(width, per, context.tables.words, context.marks)

    def __len__(self) -> int:
        return len(self.space)

    @property
    def known(self) -> int:
        """How many keys there are."""
        return len(self.space.whole)

    def of(self, found: Occurrences, keys: tuple[Expr, ...], view: View) -> tuple[Occurrences, int | Data]:
        """Return the occurrences that have a key, and their keys."""
        if not self.width or not len(found):
            return found, 0
        numbers, present = self.numbers(found, keys, view)
        return (found, numbers) if present is None else (found.only(present), numbers[present])

    def numbers(self, found: Occurrences, keys: tuple[Expr, ...], view: View) -> tuple[Data, Mask | None]:
        """Return the number of every key, and where there is one; None: everywhere."""
        return self.space.numbers(Part("", frozenset(), None, keys), view.frame(found))

    def or_none(self, found: Occurrences, keys: tuple[Expr, ...], view: View) -> Data:
        """Return the number of every key, -1 where there is none."""
        if not self.width or not len(found):
            return np.zeros(len(found), np.int32)
        numbers, present = self.numbers(found, keys, view)
        return numbers if present is None else np.where(present, numbers, np.int32(-1))

    def forgotten(self, numbers: Data) -> Data:
        """Forget keys that are in no row any more, where they are many; return the keys of rows."""
        used = np.unique(numbers)
        if not self.space.keep(used, MANY_KEYS):
            return numbers
        new = np.zeros(int(used.max()) + 1 if len(used) else 1, np.int32)
        new[used] = np.arange(len(used), dtype=np.int32)
        found: Data = new[numbers]
        return found

    def forget(self, log: KeyedRows) -> None:
        """Forget keys that no row of a log has any more, where they are many; its rows are to be listed anew."""
        before, keys = self.known, log.key[: log.top]
        keys[:] = self.forgotten(keys)
        if self.known != before:
            log.blank_keys(len(self))

    def written(self) -> dict[str, Entry]:
        return self.space.written()

    def take_up(self, entries: Mapping[str, Any]) -> None:
        self.space.take_up(entries)
