"""A rule that counts records: each has a position among those of its key once its instant is complete.

Where events of one time follow each other as they arrive, that is at once. Types that no part asks for only count.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial as bound
from heapq import heappop, heappush

from cepheid.algebra.matches import Match
from cepheid.algebra.programs import Table
from cepheid.analysis.closures.told_positions import tells_positions
from cepheid.analysis.plans.plan import RulePlan
from cepheid.engine.direct.partials import Emitted, Uncounted, is_counted
from cepheid.engine.direct.rules import DirectRule, Limited
from cepheid.events import Event

Waiting = tuple[int, bool, int, int, Event]
"""A record behind its place in the total order, and the number of its arrival."""
FEW = 64


class CountingRule(DirectRule):
    """The operators of a rule whose records have positions, and the number of records of each key."""

    counts = True

    def __init__(self, plan: RulePlan, tables: Mapping[str, Table], most: int | None) -> None:
        super().__init__(plan, tables, most)
        self.records: dict[Hashable, int] = {}
        """How many records the keys have had for which something waits; perhaps those of others too."""
        self.forgets = self.key is not None and not tells_positions(self.rule)
        """Whether a key may begin to count anew, once nothing waits for it."""
        self.most_keys = FEW
        self.held: list[Waiting] = []
        """What waits for its instant to be complete, as a heap."""
        self.arrived = 0
        self.sees_all, self.passes = True, self.at_once and self.key is None

    @property
    def waiting(self) -> int | None:
        return self.held[0][0] if self.held else None

    def push(self, event: Event, frontier: int) -> list[Match]:
        if self.at_once:
            self.pace.frontier = frontier
            self._count(event)
            return self._told() if self.found else []
        found = self.come_to(frontier) if self.held and self.held[0][0] < frontier else []
        self._hold(event)
        return found

    def _hold(self, event: Event) -> None:
        self.arrived += 1
        heappush(self.held, (*_place(event), self.arrived, event))

    def take(self, news: Sequence[Emitted]) -> None:
        """Leave alone what other rules have emitted: it is none of the records."""

    def pass_by(self) -> None:
        """Count a record that no part asks for."""
        self.records[()] = self.records.get((), 0) + 1

    def come_to(self, frontier: int) -> list[Match]:
        """Count the records of the instants that are complete, in their order."""
        self.pace.frontier = frontier
        held = self.held
        while held and held[0][0] < frontier:
            self._count(heappop(held)[4])
        return self._told() if self.found else []

    advance = come_to

    def _count(self, event: Event) -> None:
        """Give a record its position, and to the parts that ask for it."""
        key = () if self.key is None else self.key((event,))
        scans = self.scans.get(event.type)
        position = self.records.get(key)
        if key is None or (position is None and scans is None and self.forgets):
            return  # where nothing waits, nobody need begin to count
        if position is None:
            position = 0
            if self.forgets and len(self.records) > self.most_keys:
                self._sweep()
        self.records[key] = position + 1
        if scans is not None:
            end, self.pace.position = event.end, position
            self._give(key, scans, (end, end, end + self.parts.delay, (event,), (position,)))

    def _sweep(self) -> None:
        """Forget the keys that nothing waits for, before they outnumber the others."""
        self.records = {key: count for key, count in self.records.items() if not self._rests(key)}
        self.most_keys = 2 * len(self.records) + FEW

    def _rests(self, key: Hashable) -> bool:
        return not any(one.waits_for(key) for one in self.operators.values())

    def limited(self, most: Sequence[int | None]) -> Iterator[Limited]:
        yield from super().limited(most)
        if most[-1] is not None:
            yield self, self.buffered, most[-1]
        of_root = most[self.plan.root.number]
        if of_root is not None and self.key is not None and not self.forgets:
            yield self, bound(self._with_counters, of_root), of_root

    def _with_counters(self, limit: int) -> int:
        """Return how much the root holds with the counters of keys that rest; these are told apart where it is much."""
        root = self.operators.get(self.plan.root.number)
        entries = 0 if root is None else root.entries()
        if entries + len(self.records) <= limit:
            return entries + len(self.records)
        return entries + sum(map(self._rests, self.records))

    def buffered(self) -> int:
        return len(self.held)

    def expire(self, frontier: int) -> None:
        super().expire(frontier)
        for each in self.operators.values():
            each.expire_places(self._position_of)

    def _position_of(self, key: Hashable) -> int:
        return self.records.get(key, 0)

    def _keys(self, states: Iterable[Mapping[Hashable, object]]) -> list[Hashable]:
        found = super()._keys(states)
        return found or list(self.records) if self.key is None else found

    def state(self, frontier: int) -> list[object]:
        _, machines, _, *others = super().state(frontier)
        held = [event for *_, event in sorted(self.held, key=lambda one: one[:4])]
        resting = self.key is not None and not self.forgets
        counted = [(key, count) for key, count in self.records.items() if self._rests(key)] if resting else []
        return [[(event, event.end, None) for event in held], machines, counted, *others]

    def restore(self, state: object) -> None:
        super().restore(state)
        assert isinstance(state, list)
        held, machines, counted, *_ = state
        self.records = dict(counted) | {key: count for key, (count, _) in machines}
        for event, _, rests_on in held:
            if rests_on is not None or event.derived or not is_counted(event):
                raise Uncounted
            self._hold(event)


def _place(event: Event) -> tuple[int, bool, int]:
    """Return the place of an event in the total order, where nothing is said of that but its number or its id."""
    number = event.number
    if number is not None:
        return event.end, False, number
    assert isinstance(event.id, int)
    return event.end, True, event.id
