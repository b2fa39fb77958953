"""Partial matches that wait for partners: found by key, evicted when no partner can come any more."""

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from heapq import heapify, heappop, heappush

from cepheid.algebra.choices import Moment
from cepheid.algebra.relations import Edge, Endpoint
from cepheid.analysis.plans.plan import SELF, Reach
from cepheid.engine.direct.partials import Partial
from cepheid.engine.operators.preferences import Preference, Rankings
from cepheid.events import MAX_TIME, MIN_TIME

Limit = Callable[[Partial], int]
FEW = 64


class Store:
    """Partial matches by any number of keys each; the first key says whose they are.

    Where deadlines only grow, they wait in a queue, and what comes out of turn waits in a heap. A deadline may be a
    position as well, among the records of whose it is.
    """

    __slots__ = ("_by_key", "_grows", "_heap", "_keys", "_next", "_places", "_queue", "due", "entries")

    def __init__(self, indexes: int, *, grows: bool) -> None:
        self.entries: dict[int, Partial] = {}
        self._keys: dict[int, Sequence[Hashable]] = {}
        self._by_key: list[dict[Hashable, dict[int, Partial]]] = [{} for _ in range(indexes)]
        self._grows = grows
        self._queue: deque[tuple[int, int]] = deque()
        self._heap: list[tuple[int, int]] = []
        self._places: dict[Hashable, list[tuple[int, int]]] = {}
        self._next = 0
        self.due = MAX_TIME
        """Nothing is evicted as long as no frontier is past this."""

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def next(self) -> int:
        """The number of what is added next."""
        return self._next

    def add(self, partial: Partial, limit: int, keys: Sequence[Hashable], place: int = MAX_TIME) -> int:
        """Keep a partial match until its deadlines, and return the number it can be removed by."""
        number = self._next
        self._next = number + 1
        self.entries[number] = partial
        self._keys[number] = keys
        for index, key in zip(self._by_key, keys, strict=True):
            found = index.get(key)
            if found is None:
                index[key] = {number: partial}
            else:
                found[number] = partial
        if place != MAX_TIME:
            self._limit_place(keys[0], place, number)
        if limit == MAX_TIME:
            return number
        if limit < self.due:
            self.due = limit
        # What is taken up from a state comes key by key, and not by its deadlines.
        if self._grows and (not self._queue or self._queue[-1][0] <= limit):
            self._queue.append((limit, number))
        else:
            heappush(self._heap, (limit, number))
        if len(self._queue) + len(self._heap) > 2 * len(self.entries) + FEW:
            self._sweep()
        return number

    def _limit_place(self, owner: Hashable, place: int, number: int) -> None:
        places = self._places.setdefault(owner, [])
        heappush(places, (place, number))
        if len(places) > 2 * len(self._by_key[0][owner]) + FEW:
            self._places[owner] = places = [one for one in places if one[1] in self.entries]
            heapify(places)

    def _sweep(self) -> None:
        """Drop the deadlines of what is gone, before they outnumber the others."""
        self._queue = deque([one for one in self._queue if one[1] in self.entries])
        self._heap = [one for one in self._heap if one[1] in self.entries]
        heapify(self._heap)

    def under(self, index: int, key: Hashable) -> dict[int, Partial]:
        """Return what waits under a key, oldest first, each by its number."""
        return self._by_key[index].get(key, {})

    def remove(self, number: int) -> None:
        """Drop a partial match."""
        del self.entries[number]
        for index, key in zip(self._by_key, self._keys.pop(number), strict=True):
            found = index[key]
            del found[number]
            if not found:
                del index[key]
                if index is self._by_key[0]:
                    self._places.pop(key, None)

    def expire_places(self, owner: Hashable, position: int) -> None:
        """Evict what is past its deadline, now that the next record of whose it is stands at a position."""
        places, entries = self._places.get(owner, ()), self.entries
        while places and (places[0][0] < position or places[0][1] not in entries):
            number = heappop(places)[1]
            if number in entries:
                self.remove(number)

    def expire_all_places(self, position_of: Callable[[Hashable], int]) -> None:
        """Do so for all of them."""
        for owner in list(self._places):
            self.expire_places(owner, position_of(owner))

    def expire(self, frontier: int) -> None:
        """Evict what is past its deadline."""
        if frontier <= self.due:
            return
        queue, heap, entries = self._queue, self._heap, self.entries
        while queue and (queue[0][0] < frontier or queue[0][1] not in entries):
            number = queue.popleft()[1]
            if number in entries:
                self.remove(number)
        while heap and (heap[0][0] < frontier or heap[0][1] not in entries):
            number = heappop(heap)[1]
            if number in entries:
                self.remove(number)
        self.due = min(queue[0][0] if queue else MAX_TIME, heap[0][0] if heap else MAX_TIME)

    def owned(self) -> Iterator[tuple[Hashable, Partial]]:
        """Yield all that waits, each with whose it is."""
        return ((self._keys[number][0], partial) for number, partial in self.entries.items())


