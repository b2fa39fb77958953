"""Hold instances back until their instant is complete, then give them out in the total order."""

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import groupby

from cepheid.algebra.instances import Instance

Arrived = tuple[int, Instance]


class OrderBuffer:
    """Instances of several inputs that wait for their instant; `by_arrival`: every arrival is an instant of its own."""

    __slots__ = ("_by_arrival", "_count", "_heap", "_places", "_released")

    def __init__(self, *, by_arrival: bool = False) -> None:
        self._by_arrival = by_arrival
        self._heap: list[tuple[int, int, int, Instance]] = []
        self._count = 0
        # The positions of what is held, with the numbers of what was given out but is still among them.
        self._places: list[tuple[int, int]] = []
        self._released: set[int] = set()

    def __len__(self) -> int:
        return len(self._heap)

    def add(self, some: Sequence[Instance], side: int = 0) -> None:
        for instance in some:
            heappush(self._heap, (instance.end, self._count, side, instance))
            if instance.high is not None:
                heappush(self._places, (instance.high, self._count))
            self._count += 1

    def release(self, frontier: int) -> Iterator[tuple[int, list[Arrived]]]:
        """Yield each complete instant with its instances in order; of level ones the left side is first."""
        while self._heap and self._heap[0][0] < frontier:
            end = self._heap[0][0]
            instant: list[Arrived] = []
            while self._heap and self._heap[0][0] == end:
                _, number, side, instance = heappop(self._heap)
                instant.append((side, instance))
                if instance.high is not None:
                    self._released.add(number)
            if len(instant) > 1:
                instant.sort(key=lambda arrived: (arrived[1].order, arrived[0], arrived[1].rank))
            if self._by_arrival and len(instant) > 1:
                yield from ((end, list(some)) for _, some in groupby(instant, lambda arrived: arrived[1].last))
            else:
                yield end, instant

    def first(self, otherwise: int) -> int:
        """Return the earliest end that is held back."""
        return min(self._heap[0][0], otherwise) if self._heap else otherwise

    def place(self, otherwise: int) -> int:
        """Return the least position at which something ends that is held back."""
        while self._places and self._places[0][1] in self._released:
            self._released.remove(heappop(self._places)[1])
        return min(self._places[0][0], otherwise) if self._places else otherwise

    def __iter__(self) -> Iterator[Instance]:
        return (instance for *_, instance in self._heap)

    def held(self) -> list[Arrived]:
        return [(side, instance) for _, _, side, instance in sorted(self._heap, key=lambda entry: entry[:2])]
