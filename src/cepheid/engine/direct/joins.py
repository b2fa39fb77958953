"""The join that takes every combination: each new part is combined with all that wait, then waits itself."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass

from cepheid.algebra.patterns import Join
from cepheid.algebra.programs import Table
from cepheid.analysis.plans.plan import Operator
from cepheid.engine.direct.operator import DirectOperator, Give, Pace
from cepheid.engine.direct.partials import Partial, Parts
from cepheid.engine.direct.reading import Read, Reader, Test
from cepheid.engine.direct.store import Limit, Store, limit_of, place_limit_of
from cepheid.engine.operators.conditions import Step, join_steps
from cepheid.events import MAX_TIME, Event, values

Found = list[Partial | None]


@dataclass(frozen=True, slots=True)
class Addition:
    """One more part: where it is found, by what it must equal, and what must then hold."""

    part: int
    index: int
    lookup: Read | None
    test: Test | None


class Joins(DirectOperator):
    """Partial matches of every part that wait for the others; combinations of some of them are never kept."""

    def __init__(self, operator: Operator, parts: Parts, tables: Mapping[str, Table], give: Give, pace: Pace) -> None:
        super().__init__(operator, parts, tables, give, pace)
        assert isinstance(operator.pattern, Join)
        steps = join_steps(operator.pattern)
        self.count = len(operator.inputs)
        self.names = [parts.names[number] for number in operator.inputs]
        hulls = tuple(f"${number}" for number in range(self.count))
        widths = tuple(map(len, self.names))
        self.reader = Reader(tuple(name for some in self.names for name in some), hulls, tables, widths)
        self.offsets = [sum(len(some) for some in self.names[:part]) for part in range(self.count)]
        self.own = [self.reader.test(*checks) for checks in steps.own]
        self.ways = [[self._addition(step) for step in way] for way in steps.ways]
        # The first index is that of the key of the rule.
        self.indexes = [[self.reader.value(one) for one in some] for some in steps.indexes]
        self.limits: list[Limit] = []
        self.place_limits: list[Limit | None] = []
        self.stores: list[Store] = []
        for part in range(self.count):
            reaches = [operator.reach[part, other] for other in range(self.count) if other != part]
            limit, grows = limit_of(reaches, self.names[part])
            self.limits.append(limit)
            self.place_limits.append(place_limit_of(reaches, self.names[part]))
            self.stores.append(Store(1 + len(self.indexes[part]), grows=grows))
        self.has_places = any(self.place_limits)
        self.completes = [not parts.counts or self._may_be_last(part) for part in range(self.count)]
        """Whether the others may be there when something comes for a part."""

    def _may_be_last(self, part: int) -> bool:
        """Say whether a part may end after all others, or beside them, where all comes in order."""
        reaches = [self.operator.reach[other, part] for other in range(self.count) if other != part]
        return all(one.possible and not _is_before(one.ends) and not _is_before(one.records) for one in reaches)

    def _addition(self, step: Step) -> Addition:
        index, lookup = (0, None) if step.lookup is None else (1 + step.lookup[0], self.reader.value(step.lookup[1]))
        return Addition(step.part, index, lookup, self.reader.test(step.relation, step.equal, step.conditions))

    def take(self, key: Hashable, side: int, partial: Partial) -> None:
        hulls: Found = [None] * self.count
        events = self._placed([None] * len(self.reader.names), side, partial)
        hulls[side] = partial
        if not _holds(self.own[side], events, hulls):
            return
        now = min(partial[1], self.pace.frontier)
        for store in self.stores:
            if store.due < now:
                store.expire(now)
            if self.has_places:
                store.expire_places(key, self.pace.position)
        if self.completes[side]:
            self._extend(key, self.ways[side], 0, events, hulls)
        if side not in self.operator.final:
            self._keep(key, side, partial, events, hulls)

    def _extend(self, key: Hashable, way: list[Addition], depth: int, events: list[Event | None], hulls: Found) -> None:
        if depth == len(way):
            self.give(key, _hull(hulls, events))
            return
        step = way[depth]
        for candidate in self._candidates(key, step, events, hulls):
            more = self._placed(events.copy(), step.part, candidate)
            hulls[step.part] = candidate
            if _holds(step.test, more, hulls):
                self._extend(key, way, depth + 1, more, hulls)
        hulls[step.part] = None

    def _candidates(self, key: Hashable, step: Addition, events: list[Event | None], hulls: Found) -> Iterable[Partial]:
        store = self.stores[step.part]
        if step.lookup is None:
            return list(store.under(0, key).values())
        wanted = values.key_of(step.lookup(events, hulls))  # type: ignore[arg-type]  # what it reads is there
        return [] if wanted is None else list(store.under(step.index, (key, wanted)).values())

    def _placed(self, events: list[Event | None], part: int, partial: Partial) -> list[Event | None]:
        first = self.offsets[part]
        events[first : first + len(self.names[part])] = partial[3]
        return events

    def _keep(self, key: Hashable, side: int, partial: Partial, events: list[Event | None], hulls: Found) -> None:
        limit, place_limit = self.limits[side](partial), self.place_limits[side]
        place = MAX_TIME if place_limit is None else place_limit(partial)
        if (limit < partial[1] and limit < self.pace.frontier) or place < self.pace.position:
            return  # no partner can come any more
        keys = [key]
        for read in self.indexes[side]:
            found = values.key_of(read(events, hulls))  # type: ignore[arg-type]  # it reads no more than this part
            if found is None:
                return
            keys.append((key, found))
        self.stores[side].add(partial, limit, keys, place)

    def expire(self, frontier: int) -> None:
        for store in self.stores:
            store.expire(frontier)

    def expire_places(self, position_of: Callable[[Hashable], int]) -> None:
        for store in self.stores:
            store.expire_all_places(position_of)

    def waits_for(self, key: Hashable) -> bool:
        return any(store.under(0, key) for store in self.stores)

    def entries(self) -> int:
        return sum(map(len, self.stores))

    def state(self) -> dict[Hashable, object]:
        found: dict[Hashable, list[list[object]]] = {}
        for part, store in enumerate(self.stores):
            for key, partial in store.owned():
                waiting = found.setdefault(key, [[] for _ in self.stores])
                waiting[part].append(self.parts.instance(self.operator.inputs[part], partial))
        return dict(found)

    def restore(self, key: Hashable, state: object) -> None:
        assert isinstance(state, list)
        for part, some in enumerate(state):
            for instance in some:
                partial = self.parts.partial(self.operator.inputs[part], instance)
                hulls: Found = [None] * self.count
                hulls[part] = partial
                self._keep(key, part, partial, self._placed([None] * len(self.reader.names), part, partial), hulls)

    def empty_state(self) -> object:
        return [[] for _ in self.stores]


def _is_before(distance: int | None) -> bool:
    return distance is not None and distance < 0


def _holds(test: Test | None, events: list[Event | None], hulls: Found) -> bool:
    return test is None or test(events, hulls)  # type: ignore[arg-type]  # what it reads is there


def _hull(hulls: Found, events: list[Event | None]) -> Partial:
    starts, ends, known, _, positions = zip(*(one for one in hulls if one is not None), strict=True)
    whole = tuple([position for some in positions for position in some])
    return min(starts), max(ends), max(known), tuple(events), whole  # type: ignore[arg-type]  # so are the events
