"""One rule at work: it puts its stream in order where positions matter, splits it by key, and tells its matches."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush

from cepheid.algebra.closures import key_maker
from cepheid.algebra.evaluation import Scope
from cepheid.algebra.instances import Instance, of_event
from cepheid.algebra.match_ids import event_ids, match_id
from cepheid.algebra.matches import Match
from cepheid.algebra.patterns import Instant, Pattern
from cepheid.algebra.programs import EVENT, Table
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.schedules import fixed_point
from cepheid.algebra.semantics import emitted, reading
from cepheid.algebra.traversal import event_types, reads_any_type, walk
from cepheid.analysis.closures.told_positions import tells_positions
from cepheid.analysis.plans.plan import Kind, RulePlan
from cepheid.diagnostics import internal_error
from cepheid.engine.clock.certainty import complete_at, not_before
from cepheid.engine.clock.settled import ANYWHERE, Settled
from cepheid.engine.clock.turn import Record, Round, Turn
from cepheid.engine.clock.wakes import Wakes
from cepheid.engine.interpreter.machine import Machine
from cepheid.engine.interpreter.sharing import Shares
from cepheid.engine.limits.too_many import TooManyMatches
from cepheid.engine.state.keyed_times import KeyedTimes
from cepheid.events import MAX_TIME, MIN_TIME, order_key, values


@dataclass(frozen=True, slots=True)
class Told:
    """A match with the instance it tells of."""

    match: Match
    instance: Instance


class RuleRunner:
    """The machines of one rule, one per live key; `derived` are the types that rules of its program emit.

    One turn may tell at most `most` matches.
    """

    def __init__(
        self, plan: RulePlan, tables: Mapping[str, Table], derived: frozenset[str], most: int | None = None
    ) -> None:
        self.most = most
        self.plan, self.rule, self.tables = plan, plan.rule, tables
        self.types = event_types(self.rule.pattern)
        self.derived = self.types & derived
        self.sees_all = plan.counts_records or _looks_at_all(self.rule.pattern)
        self.is_prompt = all(operator.prompt for operator in plan.operators if not operator.inputs)
        self.lag = _most([operator.lag for operator in plan.operators if not operator.inputs])
        self.always = any(operator.kind is Kind.POINTS for operator in plan.operators)
        self.version = plan.version
        self.key = key_maker(self.rule.per) if self.rule.per else None
        self.machines: dict[Hashable, Machine] = {}
        self.shares: Shares | None = None
        # What every operator holds over all keys, and last what is buffered; only keys that took a turn are counted.
        self._sizes = [0] * (len(plan.operators) + 1)
        self._changed: dict[Hashable, Machine] = {}
        # How many records the keys had that rest, where somebody can tell.
        self.counted: dict[Hashable, int] = {}
        self.tells_positions = tells_positions(self.rule)
        self.held: list[tuple[tuple[object, ...], int, Record]] = []
        self.arrived = 0
        self.alike: dict[int, Counter[object]] = {}
        self.told_at: KeyedTimes[int] = KeyedTimes()
        self.least = MIN_TIME
        # When each key must take a turn although nothing new came for it, and which keys hold the frontier back.
        self.wakes = Wakes()
        self.due = MAX_TIME
        """As long as no frontier is past this, there is nothing to do unless something new comes."""
        self._behind: KeyedTimes[Hashable] = KeyedTimes()
        # In a cycle: the least end of what waits in each key for more than that its instant is complete.
        self.in_cycle = False
        self.waits: KeyedTimes[Hashable] = KeyedTimes()

    def turn(self, records: Iterable[Record], settled: Settled, cycle: Round | None = None) -> list[Told]:
        """Return the matches that are new and certain.

        A rule in a cycle takes its turns by what comes from outside it, lest it wait for itself.
        """
        least = settled.least(None if self.sees_all else self.types, self.derived)
        mine = [record for record in records if self._sees(record)]
        if not mine and cycle is None and least <= self.due and self._rests(settled) and least < MAX_TIME:
            self.least = least
            return []
        return self._turn(mine, least, settled, cycle)

    def _rests(self, settled: Settled) -> bool:
        """Say whether nothing but the one frontier that it reads can give it something to do."""
        one = self.sees_all or (len(settled.sources) == 1 and not self.derived)
        return one and not self.held and not self.always

    def _turn(self, mine: list[Record], least: int, settled: Settled, cycle: Round | None) -> list[Told]:
        times = self._times(least, settled, cycle)
        ripe = MIN_TIME if cycle is None else cycle.ripe
        complete = max(least, ripe, settled.arrived if self.is_prompt else MIN_TIME)
        mine, self.least = self._in_order(mine, complete), least
        if not mine and self._nothing_is_due(times):
            return []
        by_key = self._by_key(mine)
        found = []
        for key in self._due(by_key, times):
            machine = self.machines.get(key) or self._begun(key)
            found += self._machine(machine, by_key.get(key, ()), least, settled, ripe)
            self._rest(key, machine, times)
            self._check_room(len(found), mine)
        self.due = self.wakes.first()
        told = [one for instance in found if (one := self._told(instance)) is not None]
        if self.alike:
            # Keys that are still to begin hold the frontier back, but what they will tell is like nothing told so far.
            for end in self.told_at.pop_before(min(least, self.behind)):
                del self.alike[end]
        return told

    def _check_room(self, count: int, records: Sequence[Record]) -> None:
        if self.most is not None and count > self.most:
            raise TooManyMatches(self.most, self.rule.name, records[-1].event if records else None)

    @property
    def frontier(self) -> int:
        """Where the earliest match still to come can end."""
        begun = MAX_TIME if self.plan.fixed is None or self.least == MAX_TIME else self.plan.fixed
        return min(self.least, begun, self.behind)

    @property
    def behind(self) -> int:
        """The least end of what keys will still tell although nothing new comes for them."""
        self._look_at_changed()
        return self._behind.first()

    def _look_at_changed(self) -> None:
        """Note what the keys hold that took a turn, and how far they stay behind."""
        for key, machine in self._changed.items():
            self._sizes = [size + more for size, more in zip(self._sizes, machine.grown(), strict=True)]
            self._behind.set(key, machine.held() if key in self.machines else MAX_TIME)
        self._changed.clear()

    def _times(self, least: int, settled: Settled, cycle: Round | None) -> Mapping[str, int]:
        """Return how far each stream has come: one may decide what another keeps waiting."""
        if cycle is not None:
            return {ANYWHERE: cycle.outside}
        if self.sees_all or least == MAX_TIME or (len(settled.sources) == 1 and not self.derived):
            return {ANYWHERE: least}
        return {name: settled.frontier(name) for name in self.types}

    def _nothing_is_due(self, times: Mapping[str, int]) -> bool:
        return not self.always and min(times.values()) < MAX_TIME and not self.wakes.any_before(times)

    def _due(self, by_key: Mapping[Hashable, object], times: Mapping[str, int]) -> list[Hashable]:
        """Return the keys that must take a turn: those with news, and those for which time has come."""
        due = self.machines if min(times.values()) == MAX_TIME else self.wakes.pop_before(times)
        return list(dict.fromkeys([*by_key, *due])) if due else list(by_key)

    def _begun(self, key: Hashable) -> Machine:
        self.machines[key] = Machine(self.plan.operators, self.counted.pop(key, 0))
        return self.machines[key]

    def _rest(self, key: Hashable, machine: Machine, times: Mapping[str, int]) -> None:
        """Note when a key must take its next turn, how far it stays behind until then, and what it holds."""
        idle = machine.idle
        if idle and self.rule.per:
            del self.machines[key]
            if self.tells_positions:
                self.counted[key] = machine.records
        if key in self._changed and self._changed[key] is not machine:
            self._look_at_changed()  # the key rested meanwhile, and began anew
        self._changed[key] = machine
        self.wakes.set(key, MAX_TIME if idle else machine.wake(), times)
        if self.in_cycle:
            self.waits.set(key, MAX_TIME if idle else machine.held(buffered=False))

    def held_back(self) -> int:
        """Return the least end of what the rule will still tell although nothing new comes."""
        return min(self.behind, self.held[0][-1].event.end if self.held else MAX_TIME)

    def waiting(self) -> int:
        """Return the least end of what waits for more than that its instant is complete."""
        return self.waits.first()

    def record(self, told: Told) -> Record:
        """Return the event that a match of this rule is, on its way into other rules."""
        event = emitted(self.rule, told.match, self.plan.number, told.instance)
        return Record(event, told.match.known, told.instance.rests_on)

    def emitted_frontier(self) -> int:
        """Return the frontier of the events that this rule emits."""
        frontier = self.frontier
        if frontier == MAX_TIME or self.plan.trails is None:
            return frontier if frontier == MAX_TIME else MIN_TIME
        return max(frontier - self.plan.trails, MIN_TIME)

    def entries(self) -> list[int]:
        """Return the pattern state of each operator, over all keys."""
        self._look_at_changed()
        *sizes, last, _ = self._sizes
        return [*sizes, last + (len(self.counted) if self.rule.per else 0)]

    def buffered(self) -> int:
        """Return how much only waits for its instant to be complete."""
        self._look_at_changed()
        return len(self.held) + self._sizes[-1]

    def state(self) -> object:
        held = [
            (record.event, record.known, record.rests_on) for _, _, record in sorted(self.held, key=lambda one: one[:2])
        ]
        machines = [(key, machine.state()) for key, machine in self.machines.items()]
        alike = [(end, list(counts.items())) for end, counts in self.alike.items()]
        return [held, machines, list(self.counted.items()), alike, self.frontier]

    def look_around(self, settled: Settled) -> None:
        """Let every key that was restored see how far the input has come; nothing becomes certain by that."""
        least = settled.least(None if self.sees_all else self.types, self.derived)
        for machine in self.machines.values():
            if self._machine(machine, (), least, settled, MIN_TIME):
                raise internal_error(f"a state of `{self.rule.name}` was handed over too late")

    def clear(self) -> None:
        """Forget everything, because another goes on from the state."""
        self.machines.clear()
        self.counted.clear()
        self.alike.clear()
        self.told_at.clear()
        self.held.clear()
        self.wakes, self.due = Wakes(), MAX_TIME
        self._behind.clear()
        self._changed.clear()
        self._sizes = [0] * len(self._sizes)

    def restore(self, state: object, settled: Settled) -> None:
        assert isinstance(state, list)
        held, machines, counted, alike, self.least = state
        self.counted = dict(counted)
        for event, known, rests_on in held:
            self._hold(Record(event, known, rests_on))
        # Nobody knows which streams have woken which keys, so all of them may do it again.
        times = dict.fromkeys((ANYWHERE,) if self.in_cycle else self._times(MIN_TIME, settled, None), MIN_TIME)
        for key, its in machines:
            self._begun(key).restore(its, self._turn_for((), 0, MIN_TIME, settled))
            self._rest(key, self.machines[key], times)
        self.due = self.wakes.first()
        for end, counts in alike:
            self.alike[end] = Counter(dict(counts))
            self.told_at.set(end, end)

    def _sees(self, record: Record) -> bool:
        if record.event.derived or not self.sees_all:
            return record.event.type in self.types
        return True

    def _in_order(self, records: list[Record], least: int) -> list[Record]:
        """Return the records that may go on: all of them, or where positions matter those of complete instants."""
        if not self.plan.counts_records:
            return records
        for record in records:
            self._hold(record)
        ready = []
        while self.held and self.held[0][-1].event.end < least:
            ready.append(heappop(self.held)[-1])
        return ready

    def _hold(self, record: Record) -> None:
        # Events of several sources may have the same id, so that nothing but their arrival tells them apart.
        self.arrived += 1
        heappush(self.held, (order_key(record.event), self.arrived, record))

    def _by_key(self, records: Sequence[Record]) -> dict[Hashable, list[Record]]:
        if self.key is None:
            return {(): list(records)} if records or self.always else {}
        by_key: dict[Hashable, list[Record]] = {}
        for record in records:
            key = self.key(Scope({EVENT: of_event(record.event, 0)}, tables=self.tables))
            if key is not None:
                by_key.setdefault(key, []).append(record)
        return by_key

    def _machine(
        self, machine: Machine, records: Sequence[Record], least: int, settled: Settled, ripe: int
    ) -> list[Instance]:
        if self.plan.counts_records:
            records = [self._placed(record, machine.records + number) for number, record in enumerate(records)]
            machine.records += len(records)
        turn = self._turn_for(records, machine.records, least, settled)
        turn.ripe, turn.most = ripe, self.most
        try:
            return machine.turn(turn, self.shares)
        except TooManyMatches as reason:
            raise reason.by(self.rule.name, records[-1].event if records else None) from None

    def _placed(self, record: Record, position: int) -> Record:
        """Return a record at its position, which is certain when nothing can come before it any more."""
        certain = record.event.end if self.is_prompt else complete_at(record.event.end, self.lag)
        return replace(record, position=position, known=not_before(record.known, certain))

    def _turn_for(self, records: Sequence[Record], seen: int, least: int, settled: Settled) -> Turn:
        place = MAX_TIME if least == MAX_TIME else seen
        by_type, given = ({}, least) if self.plan.counts_records else (settled.by_type, settled.given(ANYWHERE))
        keyed, arrived = bool(self.rule.per), settled.arrived
        return Turn(records, least, by_type, given, place, seen, settled.horizon, self.tables, keyed, arrived=arrived)

    def _lasting(self, end: int) -> int:
        return MAX_TIME if end <= _last_fixed_time(self.rule.pattern) else end

    def _told(self, instance: Instance) -> Told | None:
        reads = reading(self.rule, instance, self.tables)
        if reads is None:
            return None
        start, end, fields = reads
        same = (start, end, values.key_of(fields), event_ids(instance.identity))
        # What rests on fixed times alone is told by every key, whenever that begins.
        kept_until = instance.end if instance.rests_on or self.plan.fixed is None else self._lasting(instance.end)
        alike = self.alike.setdefault(kept_until, Counter())
        self.told_at.set(kept_until, kept_until)
        name = match_id(self.version, start, end, fields, instance.identity, alike[same])
        alike[same] += 1
        match = Match(self.rule.name, start, end, fields, instance.evidence, name, instance.known)
        return Told(match, instance)


@ByIdentity
def _last_fixed_time(pattern: object) -> int:
    schedules = (node.schedule for node in walk(pattern) if isinstance(node, Instant))
    return max((time for one in schedules if (time := fixed_point(one)) is not None), default=MIN_TIME)


def _most(lags: Sequence[int | None]) -> int | None:
    """Return the greatest lag, None if there is none."""
    return None if None in lags else max(lag for lag in lags if lag is not None)


@ByIdentity
def _looks_at_all(pattern: Pattern) -> bool:
    """Say whether a pattern looks at events of every type: to match them, or because its schedule begins with them."""
    return reads_any_type(pattern) or any(isinstance(node, Instant) for node in walk(pattern))
