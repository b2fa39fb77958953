"""What stages have in common whose occurrences look for others in a span of time, and wait until these are there."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from cepheid.engine.kernels.columns.column_evaluation import where_true
from cepheid.engine.kernels.columns.state_bytes import Entry, named, under
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask
from cepheid.engine.kernels.facts.time_bounds import FAR
from cepheid.engine.kernels.plans.pattern_stages import AbsenceStageShape, CollectStageShape, Offsets, StageShape
from cepheid.engine.kernels.stages.span_log import SpanLog
from cepheid.engine.kernels.stages.stage_keys import StageKeys
from cepheid.engine.kernels.stages.stages import Context, Stage
from cepheid.engine.kernels.tables.event_tables import present_in
from cepheid.engine.kernels.tables.occurrences import Occurrences, none_of, together
from cepheid.events import MAX_TIME, MIN_TIME

Choose = Callable[[Data, Data], Data]


class SpanStage(Stage):
    """Occurrences that wait, and a log of the others; what ends at an instant that is not complete is `coming`."""

    def __init__(
        self,
        shape: AbsenceStageShape | CollectStageShape,
        below: tuple[StageShape, StageShape],
        stages: tuple[Stage, Stage],
        context: Context,
    ) -> None:
        self.stages, self.certain, self.expiry, self.where = stages, shape.certain, shape.expiry, shape.where
        self.views = (context.view(below[0]), context.view(below[1]))
        self.both = replace(self.views[0], names=(*self.views[0].names, *self.views[1].names))
        self.sides = shape.keys
        self.keys = StageKeys(len(shape.keys[0]), shape.per, context)
        self.waiting, self.coming = (none_of(len(view.names)) for view in self.views)
        self.log = SpanLog(len(self.views[1].names))

    def below(self) -> Sequence[Stage]:
        return self.stages

    @property
    def trails(self) -> bool:
        return super().trails or all(by > 0 for _, by in self.certain)

    def reached(self, _: Mapping[int, int]) -> int:
        least = self.stages[0].frontier
        return min(least, int(self.waiting.end[0])) if len(self.waiting) else least

    def _complete(self, others: Occurrences) -> Occurrences:
        """Return those of the others that end before all that is still to come; the rest waits for that."""
        others = together([self.coming, others])
        last = int(np.searchsorted(others.end, self.stages[1].frontier, "left"))
        self.coming = others.take(np.arange(last, len(others)))
        return others.take(np.arange(last))

    def _take(self, others: Occurrences, first: int) -> None:
        """Put others into the log; `first` is from when on occurrences end that will be looked at now."""
        if self.log.top + len(others) > self.log.room:
            self._make_room(len(others), first)
        self._add(others, self.log)

    def _add(self, others: Occurrences, log: SpanLog) -> None:
        """Add others to a log, in the order of their arrivals where these count; there must be room."""
        others, keys = self.keys.of(others, self.sides[1], self.views[1])
        log.make_room_for_keys(len(self.keys))
        if not log.by_arrival:
            log.append(others, keys)
            return
        arrivals = self.views[1].tables.places(others.refs)
        order = np.argsort(arrivals[1], kind="stable")
        keys = np.broadcast_to(np.asarray(keys, np.int32), len(others))[order]
        log.append(others.take(order), keys, arrivals[:, order])

    def _nearest(self, found: Occurrences, offsets: Offsets, choose: Choose, without: int) -> Data:
        """Return the least or the greatest of some times near each occurrence, and what it is without any."""
        moments = [(self.views[0].moment(found, endpoint), by) for endpoint, by in offsets]
        if not moments:
            return np.full(len(found), without, np.int64)
        return reduce(choose, [present_in(moment)[0] + by for moment, by in moments if moment is not None])

    def _all_there(self, found: Occurrences) -> Data:
        """Return after when nothing that occurrences look for can come any more."""
        return self._nearest(found, self.certain, np.minimum, FAR)

    def _satisfying(self, found: Occurrences, log: SpanLog, pairs: Data) -> Data:
        """Return the pairs of an occurrence and a row that satisfy all conditions."""
        own = len(self.views[0].names)
        for condition in self.where:
            beside, rows = pairs

            def refs(place: int, beside: Data = beside, rows: Data = rows) -> Data:
                taken: Data = found.refs[place][beside] if place < own else log.refs[place - own][rows]
                return taken

            true = where_true(condition, self.both.frame_of(pairs.shape[1], refs))
            pairs = pairs if true is None else pairs.compress(true, axis=1)
        return pairs

    def _needed(self, first: int) -> Mask:
        """Return which rows can still matter to something that is to come, or that ends at a time or later."""
        log = self.log
        return self._matter(log.start[: log.top], log.end[: log.top], log.key[: log.top], first)

    def _matter(self, starts: Data, ends: Data, _: Data, first: int) -> Mask:
        """Say which of what lies somewhere under some key can still matter."""
        early = max(min(first, self._earliest()), MIN_TIME)
        matter: Mask = np.ones(len(ends), np.bool_)
        for times, by in zip((starts, ends), self.expiry, strict=True):
            if by is not None:
                matter &= times + by >= early
        return matter

    def _earliest(self) -> int:
        """Return from when on occurrences end to which rows can matter."""
        return self.stages[0].frontier

    def _make_room(self, count: int, first: int) -> None:
        """Evict what does not matter to anything that ends at a time or later, and make room for so many rows."""
        log = self.log
        log.pack(np.flatnonzero(self._needed(first)), count)
        self.keys.forget(log)
        log.relink()

    def held(self) -> Data:
        refs = (self.waiting.refs, self.coming.refs, self.log.refs[:, np.flatnonzero(self._needed(MAX_TIME))])
        return np.concatenate([some.reshape(1, -1) for some in refs], axis=1)

    def live(self) -> int:
        log, (coming, keys) = self.log, self.keys.of(self.coming, self.sides[1], self.views[1])
        starts, ends = np.append(log.start[: log.top], coming.start), np.append(log.end[: log.top], coming.end)
        keys = np.append(log.key[: log.top], np.broadcast_to(np.asarray(keys, np.int32), len(coming)))
        return len(self.waiting) + int(self._matter(starts, ends, keys, MAX_TIME).sum())

    def written(self) -> dict[str, Entry]:
        self._make_room(0, MAX_TIME)
        beside = {**named("waiting", self.waiting.written()), **named("coming", self.coming.written())}
        return {**self.log.written(), **beside, **self.keys.written()}

    def take_up(self, entries: Mapping[str, Any]) -> None:
        self.keys.take_up(entries)
        self.waiting = Occurrences.of(under("waiting", entries))
        self.coming = Occurrences.of(under("coming", entries))
        self.log.take_up(entries, len(self.keys))
