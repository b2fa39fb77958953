"""The stage after a match: matches wait until all that began before them are there, and then count in their turn."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cepheid.engine.kernels.columns.column_evaluation import column_for
from cepheid.engine.kernels.columns.columns import Kind, values_of
from cepheid.engine.kernels.columns.packing import roomy
from cepheid.engine.kernels.columns.state_bytes import Entry, named, under
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows
from cepheid.engine.kernels.facts.time_bounds import FAR, UNLIMITED
from cepheid.engine.kernels.plans.pattern_stages import SkipShape
from cepheid.engine.kernels.stages.skip_kernels import END, HIGH, PLACE, REF, note_certainties, take_turns
from cepheid.engine.kernels.stages.stage_keys import StageKeys
from cepheid.engine.kernels.stages.stage_order import Key, rank
from cepheid.engine.kernels.stages.stages import Context, Stage, Turn
from cepheid.engine.kernels.tables.occurrences import Occurrences, complete_at, none_of, together
from cepheid.events import MAX_TIME, MIN_TIME

NOTHING = MIN_TIME
"""In the place of where to go on: no match has said so."""


class SkipStage(Stage):
    """What is left of matches after those that count; each key has a column of what was `said` last."""

    trails = True

    def __init__(self, shape: SkipShape, inner: Stage, context: Context) -> None:
        self.shape, self.inner, self.context = shape, inner, context
        self.view, self.standing = context.view(shape.inner), context.standing
        self.keys = StageKeys(len(shape.keys), shape.per, context)
        self.limits = [UNLIMITED if one is None else one for one in (*shape.limits, shape.records)]
        self.waiting = none_of(len(self.view.names))
        self.said = _blank(1)

    def below(self) -> Sequence[Stage]:
        return (self.inner,)

    def reached(self, _: Mapping[int, int]) -> int:
        return min(self.inner.frontier, int(self.waiting.end.min(initial=MAX_TIME)))

    def found(self, turn: Turn) -> Occurrences:
        some = together([self.waiting, self.inner.turn(turn)])
        if not len(some):
            return some
        places = self.standing.places(some.refs)
        places[0] = np.where(places[1] < 0, -1, places[0])
        own = self._own_keys(some)
        ready = self._ready(some, places, own)
        self.waiting = some.take(np.flatnonzero(~ready))
        rows: Rows = np.flatnonzero(ready)
        if not len(rows):
            return none_of(len(self.view.names))
        rows = self._in_turn(some, places, rows)
        found = some.take(rows)
        certain = self._certain(found, places[:, rows], own[rows])
        kept = self._kept(found, places[:, rows])
        found = replace(found.take(kept), known=np.maximum(found.known, certain)[kept])
        return found.take(np.argsort(found.end, kind="stable"))

    def _own_keys(self, found: Occurrences) -> Data:
        """Return by numbers what the rule is detected by, which matter within a turn only."""
        width = self.shape.per
        return StageKeys(width, width, self.context).or_none(found, self.shape.keys[:width], self.view)

    def _until(self, found: Occurrences) -> Data:
        """Return after which time no match is to come that has its turn before some."""
        found_until: Data = np.minimum(found.start + self.limits[0], found.end + self.limits[1])
        return found_until

    def _ready(self, found: Occurrences, places: Data, own: Data) -> Mask:
        """Say before which matches nothing can begin any more that is still to come; these have their turn."""
        frontier = self.inner.frontier
        if frontier == MAX_TIME:
            return np.ones(len(found), np.bool_)
        ready: Mask = self._until(found) < frontier
        if self.shape.records is not None:
            ready |= (places[1] >= 0) & (places[0] + self.limits[2] < self.standing.coming(frontier, places))
        # Records that last may be ready before others that began earlier, which are all there then.
        last = np.full(int(own.max()) + 2, -1)
        np.maximum.at(last, own[ready], places[0][ready])
        ready |= places[0] < last[own]
        return ready

    def _in_turn(self, found: Occurrences, places: Data, rows: Rows) -> Rows:
        """Return rows by their first place, then by their last one, then in the total order."""
        low, high = places[0][rows], places[1][rows]
        order = np.lexsort((high, low))
        rows, low, high = rows[order], low[order], high[order]
        level = (low[1:] == low[:-1]) & (high[1:] == high[:-1])
        begins = np.flatnonzero(np.append(True, ~level))
        for first, last in zip(begins.tolist(), [*begins[1:].tolist(), len(rows)], strict=True):
            if last > first + 1:
                rows[first:last] = sorted(rows[first:last].tolist(), key=lambda row: self._rank(found, row))
        return rows

    def _rank(self, found: Occurrences, row: int) -> Key:
        return rank(self.context.tables, self.view.names, found.refs[:, row].tolist())

    def _certain(self, found: Occurrences, places: Data, own: Data) -> Data:
        """Return when it was certain of matches, which are in their turn, that nothing comes before them."""
        until = self._until(found)
        certain = complete_at(until, self.shape.lag)
        counted = np.flatnonzero((until >= FAR) & (places[1] >= 0))
        if self.shape.records is not None and len(counted):
            certain[counted] = self.standing.settled(places[0][counted] + self.shape.records, places[:, counted])
        compiled(note_certainties)(own, certain, np.full(int(own.max()) + 2, MAX_TIME))
        return certain

    def _kept(self, found: Occurrences, places: Data) -> Rows:
        """Return the matches that count, of those that have their turn."""
        frame = self.view.frame(found)
        column = column_for(self.shape.to, frame)
        if column.kind is Kind.INT:
            to, there = column.data, np.ones(len(found), np.bool_) if column.valid is None else column.valid
        else:
            values = values_of(column, self.context.tables.words)
            there = np.array([type(value) is int for value in values], np.bool_)
            to = np.array([value if type(value) is int else 0 for value in values], np.int64)
        keys = self.keys.or_none(found, self.shape.keys, self.view)
        self._make_room()
        rows, kept = np.flatnonzero(keys >= 0).astype(np.int32), np.empty(len(found), np.int64)
        columns = (keys[rows], places[0][rows], to[rows], there[rows], found.end[rows], places[1][rows])
        count = compiled(take_turns)(*columns, self._records(found, places)[rows], self.said, kept)
        self._forget()
        some: Rows = rows[kept[:count]]
        return some

    def _records(self, found: Occurrences, places: Data) -> Data:
        """Return for each match one of its records, by which its key is known; -1 where nobody asks for it."""
        return self.standing.one_of(places) if self.shape.per else np.full(len(found), -1, np.int64)

    def _make_room(self) -> None:
        if len(self.keys) > self.said.shape[1]:
            said = _blank(roomy(len(self.keys)))
            said[:, : self.said.shape[1]] = self.said
            self.said = said

    def _goes_on(self) -> Mask:
        """Say which keys go on from somewhere, so that a match which is still to come may be skipped."""
        place, end, high, ref = self.said
        frontier = self.inner.frontier
        goes_on: Mask = place != NOTHING
        if self.shape.longest is not None:
            goes_on = goes_on & ((place > high + 1) | (end + self.shape.longest >= frontier))
        if self.shape.records is not None:
            some = np.flatnonzero(goes_on)
            coming = self.standing.coming(frontier, self.standing.places(ref[None, some]))
            goes_on[some] = place[some] - 1 + self.shape.records >= coming
        return goes_on

    def _forget(self) -> None:
        """Forget what no match to come can begin before, and keys of which nothing is kept."""
        self.said[:, ~self._goes_on()] = _blank(1)
        used = np.flatnonzero(self.said[PLACE] != NOTHING)
        before = self.keys.known
        self.keys.forgotten(used)
        if self.keys.known != before:
            said = self.said[:, used]
            self.said = _blank(max(len(self.keys), 1))
            self.said[:, : len(used)] = said

    def held(self) -> Data:
        refs = (self.waiting.refs, self.said[REF])
        return np.concatenate([some.reshape(1, -1) for some in refs], axis=1)

    def live(self) -> int:
        return len(self.waiting) + int(self._goes_on().sum())

    def written(self) -> dict[str, Entry]:
        return {"said": self.said, **named("waiting", self.waiting.written()), **self.keys.written()}

    def take_up(self, entries: Mapping[str, Any]) -> None:
        self.keys.take_up(entries)
        self.waiting = Occurrences.of(under("waiting", entries))
        self.said = entries["said"].copy()


def _blank(count: int) -> Data:
    """Return so many columns in which nothing is said."""
    found = np.zeros((4, count), np.int64)
    found[PLACE], found[END], found[HIGH], found[REF] = NOTHING, MIN_TIME, -1, -1
    return found
