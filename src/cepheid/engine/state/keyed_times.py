"""A time for each of some keys, the earliest found at once: when something is due, or how far it stays behind."""

from collections.abc import Hashable
from heapq import heapify, heappop, heappush
from typing import Generic, TypeVar

from cepheid.events import MAX_TIME

K = TypeVar("K", bound=Hashable)

FEW = 16


class KeyedTimes(Generic[K]):
    """Times by key; the end of time is as good as none.

    The heap also holds times that have changed since. They are skipped when their turn comes, and swept out before they
    outnumber those that count.

    >>> times: KeyedTimes[str] = KeyedTimes()
    >>> times.set("a", 5), times.set("b", 7), times.set("a", 9)
    (None, None, None)
    >>> times.first(), times.pop_before(9), times.pop_before(10), times.first() == MAX_TIME
    (7, ['b'], ['a'], True)
    """

    __slots__ = ("_count", "_heap", "_times")

    def __init__(self) -> None:
        self._times: dict[K, int] = {}
        self._heap: list[tuple[int, int, K]] = []
        self._count = 0

    def set(self, key: K, time: int) -> None:
        """Give a key its time, in place of the one it had."""
        if time == MAX_TIME:
            self.discard(key)
        elif self._times.get(key) != time:
            self._times[key] = time
            self._count += 1
            heappush(self._heap, (time, self._count, key))
            if len(self._heap) > 2 * len(self._times) + FEW:
                self._heap = [entry for entry in self._heap if self._counts(entry)]
                heapify(self._heap)

    def discard(self, key: K) -> None:
        """Take a key's time away, if it has one."""
        self._times.pop(key, None)

    def of(self, key: K) -> int:
        """Return the time of a key; the end of time if it has none."""
        return self._times.get(key, MAX_TIME)

    def first(self) -> int:
        """Return the earliest time."""
        while self._heap and not self._counts(self._heap[0]):
            heappop(self._heap)
        return self._heap[0][0] if self._heap else MAX_TIME

    def is_empty_before(self, time: int) -> bool:
        """Say whether surely no key has a time before `time`."""
        return not self._heap or self._heap[0][0] >= time

    def pop_before(self, time: int) -> list[K]:
        """Take away the keys whose time is before `time`, and return them, the earliest first."""
        if self.is_empty_before(time):
            return []
        found = []
        while self.first() < time:
            key = heappop(self._heap)[2]
            del self._times[key]
            found.append(key)
        return found

    def clear(self) -> None:
        self._times.clear()
        self._heap.clear()

    def _counts(self, entry: tuple[int, int, K]) -> bool:
        return self._times.get(entry[2]) == entry[0]
