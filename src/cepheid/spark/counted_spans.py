"""How many events of one type end in which spans of time, counted apart and put together.

    ends 3, 3, 8, 9      one span for each time: 3-4 holds two, 8-9 one, 9-10 one
    in two spans         3-4 holds two, 8-10 holds two

Where times are few, a span is one tick long, and whether a rate is broken is known exactly. Where they are many, spans
of neighbours become one, of parts of a period or of several periods. An event is in one span, and what lies within a
stretch of time is at least what the spans hold that lie within it. So a rate that is kept to is never found broken.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cepheid.algebra.programs import Arrival

Numbers = npt.NDArray[np.int64]
_FARTHEST = np.iinfo(np.int64).max
_LONGEST = 1 << 62  # Spans that are longer than half of all time have no length that fits.
_FINEST = 20


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Spans from `starts` until before `ends`, each with so many events, in the order of their starts."""

    starts: Numbers
    ends: Numbers
    counts: Numbers

    def __len__(self) -> int:
        return len(self.starts)

    @classmethod
    def of(cls, ends: Sequence[int]) -> "Spans":
        """Return a span of one tick for each time at which events end.

        >>> Spans.of([8, 3, 9, 3]).to_json()
        [[3, 1, 2], [5, 1, 1], [1, 1, 1]]
        """
        times, counts = np.unique(np.asarray(ends, np.int64), return_counts=True)
        return cls(times, times + 1, counts.astype(np.int64))

    def to_json(self) -> list[list[int]]:
        """Return for each span how far its start is behind the one before it, how long it is, and what it holds."""
        behind = np.diff(self.starts, prepend=0)
        return list(
            map(list, zip(behind.tolist(), (self.ends - self.starts).tolist(), self.counts.tolist(), strict=True))
        )

    @classmethod
    def from_json(cls, told: Sequence[Sequence[int]]) -> "Spans":
        """Return spans that were told as JSON.

        >>> Spans.from_json([[3, 1, 2], [5, 2, 2]]).ends.tolist()
        [4, 10]
        """
        behind, lengths, counts = np.asarray(told, np.int64).reshape(-1, 3).T
        starts = np.cumsum(behind)
        return cls(starts, starts + lengths, counts)

    def some(self, which: Numbers | npt.NDArray[np.bool_] | slice) -> "Spans":
        """Return some of the spans."""
        return Spans(self.starts[which], self.ends[which], self.counts[which])


NONE = Spans.of(())


def together(some: Iterable[Spans]) -> Spans:
    """Return the spans of all, where those that are equal are one.

    >>> together([Spans.of([3, 9]), Spans.of([3, 5])]).to_json()
    [[3, 1, 2], [2, 1, 1], [4, 1, 1]]
    """
    each = [one for one in some if len(one)]
    if not each:
        return NONE
    starts, ends, counts = (np.concatenate([getattr(one, name) for one in each]) for name in Spans.__slots__)
    order = np.lexsort((ends, starts))
    starts, ends, counts = starts[order], ends[order], counts[order]
    new = np.append(True, (np.diff(starts) != 0) | (np.diff(ends) != 0))
    return Spans(starts[new], ends[new], np.add.reduceat(counts, np.flatnonzero(new)))


def no_more(spans: Spans, per: int, most: int) -> Spans:
    """Return the same events in no more spans than `most`, which is 4 at least, as short as powers of two allow.

    Spans that begin in one part of a period, or in the same periods, become one.

    >>> no_more(Spans.of([1, 2, 8, 9, 25, 39]), 10, 5).to_json()
    [[1, 2, 2], [7, 2, 2], [17, 1, 1], [14, 1, 1]]
    >>> no_more(Spans.of([1, 2, 8, 9, 25, 39, 50]), 10, 4).to_json()
    [[1, 9, 4], [24, 1, 1], [14, 1, 1], [11, 1, 1]]
    """
    if len(spans) <= most:
        return spans
    # Numbers of parts fit, and so do lengths: all of time has four groups of the greatest power.
    finer, coarse = -max(0, min(_FINEST, per.bit_length() - 1, 62 - per.bit_length())) - 1, 62
    while coarse - finer > 1:
        middle = (finer + coarse) // 2
        few = len(_firsts(spans, per, middle)) <= most
        finer, coarse = (finer, middle) if few else (middle, coarse)
    firsts = _firsts(spans, per, coarse)
    ends, counts = np.maximum.reduceat(spans.ends, firsts), np.add.reduceat(spans.counts, firsts)
    return Spans(spans.starts[firsts], ends, counts)


