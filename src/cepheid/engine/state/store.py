"""Instances that wait for partners: found by key, dropped when their deadline is past."""

from collections.abc import Hashable, Iterator, Sequence

from cepheid.algebra.instances import Instance
from cepheid.engine.state.deadlines import Deadline
from cepheid.engine.state.keyed_times import KeyedTimes
from cepheid.events import MAX_TIME


class Store:
    """Waiting instances in the order they came, indexed by any number of keys each; each has a number."""

    __slots__ = ("_by_key", "_entries", "_keys", "_next", "_places", "_times")

    def __init__(self, indexes: int = 0) -> None:
        self._entries: dict[int, Instance] = {}
        self._keys: dict[int, Sequence[Hashable]] = {}
        self._by_key: list[dict[Hashable, dict[int, Instance]]] = [{} for _ in range(indexes)]
        self._times: KeyedTimes[int] = KeyedTimes()
        self._places: KeyedTimes[int] = KeyedTimes()
        self._next = 0

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, number: int) -> bool:
        return number in self._entries

    @property
    def next(self) -> int:
        """The number of what is added next."""
        return self._next

    def __iter__(self) -> Iterator[Instance]:
        return iter(list(self._entries.values()))

    def add(self, instance: Instance, limit: Deadline, keys: Sequence[Hashable] = ()) -> int:
        """Keep an instance until its deadline, and return the number it can be removed by."""
        number, self._next = self._next, self._next + 1
        self._entries[number] = instance
        self._keys[number] = keys
        for index, key in zip(self._by_key, keys, strict=True):
            index.setdefault(key, {})[number] = instance
        time, place = limit
        if time != MAX_TIME:
            self._times.set(number, time)
        if place != MAX_TIME:
            self._places.set(number, place)
        return number

    def of(self, number: int) -> Instance:
        """Return the instance that has a number."""
        return self._entries[number]

    def under(self, index: int, key: Hashable) -> list[tuple[int, Instance]]:
        """Return the waiting instances with that key in that index, oldest first."""
        found = self._by_key[index].get(key)
        return [] if found is None else list(found.items())

    def numbered(self) -> list[tuple[int, Instance]]:
        return list(self._entries.items())

    def remove(self, number: int) -> None:
        """Drop an instance."""
        del self._entries[number]
        self._times.discard(number)
        self._places.discard(number)
        for index, key in zip(self._by_key, self._keys.pop(number), strict=True):
            found = index[key]
            del found[number]
            if not found:
                del index[key]

    def expire(self, frontier: int, place: int) -> list[Instance]:
        """Drop what is past its deadline, and return it."""
        gone = []
        for limits, bound in ((self._times, frontier), (self._places, place)):
            for number in limits.pop_before(bound):
                gone.append(self._entries[number])
                self.remove(number)
        return gone

    def ends_from(self, frontier: int) -> list[int]:
        """Return the ends of the instances whose deadline in time is not before `frontier`."""
        return [one.end for number, one in self._entries.items() if self._times.of(number) >= frontier]

    def next_time(self) -> int:
        """Return the first deadline in time that is still ahead of somebody."""
        return self._times.first()


class HoldingStore(Store):
    """A store of what will still be told: it knows the least end, and the least position, of what waits in it."""

    __slots__ = ("_ends", "_highs")

    def __init__(self, indexes: int = 0) -> None:
        super().__init__(indexes)
        self._ends: KeyedTimes[int] = KeyedTimes()
        self._highs: KeyedTimes[int] = KeyedTimes()

    def add(self, instance: Instance, limit: Deadline, keys: Sequence[Hashable] = ()) -> int:
        number = super().add(instance, limit, keys)
        self._ends.set(number, instance.end)
        if instance.high is not None:
            self._highs.set(number, instance.high)
        return number

    def remove(self, number: int) -> None:
        super().remove(number)
        self._ends.discard(number)
        self._highs.discard(number)

    def first_end(self) -> int:
        return self._ends.first()

    def first_place(self) -> int:
        return self._highs.first()
