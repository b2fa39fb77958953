"""The stage that joins two: what waits on either side lies in one log, and a kernel lets each row take its partners.

All combinations are told as they come. A choice looks at an instant only when it is complete, and then at all that ends
there in the total order; rows of an instant that is not complete wait at the end of the log.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cepheid.algebra.expressions import Expr
from cepheid.algebra.policies import Choice
from cepheid.engine.kernels.columns.column_evaluation import where_true
from cepheid.engine.kernels.columns.gathering import gathered
from cepheid.engine.kernels.columns.row_store import LEAST_ROOM
from cepheid.engine.kernels.columns.state_bytes import Entry
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Rows
from cepheid.engine.kernels.compiling.written import Function
from cepheid.engine.kernels.facts.time_bounds import UNLIMITED
from cepheid.engine.kernels.joins.rivals import Keyed, Rivals
from cepheid.engine.kernels.joins.tie_weights import TieWeights
from cepheid.engine.kernels.pairs.latest_pairs import take_latest_start
from cepheid.engine.kernels.pairs.pair_candidates import list_candidates, write_pairs
from cepheid.engine.kernels.pairs.pair_kernels import (
    COUNT,
    FULL,
    STATUS,
    take_all,
    take_next,
    take_oldest,
    take_recent,
)
from cepheid.engine.kernels.pairs.pair_lists import ALL, CHRONOLOGICAL, LATEST_START, NEXT, RECENT, PairLimits
from cepheid.engine.kernels.pairs.pair_log import BOTH, LEFT, RIGHT, PairLog
from cepheid.engine.kernels.pairs.pair_reach import Candidates
from cepheid.engine.kernels.pairs.pair_taken import TAKEN
from cepheid.engine.kernels.plans.pattern_stages import Distances, PairShape, ScanShape, names_of
from cepheid.engine.kernels.stages.stage_keys import StageKeys
from cepheid.engine.kernels.stages.stage_order import put_in_order
from cepheid.engine.kernels.stages.stages import Context, Stage, Turn, of_event
from cepheid.engine.kernels.tables.occurrences import Occurrences, complete_at, none_of
from cepheid.events import MAX_TIME

_NONE = np.zeros(0, np.int64)
CHOICES = {
    Choice.ALL: ALL,
    Choice.RECENT: RECENT,
    Choice.CHRONOLOGICAL: CHRONOLOGICAL,
    Choice.NEXT: NEXT,
    Choice.LATEST_START: LATEST_START,
    Choice.STRICT: ALL,
}
KERNELS: dict[int, Function] = {
    ALL: take_all,
    RECENT: take_recent,
    CHRONOLOGICAL: take_oldest,
    NEXT: take_next,
    LATEST_START: take_latest_start,
}


class PairStage(Stage):
    """A join of two at work."""

    def __init__(self, shape: PairShape, left: Stage, right: Stage, context: Context) -> None:
        self.is_same = _is_same(shape)
        self.shape, self.sides, self.tables = shape, (left, left if self.is_same else right), context.tables
        self.names = (names_of(shape.left), names_of(shape.right))
        self.views = (context.view(shape.left), context.view(shape.right))
        self.view = context.view(shape)
        self.keys = StageKeys(len(shape.keys[0]), shape.per, context)
        self.choice = CHOICES[shape.choice]
        self.counts = shape.places is not None
        width = max(map(len, self.names))
        standing, tie = context.standing if self.counts else None, (shape.tie, bool(shape.ties))
        self.rivals = Rivals(shape, self.keys, context)
        kinds = (standing, self.rivals.sides)
        settles, by_arrival = shape.settles, shape.by_arrival
        self.log = PairLog(width, self.choice, tie, settles, *kinds, by_arrival=by_arrival, follows=shape.follows)
        self.ties = TieWeights(shape.ties)
        bounds, widths = _bounds(shape.most)
        places = (bounds, widths) if shape.places is None else _bounds(shape.places)
        self.limits, self.widths = PairLimits(bounds, places[0]), (widths, np.full(2, UNLIMITED))
        if shape.by_arrival:
            self.limits, self.widths = PairLimits(places[0], bounds), (places[1], widths)
        self.flags = {"POSITIONS": self.counts, "CANDIDATES": bool(shape.candidate), "RIVALS": self.rivals.sides}
        self.out = np.empty((2, LEAST_ROOM), np.int32)
        self.control = np.zeros(3, np.int64)

    def below(self) -> Sequence[Stage]:
        return self.sides

    def found(self, turn: Turn) -> Occurrences:
        left = self._side(0, turn)
        right = none_of(1) if self.is_same else self._side(1, turn)
        if len(left) or len(right):
            self._take(left, right)
        log = self.log
        if log.done == log.top:
            return none_of(len(self.view.names))
        last = log.top
        if self.choice != ALL or self.counts:
            if not self.shape.prompt:
                last = log.done + int(np.searchsorted(log.end[log.done : log.top], self._frontier(), "left"))
            if self.choice == ALL:
                log.arrange(log.done, np.lexsort((log.high[log.done : last], log.end[log.done : last])))
            else:
                put_in_order(log, last, self.tables, self.names)
        found = self._paired(self._kept(self._pairs(last)))
        log.done = last
        if self.choice == ALL:
            # What comes late may take partners that end after what is next.
            return found.take(np.argsort(found.end, kind="stable")) if self.trails else found
        if self.shape.prompt:
            return found
        return replace(found, known=np.maximum(found.known, complete_at(found.end, self.shape.lag)))

    def _side(self, side: int, turn: Turn) -> Occurrences:
        """Return what is new on a side, without what is too long or too short for any partner."""
        found = self.sides[side].turn(turn)
        first = 2 * side
        longest, shortest = self.shape.most[first][first + 1], self.shape.most[first + 1][first]
        if not len(found) or (longest is None and shortest == 0):
            return found
        length = found.end - found.start
        fits = np.ones(len(found), np.bool_) if longest is None else length <= longest
        return found.only(fits if shortest is None else fits & (-length <= shortest))

    def _take(self, left: Occurrences, right: Occurrences) -> None:
        """Put what is new into the log, in the order of ends."""
        self._make_room([some for some in (left, right) if len(some)])
        first = self.log.top
        left, left_keys, left_rivals = self._keyed(0, left)
        right, right_keys, right_rivals = self._keyed(1, right)
        self.log.make_room_for_keys(len(self.rivals))
        if self.is_same:
            self.log.append(left, BOTH, left_keys)
        elif not len(right) or not len(left):
            found, member, keys = (right, RIGHT, right_keys) if len(right) else (left, LEFT, left_keys)
            self.log.append(found, member, keys)
        else:
            sides = zip((left_keys, right_keys), (left, right), strict=True)
            numbers = [np.broadcast_to(np.asarray(keys, np.int32), len(some)) for keys, some in sides]
            self.log.merge(left, right, np.concatenate(numbers))
        if self.rivals.sides:
            self.log.compete(first, (left_rivals, right_rivals))
        if self.shape.ties:
            self._weigh(first)
        if self.trails and (self.choice != ALL or self.counts):
            self.log.arrange(self.log.done, np.argsort(self.log.end[self.log.done : self.log.top], kind="stable"))

    def _keyed(self, side: int, found: Occurrences) -> Keyed:
        """Return what is new on a side and has all keys, with the numbers of these."""
        found, keys = self.keys.of(found, self.shape.keys[side], self.views[side])
        return self.rivals.of(side, found, keys, self.views[side])

    def _weigh(self, first: int) -> None:
        """Let rows from one on have what breaks ties, for each side that they are of."""
        log = self.log
        for side, names in enumerate(self.names):
            rows = first + np.flatnonzero((log.member[first : log.top] >> side) & 1)
            start, end, known = log.times[:, rows]
            found = Occurrences(start, end, known, log.refs[: len(names), rows])
            log.weight[side, rows] = self.ties.of(found, self.views[side], log.weight)

    def _frontier(self) -> int:
        """Return before when nothing new ends on either side."""
        return min(side.frontier for side in self.sides)

    def _pairs(self, last: int) -> Data:
        """Let the kernel see all rows up to one, and return the pairs of rows that it finds."""
        log, control = self.log, self.control
        # A choice has at most a pair for each row of either side, and the next one for each of the left side.
        most = log.top if self.choice == NEXT else 2 * (last - log.done)
        if self.choice != ALL and self.out.shape[1] < most:
            self.out = np.empty((2, most), np.int32)
        row, found, candidates = log.done, [], self._candidates(last)
        control[COUNT] = 0
        kernel = compiled(KERNELS[self.choice], **self.flags)
        while row < last:
            control[STATUS], control[TAKEN] = 0, log.taken.top
            row = kernel(row, last, log.rows, log.lists, self.limits, candidates, *self._more(), self.out, control)
            log.taken.top = int(control[TAKEN])
            if control[COUNT]:
                found.append(self.out[:, : control[COUNT]].copy())
                control[COUNT] = 0
            elif control[STATUS] == FULL:
                self.out = np.empty((2, 2 * self.out.shape[1]), np.int32)
        return found[0] if len(found) == 1 else np.concatenate([np.empty((2, 0), np.int32), *found], axis=1)

    def _more(self) -> tuple[object, ...]:
        """Return what the kernel of the choice takes beside rows and candidates."""
        log = self.log
        if self.choice == ALL:
            return (self._coming(MAX_TIME),)
        if self.choice == RECENT:
            return log.weights
        if self.choice == LATEST_START:
            keys = len(log.heads)
            return log.latest, np.full((keys, 7), -1, np.int64), np.empty(keys, np.int32)
        taken = log.marks()
        return (*self.widths, *log.weights, taken) if self.choice == CHRONOLOGICAL else (taken,)

    def _candidates(self, last: int) -> Candidates:
        """Return the partners of new rows that satisfy the conditions on candidates, by row and side."""
        log, none = self.log, Candidates(self.log.done, _NONE, _NONE, _NONE)
        if not self.shape.candidate:
            return none
        fresh, behind = np.full((len(log.heads), 2), -1, np.int32), np.full((2, log.top), -1, np.int32)
        place, found, rows = np.array([log.done, 0], np.int64), [], (log.rows, log.lists, self.limits)
        kernel = compiled(list_candidates, POSITIONS=self.counts, RIVALS=self.rivals.sides)
        while place[0] < last:
            before = int(place[0])
            out = np.empty((2, self.out.shape[1]), np.int64)
            count = kernel(log.done, last, *rows, none, fresh, behind, self.choice, place, out)
            found.append(self._satisfying(out[:, :count]))
            if place[0] == before:
                self.out = np.empty((2, 2 * self.out.shape[1]), np.int32)
        pairs = np.concatenate([np.empty((2, 0), np.int64), *found], axis=1)
        offsets = np.zeros(2 * (last - log.done) + 1, np.int64)
        np.cumsum(np.bincount(pairs[0], minlength=len(offsets) - 1), out=offsets[1:])
        return Candidates(log.done, offsets, pairs[1], np.zeros(log.top, np.int64))

    def _satisfying(self, found: Data) -> Data:
        """Return those of the candidates, told by row and side, that satisfy the conditions."""
        own, rows = found[0] % 2, self.log.done + found[0] // 2
        sides = np.where(own == 0, np.stack([rows, found[1]]), np.stack([found[1], rows])).astype(np.int32)
        kept: Data = found[:, self._true(sides, self.shape.candidate)]
        return kept

    def _kept(self, rows: Data) -> Data:
        """Return the pairs that satisfy the conditions on what was chosen."""
        kept: Data = rows[:, self._true(rows, self.shape.where)] if self.shape.where else rows
        return kept

    def _true(self, rows: Data, conditions: Sequence[Expr]) -> Rows:
        """Return the pairs of rows that satisfy conditions, by their numbers."""
        left, kept = len(self.names[0]), np.arange(rows.shape[1])

        def refs(place: int) -> Data:
            return gathered(self.log.refs[place if place < left else place - left], rows[int(place >= left)])

        for condition in conditions:
            true = where_true(condition, self.view.frame_of(rows.shape[1], refs))
            if true is not None:
                rows, kept = rows.compress(true, axis=1), kept[true]
        return kept

    def _paired(self, rows: Data) -> Occurrences:
        log, lefts, rights = self.log, *map(len, self.names)
        times, refs = (np.empty((height, rows.shape[1]), np.int64) for height in (3, lefts + rights))
        compiled(write_pairs)(rows, log.times, log.refs, lefts, rights, times, refs)
        start, end, known = times
        return Occurrences(start, end, known, refs)

    def _make_room(self, new: Sequence[Occurrences]) -> None:
        """Make room for what is new; nothing is before its place any more."""
        log, count = self.log, sum(map(len, new))
        if log.top + count <= log.room:
            return
        kept = log.live(self.limits, self._coming(min(int(some.end[0]) for some in new)))
        self._pack(kept, log.room_for(len(kept) + count))

    def _pack(self, kept: Rows, room: int) -> None:
        """Keep some rows, and the keys that they have."""
        log = self.log
        log.pack(kept, room)
        self.keys.forget(log)
        self.rivals.forget(log)
        log.make_room_for_keys(len(self.rivals))
        log.relink()
        self.ties.forget(log.weight[:, : log.top])

    def _coming(self, first: int) -> Data:
        """Return for each side when its partners can end that are still to come; `first`: from when new ones do."""
        left, right = (min(side.frontier, first) for side in self.sides)
        return np.array([right, left], np.int64)

    def left_ends(self) -> Data:
        rows = self._live()
        found: Data = self.log.end[rows]
        return found

    def held(self) -> Data:
        found: Data = self.log.refs[:, self._live()]
        return found

    def _live(self) -> Rows:
        return self.log.live(self.limits, self._coming(MAX_TIME))

    def live(self) -> int:
        return len(self._live()) - (self.log.top - self.log.done)

    def written(self) -> dict[str, Entry]:
        self._pack(self._live(), self.log.room)
        return {**self.log.written(), **self.keys.written(), **self.rivals.written(), **self.ties.written()}

    def take_up(self, entries: Mapping[str, Any]) -> None:
        self.keys.take_up(entries)
        self.rivals.take_up(entries)
        self.log.take_up(entries, len(self.rivals))
        self.ties.take_up(entries)


def _bounds(distances: Distances) -> tuple[Data, Data]:
    """Return for each side how far its partner's ends may be from its own, and how long each side can be.

    From the least start, the least end, the greatest start to the greatest end of the partner, each in distances from
    the start and from the end of the own one.
    """
    most = [[UNLIMITED if one is None else one for one in row] for row in distances]
    bounds = []
    for own, other in ((0, 2), (2, 0)):
        lows = [most[other + edge][own + end] for edge in range(2) for end in range(2)]
        highs = [most[own + end][other + edge] for edge in range(2) for end in range(2)]
        bounds.append(lows + highs)
    return np.array(bounds, np.int64), np.array([most[0][1], most[2][3]], np.int64)


def _is_same(shape: PairShape) -> bool:
    """Say whether both sides are the same events, with the same keys."""
    left, right = shape.left, shape.right
    if not isinstance(left, ScanShape) or not isinstance(right, ScanShape) or left.types != right.types:
        return False
    if any(shape.own):
        return False
    own, other = ((left.where, *shape.keys[0]), (right.where, *shape.keys[1]))
    return _unnamed(own, left.name) == _unnamed(other, right.name) and _own_lengths(shape)


def _own_lengths(shape: PairShape) -> bool:
    """Say whether no side is more limited in its own length than the other."""
    return (shape.most[0][1], shape.most[1][0]) == (shape.most[2][3], shape.most[3][2])


def _unnamed(expressions: Sequence[Expr | None], name: str) -> list[Expr | None]:
    return [None if one is None else of_event(one, name) for one in expressions]
