"""The stage that joins more than two at once: what waits of each part is in one log, no part of a match is kept."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from cepheid.engine.kernels.columns.column_evaluation import where_true
from cepheid.engine.kernels.columns.gathering import gathered
from cepheid.engine.kernels.columns.row_store import LEAST_ROOM, ByRow, KeyedRows
from cepheid.engine.kernels.columns.state_bytes import Entry, named, under
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Rows
from cepheid.engine.kernels.facts.time_bounds import UNLIMITED
from cepheid.engine.kernels.pairs.combination_kernels import (
    COUNT,
    FULL,
    STATUS,
    PartLimits,
    PartLists,
    PartRows,
    combine,
    link_parts,
    note_live_parts,
    write_combinations,
)
from cepheid.engine.kernels.plans.pattern_stages import CombinationShape, Distances, StageShape, names_of
from cepheid.engine.kernels.stages.stage_keys import StageKeys
from cepheid.engine.kernels.stages.stages import Context, Stage, Turn
from cepheid.engine.kernels.tables.occurrences import Occurrences, none_of
from cepheid.engine.kernels.tables.standing import standing_at
from cepheid.events import MAX_TIME


class CombinationLog(KeyedRows):
    """What waits of all parts, in the order of ends: times and places, of which part, with which keys."""

    times: Data
    part: Data
    codes: Data
    refs: Data
    link: Data


class CombinationStage(Stage):
    """A join of several at work."""

    def __init__(self, shape: CombinationShape, stages: Sequence[Stage], context: Context) -> None:
        self.shape, self.stages = shape, stages
        self.views = [context.view(one) for one in shape.parts]
        self.view = context.view(shape)
        self.keys = StageKeys(len(shape.keys[0]), shape.per, context)
        self.others = [StageKeys(1, 0, context) for _ in shape.equal]
        self.standing, self.counts = context.standing, shape.far is not None
        shared = np.array([[bool(one) for one in each] for each in shape.equal], np.bool_)
        shared = shared.reshape(len(shape.equal), len(shape.parts))
        self.limits = PartLimits(_numbers(shape.most), _numbers(shape.far or shape.most), shared)
        self.places = np.array([(part, place) for part, one in enumerate(shape.parts) for place in range(_width(one))])
        self.log = CombinationLog(
            width=len(stages),
            times=ByRow(np.int64, 3 + (context.standing.height if self.counts else 0)),
            part=ByRow(np.int32),
            codes=ByRow(np.int32, len(shape.equal)),
            refs=ByRow(np.int64, max(map(_width, shape.parts))),
            link=ByRow(np.int32, written=False),
        )
        self.out = np.empty((len(stages), LEAST_ROOM), np.int32)
        self.control = np.zeros(2, np.int64)

    def below(self) -> Sequence[Stage]:
        return self.stages

    def found(self, turn: Turn) -> Occurrences:
        news = [stage.turn(turn) for stage in self.stages]
        first = self._take(news)
        if first == self.log.top:
            return none_of(len(self.view.names))
        rows = self._combined(first)
        for condition in self.shape.where:
            true = where_true(condition, self.view.frame_of(rows.shape[1], partial(self._refs, rows)))
            rows = rows if true is None else rows.compress(true, axis=1)
        times = np.empty((3, rows.shape[1]), np.int64)
        compiled(write_combinations)(rows, self.log.times, times)
        refs = np.stack([self._refs(rows, place) for place in range(len(self.places))])
        order = np.argsort(times[1], kind="stable")
        start, end, known = times[:, order]
        return Occurrences(start, end, known, refs[:, order])

    def _refs(self, rows: Data, place: int) -> Data:
        """Return the events of one name in combinations of rows."""
        part, line = self.places[place]
        return gathered(self.log.refs[line], rows[part])

    def _take(self, news: Sequence[Occurrences]) -> int:
        """Put what is new into the log in the order of ends, and return where that begins."""
        log, count = self.log, sum(map(len, news))
        if log.top + count > log.room:
            self._make_room(count, min(int(some.end[0]) for some in news if len(some)))
        first = log.top
        for part, some in enumerate(news):
            self._append(part, some)
        log.arrange(first, np.lexsort((self._places()[1][first : log.top], log.times[1, first : log.top])))
        log.make_room_for_keys(len(self.keys))
        return first

    def _append(self, part: int, some: Occurrences) -> None:
        """Put what is new of one part at the end of the log, but what is too long or has nothing that must be equal."""
        view, length = self.views[part], some.end - some.start
        most = self.limits.times
        longest, shortest = most[2 * part, 2 * part + 1], -most[2 * part + 1, 2 * part]
        some = some.only((length <= longest) & (length >= shortest))
        some, _ = self.keys.of(some, self.shape.keys[part], view)
        for keys, each in zip(self.others, self.shape.equal, strict=True):
            if each[part]:
                some, _ = keys.of(some, each[part], view)
        log = self.log
        rows = log.added(len(some))
        places = standing_at(self.standing, some.refs) if self.counts else ()
        for line, times in enumerate((some.start, some.end, some.known, *places)):
            log.times[line, rows] = times
        log.part[rows], log.key[rows] = part, self.keys.of(some, self.shape.keys[part], view)[1]
        for number, (keys, each) in enumerate(zip(self.others, self.shape.equal, strict=True)):
            log.codes[number, rows] = keys.of(some, each[part], view)[1] if each[part] else 0
        log.refs[:, rows] = -1
        log.refs[: len(some.refs), rows] = some.refs

    def _combined(self, first: int) -> Data:
        """Let the kernel see all rows from one on, and return the combinations of rows that it finds."""
        control, found = self.control, []
        chosen = np.zeros(len(self.stages), np.int32)
        while first < self.log.top:
            control[COUNT] = 0
            kernel = compiled(combine, POSITIONS=self.counts)
            first = kernel(first, self.log.top, self._rows(), self._lists(), self.limits, chosen, self.out, control)
            if control[COUNT]:
                found.append(self.out[:, : control[COUNT]].copy())
            elif control[STATUS] == FULL:
                self.out = np.empty((len(self.stages), 2 * self.out.shape[1]), np.int32)
        return np.concatenate([self.out[:, :0], *found], axis=1)

    def _live(self, first: int) -> Rows:
        """Return the rows that something can still come of, where what is new ends at a time or later."""
        kept = np.empty(self.log.top, np.int32)
        reached = [min(stage.frontier, first) for stage in self.stages]
        coming = np.array([min(reached[:part] + reached[part + 1 :]) for part in range(len(reached))], np.int64)
        place = self._coming(coming)
        kernel = compiled(note_live_parts, POSITIONS=self.counts)
        return kept[: kernel(self.log.top, self._rows(), self.limits, coming, place, kept)]

    def _coming(self, coming: Data) -> Data:
        """Return for each row before which place nothing of other parts is to come; nothing where places do not count.

        `coming` says so in time, for each part.
        """
        places, part = self.log.times[3:, : self.log.top], self.log.part[: self.log.top]
        found = np.zeros(self.log.top if self.counts else 0, np.int64)
        for own, time in enumerate(coming.tolist() if self.counts else []):
            rows = np.flatnonzero(part == own)
            found[rows] = self.standing.coming(time, places[:, rows])
        return found

    def _places(self) -> Data:
        """Return the places of rows where these count; where they do not, starts and ends are as good."""
        found: Data = self.log.times[3:5] if self.counts else self.log.times[:2]
        return found

    def _rows(self) -> PartRows:
        start, end, low, high = (*self.log.times[:2], *self._places())
        return PartRows(start, end, low, high, self.log.part, self.log.key, self.log.codes)

    def _lists(self) -> PartLists:
        return PartLists(self.log.heads, self.log.link)

    def _make_room(self, count: int, first: int) -> None:
        """Evict what nothing can come of that ends at a time or later, and make room for so many rows."""
        log, kept = self.log, self._live(first)
        log.keep(kept, log.room_for(len(kept) + count))
        self.keys.forget(log)
        for codes, keys in zip(log.codes, self.others, strict=True):
            codes[: log.top] = keys.forgotten(codes[: log.top])
        self._relink()

    def _relink(self) -> None:
        compiled(link_parts)(self.log.top, self._rows(), self._lists())

    def held(self) -> Data:
        found: Data = self.log.refs[:, self._live(MAX_TIME)]
        return found

    def live(self) -> int:
        return len(self._live(MAX_TIME))

    def written(self) -> dict[str, Entry]:
        self._make_room(0, MAX_TIME)
        rows = self.log.written()
        for number, keys in enumerate(self.others):
            rows |= named(f"other {number}", keys.written())
        return {**rows, **self.keys.written()}

    def take_up(self, entries: Mapping[str, Any]) -> None:
        self.keys.take_up(entries)
        for number, keys in enumerate(self.others):
            keys.take_up(under(f"other {number}", entries))
        self.log.take_up(entries, len(self.keys))
        self._relink()


def _numbers(distances: Distances) -> Data:
    return np.array([[UNLIMITED if one is None else one for one in row] for row in distances], np.int64)


def _width(shape: StageShape) -> int:
    return len(names_of(shape))
