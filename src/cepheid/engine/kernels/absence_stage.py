"""The stage that drops occurrences in which something stands that must be absent.

Of all that ends early enough for an occurrence, only the latest start matters: if that is too early, all are. So every
entry knows the latest start up to it, and one look is enough.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from cepheid.algebra.relations import Edge
from cepheid.analysis.plan import Forbidding
from cepheid.engine.kernels.column_evaluation import where_true
from cepheid.engine.kernels.compiled import compiled
from cepheid.engine.kernels.event_log import LEAST_ROOM
from cepheid.engine.kernels.event_tables import present_in
from cepheid.engine.kernels.occurrences import COLUMNS, Occurrences, none_of, together
from cepheid.engine.kernels.pattern_stages import AbsenceStageShape, Offsets
from cepheid.engine.kernels.stage_keys import StageKeys
from cepheid.engine.kernels.stage_sources import BLOCK, LIST_BLOCKS, RELINK_BLOCKS
from cepheid.engine.kernels.stages import Context, Stage, Turn
from cepheid.engine.kernels.state_bytes import Entry
from cepheid.engine.kernels.typed_arrays import Data, Mask, Rows
from cepheid.events import MAX_TIME, MIN_TIME

_ROWS = ("start", "end", "latest", "key")
MOST_PAIRS = 1 << 14


class AbsenceStage(Stage):
    """Occurrences that wait until nothing that would forbid them can come, and what forbids."""

    def __init__(self, shape: AbsenceStageShape, inner: Stage, absent: Stage, context: Context) -> None:
        self.shape, self.inner, self.absent = shape, inner, absent
        self.view, self.absent_view = context.view(shape.inner), context.view(shape.absent)
        self.keys = StageKeys(len(shape.keys[0]), shape.per, context)
        self.waiting, self.coming = none_of(len(self.view.names)), none_of(len(self.absent_view.names))
        self.top, self.room = 0, LEAST_ROOM
        self.start, self.end, self.latest = (np.zeros(self.room, np.int64) for _ in range(3))
        self.key, self.link = np.zeros(self.room, np.int32), np.zeros(self.room, np.int32)
        # Where conditions look at what is absent, its events are of interest too.
        self.both = replace(self.view, names=(*self.view.names, *self.absent_view.names))
        self.refs = np.zeros((len(self.absent_view.names) if shape.where else 0, self.room), np.int64)
        self.heads = np.full(1, -1, np.int32)

    def below(self) -> Sequence[Stage]:
        return (self.inner, self.absent)

    @property
    def trails(self) -> bool:
        return super().trails or all(by > 0 for _, by in self.shape.certain)

    def reached(self, tables: Mapping[int, int]) -> int:
        least = super().reached(tables)
        return min(least, int(self.waiting.end[0])) if len(self.waiting) else least

    def found(self, turn: Turn) -> Occurrences:
        found, others = self.inner.turn(turn), self.absent.turn(turn)
        if not len(found) and not len(self.waiting) and not len(others) and not len(self.coming):
            return found
        found = together([self.waiting, found])
        certain = self._nearest(found, self.shape.certain, np.minimum)
        decided = certain < self.absent.frontier
        self.waiting = none_of(len(self.view.names))
        if not decided.all():
            self.waiting, found, certain = found.only(~decided), found.only(decided), certain[decided]
        others = self._complete(together([self.coming, others]))
        if self.top + len(others) > self.room:
            self._make_room(len(others), int(found.end[0]) if len(found) else MAX_TIME)
        first = self._take(others)
        known = np.maximum(found.known, certain + (1 + self.shape.lag))
        return replace(found, known=known).only(~self._blocked(found, first))

    def _complete(self, others: Occurrences) -> Occurrences:
        """Return what forbids and ends before all that is still to come; the rest waits for that."""
        last = int(np.searchsorted(others.end, self.absent.frontier, "left"))
        self.coming = others.take(np.arange(last, len(others)))
        return others.take(np.arange(last))

    def _nearest(self, found: Occurrences, offsets: Offsets, choose: Callable[[Data, Data], Data]) -> Data:
        """Return the least or the greatest of some times near each occurrence; without any, the first of all."""
        moments = [(self.view.moment(found, endpoint), by) for endpoint, by in offsets]
        if not moments:
            return np.full(len(found), MIN_TIME, np.int64)
        return reduce(choose, [present_in(moment)[0] + by for moment, by in moments if moment is not None])

    def _take(self, others: Occurrences) -> int:
        """Put what forbids into the log, and return where the new ones begin."""
        others, keys = self.keys.of(others, self.shape.keys[1], self.absent_view)
        first, last = self.top, self.top + len(others)
        self.start[first:last], self.end[first:last], self.key[first:last] = others.start, others.end, keys
        self.refs[:, first:last] = others.refs[: len(self.refs)]
        self.top = last
        return first

    def _blocked(self, found: Occurrences, first: int) -> Mask:
        """Say which occurrences are forbidden; the kernel sees the rows of the log from one on."""
        lows = self._nearest(found, self.shape.lows, np.maximum)
        highs = self._nearest(found, self.shape.highs, np.minimum)
        keys, blocked = self._keys_of(found), np.zeros(len(found), np.bool_)
        if len(self.heads) < len(self.keys):
            heads = np.full(2 * len(self.keys), -1, np.int32)
            heads[: len(self.heads)] = self.heads
            self.heads = heads
        rows = (self.start, self.end, self.key, self.heads, self.link)
        ends = np.ascontiguousarray(found.end)
        if not self.shape.where:
            compiled(BLOCK)(ends, lows, highs, keys, first, self.top, *rows, self.latest, blocked)
            return blocked
        place, out = np.array([0, -1, -1], np.int64), np.empty((2, MOST_PAIRS), np.int32)
        while place[0] <= len(found):
            count = compiled(LIST_BLOCKS)(ends, lows, highs, keys, first, self.top, *rows, place, out)
            blocked[self._satisfying(found, out[:, :count])] = True
        return blocked

    def _satisfying(self, found: Occurrences, pairs: Data) -> Rows:
        """Return the occurrences that satisfy all conditions with a row beside them."""
        own = len(self.view.names)
        for condition in self.shape.where:
            matches, rows = pairs

            def refs(place: int, matches: Data = matches, rows: Data = rows) -> Data:
                taken: Data = found.refs[place][matches] if place < own else self.refs[place - own][rows]
                return taken

            true = where_true(condition, self.both.frame_of(pairs.shape[1], refs))
            pairs = pairs if true is None else pairs.compress(true, axis=1)
        satisfied: Rows = pairs[0]
        return satisfied

    def _keys_of(self, found: Occurrences) -> Data:
        """Return the keys under which occurrences can be forbidden, -1 where they cannot be."""
        if not self.keys.width or not len(found):
            return np.zeros(len(found), np.int32)
        numbers, present = self.keys.numbers(found, self.shape.keys[0], self.view)
        return numbers if present is None else np.where(present, numbers, np.int32(-1))

    def _needed(self, frontier: int) -> Mask:
        """Return which rows can still forbid something that is to come or waits, or ends at the frontier or later."""
        early = max(min(frontier, self.inner.frontier), MIN_TIME)
        early = min(early, int(self.waiting.end[0])) if len(self.waiting) else early
        after_start, after_end = self.shape.expiry
        needed: Mask = np.ones(self.top, np.bool_)
        for times, by in ((self.start, after_start), (self.end, after_end)):
            if by is not None:
                needed &= times[: self.top] + by >= early
        if self.shape.forbidding is not None:
            needed[self._outdone(self.shape.forbidding, np.flatnonzero(needed), early)] = False
        return needed

    def _outdone(self, rule: Forbidding, rows: Rows, early: int) -> Rows:
        """Return those of some rows that another one of their key outdoes for all that ends from a time on."""
        times = {Edge.START: self.start, Edge.END: self.end}
        for edge, by in rule.settled:
            rows = rows[times[edge][rows] + by <= early]
        order = rows[np.lexsort((times[rule.edge][rows], self.key[rows]))]
        keys = self.key[order]
        outdone: Rows = order[:-1][keys[1:] == keys[:-1]]
        return outdone

    def _make_room(self, count: int, frontier: int) -> None:
        kept = np.flatnonzero(self._needed(frontier))
        self.room = max(LEAST_ROOM, 2 * (len(kept) + count))
        self.top = len(kept)
        for name in (*_ROWS, "link"):
            packed = np.zeros(self.room, getattr(self, name).dtype)
            packed[: self.top] = getattr(self, name)[kept]
            setattr(self, name, packed)
        refs = np.zeros((len(self.refs), self.room), np.int64)
        refs[:, : self.top] = self.refs[:, kept]
        self.refs = refs
        self.key[: self.top], self.heads = self.keys.forgotten(self.key[: self.top], self.heads)
        compiled(RELINK_BLOCKS)(self.top, self.key, self.heads, self.link)

    def held(self) -> Data:
        needed = self.refs[:, np.flatnonzero(self._needed(MAX_TIME))]
        refs = (self.waiting.refs, self.coming.refs, needed)
        return np.concatenate([some.reshape(1, -1) for some in refs], axis=1)

    def live(self) -> int:
        return len(self.waiting) + len(self.coming) + int(self._needed(MAX_TIME).sum())

    def written(self) -> dict[str, Entry]:
        rows: dict[str, Entry] = {name: getattr(self, name)[: self.top] for name in _ROWS}
        waiting: dict[str, Entry] = {f"waiting {name}": getattr(self.waiting, name) for name in COLUMNS}
        waiting |= {f"coming {name}": getattr(self.coming, name) for name in COLUMNS}
        return {**rows, **waiting, "refs": self.refs[:, : self.top], **self.keys.written()}

    def take_up(self, entries: Mapping[str, Any]) -> None:
        self.keys.take_up(entries)
        self.waiting = Occurrences(*(entries[f"waiting {name}"] for name in COLUMNS))
        self.coming = Occurrences(*(entries[f"coming {name}"] for name in COLUMNS))
        self.top = len(entries["key"])
        self.room = max(LEAST_ROOM, 2 * self.top)
        self.link = np.zeros(self.room, np.int32)
        for name in _ROWS:
            data = np.zeros(self.room, entries[name].dtype)
            data[: self.top] = entries[name]
            setattr(self, name, data)
        self.refs = np.zeros((len(self.refs), self.room), np.int64)
        self.refs[:, : self.top] = entries["refs"]
        self.heads = np.full(len(self.keys), -1, np.int32)
        compiled(RELINK_BLOCKS)(self.top, self.key, self.heads, self.link)
