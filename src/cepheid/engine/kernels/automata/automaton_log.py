"""What a chain remembers: the runs that wait, and the records that they have taken, as nodes that share parents."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cepheid.engine.kernels.automata.automaton_kernels import (
    COUNT,
    ENTRIES,
    LIMIT,
    NODE,
    NODES,
    PARENT,
    PLACE,
    SEEN,
    SERIAL,
    STATE,
    TOLD,
    WAITING,
    ChainState,
    link_entries,
    note_used,
)
from cepheid.engine.kernels.columns.packing import packed
from cepheid.engine.kernels.columns.ragged import Ragged
from cepheid.engine.kernels.columns.row_store import LEAST_ROOM
from cepheid.engine.kernels.columns.state_bytes import Entry
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows
from cepheid.engine.kernels.facts.time_bounds import UNLIMITED
from cepheid.engine.kernels.runs.run_kernels import list_runs

_NODES = ("node", "span", "value", "code")
MOST_AHEAD = 1 << 14
"""For how many records to come there is room beyond all that waits: often runs are packed only once a batch."""


class AutomatonLog:
    """Nodes with so many variables, and entries in so many states; the first node and the first entry always stay."""

    def __init__(self, variables: int, states: int, most: int) -> None:
        self.most = most  # how many states follow one step
        self.node, self.span = np.zeros((3, LEAST_ROOM), np.int32), np.zeros((7, LEAST_ROOM), np.int64)
        self.value = np.full((variables, LEAST_ROOM), np.nan)
        self.code = np.full((variables + 1, LEAST_ROOM), -1, np.int32)
        self.entry = np.zeros((5, LEAST_ROOM), np.int32)
        self.seen, self.told = np.zeros((2, LEAST_ROOM), np.int32), np.zeros((2, LEAST_ROOM), np.int32)
        self.heads = np.full((1, states), -1, np.int32)
        self.control = np.zeros(8, np.int64)
        self.control[NODES] = self.control[ENTRIES] = 1
        self.node[PARENT, 0], self.span[:, 0] = -1, (-1, -1, UNLIMITED, UNLIMITED, UNLIMITED, -1, -1)

    @property
    def state(self) -> ChainState:
        """All that kernels read and write."""
        runs = (self.node, self.span, self.value, self.code, self.entry)
        return ChainState(*runs, self.heads, self.seen, self.told)

    @property
    def nodes(self) -> int:
        return int(self.control[NODES])

    @property
    def entries(self) -> int:
        """How many entries there are, also such as wait no more."""
        return int(self.control[ENTRIES])

    def begin(self, values: Data, codes: Data) -> None:
        """Let runs begin with these values of the variables, and with these keys of them."""
        self.value[:, 0], self.code[:-1, 0] = values, codes

    def pack(self, frontier: int, places: Data) -> Mask:
        """Forget the entries that nothing can come of, and nodes that are in no run; say which nodes are kept.

        The next record is at one place, or each key has a place of its own.
        """
        kept, listed = np.zeros(self.nodes, np.bool_), np.zeros(self.entries, np.bool_)
        state = (self.node, self.span, self.code, self.entry)
        compiled(note_used)(self.nodes, self.entries, frontier, places, *state, kept, listed)
        new = (np.cumsum(kept) - 1).astype(np.int32)
        self.entry = packed(self.entry, listed, self.entry.shape[1])
        self.control[ENTRIES], self.control[WAITING] = int(listed.sum()), int(listed.sum()) - 1
        self.entry[NODE, : self.entries] = new[self.entry[NODE, : self.entries]]
        for name in _NODES:
            setattr(self, name, packed(getattr(self, name), kept, self.node.shape[1]))
        self.control[NODES] = int(kept.sum())
        self.node[PARENT, 1 : self.nodes] = new[self.node[PARENT, 1 : self.nodes]]
        return kept

    def make_room(self, coming: int) -> None:
        """Make room for all that one more record can bring, and for as much again as runs or records to come."""
        new = int(self.control[WAITING]) + 1
        more = 2 * new + min(coming, MOST_AHEAD)
        if self.nodes + more > self.node.shape[1]:
            for name in _NODES:
                setattr(self, name, packed(getattr(self, name), slice(0, self.nodes), 2 * (self.nodes + more)))
        if self.entries + self.most * more > self.entry.shape[1]:
            self.entry = packed(self.entry, slice(0, self.entries), 2 * (self.entries + self.most * more))
        if more > self.seen.shape[1]:
            self.seen = np.zeros((2, 2 * more), np.int32)
        if self.control[TOLD] + more > self.told.shape[1]:
            self.told = packed(self.told, slice(0, int(self.control[TOLD])), 2 * (int(self.control[TOLD]) + more))

    def relink(self, state: Data, keys: int) -> None:
        """List all entries again, for so many keys."""
        self.heads = np.full((max(keys, 1), self.heads.shape[1]), -1, np.int32)
        compiled(link_entries)(self.entries, state, self.state)

    def make_room_for_keys(self, count: int) -> None:
        if len(self.heads) < count:
            heads = np.full((2 * count, self.heads.shape[1]), -1, np.int32)
            heads[: len(self.heads)] = self.heads
            self.heads = heads

    def records_of(self, tips: Rows) -> Ragged:
        """Return the serial numbers of the records of runs."""
        offsets = np.zeros(len(tips) + 1, np.int64)
        np.cumsum(self.node[COUNT, tips], out=offsets[1:])
        flat = np.empty(int(offsets[-1]), np.int64)
        compiled(list_runs)(tips, self.node[PARENT], self.span[SERIAL], offsets, flat)
        return Ragged(flat, offsets)

    def waiting(self) -> Rows:
        """Return the entries that are listed, but for the first."""
        return np.flatnonzero(self.entry[STATE, 1 : self.entries] >= 0) + 1

    def live(self, frontier: int, places: Data) -> int:
        """Return how many runs wait for something that can still come."""
        nodes = self.entry[NODE, self.waiting()]
        here = places[self.code[-1, nodes]] if len(places) > 1 else places[0]
        return int(np.count_nonzero((self.span[LIMIT, nodes] >= frontier) & (self.span[PLACE, nodes] >= here)))

    def asked(self) -> Data:
        """Return the entries that look at a record, each with what was decided of it."""
        return self.seen[:, : int(self.control[SEEN])]

    def records(self) -> Data:
        """Return the serial numbers of all records that runs have taken."""
        found: Data = self.span[SERIAL, 1 : self.nodes]
        return found

    def written(self) -> dict[str, Entry]:
        rows: dict[str, Entry] = {name: getattr(self, name)[:, : self.nodes] for name in _NODES}
        return {**rows, "entry": self.entry[:, : self.entries]}

    def take_up(self, entries: Mapping[str, Any]) -> None:
        """Go on from what `written` gave after everything was packed; the entries are to be listed again."""
        nodes, listed = entries["node"].shape[1], entries["entry"].shape[1]
        for name in _NODES:
            setattr(self, name, packed(entries[name], slice(0, nodes), max(LEAST_ROOM, 2 * nodes)))
        self.entry = packed(entries["entry"], slice(0, listed), max(LEAST_ROOM, 2 * listed))
        self.control[NODES], self.control[ENTRIES], self.control[WAITING] = nodes, listed, listed - 1