def _firsts(spans: Spans, per: int, power: int) -> Numbers:
    """Return where groups begin of spans that start in the same 2 ** power periods, or in that part of one."""
    if power >= 0:
        numbers = spans.starts // min(per << power, _LONGEST)
    else:
        parts = 1 << -power
        numbers = spans.starts // per * parts + spans.starts % per * parts // per
    return np.append(0, np.flatnonzero(np.diff(numbers)) + 1)


def kept(spans: Spans, per: int, frontier: int, most: int) -> Spans:
    """Return what may be in one period with an event that ends at `frontier` or later, in no more spans than `most`.

    There may be 8 at least. The latest stay as they are, and of those before them neighbours become one.

    >>> kept(Spans.of([1, 2, 8, 9, *range(20, 27)]), 100, 12, 8).to_json()
    [[1, 2, 2], [7, 2, 2], [12, 2, 2], [2, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 1]]
    """
    near = spans.some(spans.ends - 1 > frontier - per)
    if len(near) <= most:
        return near
    latest = len(near) - most // 2
    return together([no_more(near.some(slice(latest)), per, most - most // 2), near.some(slice(latest, None))])


def is_broken(arrival: Arrival, before: Spans, now: Spans) -> bool:
    """Say whether more events than a rate allows lie within some stretch of time, at least one of which came `now`.

    >>> is_broken(Arrival(2, 10), Spans.of([1, 5]), Spans.of([10])), is_broken(Arrival(2, 10), Spans.of([1, 5]), NONE)
    (True, False)
    """
    every, (length, most) = together([before, now]), shortest_stretch(arrival)
    if not len(now) or every.counts.sum() <= most:
        return False
    # Where all spans are one tick long, the shortest stretches say all.
    exact = bool((every.ends - every.starts == 1).all())
    extent, times = 0 if exact else int(every.ends.max()) - int(every.starts[0]), 1
    while True:
        found, new = _within(every, every.starts, length * times), _within(now, every.starts, length * times)
        if ((found > times * most) & (new > 0)).any():
            return True
        times *= 2
        if length * times >= 2 * extent or length * times > _LONGEST:
            return False


def shortest_stretch(arrival: Arrival) -> tuple[int, int]:
    """Return how long a stretch of time is that a rate is about, and how many events it holds at most.

    >>> shortest_stretch(Arrival(5, 10)), shortest_stretch(Arrival(5, 12, spaced=True))
    ((10, 5), (3, 1))
    """
    return (-(-arrival.per // arrival.count), 1) if arrival.spaced else (arrival.per, arrival.count)


def _within(spans: Spans, starts: Numbers, length: int) -> Numbers:
    """Return how many events are in spans that lie within so long a stretch of time from each start on."""
    short = spans.some(spans.ends - spans.starts <= length)
    by_end = np.argsort(short.ends)
    until = np.append(0, np.cumsum(short.counts[by_end]))
    before = np.append(0, np.cumsum(short.counts))
    last = np.minimum(starts, _FARTHEST - length) + length
    # What starts before a stretch ends before its end, because it is no longer than the stretch.
    found: Numbers = np.searchsorted(short.ends[by_end], last, "right")
    earlier: Numbers = np.searchsorted(short.starts, starts)
    within: Numbers = until[found] - before[earlier]
    return within
