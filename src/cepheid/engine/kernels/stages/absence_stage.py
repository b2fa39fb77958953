"""The stage that drops occurrences in which something stands that must be absent.

Of all that ends early enough for an occurrence, only the latest start matters: if that is too early, all are. So every
entry knows the latest start up to it, and one look is enough.
"""

from dataclasses import replace
from functools import reduce

import numpy as np

from cepheid.algebra.relations import Axis, Edge
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask
from cepheid.engine.kernels.facts.time_bounds import FAR
from cepheid.engine.kernels.plans.pattern_stages import AbsenceStageShape, Offsets
from cepheid.engine.kernels.stages.span_log import SpanLog, Spans
from cepheid.engine.kernels.stages.span_stage import Choose, SpanStage
from cepheid.engine.kernels.stages.stages import Context, Stage, Turn
from cepheid.engine.kernels.tables.occurrences import Occurrences, complete_at, none_of, together
from cepheid.events import MAX_TIME, MIN_TIME


class AbsenceStage(SpanStage):
    """Occurrences that wait until nothing that would forbid them can come, and what forbids."""

    def __init__(self, shape: AbsenceStageShape, inner: Stage, absent: Stage, context: Context) -> None:
        super().__init__(shape, (shape.inner, shape.absent), (inner, absent), context)
        self.shape, self.inner, self.absent = shape, inner, absent
        # Its events are of interest only where conditions look at them.
        self.width = len(self.views[1].names) if shape.where else 0
        self.log = SpanLog(self.width, by_arrival=shape.by_arrival)
        # Occurrences that are not yet looked at, whose left parts need not wait any more.
        self.asking = none_of(len(self.views[0].names))

    def found(self, turn: Turn) -> Occurrences:
        found, others = self.inner.turn(turn), self.absent.turn(turn)
        if len(self.waiting) and len(others):
            self.waiting = self.waiting.only(~self._blocked(self.waiting, self._log_of(others)))
        self.asking = found
        self._take(self._complete(others), int(found.end[0]) if len(found) else MAX_TIME)
        self.asking = found.take(np.arange(0))
        if len(found) or self.log.seen < self.log.top:
            found = found.only(~self._blocked(found, self.log))
        if len(found) and len(self.coming):
            found = found.only(~self._blocked(found, self._log_of(self.coming)))
        found = together([self.waiting, found])
        if not len(found):
            self.waiting = found
            return found
        if self.shape.at_once:
            self.waiting = none_of(len(found.refs))
            return found
        certain = self._all_there(found)
        decided = certain < self.absent.frontier
        self.waiting, found = found.only(~decided), found.only(decided)
        return replace(found, known=np.maximum(found.known, complete_at(certain[decided], self.shape.lag)))

    def _log_of(self, others: Occurrences) -> SpanLog:
        """Return a log of its own for what forbids."""
        log = SpanLog(self.width, len(others), by_arrival=self.shape.by_arrival)
        self._add(others, log)
        return log

    def _spans(self, found: Occurrences, log: SpanLog) -> Spans:
        """Return where something in a log would forbid occurrences."""
        starts, started, ends, ended = self.shape.span
        least = self._bound(found, log, starts, np.maximum, MIN_TIME)
        most = [self._bound(found, log, one, np.minimum, FAR) for one in (started, ended)]
        # Nothing that starts late enough ends earlier than that.
        least_end = np.maximum(least, self._bound(found, log, ends, np.maximum, MIN_TIME))
        until = self.views[0].tables.places(found.refs)[1] if log.by_arrival else found.end
        keys = self.keys.or_none(found, self.shape.keys[0], self.views[0])
        return Spans(np.ascontiguousarray(until), np.stack([least, most[0], least_end, most[1]]), keys)

    def _bound(self, found: Occurrences, log: SpanLog, offsets: Offsets, choose: Choose, without: int) -> Data:
        """Return the nearest of some times from which on, or until when, something forbids each occurrence.

        Where events of one time come one after the other, these are arrivals.
        """
        if not log.by_arrival:
            return self._nearest(found, offsets, choose, without)
        bounds = [np.full(len(found), without, np.int64)]
        for endpoint, by in offsets:
            near = self._nearest(found, ((endpoint, by),), choose, without)
            if endpoint.axis is Axis.TIME:
                near = log.arrived_from(near) if choose is np.maximum else log.arrived_until(near)
            bounds.append(near)
        return reduce(choose, bounds)

    def _blocked(self, found: Occurrences, log: SpanLog) -> Mask:
        """Say which occurrences are forbidden by something in a log."""
        spans = self._spans(found, log)
        log.make_room_for_keys(len(self.keys))
        _, started, ends, _ = self.shape.span
        if not self.shape.where and not started and not ends:
            return log.has_any(spans)
        blocked = np.zeros(len(found), np.bool_)
        for pairs in log.listed(spans):
            blocked[self._satisfying(found, log, pairs)[0]] = True
        return blocked

    def _matter(self, starts: Data, ends: Data, keys: Data, first: int) -> Mask:
        """Leave out what another one of its key outdoes for all that is to come."""
        matter, rule = super()._matter(starts, ends, keys, first), self.shape.forbidding
        if rule is None:
            return matter
        if rule.after is not None:
            is_early = starts - rule.after >= self.inner.frontier
            return matter & (is_early | self._first_to_end(starts, ends, rule.after))
        early, rows = max(min(first, self.inner.frontier), MIN_TIME), np.flatnonzero(matter)
        times = {Edge.START: starts, Edge.END: ends}
        for edge, by in rule.settled:
            rows = rows[times[edge][rows] + by <= early]
        order = rows[np.lexsort((times[rule.edge][rows], keys[rows]))]
        matter[order[:-1][keys[order[1:]] == keys[order[:-1]]]] = False
        return matter

    def _first_to_end(self, starts: Data, ends: Data, after: int) -> Mask:
        """Say which of what forbids is the first to end of all that starts so long after a left part, or later."""
        began = self._nearest(self.asking, self.shape.span[0], np.maximum, MIN_TIME)
        since = np.unique(np.append(self.inner.left_ends() + after, began))
        order = np.argsort(starts, kind="stable")
        # From the last one on, what ends before all that starts later.
        backwards = order[::-1]
        soonest = np.minimum.accumulate(ends[backwards])
        rows = backwards[np.diff(soonest, prepend=MAX_TIME) < 0]
        places = np.searchsorted(-starts[rows], -since, "right") - 1
        found = np.zeros(len(starts), np.bool_)
        found[rows[places[places >= 0]]] = True
        return found
