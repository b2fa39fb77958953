"""Finite input in slices of time, on several threads at once: kernels release Python's lock.

A slice reads what lies before it as far back as anything matters, and tells the matches that become known in it. So the
matches of all slices, one slice after the other, are those of one detector, in the same order (`docs/decisions/0054`).
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Event
from typing import Protocol

import numpy as np

from cepheid.algebra.remembering import ByIdentity
from cepheid.analysis import Plan
from cepheid.analysis.plans.reach import ahead, past, reads_positions
from cepheid.connectors import EventColumns
from cepheid.engine.detectors.tiered_detector import TieredDetector
from cepheid.engine.kernels import Found
from cepheid.events import MAX_TIME, MIN_TIME

ROWS = 1 << 20
"""So many rows at least are read for a slice: a detector is made for each."""
FEWER = 16
"""So many times fewer may be of use."""
SHARE = 4
"""A slice has so many times as many events of its own as it reads before them."""
AHEAD = 2
"""So many blocks for each thread are handed out: who ends one has another before the caller took what was found."""
_EVER = MAX_TIME + 1
Pieces = Sequence[EventColumns]


@ByIdentity
def reach_of(plan: Plan) -> int | None:
    """Return how far before the time at which a match is known all that decides it lies, in ticks.

    None: there is no bound, or matches may come out before they must be known. Then their order depends on what came
    at once, and so it would on where slices are cut. How many records lie between two is the same in each slice, but
    not how many came before them.
    """
    before, after = past(plan, whole=True), ahead(plan, whole=True)
    if before is None or after is None or any((rule.root.delay or 0) > 1 for rule in plan.rules):
        return None
    if reads_positions(plan) or _may_change_places(plan):
        return None
    return before + after + 2  # a choice is known one tick after the instant that it must see


def _may_change_places(plan: Plan) -> bool:
    """Say whether matches of a rule that counts records may come out beside others in the order of what came at once.

    They are known when their instant is over, and those of other rules, or of another date, at another time.
    """
    counting = [rule for rule in plan.rules if rule.counts_records]
    return bool(counting) and (len(plan.rules) > 1 or any(rule.leads != 0 or rule.trails != 0 for rule in counting))


class Block(Protocol):
    """Some of the input, all of which comes after the blocks before it; what cannot be read ends it, and the input."""

    error: Exception | None

    def read(self) -> Pieces:
        """Return its events in order; any thread may ask for them, once."""

    def note(self) -> None:
        """Note what was met in it, after all blocks before it."""


@dataclass(slots=True)
class _ReadBlock:
    """Events that were read already."""

    pieces: Pieces
    error: Exception | None = None

    def read(self) -> Pieces:
        return self.pieces

    def note(self) -> None:
        """There is nothing to note."""


@dataclass(frozen=True, slots=True)
class _Portion:
    """Events of a slice that are run at once: those before it, its own, and where it begins and ends."""

    detector: TieredDetector
    before: Pieces
    own: Pieces
    low: int
    high: int

    @property
    def goes_on(self) -> bool:
        """Whether the slice began in the portion before it, or with the input."""
        return self.low == MIN_TIME

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
    """Runs blocks of the input that come in order; `make` returns a detector for a slice, or for several of them."""

    make: Callable[[], TieredDetector]
    reach: int
    threads: int
    rows: int = ROWS
    share: int = SHARE
    last: TieredDetector | None = None
    """The detector that stays open, once all was run."""

    def found(self, pieces: Iterator[EventColumns]) -> Iterator[Found]:
        """Yield what is found in pieces of the input; an error of the input comes after what was found before it."""
        return self.found_in(_read_blocks(pieces, self.rows))

    def found_in(self, blocks: Iterator[Block]) -> Iterator[Found]:
        """Yield what is found block by block; the thread that reads a block looks for matches in it."""
        cutting = _Cutting(self.make, self.reach, self.rows, self.share)
        begun: deque[tuple[_Step, Future[list[Found]]]] = deque()
        pool, last = ThreadPoolExecutor(self.threads, "cepheid-slice"), None
        try:
            for block in blocks:
                last = _Step(block, cutting, last)
                begun.append((last, pool.submit(last.found)))
                if len(begun) > AHEAD * self.threads:
                    yield from _finished(*begun.popleft())
                if last.error is not None:
                    break
            while begun:
                yield from _finished(*begun.popleft())
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
        rest = cutting.rest()
        self.last = rest.detector
        yield from rest.found()
        if last is not None and last.error is not None:
            raise last.error


def _read_blocks(pieces: Iterator[EventColumns], rows: int) -> Iterator[_ReadBlock]:
    """Yield pieces of the input in blocks of so many rows at least."""
    held: list[EventColumns] = []
    try:
        for piece in pieces:
            held += [piece] if len(piece) else []
            if sum(map(len, held)) >= rows:
                yield _ReadBlock(held)
                held = []
    except Exception as error:  # noqa: BLE001  # whatever it is, it is raised again
        yield _ReadBlock(held, error)
    else:
        yield _ReadBlock(held)


def _finished(step: "_Step", found: "Future[list[Found]]") -> Iterator[Found]:
    """Yield what was found in a block, after what was met in it was noted."""
    wait((found,))
    if not step.is_after_the_end:
        step.block.note()
    yield from found.result()


class _Step:
    """A block on its way through one thread; where its slice begins and ends is known when that of `before` is."""

    def __init__(self, block: Block, cutting: "_Cutting", before: "_Step | None") -> None:
        self.block, self._cutting, self._before = block, cutting, before
        self._cut, self._done = Event(), Event()
        self.error: Exception | None = None  # which ended the input
        self.is_after_the_end = False

    def found(self) -> list[Found]:
        """Return what is found in the block, and in what was left of those before."""
        before, self._before = self._before, None
        try:
            pieces = self.block.read()
            portion = self._portion(pieces, before)
            self._cut.set()
            if portion is None:
                return []
            if before is not None and portion.goes_on:
                before._done.wait()
            found = portion.found()
            self._cutting.give_back(portion)
            return found
        finally:
            self._cut.set()
            self._done.set()

    def _portion(self, pieces: Pieces, before: "_Step | None") -> _Portion | None:
        """Return what can be run by now, nothing after an error."""
        if before is not None:
            before._cut.wait()
            self.error, self.is_after_the_end = before.error, before.error is not None
        if self.is_after_the_end:
            return None
        self.error = self.block.error
        return self._cutting.next(pieces)


class _Cutting:
    """What was read and not yet run, and what a next slice would have to read once more."""

    def __init__(self, make: Callable[[], TieredDetector], reach: int, rows: int, share: int) -> None:
        self._detector, self._make, self._reach, self._rows, self._share = make(), make, reach, rows, share
        self._own: list[EventColumns] = []
        self._recent: deque[EventColumns] = deque()  # before these
        self._before: Pieces = ()
        self._low, self._count, self._ran = MIN_TIME, 0, MIN_TIME
        self._free: list[tuple[int, TieredDetector]] = []

    def give_back(self, portion: _Portion) -> None:
        """Let another slice use a detector, where its own has ended."""
        if portion.high != _EVER:
            self._free.append((portion.high, portion.detector))

    def next(self, pieces: Pieces) -> _Portion:
        """Take events that come after all others, and return what can be run by now."""
        self._own += pieces
        self._count += sum(map(len, pieces))
        cut = self._cut() if FEWER * sum(map(len, self._own)) >= self._rows else None
        if cut is None:
            return self.rest()
        portion = self._portion(cut)
        self._begin(cut)
        return portion

    def rest(self) -> _Portion:
        """Return all that was not run yet, in a portion without end."""
        return self._portion(_EVER)

    def _cut(self) -> int | None:
        """Return a time at which another slice can begin, None where that is not worth it."""
        time = int(self._own[-1].ends[-1])
        # What was run of this slice tells nothing that is known after it, and something is left to run.
        if time <= self._ran + self._reach or time == int(self._own[0].ends[0]):
            return None
        before = sum(len(piece) for piece in _within((*self._recent, *self._own), time - self._reach, time))
        return time if self._share * before <= self._count else None

    def _portion(self, high: int) -> _Portion:
        """Return what is held as a portion that ends at a time; what is later is held again."""
        own = _within(self._own, MIN_TIME, high) if high != _EVER else self._own
        later = _within(self._own, high, _EVER) if high != _EVER else []
        portion = _Portion(self._detector, self._before, own, self._low, high)
        self._recent += own
        self._ran = int(own[-1].ends[-1]) if own else self._ran
        while self._recent and int(self._recent[0].ends[-1]) < self._ran - self._reach:
            self._recent.popleft()
        self._own, self._before, self._low = later, (), MIN_TIME
        return portion

    def _begin(self, low: int) -> None:
        """Begin another slice."""
        self._detector, self._low, self._count, self._ran = self._one(low), low, sum(map(len, self._own)), MIN_TIME
        self._before = _within(self._recent, low - self._reach, low)

    def _one(self, low: int) -> TieredDetector:
        """Return a detector for a slice: one of which nothing matters any more that it has seen, or a new one."""
        for number, (high, detector) in enumerate(self._free):
            if high <= low - self._reach:
                del self._free[number]
                return detector
        return self._make()


def _within(pieces: Sequence[EventColumns], low: int, high: int) -> list[EventColumns]:
    """Return the events of pieces in order that end from `low` on, and before `high`."""
    found = []
    for piece in pieces:
        if not len(piece) or piece.ends[-1] < low or piece.ends[0] >= high:
            continue
        first, last = (int(np.searchsorted(piece.ends, one, "left")) for one in (low, min(high, MAX_TIME)))
        found.append(piece.slice(first, last - first))
    return found
