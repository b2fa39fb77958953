"""How long runs may wait: those that began with one record end together, when the window from it is over."""

from collections import deque
from collections.abc import Iterator
from heapq import heapify, heappop, heappush

from cepheid.engine.direct.waiting_runs import Lease
from cepheid.events import MAX_TIME

FEW = 64
AT_ONCE = 4
"""So many leases are freed with each that is added: hundreds at once would take longer than all else of a push."""


class Deadlines:
    """Leases by when they end; most come in the order of their ends."""

    __slots__ = ("_count", "_dead", "_heap", "_queue", "due")

    def __init__(self) -> None:
        self._queue: deque[tuple[int, Lease]] = deque()
        self._heap: list[tuple[int, int, Lease]] = []
        self._count = 0
        self._dead: list[tuple[object, ...]] = []
        self.due = MAX_TIME
        """Nothing ends as long as no moment is past this."""

    def add(self, limit: int, lease: Lease) -> None:
        """Let a lease end after a moment."""
        if self._dead:
            del self._dead[-AT_ONCE:]
        if not self._queue or self._queue[-1][0] <= limit:
            self._queue.append((limit, lease))
        else:
            self._count += 1
            heappush(self._heap, (limit, self._count, lease))
        if limit < self.due:
            self.due = limit

    def over(self, moment: int) -> Iterator[Lease]:
        """Yield the leases that ended before a moment, and keep them no longer."""
        queue, heap = self._queue, self._heap
        while queue and queue[0][0] < moment:
            yield queue.popleft()[1]
        while heap and heap[0][0] < moment:
            yield heappop(heap)[2]
        self._see_due()

    def is_empty(self) -> bool:
        """Say whether nothing ends here."""
        return not self._queue and not self._heap

    def _see_due(self) -> None:
        first = self._queue[0][0] if self._queue else MAX_TIME
        self.due = min(first, self._heap[0][0]) if self._heap else first

    def sweep(self, live: int) -> None:
        """Drop the leases under which nothing waits any more, before they outnumber the others; so many runs wait."""
        if len(self._queue) + len(self._heap) <= 4 * live + FEW:
            return
        kept: deque[tuple[int, Lease]] = deque()
        for entry in self._queue:
            (kept if entry[1].alive() else self._dead).append(entry)
        self._queue = kept
        self._dead += [entry for entry in self._heap if not entry[2].alive()]
        self._heap = [entry for entry in self._heap if entry[2].alive()]
        heapify(self._heap)
        self._see_due()
