"""What may go on: events that are not late and have not come before; they move the frontier."""

from collections.abc import Sequence

import numpy as np

from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.engine.kernels.columns.batches import Batch
from cepheid.engine.kernels.columns.columns import Column
from cepheid.engine.kernels.columns.fixed_kernels import ARRIVE_TYPES, mark_late
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask
from cepheid.engine.kernels.facts.time_bounds import MOST, UNLIMITED
from cepheid.events import Arrival, Disorder, Duration, Event, point

_FIRST = -(2**62)


class OutOfReach(CepheidError):  # noqa: N818  # nothing is wrong with the event
    """An event is so far away that kernels cannot compute with its time; the interpreter can."""


class Admission:
    """The arrivals of the one source, as `Disorder` judges them; many at once where nothing is a duplicate."""

    def __init__(self, allowed: int, *, identified: bool) -> None:
        self.arrivals = Disorder(Duration(allowed), identified=identified)
        self.allowed = allowed
        self.latest = _FIRST
        self._late = np.empty(0, np.bool_)

    @property
    def frontier(self) -> int:
        return self.arrivals.bound

    def admit(self, batch: Batch) -> Mask | None:
        """Return which events may go on, None if all do; the frontier has moved by them."""
        times, bound = np.ascontiguousarray(batch.times, np.int64), self.frontier
        late, latest, least, in_order = self._judged(times, bound)
        check_reach(min(least, _first_start(batch, late)), latest)
        if self.arrivals.identified and isinstance(batch.ids, Column) and self._may_repeat(batch.ids.data):
            return self._one_by_one(batch)
        # Positions grow, so events that come in the order of time are in their total order.
        batch.in_order = in_order and (isinstance(batch.ids, int) or _ascends(times, self.latest))
        self.latest = latest
        taken = None if late is None else ~late
        self._note(batch, taken)
        return taken

    def _judged(self, times: Data, bound: int) -> tuple[Mask | None, int, int, bool]:
        """Return what is late, the greatest and the least end of what is not, and whether all are in order.

        What comes in order, as most does, needs no kernel, which would have to be compiled.
        """
        if not len(times):
            return None, self.latest, MOST - 1, True
        back = self._room(len(times))[1:]
        if times[0] >= bound and not np.count_nonzero(np.less(times[1:], times[:-1], out=back)):
            return None, max(self.latest, int(times[-1])), int(times[0]), bool(times[0] >= self.latest)
        late = self._room(len(times))
        arrive = compiled(mark_late, ARRIVE_TYPES)
        latest, least, marked = map(int, arrive(times, bound, min(self.allowed, UNLIMITED), self.latest, late))
        return (late if marked else None), latest, least, False

    def _note(self, batch: Batch, taken: Mask | None) -> None:
        """Count events none of which came before, and move the frontier to what they tell."""
        count = len(batch) if taken is None else int(taken.sum())
        self.arrivals.counts[Arrival.LATE] += len(batch) - count
        self.arrivals.counts[Arrival.IN_TIME] += count
        if self.latest > _FIRST:
            self.arrivals.promise(self.latest - self.allowed)
        if self.arrivals.identified:
            ahead = batch.times >= self.frontier
            rows = np.flatnonzero(ahead if taken is None else ahead & taken)
            self.arrivals.remember(batch.times[rows].tolist(), batch.ids_of(rows).data.tolist())

    def _may_repeat(self, ids: Data) -> bool:
        """Say whether an id comes twice, or was seen before."""
        if ids.dtype == object:
            return len(set(ids)) < len(ids) or not self.arrivals.kept.isdisjoint(ids)
        some = ids if _ascends(ids) else np.sort(ids)
        kept = np.array([one for one in self.arrivals.kept if isinstance(one, int) and abs(one) < 2**63], np.int64)
        return not _ascends(some) or _share(kept, some)

    def _room(self, count: int) -> Mask:
        if len(self._late) < count:
            self._late = np.empty(count, np.bool_)
        return self._late[:count]

    def _one_by_one(self, batch: Batch) -> Mask | None:
        ids = batch.ids_of(np.arange(len(batch))).data.tolist()
        seen = [self.arrivals.see(point("", time, one)) for time, one in zip(batch.times.tolist(), ids, strict=True)]
        admitted = np.array([one is Arrival.IN_TIME for one in seen], np.bool_)
        self.latest = max([self.latest, *batch.times[admitted].tolist()])
        return None if admitted.all() else admitted


def _ascends(numbers: Data, after: int | None = None) -> bool:
    """Say whether each number is greater than the one before it, and the first than `after`."""
    begins = after is None or len(numbers) == 0 or bool(numbers[0] > after)
    return begins and bool((numbers[1:] > numbers[:-1]).all())


def _share(few: Data, ascending: Data) -> bool:
    """Say whether two arrays have a number in common.

    >>> _share(np.array([9, 2]), np.array([1, 2, 3])), _share(np.array([9, 0]), np.array([1, 2, 3]))
    (True, False)
    """
    if not len(few) or not len(ascending):
        return False
    places = np.searchsorted(ascending, few)
    return bool((ascending[places.clip(max=len(ascending) - 1)] == few).any())


def _first_start(batch: Batch, late: Mask | None) -> int:
    """Return when the first of the events that are in time started, if that may be too long ago."""
    if batch.starts is None or not len(batch) or batch.starts.min() > -MOST:
        return MOST - 1
    return int(batch.starts.min() if late is None else batch.starts[~late].min(initial=MOST - 1))


def within_reach(events: Sequence[Event]) -> bool:
    """Say whether kernels can compute with the times of all of some events, which come in order."""
    return not events or (events[-1].end < MOST and min(event.start for event in events) > -MOST)


def check_reach(least: int, latest: int) -> None:
    """Refuse times that kernels cannot compute with."""
    if least <= -MOST or latest >= MOST:
        message = f"an event at {least if least <= -MOST else latest} is too far away for compiled kernels"
        hint, note = (
            'query.run(events, engine="interpreter")',
            f"they compute with times between `{-MOST}` and `{MOST}`",
        )
        raise OutOfReach(Diagnostic("bad-interval", message, hints=(hint,), notes=(note,)))
