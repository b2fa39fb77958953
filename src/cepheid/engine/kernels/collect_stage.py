"""The stage that collects: an anchor waits until no further item can belong to it, and then has them as a group."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from cepheid.engine.kernels.column_evaluation import where_true
from cepheid.engine.kernels.event_tables import SHIFT, present_in
from cepheid.engine.kernels.group_folds import group_values, listed
from cepheid.engine.kernels.made_tables import GroupTable
from cepheid.engine.kernels.occurrences import COLUMNS, FAR, Occurrences, complete_at, none_of, together
from cepheid.engine.kernels.pattern_stages import CollectStageShape
from cepheid.engine.kernels.run_bounds import LONG_AGO
from cepheid.engine.kernels.span_log import SpanLog, Spans
from cepheid.engine.kernels.stage_keys import StageKeys
from cepheid.engine.kernels.stage_order import in_order
from cepheid.engine.kernels.stages import Context, Stage, Turn
from cepheid.engine.kernels.state_bytes import Entry
from cepheid.engine.kernels.typed_arrays import Data, Mask
from cepheid.events import MAX_TIME, MIN_TIME

NEVER = 1 << 62


class CollectStage(Stage):
    """A collection at work."""

    def __init__(self, shape: CollectStageShape, anchor: Stage, item: Stage, context: Context) -> None:
        self.shape, self.anchor, self.item, self.context = shape, anchor, item, context
        self.views = (context.view(shape.anchor), context.view(shape.item))
        self.both = replace(self.views[0], names=(*self.views[0].names, *self.views[1].names))
        self.keys = StageKeys(len(shape.keys[0]), shape.per, context)
        self.waiting, self.coming = (none_of(len(view.names)) for view in self.views)
        self.log = SpanLog(len(self.views[1].names))
        self.never = LONG_AGO in shape.expiry  # no item ever belongs to an anchor
        self.table = GroupTable(shape.folds, beside=True)
        self.number = context.tables.add(self.table)

    def below(self) -> Sequence[Stage]:
        return (self.anchor, self.item)

    @property
    def trails(self) -> bool:
        return super().trails or all(by > 0 for _, by in self.shape.certain)

    def reached(self, _: Mapping[int, int]) -> int:
        return min(self.anchor.frontier, int(self.waiting.end[0])) if len(self.waiting) else self.anchor.frontier

    def found(self, turn: Turn) -> Occurrences:
        self.waiting = together([self.waiting, self.anchor.turn(turn)])
        items = self.item.turn(turn)
        if self.never:
            items = items.take(np.arange(0))
        items = together([self.coming, items])
        last = int(np.searchsorted(items.end, self.item.frontier, "left"))
        self.coming = items.take(np.arange(last, len(items)))
        if last:
            self._take(in_order(items.take(np.arange(last)), self.context.tables, self.views[1].names))
        certain = self._certain(self.waiting)
        complete = certain < self.item.frontier
        found, self.waiting = self.waiting.only(complete), self.waiting.only(~complete)
        if not len(found):
            return none_of(len(self.views[0].names) + 1)
        known = np.maximum(found.known, complete_at(certain[complete], self.shape.lag))
        return self._with_groups(replace(found, known=known))

    def _certain(self, anchors: Occurrences) -> Data:
        """Return after when no item of each anchor can come any more."""
        moments = [(self.views[0].moment(anchors, endpoint), by) for endpoint, by in self.shape.certain]
        if not moments:
            return np.full(len(anchors), FAR)
        return reduce(np.minimum, [present_in(moment)[0] + by for moment, by in moments if moment is not None])

    def _take(self, items: Occurrences) -> None:
        if self.log.top + len(items) > self.log.room:
            self._make_room(len(items))
        items, keys = self.keys.of(items, self.shape.keys[1], self.views[1])
        self.log.make_room_for_keys(len(self.keys))
        self.log.append(items, keys)

    def _with_groups(self, anchors: Occurrences) -> Occurrences:
        """Return anchors with their groups."""
        pairs = self._pairs(anchors)
        offsets = np.zeros(len(anchors) + 1, np.int64)
        np.cumsum(np.bincount(pairs[0], minlength=len(anchors)), out=offsets[1:])
        refs, tables = self.log.refs[:, pairs[1]], self.context.tables
        both = np.concatenate([anchors.refs[:, pairs[0]], refs])
        frame = self.both.frame_of(pairs.shape[1], both.__getitem__)
        values = group_values(self.shape.folds, frame, offsets, self.views[0].frame(anchors))
        grounds = tables.rest_on(refs, pairs[0], len(anchors)) if self.context.evidence else None
        times = (*self._hulls(anchors, pairs), anchors.known)
        first, last = self.table.append(times, listed(refs, offsets), values, grounds, tables.words)
        groups = np.arange(first, last) + (self.number << SHIFT)
        return replace(anchors, refs=np.concatenate([anchors.refs, groups[None, :]]))

    def _pairs(self, anchors: Occurrences) -> Data:
        """Return the items of anchors by their rows, in the total order beside each anchor."""
        keys = self.keys.or_none(anchors, self.shape.keys[0], self.views[0])
        self.log.make_room_for_keys(len(self.keys))
        spans = Spans(np.ascontiguousarray(anchors.end), self._bounds(anchors), keys)
        found = [self._satisfying(anchors, pairs.astype(np.int64)) for pairs in self.log.listed(spans)]
        pairs = np.concatenate(found, axis=1)
        return pairs[:, np.lexsort((pairs[1], pairs[0]))]

    def _bounds(self, anchors: Occurrences) -> Data:
        """Return between when the items of each anchor start and end."""
        most = [[NEVER if one is None else one for one in row] for row in self.shape.most]
        bounds = []
        for edge in (2, 3):
            bounds.append(np.maximum(anchors.start - most[edge][0], anchors.end - most[edge][1]))
            bounds.append(np.minimum(anchors.start + most[0][edge], anchors.end + most[1][edge]))
        return np.stack(bounds)

    def _satisfying(self, anchors: Occurrences, pairs: Data) -> Data:
        """Return the pairs of an anchor and a row that satisfy all conditions."""
        own = len(self.views[0].names)
        for condition in self.shape.where:
            beside, rows = pairs

            def refs(place: int, beside: Data = beside, rows: Data = rows) -> Data:
                taken: Data = anchors.refs[place][beside] if place < own else self.log.refs[place - own][rows]
                return taken

            true = where_true(condition, self.both.frame_of(pairs.shape[1], refs))
            pairs = pairs if true is None else pairs.compress(true, axis=1)
        return pairs

    def _hulls(self, anchors: Occurrences, pairs: Data) -> tuple[Data, Data]:
        """Return where groups lie; one without items lies where its anchor does."""
        start, end = np.full(len(anchors), MAX_TIME), np.full(len(anchors), MIN_TIME)
        np.minimum.at(start, pairs[0], self.log.start[pairs[1]])
        np.maximum.at(end, pairs[0], self.log.end[pairs[1]])
        none = end < start
        return np.where(none, anchors.start, start), np.where(none, anchors.end, end)

    def _needed(self) -> Mask:
        """Return which items can belong to an anchor that waits or is to come."""
        early, log = max(self.reached({}), MIN_TIME), self.log
        needed: Mask = np.ones(log.top, np.bool_)
        for times, by in zip((log.start, log.end), self.shape.expiry, strict=True):
            if by is not None:
                needed &= times[: log.top] + by >= early
        return needed

    def _make_room(self, count: int) -> None:
        log = self.log
        log.pack(np.flatnonzero(self._needed()), count)
        log.key[: log.top], log.heads = self.keys.forgotten(log.key[: log.top], log.heads)
        log.relink()

    def held(self) -> Data:
        refs = (self.waiting.refs, self.coming.refs, self.log.refs[:, np.flatnonzero(self._needed())])
        return np.concatenate([some.reshape(1, -1) for some in refs], axis=1)

    def live(self) -> int:
        return len(self.waiting) + len(self.coming) + int(self._needed().sum())

    def written(self) -> dict[str, Entry]:
        waiting: dict[str, Entry] = {f"waiting {name}": getattr(self.waiting, name) for name in COLUMNS}
        waiting |= {f"coming {name}": getattr(self.coming, name) for name in COLUMNS}
        return {**self.log.written(), **waiting, **self.keys.written()}

    def take_up(self, entries: Mapping[str, Any]) -> None:
        self.keys.take_up(entries)
        self.waiting = Occurrences(*(entries[f"waiting {name}"] for name in COLUMNS))
        self.coming = Occurrences(*(entries[f"coming {name}"] for name in COLUMNS))
        self.log.take_up(entries, len(self.keys))
