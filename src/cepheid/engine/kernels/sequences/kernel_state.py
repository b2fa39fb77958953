"""The state of a kernel: flat arrays, by row of the log or by key, some of which hold rows.

An array knows nothing of what it is for. That is enough to make room in it, to renumber the rows it holds when the log
is packed, to drop keys that are gone, and to write it down.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cepheid.engine.kernels.columns.fixed_kernels import expire_items, link_queue, link_runs
from cepheid.engine.kernels.columns.packing import PORTION, Kept, count_of, handy, new_numbers, packed, renumber
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows
from cepheid.engine.kernels.facts.absence_source import key_columns
from cepheid.engine.kernels.facts.shapes import Core, Shape
from cepheid.engine.kernels.intake.event_log import EventLog
from cepheid.engine.kernels.sequences.collect_source import SLACK
from cepheid.engine.kernels.sequences.count_source import pairs
from cepheid.engine.kernels.sequences.steps_source import cell, slot_width

NO_ROW = -1


@dataclass(slots=True)
class StateArray:
    """An array by row (its last axis) or by key (its first); `holds_rows`: its content are rows of the log."""

    data: Data
    by_row: bool
    holds_rows: bool

    @property
    def blank(self) -> int:
        return NO_ROW if self.holds_rows else 0


class KernelState:
    """The arrays of one shape, in the order in which its kernel takes them."""

    def __init__(self, shape: Shape, rows: int) -> None:
        self.shape = shape
        self.arrays = {name: _array(*form, rows) for name, form in _forms(shape).items()}

    def arguments(self) -> list[Data]:
        return [one.data for one in self.arrays.values()]

    def __getitem__(self, name: str) -> Data:
        return self.arrays[name].data

    @property
    def bytes_of_a_row(self) -> int:
        """How much memory all arrays by row have for one."""
        return sum(one.data.nbytes // one.data.shape[-1] for one in self.arrays.values() if one.by_row)

    def make_room_for_keys(self, count: int) -> None:
        for one in self.arrays.values():
            if not one.by_row and len(one.data) < count:
                more = np.full((2 * count, *one.data.shape[1:]), one.blank, one.data.dtype)
                more[: len(one.data)] = one.data
                one.data = more

    def live(self, log: EventLog, horizon: int | None) -> Kept:
        """Return which rows something can still come of; before the `horizon` nothing can."""
        if horizon is not None:
            self._give_up(log, horizon)
        first = 0 if horizon is None else int(np.searchsorted(log.time[: log.done], horizon))
        if self.shape.core is Core.COUNT:
            # What is to leave the window has not been counted out yet.
            first = min(first, int(log.cursors[1]))
        if self.shape.core in (Core.COLLECT, Core.COUNT):
            return slice(first, log.top)
        parts = (1 << len(self.shape.parts)) - 1
        found = self._built_upon(log) if self.shape.core is Core.GRAPH else self._held(log.top)
        found[: log.done] |= log.member[: log.done] > parts
        found[:first], found[log.done :] = False, True
        return handy(found)

    def begin(self, first: int, last: int) -> None:
        """Make the arrays by row blank where rows are new."""
        for one in self.arrays.values():
            if one.by_row:
                one.data[..., first:last] = one.blank

    def pack(self, log: EventLog, kept: Kept, room: int) -> None:
        """Renumber the rows: `kept` are those that stay, in their order; the log is still as it was."""
        new, count = new_numbers(kept, log.top), count_of(kept)
        for one in self.arrays.values():
            if one.by_row:
                one.data = packed(one.data, kept, room)
            if one.holds_rows:
                renumber(one.data[..., :count] if one.by_row else one.data, new)

    def relink(self, log: EventLog) -> None:
        """Make the lists anew, after rows in the midst of them are gone."""
        key = log.key[key_columns(self.shape)[0]]
        if self.shape.core is Core.RUNS:
            last = len(self.shape.parts) - 1
            compiled(link_runs)(log.done, key, self["heads"], self["link"], self["stage"], self["waiting"], last)
        if self.shape.core is Core.QUEUE:
            compiled(link_queue)(log.done, key, self["ends"], self["link"], self["stage"])

    def keep_keys(self, numbers: Rows) -> None:
        """Drop all keys but some, which are numbered anew in this order."""
        for one in self.arrays.values():
            if not one.by_row:
                kept = np.full((max(len(numbers), 1), *one.data.shape[1:]), one.blank, one.data.dtype)
                inside = numbers < len(one.data)
                kept[: len(numbers)][inside] = one.data[numbers[inside]]
                one.data = kept

    def _give_up(self, log: EventLog, horizon: int) -> None:
        """Drop partial matches that began too early to be completed, and items that are too old for any anchor."""
        if self.shape.core in (Core.GRAPH, Core.COUNT):
            return
        if self.shape.core is Core.COLLECT:
            key = log.key[key_columns(self.shape)[1]]
            compiled(expire_items)(horizon, log.done, log.time, key, log.member, self["sums"], log.cursors, log.numbers)
            return
        # Rows that the kernel has seen are in the order of time.
        first = int(np.searchsorted(log.time[: log.done], horizon))
        if self.shape.core is not Core.SLOTS:
            self["stage"][:first] = 0
            return
        slots = self["slots"]
        for stage in range(len(self.shape.parts) - 1):
            for place in (cell(stage), cell(stage, previous=True)):
                slots[slots[:, place] < first, place : place + stage + 1] = NO_ROW

    def _built_upon(self, log: EventLog) -> Mask:
        """Return the rows that begin matches, and those that follow something: what follows nothing was not kept.

        In the list of a part, whatever is older than an event whose predecessors are gone has none either.
        """
        parts = len(self.shape.parts)
        absent = ~np.uint32((1 << parts) - 1)
        found = np.empty(log.top, np.bool_)
        for first in range(0, log.top, PORTION):
            rows = slice(first, min(first + PORTION, log.top))
            found[rows] = (log.member[rows] & (absent | np.uint32(parts > 1))) != 0
            for back in self["back"]:
                found[rows] |= back[rows] >= 0
        return found

    def _held(self, top: int) -> Mask:
        held = np.zeros(top, np.bool_)
        if self.shape.core is Core.SLOTS:
            slots = self["slots"]
            held[slots[slots >= 0]] = True
            return held
        held[:] = self["stage"][:top] > 0
        if self.shape.core is Core.RUNS:
            steps = self["stage"][:top]
            for step, follow in enumerate(self["follow"][: len(self.shape.parts) - 2], 2):
                held[follow[:top][steps >= step]] = True
        return held


Form = tuple[Callable[[int], tuple[int, ...]], type, bool, bool]


def _array(size: Callable[[int], tuple[int, ...]], kind: type, by_row: bool, holds_rows: bool, rows: int) -> StateArray:
    if by_row:
        return StateArray(np.empty(size(rows), kind), by_row, holds_rows)
    return StateArray(np.full(size(1), NO_ROW if holds_rows else 0, kind), by_row, holds_rows)


def _rows_by_row(count: int) -> Form:
    return (lambda rows: (count, rows)), np.int32, True, True


def _rows_by_key(count: int) -> Form:
    return (lambda keys: (keys, max(count, 1))), np.int32, False, True


def _forms(shape: Shape) -> dict[str, Form]:
    parts, absent = len(shape.parts), len(shape.absences)
    if shape.core in (Core.COLLECT, Core.COUNT):
        return _folding_forms(parts, shape.core)
    absences = {
        "absent_heads": _rows_by_key(absent),
        "absent_prev": _rows_by_row(absent),
        "absent_link": _rows_by_row(absent),
    }
    lanes = 1 + max((shape.lane(part) for part in range(parts - 1)), default=-1)
    return _joining_forms(parts, lanes)[shape.core] | (absences if absent else {})


def _joining_forms(parts: int, lanes: int) -> dict[Core, dict[str, Form]]:
    one_row: Form = ((lambda rows: (rows,)), np.int32, True, True)
    stage: Form = ((lambda rows: (rows,)), np.int8, True, False)
    return {
        Core.GRAPH: {
            "heads": _rows_by_key(parts - 1),
            "prev": _rows_by_row(lanes),
            "back": _rows_by_row(lanes),
            "latest": ((lambda rows: (lanes, rows)), np.int64, True, False),
        },
        Core.SLOTS: {"slots": _rows_by_key(slot_width(parts)), "told": _rows_by_key(1)},
        Core.RUNS: {
            "heads": _rows_by_key(parts - 1),
            "link": one_row,
            "stage": stage,
            "follow": _rows_by_row(parts - 2),
            "waiting": ((lambda keys: (keys,)), np.int32, False, False),
        },
        Core.QUEUE: {"ends": _rows_by_key(2), "link": one_row, "stage": stage},
    }


def _folding_forms(parts: int, core: Core) -> dict[str, Form]:
    chains = max(pairs(parts), 1)
    if core is Core.COUNT:
        return {
            # Of chains from one part to another: how many with each event, how many now, how many before the window.
            "before": ((lambda rows: (chains, rows)), np.int64, True, False),
            "total": ((lambda keys: (keys, chains)), np.int64, False, False),
            "floor": ((lambda keys: (keys, chains)), np.int64, False, False),
        }
    return {
        # Of each key the newest item in the window, and of each item the one before it.
        "newest": _rows_by_key(1),
        "link": ((lambda rows: (rows,)), np.int32, True, True),
        "sums": ((lambda keys: (keys, SLACK + 1)), np.float64, False, False),
    }
