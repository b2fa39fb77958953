"""What repetitions remember: items, and runs of them that can still grow, as nodes that share what is before them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cepheid.engine.kernels.columns.packing import packed, roomy
from cepheid.engine.kernels.columns.row_store import LEAST_ROOM
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

_ITEMS = ("times", "refs", "numbers", "key", "places")
_NODES = ("node", "time")


class RunLog:
    """Items, each made of at most `width` events and with so many `numbers` to compare, and the nodes of runs.

    `far` are the places up to which a run can matter: after the first and the last one of its last item, and of its
    first one. The items have places where it `counts`, or they are limited.
    """

    def __init__(
        self, width: int, numbers: int, far: tuple[int | None, ...] | None, standing: Standing, *, counts: bool
    ) -> None:
        self.standing, self.counts = standing, counts or far is not None
        self.far = None if far is None else [UNLIMITED if one is None else one for one in far]
        self.top, self.room = 0, LEAST_ROOM
        self.times = np.zeros((3, self.room), np.int64)
        self.refs = np.full((width, self.room), -1, np.int64)
        self.numbers = np.zeros((numbers, self.room), np.float64)
        self.key = np.zeros(self.room, np.int32)
        self.places = np.zeros((standing.height if self.counts else 0, self.room), np.int64)
        self.node, self.time = np.zeros((6, self.room), np.int32), np.zeros((3, self.room), np.int64)
        self.heads, self.many = np.full(1, -1, np.int32), np.zeros(1, np.int32)
        self.told = np.zeros((2, LEAST_ROOM), np.int32)
        self.control = np.zeros(5, np.int64)
        self.control[DUE] = UNLIMITED
        self._oldest = 0

    @property
    def nodes(self) -> int:
        """How many nodes there are, also of runs that are over."""
        return int(self.control[TOP])

    def items(self, constant: Data) -> Items:
        """Return the items for a kernel, with the constants that they are compared with."""
        start, end, known = self.times
        low, high = self.places[:2] if self.counts else (start, end)
        return Items(start, end, low, high, known, self.key, self.numbers, constant)

    def runs(self) -> Runs:
        """Return the runs for a kernel."""
        return Runs(self.heads, self.many, self.node, self.time, self.told)

    def append(self, found: Occurrences, key: int | Data, numbers: Data) -> None:
        """Add items; there must be room for them."""
        first, last = self.top, self.top + len(found)
        for line, some in enumerate((found.start, found.end, found.known)):
            self.times[line, first:last] = some
        self.refs[:, first:last], self.numbers[:, first:last] = found.refs, numbers
        self.key[first:last] = key
        if self.counts:
            self.places[:, first:last] = standing_at(self.standing, found.refs)
        self.top = last

    def make_room_for_items(self, count: int) -> None:
        if self.top + count > self.room:
            self.room = roomy(self.top + count)
            for name in _ITEMS:
                setattr(self, name, packed(getattr(self, name), slice(0, self.top), self.room))

    def make_room_for_keys(self, count: int) -> None:
        if len(self.heads) < count:
            heads, many = np.full(2 * count, -1, np.int32), np.zeros(2 * count, np.int32)
            heads[: len(self.heads)], many[: len(self.many)] = self.heads, self.many
            self.heads, self.many = heads, many

    def make_room_for_nodes(self, key: int) -> None:
        """Make room for all that one more item of a key can bring."""
        new, told = int(self.many[key]) + 1, int(self.control[TOLD]) + 2 * int(self.many[key]) + 2
        if told > self.told.shape[1]:
            self.told = packed(self.told, slice(0, int(self.control[TOLD])), roomy(told))
        if self.nodes + new > self.node.shape[1]:
            for name in _NODES:
                rows = slice(0, self.nodes)
                setattr(self, name, packed(getattr(self, name), rows, 2 * (self.nodes + new)))

    def pack(self) -> None:
        """Forget the nodes of runs that are over, and items that are in no run."""
        kept, used = np.zeros(self.nodes, np.bool_), np.zeros(self.top, np.bool_)
        compiled(note_used_items)(self.nodes, self.node, kept, used)
        items = np.concatenate([np.cumsum(used) - 1, [-1]]).astype(np.int32)
        nodes = np.concatenate([np.cumsum(kept) - 1, [-1]]).astype(np.int32)
        for name in _NODES:
            setattr(self, name, packed(getattr(self, name), kept, self.node.shape[1]))
        self.control[TOP], count = int(kept.sum()), int(kept.sum())
        for line, new in ((ITEM, items), (FIRST, items), (PARENT, nodes)):
            self.node[line, :count] = new[self.node[line, :count]]
        for name in _ITEMS:
            setattr(self, name, packed(getattr(self, name), used, self.room))
        self.top = int(used.sum())
        self.control[ASKED] = self._oldest = 0

    def relink(self, heads: Data) -> None:
        """List the runs that can grow again, from heads on of which there is one for each key."""
        self.heads, self.many = heads, np.zeros(len(heads), np.int32)
        compiled(relink_runs)(self.nodes, self.key, self.node, self.heads, self.many)

    def items_of(self, tips: Rows, offsets: Data) -> Rows:
        """Return the items of runs, one run after the other."""
        items = np.empty(int(offsets[-1]), np.int32)
        compiled(list_runs)(np.ascontiguousarray(tips), self.node[PARENT], self.node[ITEM], offsets, items)
        return items

    def occurrences(self, items: Rows) -> Occurrences:
        """Return some items."""
        start, end, known = self.times[:, items]
        return Occurrences(start, end, known, self.refs[:, items])

    def oldest_end(self) -> int:
        """Return when the first item ends that is the last of a run that can grow; nodes come in that order."""
        while self._oldest < self.nodes and not self.node[LISTED, self._oldest]:
            self._oldest += 1
        return int(self.times[1, self.node[ITEM, self._oldest]]) if self._oldest < self.nodes else MAX_TIME

    def drop(self, time: int) -> None:
        """Let no run be listed that the stream has passed by where all that is to come ends at a time or later."""
        if self.far is not None:
            self.node[LISTED, : self.nodes] *= ~self.passed(time)

    def live(self, time: int) -> int:
        """Return how many runs can grow and matter where all that is still to come ends at a time or later."""
        listed = self.node[LISTED, : self.nodes]
        return int(np.count_nonzero(listed if self.far is None else listed * ~self.passed(time)))

    def passed(self, time: int) -> Mask:
        """Say which runs the stream has passed by where all that is to come ends at a time or later; none: no run."""
        if self.far is None:
            return np.zeros(0, np.bool_)
        last = self.places[:, self.node[ITEM, : self.nodes]]
        passed: Mask = self.last_places(np.arange(self.nodes)) < self.standing.coming(time, last)
        return passed

    def last_places(self, nodes: Rows) -> Data:
        """Return up to which place something can follow runs, or they can matter."""
        assert self.far is not None
        last, first = (self.places[:, self.node[line, nodes]] for line in (ITEM, FIRST))
        limits = zip((*last[:2], *first[:2]), self.far, strict=True)
        found: Data = np.stack([place + by for place, by in limits]).min(axis=0)
        return found

    def written(self) -> dict[str, Entry]:
        rows: dict[str, Entry] = {name: getattr(self, name)[..., : self.top] for name in _ITEMS}
        rows |= {name: getattr(self, name)[:, : self.nodes] for name in _NODES}
        return {**rows, "due": int(self.control[DUE])}

    def take_up(self, entries: Mapping[str, Any], keys: int) -> None:
        self.top, count = len(entries["key"]), entries["node"].shape[1]
        self.room = max(LEAST_ROOM, 2 * self.top)
        for names, rows, room in ((_ITEMS, self.top, self.room), (_NODES, count, max(LEAST_ROOM, 2 * count))):
            for name in names:
                setattr(self, name, packed(entries[name], slice(0, rows), room))
        self.control[TOP], self.control[DUE] = count, entries["due"]
        self.relink(np.full(max(keys, 1), -1, np.int32))