class PreferredStore(Store):
    """A store of one side of a choice, whose partial matches are found as the choice prefers them.

    The keys of one say whose it is, what it has in common with its partners, and with whom it competes for them.
    """

    __slots__ = ("_grade", "_graded", "rankings")

    def __init__(self, preference: Preference, side: int, grade: Callable[[Partial], Moment], *, grows: bool) -> None:
        super().__init__(1, grows=grows)
        self._grade, self.rankings = grade, Rankings(preference, side)
        self._graded: dict[int, tuple[Hashable, Hashable, Moment]] = {}

    def add(self, partial: Partial, limit: int, keys: Sequence[Hashable], place: int = MAX_TIME) -> int:
        number = super().add(partial, limit, keys[:1], place)
        self._graded[number] = graded = (keys[1], keys[2], self._grade(partial))
        self.rankings.add(*graded, number)
        return number

    def remove(self, number: int) -> None:
        super().remove(number)
        self.rankings.discard(*self._graded.pop(number), number)


def limit_of(reaches: Sequence[Reach], names: tuple[str, ...]) -> tuple[Limit, bool]:
    """Return the function that says until when partners of any of some kinds can end, and whether that only grows."""
    possible = [reach for reach in reaches if reach.possible]
    if not possible:
        return (lambda _: MIN_TIME), True
    if not all(reach.times for reach in possible):
        return (lambda _: MAX_TIME), True
    each = [[_moment(part, edge, offset, names) for part, edge, offset in _bounds(reach)] for reach in possible]
    if len(each) == 1 and len(each[0]) == 1:
        only = each[0][0]
        grows = _bounds(possible[0])[0][:2] == (SELF, Edge.END)
        return only, grows
    return (lambda partial: max([min([one(partial) for one in some]) for some in each])), False


def place_limit_of(reaches: Sequence[Reach], names: tuple[str, ...]) -> Limit | None:
    """Return the function that says up to which position partners can end, None where no position limits that."""
    possible = [reach for reach in reaches if reach.possible]
    if not possible or not all(reach.positions for reach in possible):
        return None
    each = [[_position(endpoint, offset, names) for endpoint, offset in reach.positions] for reach in possible]
    if len(each) == 1 and len(each[0]) == 1:
        return each[0][0]
    return lambda partial: max([min([one(partial) for one in some]) for some in each])


def _position(endpoint: Endpoint, offset: int, names: tuple[str, ...]) -> Limit:
    if len(names) == 1:
        return lambda one: one[4][0] + offset
    if endpoint.part == SELF:
        return (lambda one: min(one[4]) + offset) if endpoint.edge is Edge.START else (lambda one: max(one[4]) + offset)
    place = names.index(endpoint.part)
    return lambda one: one[4][place] + offset


def _bounds(reach: Reach) -> list[tuple[str, Edge, int]]:
    return [(endpoint.part, endpoint.edge, offset) for endpoint, offset in reach.times]


def _moment(part: str, edge: Edge, offset: int, names: tuple[str, ...]) -> Limit:
    if part == SELF:
        return (lambda one: one[0] + offset) if edge is Edge.START else (lambda one: one[1] + offset)
    place = names.index(part)
    if edge is Edge.START:
        return lambda one: one[3][place].start + offset
    return lambda one: one[3][place].end + offset
