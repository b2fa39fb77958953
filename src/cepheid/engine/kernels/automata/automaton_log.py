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
from cepheid.engine.kernels.columns.packing import new_numbers, renumber, with_room
from cepheid.engine.kernels.columns.ragged import Ragged
from cepheid.engine.kernels.columns.row_store import LEAST_ROOM, ByKey, ByRow, CountedRows, KeyStore
from cepheid.engine.kernels.columns.state_bytes import Entry
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows
from cepheid.engine.kernels.facts.time_bounds import UNLIMITED
from cepheid.engine.kernels.runs.run_kernels import list_runs

MOST_AHEAD = 1 << 14
"""For how many records to come there is room beyond all that waits: often runs are packed only once a batch."""


class Nodes(CountedRows):
    """The records that runs have taken, and what their variables were after that."""

    node: Data
    span: Data
    value: Data
    code: Data


class Entries(CountedRows):
    """What is listed of runs, also such as wait no more."""

    entry: Data


class AutomatonLog(KeyStore):
    """Nodes with so many variables, and entries in so many states; the first node and the first entry always stay."""

    heads: Data

    def __init__(self, variables: int, states: int, most: int) -> None:
        super().__init__(heads=ByKey(width=states))
        self.most = most  # how many states follow one step
        self.control = np.zeros(8, np.int64)
        values = {"value": ByRow(np.float64, variables), "code": ByRow(np.int32, variables + 1)}
        self.nodes = Nodes(self.control, NODES, node=ByRow(np.int32, 3), span=ByRow(np.int64, 7), **values)
        self.entries = Entries(self.control, ENTRIES, entry=ByRow(np.int32, 5))
        self.seen, self.told = np.zeros((2, LEAST_ROOM), np.int32), np.zeros((2, LEAST_ROOM), np.int32)
        self.nodes.top = self.entries.top = 1
        self.nodes.node[PARENT, 0], self.nodes.code[-1, 0] = -1, -1
        self.nodes.span[:, 0] = (-1, -1, UNLIMITED, UNLIMITED, UNLIMITED, -1, -1)

    @property
    def state(self) -> ChainState:
        """All that kernels read and write."""
        nodes = self.nodes
        runs = (nodes.node, nodes.span, nodes.value, nodes.code, self.entries.entry)
        return ChainState(*runs, self.heads, self.seen, self.told)

    def begin(self, values: Data, codes: Data) -> None:
        """Let runs begin with these values of the variables, and with these keys of them."""
        self.nodes.value[:, 0], self.nodes.code[:-1, 0] = values, codes

    def pack(self, frontier: int, places: Data) -> Mask:
        """Forget the entries that nothing can come of, and nodes that are in no run; say which nodes are kept.

        The next record is at one place, or each key has a place of its own.
        """
        nodes, entries = self.nodes, self.entries
        kept, listed = np.zeros(nodes.top, np.bool_), np.zeros(entries.top, np.bool_)
        state = (nodes.node, nodes.span, nodes.code, entries.entry)
        compiled(note_used)(nodes.top, entries.top, frontier, places, *state, kept, listed)
        new = new_numbers(kept, nodes.top)
        nodes.keep(kept)
        entries.keep(listed)
        self.control[WAITING] = entries.top - 1
        renumber(entries.entry[NODE, : entries.top], new)
        renumber(nodes.node[PARENT, : nodes.top], new)
        return kept

    def make_room(self, coming: int) -> None:
        """Make room for all that one more record can bring, and for as much again as nodes, runs or records to come."""
        new = int(self.control[WAITING]) + 1
        more = 2 * new + min(coming, MOST_AHEAD)
        self.nodes.make_room(more + self.nodes.top)
        self.entries.make_room(self.most * more)
        self.told = with_room(self.told, int(self.control[TOLD]), more)
        if more > self.seen.shape[1]:
            self.seen = np.zeros((2, 2 * more), np.int32)

    def relink(self, state: Data, keys: int) -> None:
        """List all entries again, for so many keys."""
        self.blank_keys(keys)
        compiled(link_entries)(self.entries.top, state, self.state)

    def records_of(self, tips: Rows) -> Ragged:
        """Return the serial numbers of the records of runs."""
        offsets = np.zeros(len(tips) + 1, np.int64)
        np.cumsum(self.nodes.node[COUNT, tips], out=offsets[1:])
        flat = np.empty(int(offsets[-1]), np.int64)
        compiled(list_runs)(tips, self.nodes.node[PARENT], self.nodes.span[SERIAL], offsets, flat)
        return Ragged(flat, offsets)

    def waiting(self) -> Rows:
        """Return the entries that are listed, but for the first."""
        return np.flatnonzero(self.entries.entry[STATE, 1 : self.entries.top] >= 0) + 1

    def live(self, frontier: int, places: Data) -> int:
        """Return how many runs wait for something that can still come."""
        nodes = self.entries.entry[NODE, self.waiting()]
        span, here = self.nodes.span, places[self.nodes.code[-1, nodes]] if len(places) > 1 else places[0]
        return int(np.count_nonzero((span[LIMIT, nodes] >= frontier) & (span[PLACE, nodes] >= here)))

    def asked(self) -> Data:
        """Return the entries that look at a record, each with what was decided of it."""
        return self.seen[:, : int(self.control[SEEN])]

    def records(self) -> Data:
        """Return the serial numbers of all records that runs have taken."""
        found: Data = self.nodes.span[SERIAL, 1 : self.nodes.top]
        return found

    def written(self) -> dict[str, Entry]:
        return self.nodes.written() | self.entries.written()

    def take_up(self, entries: Mapping[str, Any], keys: int = 1) -> None:
        """Go on from what `written` gave after everything was packed; the entries are to be listed again."""
        super().take_up(entries, keys)
        self.nodes.take_up(entries)
        self.entries.take_up(entries)
        self.control[WAITING] = self.entries.top - 1
