"""What repetitions remember: items, and runs of them that can still grow, as nodes that share what is before them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cepheid.engine.kernels.columns.packing import new_numbers, with_room
from cepheid.engine.kernels.columns.row_store import LEAST_ROOM, ByKey, ByRow, CountedRows, KeyedRows
from cepheid.engine.kernels.columns.state_bytes import Entry
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows
from cepheid.engine.kernels.facts.time_bounds import UNLIMITED
from cepheid.engine.kernels.runs.run_kernels import (
    ASKED,
    DUE,
    FIRST,
    ITEM,
    LISTED,
    PARENT,
    TOLD,
    TOP,
    Items,
    Runs,
    list_runs,
    note_used_items,
    relink_runs,
)
from cepheid.engine.kernels.tables.occurrences import Occurrences
from cepheid.engine.kernels.tables.standing import Standing, standing_at
from cepheid.events import MAX_TIME


class RunNodes(CountedRows):
    """The nodes of runs, also of such as are over."""

    node: Data
    time: Data


class RunLog(KeyedRows):
    """Items, each made of at most `width` events and with so many `numbers` to compare, and the nodes of runs.

    `far` are the places up to which a run can matter: after the first and the last one of its last item, and of its
    first one. The items have places where it `counts`, or they are limited.
    """

    times: Data
    refs: Data
    numbers: Data
    places: Data
    many: Data

    def __init__(
        self, width: int, numbers: int, far: tuple[int | None, ...] | None, standing: Standing, *, counts: bool
    ) -> None:
        self.standing, self.counts = standing, counts or far is not None
        super().__init__(
            times=ByRow(np.int64, 3),
            refs=ByRow(np.int64, width),
            numbers=ByRow(np.float64, numbers),
            places=ByRow(np.int64, standing.height if self.counts else 0),
            many=ByKey(blank=0),
        )
        self.far = None if far is None else [UNLIMITED if one is None else one for one in far]
        self.control = np.zeros(5, np.int64)
        self.control[DUE] = UNLIMITED
        self.nodes = RunNodes(self.control, TOP, node=ByRow(np.int32, 6), time=ByRow(np.int64, 3))
        self.told = np.zeros((2, LEAST_ROOM), np.int32)
        self._oldest = 0

    def items(self, constant: Data) -> Items:
        """Return the items for a kernel, with the constants that they are compared with."""
        start, end, known = self.times
        low, high = self.places[:2] if self.counts else (start, end)
        return Items(start, end, low, high, known, self.key, self.numbers, constant)

    def runs(self) -> Runs:
        """Return the runs for a kernel."""
        return Runs(self.heads, self.many, self.nodes.node, self.nodes.time, self.told)

    def append(self, found: Occurrences, key: int | Data, numbers: Data) -> None:
        """Add items; there must be room for them."""
        rows = self.added(len(found))
        for line, some in enumerate((found.start, found.end, found.known)):
            self.times[line, rows] = some
        self.refs[:, rows], self.numbers[:, rows], self.key[rows] = found.refs, numbers, key
        if self.counts:
            self.places[:, rows] = standing_at(self.standing, found.refs)

    def make_room_for_nodes(self, key: int) -> None:
        """Make room for all that one more item of a key can bring."""
        new = int(self.many[key]) + 1
        self.told = with_room(self.told, int(self.control[TOLD]), 2 * new)
        self.nodes.make_room(new)

    def pack(self) -> None:
        """Forget the nodes of runs that are over, and items that are in no run."""
        kept, used = np.zeros(self.nodes.top, np.bool_), np.zeros(self.top, np.bool_)
        compiled(note_used_items)(self.nodes.top, self.nodes.node, kept, used)
        items, nodes = new_numbers(used, self.top), new_numbers(kept, self.nodes.top)
        self.nodes.keep(kept)
        own = self.nodes.node[:, : self.nodes.top]
        own[ITEM], own[FIRST], own[PARENT] = items(own[ITEM]), items(own[FIRST]), nodes(own[PARENT])
        self.keep(used)
        self.control[ASKED] = self._oldest = 0

    def relink(self) -> None:
        """List the runs that can grow again."""
        compiled(relink_runs)(self.nodes.top, self.key, self.nodes.node, self.heads, self.many)

    def items_of(self, tips: Rows, offsets: Data) -> Rows:
        """Return the items of runs, one run after the other."""
        items = np.empty(int(offsets[-1]), np.int32)
        compiled(list_runs)(np.ascontiguousarray(tips), self.nodes.node[PARENT], self.nodes.node[ITEM], offsets, items)
        return items

    def occurrences(self, items: Rows) -> Occurrences:
        """Return some items."""
        start, end, known = self.times[:, items]
        return Occurrences(start, end, known, self.refs[:, items])

    def oldest_end(self) -> int:
        """Return when the first item ends that is the last of a run that can grow; nodes come in that order."""
        while self._oldest < self.nodes.top and not self.nodes.node[LISTED, self._oldest]:
            self._oldest += 1
        return int(self.times[1, self.nodes.node[ITEM, self._oldest]]) if self._oldest < self.nodes.top else MAX_TIME

    def drop(self, time: int) -> None:
        """Let no run be listed that the stream has passed by where all that is to come ends at a time or later."""
        if self.far is not None:
            self.nodes.node[LISTED, : self.nodes.top] *= ~self.passed(time)

    def live(self, time: int) -> int:
        """Return how many runs can grow and matter where all that is still to come ends at a time or later."""
        listed = self.nodes.node[LISTED, : self.nodes.top]
        return int(np.count_nonzero(listed if self.far is None else listed * ~self.passed(time)))

    def passed(self, time: int) -> Mask:
        """Say which runs the stream has passed by where all that is to come ends at a time or later; none: no run."""
        if self.far is None:
            return np.zeros(0, np.bool_)
        last = self.places[:, self.nodes.node[ITEM, : self.nodes.top]]
        passed: Mask = self.last_places(np.arange(self.nodes.top)) < self.standing.coming(time, last)
        return passed

    def last_places(self, nodes: Rows) -> Data:
        """Return up to which place something can follow runs, or they can matter."""
        assert self.far is not None
        last, first = (self.places[:, self.nodes.node[line, nodes]] for line in (ITEM, FIRST))
        limits = zip((*last[:2], *first[:2]), self.far, strict=True)
        found: Data = np.stack([place + by for place, by in limits]).min(axis=0)
        return found

    def written(self) -> dict[str, Entry]:
        return {**super().written(), **self.nodes.written(), "due": int(self.control[DUE])}

    def take_up(self, entries: Mapping[str, Any], keys: int = 1) -> None:
        super().take_up(entries, keys)
        self.nodes.take_up(entries)
        self.control[DUE] = entries["due"]
        self.relink()
