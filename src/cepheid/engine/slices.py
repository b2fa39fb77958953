"""Finite input in slices of time, on several threads at once: kernels release Python's lock.

A slice reads what lies before it as far back as anything matters, and tells the matches that become known in it. So the
matches of all slices, one slice after the other, are those of one detector, in the same order (`docs/decisions/0054`).
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from cepheid.analysis import Plan
from cepheid.analysis.reach import ahead, past
from cepheid.connectors import EventColumns
from cepheid.engine.kernels import Found
from cepheid.engine.tiered_detector import TieredDetector
from cepheid.events import MAX_TIME, MIN_TIME

ROWS = 1 << 19
"""So many events at least are in a slice: a detector is made for each."""
SHARE = 4
"""A slice has so many times as many events of its own as it reads before them."""
_EVER = MAX_TIME + 1
Pieces = Sequence[EventColumns]


def reach_of(plan: Plan) -> int | None:
    """Return how far before the time at which a match is known all that decides it lies, in ticks.

    None: there is no bound, or matches may come out before they must be known. Then their order depends on what came
    at once, and so it would on where slices are cut.
    """
    before, after = past(plan, whole=True), ahead(plan, whole=True)
    if before is None or after is None or any(rule.counts_records or (rule.root.delay or 0) > 1 for rule in plan.rules):
        return None
    return before + after + 2  # a choice is known one tick after the instant that it must see


@dataclass(frozen=True, slots=True)
class _Portion:
    """Events of a slice that are run at once: those before it, its own, and where it begins and ends."""

    detector: TieredDetector
    before: Pieces
    own: Pieces
    low: int
    high: int

    def found(self) -> list[Found]:
        """Return what becomes known by the events, between the beginning and the end."""
        found = [self._taken(events) for events in self.before]
        if self.low != MIN_TIME:
            found.append(self.detector.advance_columns(self.low))
        found += [self._taken(events) for events in self.own]
        if self.high != _EVER:
            found.append(self.detector.advance_columns(self.high))
        if self.low == MIN_TIME and self.high == _EVER:
            return found
        return [one.known_within(self.low, self.high) if len(one) else one for one in found]

    def _taken(self, events: EventColumns) -> Found:
        found = self.detector.take_columns(events)
        assert found is not None
        return found


@dataclass(slots=True)
class Slices:
    """Runs pieces of the input that come in order; `make` returns a detector for a slice, and the last stays open."""

    make: Callable[[], TieredDetector]
    reach: int
    threads: int
    rows: int = ROWS
    share: int = SHARE
    _workers: list[ThreadPoolExecutor] = field(default_factory=list)

    def found(self, pieces: Iterator[EventColumns]) -> Iterator[Found]:
        """Yield what is found in each portion; an error of the input comes after what was found before it."""
        self._workers = [ThreadPoolExecutor(1, "cepheid-slice") for _ in range(self.threads)]
        source = _UpToAnError(pieces)
        try:
            yield from self._in_order(source)
        finally:
            for worker in self._workers:
                worker.shutdown(wait=True, cancel_futures=True)
        if source.error is not None:
            raise source.error

    def _in_order(self, pieces: "_UpToAnError") -> Iterator[Found]:
        waiting: deque[Future[list[Found]]] = deque()
        for number, portion in self._portions(pieces):
            waiting.append(self._workers[number % self.threads].submit(portion.found))
            while len(waiting) > self.threads:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()

    def _portions(self, pieces: "_UpToAnError") -> Iterator[tuple[int, _Portion]]:
        """Yield portions with the numbers of their slices."""
        number, cutting = 0, _Cutting(self.make(), self.reach, self.share)
        for piece in pieces:
            cutting.add(piece)
            if cutting.held < self.rows:
                continue
            cut = cutting.cut()
            yield number, cutting.portion(_EVER if cut is None else cut)
            if cut is not None:
                number += 1
                cutting.begin(self.make(), cut)
        yield number, cutting.portion(_EVER)


class _UpToAnError:
    """Pieces of the input; an error ends them, and is kept for later."""

    def __init__(self, pieces: Iterator[EventColumns]) -> None:
        self._pieces = pieces
        self.error: Exception | None = None

    def __iter__(self) -> Iterator[EventColumns]:
        while True:
            try:
                piece = next(self._pieces, None)
            except Exception as error:  # noqa: BLE001  # whatever it is, it is raised again
                self.error = error
                return
            if piece is None:
                return
            if len(piece):
                yield piece


class _Cutting:
    """What was read and not yet run, and what a next slice would have to read once more."""

    def __init__(self, detector: TieredDetector, reach: int, share: int) -> None:
        self.detector, self.reach, self.share = detector, reach, share
        self.held = 0  # events that nobody runs yet
        self._own: list[EventColumns] = []
        self._recent: deque[EventColumns] = deque()  # before these
        self._before: Pieces = ()
        self._low, self._count, self._ran = MIN_TIME, 0, MIN_TIME

    def add(self, piece: EventColumns) -> None:
        self._own.append(piece)
        self.held += len(piece)
        self._count += len(piece)

    def cut(self) -> int | None:
        """Return a time at which another slice can begin, None where that is not worth it."""
        time = int(self._own[-1].ends[-1])
        # What was run of this slice tells nothing that is known after it, and something is left to run.
        if time <= self._ran + self.reach or time == int(self._own[0].ends[0]):
            return None
        before = sum(len(piece) for piece in _within((*self._recent, *self._own), time - self.reach, time))
        return time if self.share * before <= self._count else None

    def portion(self, high: int) -> _Portion:
        """Return what is held as a portion that ends at a time; what is later is held again."""
        own = _within(self._own, MIN_TIME, high) if high != _EVER else self._own
        later = _within(self._own, high, _EVER) if high != _EVER else []
        portion = _Portion(self.detector, self._before, own, self._low, high)
        self._recent += own
        self._ran = int(own[-1].ends[-1]) if own else self._ran
        while self._recent and int(self._recent[0].ends[-1]) < self._ran - self.reach:
            self._recent.popleft()
        self._own, self._before, self._low, self.held = later, (), MIN_TIME, sum(map(len, later))
        return portion

    def begin(self, detector: TieredDetector, low: int) -> None:
        """Begin another slice."""
        self.detector, self._low, self._count, self._ran = detector, low, self.held, MIN_TIME
        self._before = _within(self._recent, low - self.reach, low)


def _within(pieces: Sequence[EventColumns], low: int, high: int) -> list[EventColumns]:
    """Return the events of pieces in order that end from `low` on, and before `high`."""
    found = []
    for piece in pieces:
        if not len(piece) or piece.ends[-1] < low or piece.ends[0] >= high:
            continue
        first, last = (int(np.searchsorted(piece.ends, one, "left")) for one in (low, min(high, MAX_TIME)))
        found.append(piece.slice(first, last - first))
    return found
