"""The stage that collects: an anchor waits until no further item can belong to it, and then has them as a group."""

from dataclasses import replace

import numpy as np

from cepheid.engine.kernels.compiling.typed_arrays import Data
from cepheid.engine.kernels.facts.time_bounds import UNLIMITED
from cepheid.engine.kernels.plans.group_folds import group_values, listed
from cepheid.engine.kernels.plans.pattern_stages import CollectStageShape
from cepheid.engine.kernels.plans.run_bounds import LONG_AGO
from cepheid.engine.kernels.stages.span_log import Spans
from cepheid.engine.kernels.stages.span_stage import SpanStage
from cepheid.engine.kernels.stages.stage_order import in_order
from cepheid.engine.kernels.stages.stages import Context, Stage, Turn
from cepheid.engine.kernels.tables.event_tables import SHIFT
from cepheid.engine.kernels.tables.made_tables import GroupTable
from cepheid.engine.kernels.tables.occurrences import Occurrences, complete_at, none_of, together
from cepheid.events import MAX_TIME, MIN_TIME


class CollectStage(SpanStage):
    """A collection at work."""

    def __init__(self, shape: CollectStageShape, anchor: Stage, item: Stage, context: Context) -> None:
        super().__init__(shape, (shape.anchor, shape.item), (anchor, item), context)
        self.shape, self.anchor, self.item, self.context = shape, anchor, item, context
        self.never = LONG_AGO in shape.expiry  # no item ever belongs to an anchor
        self.table = GroupTable(shape.folds, lines=context.standing.height, beside=True)
        self.number = context.tables.add(self.table)

    def found(self, turn: Turn) -> Occurrences:
        self.waiting = together([self.waiting, self.anchor.turn(turn)])
        items = self.item.turn(turn)
        items = self._complete(items.take(np.arange(0)) if self.never else items)
        if len(items):
            self._take(in_order(items, self.context.tables, self.views[1].names), MAX_TIME)
        certain = self._all_there(self.waiting)
        complete = certain < self.item.frontier
        found, self.waiting = self.waiting.only(complete), self.waiting.only(~complete)
        if not len(found):
            return none_of(len(self.views[0].names) + 1)
        known = np.maximum(found.known, complete_at(certain[complete], self.shape.lag))
        return self._with_groups(replace(found, known=known))

    def _earliest(self) -> int:
        return self.reached({})

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
        first, last = tables.add_groups(self.table, times, listed(refs, offsets), values, grounds)
        groups = np.arange(first, last) + (self.number << SHIFT)
        return replace(anchors, refs=np.concatenate([anchors.refs, groups[None, :]]))

    def _pairs(self, anchors: Occurrences) -> Data:
        """Return the items of anchors by their rows, in the total order beside each anchor."""
        keys = self.keys.or_none(anchors, self.shape.keys[0], self.views[0])
        self.log.make_room_for_keys(len(self.keys))
        spans = Spans(np.ascontiguousarray(anchors.end), self._bounds(anchors), keys)
        found = [self._satisfying(anchors, self.log, pairs.astype(np.int64)) for pairs in self.log.listed(spans)]
        pairs = np.concatenate(found, axis=1)
        return pairs[:, np.lexsort((pairs[1], pairs[0]))]

    def _bounds(self, anchors: Occurrences) -> Data:
        """Return between when the items of each anchor start and end."""
        most = [[UNLIMITED if one is None else one for one in row] for row in self.shape.most]
        bounds = []
        for edge in (2, 3):
            bounds.append(np.maximum(anchors.start - most[edge][0], anchors.end - most[edge][1]))
            bounds.append(np.minimum(anchors.start + most[0][edge], anchors.end + most[1][edge]))
        return np.stack(bounds)

    def _hulls(self, anchors: Occurrences, pairs: Data) -> tuple[Data, Data]:
        """Return where groups lie; one without items lies where its anchor does."""
        start, end = np.full(len(anchors), MAX_TIME), np.full(len(anchors), MIN_TIME)
        np.minimum.at(start, pairs[0], self.log.start[pairs[1]])
        np.maximum.at(end, pairs[0], self.log.end[pairs[1]])
        none = end < start
        return np.where(none, anchors.start, start), np.where(none, anchors.end, end)
