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
from cepheid.engine.kernels.event_tables import present_in
from cepheid.engine.kernels.occurrences import COLUMNS, FAR, Occurrences, complete_at, none_of, together
from cepheid.engine.kernels.pattern_stages import AbsenceStageShape, Offsets
from cepheid.engine.kernels.span_log import SpanLog, Spans
from cepheid.engine.kernels.stage_keys import StageKeys
from cepheid.engine.kernels.stages import Context, Stage, Turn
from cepheid.engine.kernels.state_bytes import Entry
from cepheid.engine.kernels.typed_arrays import Data, Mask, Rows
from cepheid.events import MAX_TIME, MIN_TIME

Choose = Callable[[Data, Data], Data]


class AbsenceStage(Stage):
    """Occurrences that wait until nothing that would forbid them can come, and what forbids."""

    def __init__(self, shape: AbsenceStageShape, inner: Stage, absent: Stage, context: Context) -> None:
        self.shape, self.inner, self.absent = shape, inner, absent
        self.view, self.absent_view = context.view(shape.inner), context.view(shape.absent)
        self.keys = StageKeys(len(shape.keys[0]), shape.per, context)
        self.waiting, self.coming = none_of(len(self.view.names)), none_of(len(self.absent_view.names))
        # Where conditions look at what is absent, its events are of interest too.
        self.both = replace(self.view, names=(*self.view.names, *self.absent_view.names))
        self.width = len(self.absent_view.names) if shape.where else 0
        self.log = SpanLog(self.width)

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
        if len(self.waiting) and len(others):
            self.waiting = self.waiting.only(~self._blocked(self.waiting, self._log_of(others)))
        self._take(self._complete(together([self.coming, others])), found)
        if len(found) or self.log.seen < self.log.top:
            found = found.only(~self._blocked(found, self.log))
        if len(found) and len(self.coming):
            found = found.only(~self._blocked(found, self._log_of(self.coming)))
        found = together([self.waiting, found])
        if not len(found):
            self.waiting = found
            return found
        certain = self._nearest(found, self.shape.certain, np.minimum, FAR)
        decided = certain < self.absent.frontier
        self.waiting, found = found.only(~decided), found.only(decided)
        return replace(found, known=np.maximum(found.known, complete_at(certain[decided], self.shape.lag)))

    def _complete(self, others: Occurrences) -> Occurrences:
        """Return what forbids and ends before all that is still to come; the rest waits for that."""
        last = int(np.searchsorted(others.end, self.absent.frontier, "left"))
        self.coming = others.take(np.arange(last, len(others)))
        return others.take(np.arange(last))

    def _nearest(self, found: Occurrences, offsets: Offsets, choose: Choose, without: int) -> Data:
        """Return the least or the greatest of some times near each occurrence, and what it is without any."""
        moments = [(self.view.moment(found, endpoint), by) for endpoint, by in offsets]
        if not moments:
            return np.full(len(found), without, np.int64)
        return reduce(choose, [present_in(moment)[0] + by for moment, by in moments if moment is not None])

    def _take(self, others: Occurrences, found: Occurrences) -> None:
        """Put what forbids into the log, where occurrences will be looked at."""
        if self.log.top + len(others) > self.log.room:
            self._make_room(len(others), int(found.end[0]) if len(found) else MAX_TIME)
        others, keys = self.keys.of(others, self.shape.keys[1], self.absent_view)
        self.log.make_room_for_keys(len(self.keys))
        self.log.append(others, keys)

    def _log_of(self, others: Occurrences) -> SpanLog:
        """Return a log of its own for what forbids."""
        log = SpanLog(self.width, len(others))
        others, keys = self.keys.of(others, self.shape.keys[1], self.absent_view)
        log.append(others, keys)
        return log

    def _blocked(self, found: Occurrences, log: SpanLog) -> Mask:
        """Say which occurrences are forbidden by something in a log."""
        starts, started, ends, ended = self.shape.span
        least = self._nearest(found, starts, np.maximum, MIN_TIME)
        most = [self._nearest(found, one, np.minimum, FAR) for one in (started, ended)]
        # Nothing that starts late enough ends earlier than that.
        bounds = np.stack(
            [least, most[0], np.maximum(least, self._nearest(found, ends, np.maximum, MIN_TIME)), most[1]]
        )
        keys = self.keys.or_none(found, self.shape.keys[0], self.view)
        spans = Spans(np.ascontiguousarray(found.end), bounds, keys)
        log.make_room_for_keys(len(self.keys))
        if not self.shape.where and not started and not ends:
            return log.has_any(spans)
        blocked = np.zeros(len(found), np.bool_)
        for pairs in log.listed(spans):
            blocked[self._satisfying(found, log, pairs)] = True
        return blocked

    def _satisfying(self, found: Occurrences, log: SpanLog, pairs: Data) -> Rows:
        """Return the occurrences that satisfy all conditions with a row beside them."""
        own = len(self.view.names)
        for condition in self.shape.where:
            matches, rows = pairs

            def refs(place: int, matches: Data = matches, rows: Data = rows) -> Data:
                taken: Data = found.refs[place][matches] if place < own else log.refs[place - own][rows]
                return taken

            true = where_true(condition, self.both.frame_of(pairs.shape[1], refs))
            pairs = pairs if true is None else pairs.compress(true, axis=1)
        satisfied: Rows = pairs[0]
        return satisfied

    def _needed(self, first: int) -> Mask:
        """Return which rows can still forbid something that is to come, or that ends at a time or later."""
        early = max(min(first, self.inner.frontier), MIN_TIME)
        after_start, after_end = self.shape.expiry
        needed: Mask = np.ones(self.log.top, np.bool_)
        for times, by in ((self.log.start, after_start), (self.log.end, after_end)):
            if by is not None:
                needed &= times[: self.log.top] + by >= early
        if self.shape.forbidding is not None:
            needed[self._outdone(self.shape.forbidding, np.flatnonzero(needed), early)] = False
        return needed

    def _outdone(self, rule: Forbidding, rows: Rows, early: int) -> Rows:
        """Return those of some rows that another one of their key outdoes for all that ends from a time on."""
        times = {Edge.START: self.log.start, Edge.END: self.log.end}
        for edge, by in rule.settled:
            rows = rows[times[edge][rows] + by <= early]
        order = rows[np.lexsort((times[rule.edge][rows], self.log.key[rows]))]
        keys = self.log.key[order]
        outdone: Rows = order[:-1][keys[1:] == keys[:-1]]
        return outdone

    def _make_room(self, count: int, first: int) -> None:
        log = self.log
        log.pack(np.flatnonzero(self._needed(first)), count)
        log.key[: log.top], log.heads = self.keys.forgotten(log.key[: log.top], log.heads)
        log.relink()

    def held(self) -> Data:
        refs = (self.waiting.refs, self.coming.refs, self.log.refs[:, np.flatnonzero(self._needed(MAX_TIME))])
        return np.concatenate([some.reshape(1, -1) for some in refs], axis=1)

    def live(self) -> int:
        return len(self.waiting) + len(self.coming) + int(self._needed(MAX_TIME).sum())

    def written(self) -> dict[str, Entry]:
        waiting: dict[str, Entry] = {f"waiting {name}": getattr(self.waiting, name) for name in COLUMNS}
        waiting |= {f"coming {name}": getattr(self.coming, name) for name in COLUMNS}
        return {**self.log.written(), **waiting, **self.keys.written()}

    def take_up(self, entries: Mapping[str, Any]) -> None:
        self.keys.take_up(entries)
        self.waiting = Occurrences(*(entries[f"waiting {name}"] for name in COLUMNS))
        self.coming = Occurrences(*(entries[f"coming {name}"] for name in COLUMNS))
        self.log.take_up(entries, len(self.keys))
