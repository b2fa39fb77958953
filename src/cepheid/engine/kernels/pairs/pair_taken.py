"""Which rows of a join were taken, and by which rivals, where each of these may take them once.

A choice by a key of the other side takes a row again under another key. So a row that was taken waits on, with a mark
for each group of the other side that it was taken with.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from cepheid.engine.kernels.columns.packing import new_numbers
from cepheid.engine.kernels.columns.row_store import ByRow, RowStore
from cepheid.engine.kernels.columns.state_bytes import Entry
from cepheid.engine.kernels.compiling.typed_arrays import Data, Rows
from cepheid.engine.kernels.pairs.pair_lists import PairLists

RIVALS = 0
TAKEN = 2  # of `control`: how many marks there are


class Taken(NamedTuple):
    """The marks of all rows: of each the last one, and of each mark its row, its group and the mark before it."""

    last: Data
    row: Data
    group: Data
    before: Data


def is_taken_again(side: int) -> bool:
    """Say whether a row of a side may be taken once by each group of the other one."""
    return bool((RIVALS >> (1 - side)) & 1)


def is_free(row: int, side: int, group: int, taken: Taken) -> bool:
    """Say whether a row of a side was not taken with a group of the other one yet."""
    if is_taken_again(side):
        mark = taken.last[row]
        while mark >= 0:
            if taken.group[mark] == group:
                return False
            mark = taken.before[mark]
    return True


def note_taken(row: int, group: int, taken: Taken, control: Data) -> None:
    """Mark a row that was taken with a group."""
    mark = control[TAKEN]
    taken.row[mark], taken.group[mark], taken.before[mark] = row, group, taken.last[row]
    taken.last[row] = mark
    control[TAKEN] = mark + 1


def lacks_room(row: int, count: int, lists: PairLists, out: Data) -> bool:
    """Say whether a row may take more than there is room for: as many as there are groups, or rows before it."""
    return bool(RIVALS and out.shape[1] - count < max(lists.heads.shape[0], row))


def lacks_marks(row: int, lists: PairLists, taken: Taken, control: Data) -> bool:
    """Say whether there may be no room for the marks of what a row takes."""
    return bool(RIVALS and taken.row.shape[0] - control[TAKEN] < 2 * max(lists.heads.shape[0], row))


def link_taken(count: int, taken: Taken) -> int:
    """Let all marks be found from their rows again."""
    taken.last[:] = -1
    for mark in range(count):
        taken.before[mark] = taken.last[taken.row[mark]]
        taken.last[taken.row[mark]] = mark
    return count


class TakenLog(RowStore):
    """The marks of the rows of a log, which has `room` for so many."""

    row: Data
    group: Data
    before: Data

    def __init__(self, room: int) -> None:
        marks = ByRow(np.int32)
        super().__init__(0, row=marks, group=marks, before=ByRow(np.int32, written=False))
        self.last = np.full(room, -1, np.int32)

    @property
    def marks(self) -> Taken:
        """All marks, as kernels take them."""
        return Taken(self.last, self.row, self.group, self.before)

    def pack(self, kept: Rows, rows: int, room: int) -> None:
        """Keep the marks of some of so many rows, whose numbers change; `room` is that for rows.

        They are found from their rows again when they have been linked.
        """
        row = self.row[: self.top]
        row[:] = new_numbers(kept, rows)(row)
        self.keep(np.flatnonzero(row >= 0))
        self.last = np.full(room, -1, np.int32)

    def written(self) -> dict[str, Entry]:
        return {f"taken {name}s": entry for name, entry in super().written().items()}

    def take_up(self, entries: Mapping[str, Any], room: int = 0) -> None:
        """Go on from a state, where a log has room for so many rows; the marks are to be linked."""
        super().take_up({name: entries[f"taken {name}s"] for name in ("row", "group")})
        self.last = np.full(room, -1, np.int32)
