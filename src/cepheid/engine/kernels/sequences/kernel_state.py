"""The state of a kernel: flat arrays, by row of the log or by key, some of which hold rows.

A store knows nothing of what its arrays are for; only that the rows they hold have other numbers when a log is packed.
"""

import numpy as np

from cepheid.engine.kernels.columns.fixed_kernels import expire_items, link_queue, link_runs
from cepheid.engine.kernels.columns.packing import PORTION, Kept, handy, new_numbers, renumber
from cepheid.engine.kernels.columns.row_store import ByKey, ByRow, RowStore
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask
from cepheid.engine.kernels.facts.absence_source import key_columns
from cepheid.engine.kernels.facts.shapes import Core, Shape
from cepheid.engine.kernels.intake.event_log import EventLog
from cepheid.engine.kernels.sequences.collect_source import SLACK
from cepheid.engine.kernels.sequences.count_source import pairs
from cepheid.engine.kernels.sequences.steps_source import cell, slot_width

NO_ROW = -1
Forms = dict[str, ByRow | ByKey]


class KernelState(RowStore):
    """The arrays of one shape, in the order in which its kernel takes them; what is blank as no row is holds rows."""

    def __init__(self, shape: Shape, rows: int) -> None:
        self.shape, forms = shape, _forms(shape)
        self.names = tuple(forms)
        super().__init__(rows, **forms)

    def arguments(self) -> list[Data]:
        return [getattr(self, name) for name in self.names]

    def __getitem__(self, name: str) -> Data:
        found: Data = getattr(self, name)
        return found

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

    def pack(self, log: EventLog, kept: Kept, room: int) -> None:
        """Renumber the rows: `kept` are those that stay, in their order; the log is still as it was."""
        new = new_numbers(kept, log.top)
        self.keep(kept, room)
        for name, form in (self.by_row | self.by_key).items():
            if form.blank == NO_ROW:
                renumber(self[name][..., : self.top] if name in self.by_row else self[name], new)

    def relink(self, log: EventLog) -> None:
        """Make the lists anew, after rows in the midst of them are gone."""
        key = log.key[key_columns(self.shape)[0]]
        if self.shape.core is Core.RUNS:
            last = len(self.shape.parts) - 1
            compiled(link_runs)(log.done, key, self["heads"], self["link"], self["stage"], self["waiting"], last)
        if self.shape.core is Core.QUEUE:
            compiled(link_queue)(log.done, key, self["ends"], self["link"], self["stage"])

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


def _rows_by_row(count: int | None) -> ByRow:
    return ByRow(np.int32, count, blank=NO_ROW)


def _rows_by_key(count: int) -> ByKey:
    return ByKey(np.int32, max(count, 1), NO_ROW, written=True)


def _numbers_by_key(kind: type, count: int | None) -> ByKey:
    return ByKey(kind, count, 0, written=True)


def _forms(shape: Shape) -> Forms:
    parts, absent = len(shape.parts), len(shape.absences)
    if shape.core in (Core.COLLECT, Core.COUNT):
        return _folding_forms(parts, shape.core)
    absences: Forms = {
        "absent_heads": _rows_by_key(absent),
        "absent_prev": _rows_by_row(absent),
        "absent_link": _rows_by_row(absent),
    }
    lanes = 1 + max((shape.lane(part) for part in range(parts - 1)), default=-1)
    return _joining_forms(parts, lanes)[shape.core] | (absences if absent else {})


def _joining_forms(parts: int, lanes: int) -> dict[Core, Forms]:
    one_row, stage = _rows_by_row(None), ByRow(np.int8)
    return {
        Core.GRAPH: {
            "heads": _rows_by_key(parts - 1),
            "prev": _rows_by_row(lanes),
            "back": _rows_by_row(lanes),
            "latest": ByRow(np.int64, lanes),
        },
        Core.SLOTS: {"slots": _rows_by_key(slot_width(parts)), "told": _rows_by_key(1)},
        Core.RUNS: {
            "heads": _rows_by_key(parts - 1),
            "link": one_row,
            "stage": stage,
            "follow": _rows_by_row(parts - 2),
            "waiting": _numbers_by_key(np.int32, None),
        },
        Core.QUEUE: {"ends": _rows_by_key(2), "link": one_row, "stage": stage},
    }


def _folding_forms(parts: int, core: Core) -> Forms:
    chains = max(pairs(parts), 1)
    if core is Core.COUNT:
        return {
            # Of chains from one part to another: how many with each event, how many now, how many before the window.
            "before": ByRow(np.int64, chains),
            "total": _numbers_by_key(np.int64, chains),
            "floor": _numbers_by_key(np.int64, chains),
        }
    return {
        # Of each key the newest item in the window, and of each item the one before it.
        "newest": _rows_by_key(1),
        "link": _rows_by_row(None),
        "sums": _numbers_by_key(np.float64, SLACK + 1),
    }
