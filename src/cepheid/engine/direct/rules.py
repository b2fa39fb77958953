"""A rule at work on events that come one at a time and in order: nothing waits but for the end of its instant."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial as bound
from heapq import heappop
from itertools import pairwise

from cepheid.algebra.expressions import Call, Lookup, Moment
from cepheid.algebra.functions import is_built_in
from cepheid.algebra.match_ids import match_id
from cepheid.algebra.matches import Match
from cepheid.algebra.patterns import Atom, Join, Select
from cepheid.algebra.programs import EVENT, HULL, Table
from cepheid.algebra.relations import Axis, Endpoint
from cepheid.algebra.relations import end as end_of
from cepheid.algebra.relations import start as start_of
from cepheid.algebra.traversal import walk
from cepheid.analysis.plans.plan import KEEP_NOTHING, Kind, Operator, Retention, RulePlan
from cepheid.engine.direct.alike import Alike, Told
from cepheid.engine.direct.choices import Choices
from cepheid.engine.direct.joins import Joins
from cepheid.engine.direct.operator import DirectOperator, Give, Pace
from cepheid.engine.direct.partials import Emitted, Partial, Parts, arrival, emitted_event, inputs_of
from cepheid.engine.direct.plain import Filter, Latest
from cepheid.engine.direct.reading import Read, Reader
from cepheid.engine.direct.suppressing import Suppressing
from cepheid.engine.limits.too_many import TooManyMatches
from cepheid.engine.operators.choice import sides_of
from cepheid.engine.operators.preferences import CONSUMED, is_taken_once
from cepheid.events import Event, EventId, Value, are_times

_MADE_BY: Mapping[Kind, Callable[[Operator, Parts, Mapping[str, Table], Give, Pace], DirectOperator]] = {
    Kind.JOIN: Joins,
    Kind.CHOICE: Choices,
    Kind.FILTER: Filter,
    Kind.LATEST: Latest,
    Kind.SUPPRESS: Suppressing,
}
COMBINING = (Kind.SCAN, Kind.FILTER, Kind.JOIN)
"""The kinds of operators that a rule may have that counts records."""
Scan = tuple[Read | None, Give]
Limited = tuple["DirectRule", Callable[[], int], int]
"""A rule, and what says how much it holds that may only be so much."""


class DirectRule:
    """The operators of a rule, over all its keys; `feeds`: others read what it emits."""

    counts = False
    """Whether records that no part asks for matter, as they have positions."""

    def __init__(self, plan: RulePlan, tables: Mapping[str, Table], most: int | None, *, feeds: bool = False) -> None:
        self.plan, self.most, self.feeds = plan, most, feeds
        self.is_fed = bool(plan.reads_derived) or feeds
        self.news: list[Emitted] = []
        """The events that its last matches are, where other rules read them."""
        self.rule = plan.rule
        self.at_once = all(operator.prompt for operator in plan.operators if not operator.inputs)
        """Whether a record stands in its place when it comes, although more may come that end with it."""
        self.parts = Parts(plan.operators, counts=self.counts, delay=0 if self.at_once or not self.counts else 1)
        self.found: list[Partial] = []
        self.pace = Pace()
        self.sees_all, self.passes = False, True
        self.operators: dict[int, DirectOperator] = {}
        self.scans: dict[str, list[Scan]] = {}
        self._wire(tables)
        self.choosing = [one for one in self.operators.values() if one.operator.orders]
        self.prompt = bool(self.choosing) and self.choosing[0].operator.prompt
        self.key = Reader((EVENT,), (), tables).key(self.rule.per) if self.rule.per else None
        whole = Reader(self.parts.names[-1], (HULL,), tables)
        self.start, self.end = whole.value(self.rule.start), whole.value(self.rule.end)
        self.fields = {name: whole.value(value) for name, value in self.rule.fields.items()}
        ends = (Moment(start_of(HULL)), Moment(end_of(HULL)))
        self.lasts_as_found = (self.rule.start, self.rule.end) == ends
        """Whether a match lies where its events lie."""
        self.alike: dict[int, Alike] = {}
        """What was told, by the instants that may still tell some that is alike."""
        self.is_restored = False
        """Whether some of these were counted before a state was taken up."""

    def _wire(self, tables: Mapping[str, Table]) -> None:
        """Make the operators, parents first, each giving to the one above it, and the last to the rule."""
        gives: dict[int, Give] = {self.plan.root.number: self._find}
        for operator in reversed(self.plan.operators):
            give = gives[operator.number]
            if isinstance(operator.pattern, Atom):
                self._scan(operator.pattern, give, tables)
                continue
            made = _MADE_BY[operator.kind](operator, self.parts, tables, give, self.pace)
            self.operators[operator.number] = made
            for side, number in enumerate(operator.inputs):
                gives[number] = bound(_taken, made.take, side)
        self.operators = dict(sorted(self.operators.items()))

    def _scan(self, atom: Atom, give: Give, tables: Mapping[str, Table]) -> None:
        where = None if atom.where is None else Reader((atom.name,), (HULL,), tables).value(atom.where)
        for name in atom.types:
            # Scans stand in the order of the plan, which is that of the parts.
            self.scans.setdefault(name, []).insert(0, (where, give))

    def _find(self, _: Hashable, partial: Partial) -> None:
        self.found.append(partial)
        if self.most is not None and len(self.found) > self.most:
            raise TooManyMatches(self.most, self.rule.name, partial[3][-1])

    @property
    def waiting(self) -> int | None:
        """The first instant that something waits for to be complete."""
        return self.pace.ends[0] if self.pace.ends else None

    def push(self, event: Event, frontier: int) -> list[Match]:
        """Take in an event, and return the matches that are certain now; nothing more will end before the frontier."""
        pace = self.pace
        pace.frontier = frontier
        if pace.ends and pace.ends[0] < frontier:
            self._complete(frontier)
        scans = self.scans.get(event.type)
        if scans is not None:
            key = () if self.key is None else self.key((event,))
            if key is not None:
                self._feed(event, key, scans)
        return self._told() if self.found else []

    def take(self, news: Sequence[Emitted]) -> None:
        """Take in what other rules have emitted, before what it completes is looked at."""
        for event in news:
            scans = self.scans.get(event.type)
            key = () if self.key is None else self.key((event,))
            if scans is not None and key is not None:
                self._give(key, scans, (event.start, event.end, event.known, (event,), ()))

    def pass_by(self) -> None:
        """Do nothing about an event that no part asks for."""

    def _feed(self, event: Event, key: Hashable, scans: list[Scan]) -> None:
        end = event.end
        self._give(key, scans, (end, end, end, (event,), ()))
        if self.prompt:
            self._complete(end + 1)

    def _give(self, key: Hashable, scans: list[Scan], partial: Partial) -> None:
        events = partial[3]
        for where, give in scans:
            if where is None or where(events, (partial,)) is True:
                give(key, partial)

    def _complete(self, frontier: int) -> None:
        """Decide about all that waits for its instant, one after the other: nothing more will end before a frontier."""
        ends = self.pace.ends
        while ends and ends[0] < frontier:
            instant = heappop(ends)
            for each in self.choosing:
                each.complete(instant)

    def come_to(self, frontier: int) -> list[Match]:
        """Return what becomes certain when nothing more ends before the frontier."""
        self.pace.frontier = frontier
        self._complete(frontier)
        return self._told() if self.found else []

    advance = come_to

    def _told(self) -> list[Match]:
        found, self.found = self.found, []
        if len(found) == 1:
            match = self._match(found[0])
            return [] if match is None else [match]
        return [match for partial in found if (match := self._match(partial)) is not None]

    def _match(self, partial: Partial) -> Match | None:
        first, last, known, events, _ = partial
        hulls = (partial,)
        if not self.lasts_as_found:
            start, end = self.start(events, hulls), self.end(events, hulls)
            if type(start) is not int or type(end) is not int or not are_times(start, end):
                return None
            first, last = start, end
        fields = {name: value(events, hulls) for name, value in self.fields.items()} if self.fields else {}
        if self.is_fed:
            return self._fed_match(partial, (first, last, fields))
        ids = tuple([event.id for event in events])
        ordinal = self._ordinal((first, last, fields, ids), partial[1])
        made = Match.__new__(Match)  # without an id, which is worked out for who asks for it
        made.name, made.start, made.end = self.rule.name, first, last
        made.values, made.evidence, made.known = fields, _grounds(events, ids), known
        made.id_of = bound(match_id, self.plan.version, first, last, fields, ids, ordinal)
        return made

    def _fed_match(
        self,
        partial: Partial,
        told: tuple[int, int, dict[str, Value]],
    ) -> Match:
        """Return a match of a rule that reads what others emit, or that others read; ids wait for who asks for them."""
        events = partial[3]
        # Derived events that are not the same one are not alike. Those of a state that was taken up are called by ids.
        own = [event if not self.is_restored and isinstance(event, Emitted) else event.id for event in events]
        ordinal = self._ordinal((*told, tuple(own)), partial[1])
        name = bound(_match_id, self.plan.version, told, events, ordinal)
        inputs = inputs_of(events)
        evidence = tuple([one.id for one in inputs])
        match = Match(self.rule.name, *told, evidence, "", partial[2], name)
        if self.feeds:
            self.news.append(emitted_event(self.plan, match, partial, inputs))
        return match

    def _ordinal(self, told: Told, instant: int) -> int:
        """Return how many were told before that are alike; of instants that tell nothing any more, nothing is kept."""
        alike = self.alike.get(instant)
        if alike is not None:
            return alike.ordinal(told)
        for end in list(self.alike):
            if end < instant and end < self.pace.frontier:
                del self.alike[end]
        self.is_restored = self.is_restored and bool(self.alike)
        self.alike[instant] = Alike(told)
        return 0

    def limited(self, most: Sequence[int | None]) -> "Iterator[Limited]":
        """Yield what says how much an operator holds that may hold only so much, and last how much is buffered."""
        *limits, buffer = most
        for number, limit in enumerate(limits):
            if limit is not None and number in self.operators and self.plan.operators[number].kind not in KEEP_NOTHING:
                yield self, self.operators[number].entries, limit
        if buffer is not None and self.choosing:
            yield self, self.buffered, buffer

    def buffered(self) -> int:
        """Return how much only waits for its instant."""
        return sum([one.buffered() for one in self.choosing])

    @property
    def _numbers(self) -> range:
        return range(len(self.plan.operators))

    def expire(self, frontier: int) -> None:
        """Evict whatever can."""
        for each in self.operators.values():
            each.expire(frontier)

    def state(self, frontier: int) -> list[object]:
        """Return the whole state as the interpreter writes that of the rule."""
        self.expire(frontier)
        states = {number: each.state() for number, each in self.operators.items()}
        machines = [
            (key, [self._position_of(key), [self._state_of(states, number, key) for number in self._numbers]])
            for key in self._keys(states.values())
        ]
        alike = [(end, [(_called(same), count) for same, count in one.counts()]) for end, one in self.alike.items()]
        return [[], machines, [], alike, frontier]

    def _position_of(self, key: Hashable) -> int:
        """Return the position of the next record of a key, where records are counted."""
        return 0

    def _keys(self, states: Iterable[Mapping[Hashable, object]]) -> list[Hashable]:
        """Return the keys that have a state."""
        return list(dict.fromkeys(key for some in states for key in some))

    def _state_of(self, states: Mapping[int, Mapping[Hashable, object]], number: int, key: Hashable) -> object:
        if number not in self.operators:
            return None
        return states[number].get(key, self.operators[number].empty_state())

    def restore(self, state: object) -> None:
        """Take up a state that the interpreter wrote."""
        assert isinstance(state, list)
        _, machines, _, alike, _ = state
        for key, (_, states) in machines:
            for number, its in enumerate(states):
                if number in self.operators:
                    self.operators[number].restore(key, its)
        self.alike = {end: Alike.counted(counts) for end, counts in alike}
        self.is_restored = bool(self.alike)


def _grounds(events: tuple[Event, ...], ids: tuple[EventId, ...]) -> tuple[EventId, ...]:
    """Return the ids of the events that a match rests on, each once, in their order."""
    for earlier, later in pairwise(events):
        if earlier.end >= later.end:
            ordered = sorted({arrival(event): event.id for event in events}.items())
            return tuple([name for _, name in ordered])
    return ids


def _match_id(version: str, told: tuple[int, int, dict[str, Value]], events: tuple[Event, ...], ordinal: int) -> str:
    return match_id(version, *told, tuple([event.id for event in events]), ordinal)


def _called(same: object) -> object:
    """Return what tells matches apart with the ids of all events."""
    assert isinstance(same, tuple)
    *said, names = same
    return (*said, tuple([one.id if isinstance(one, Emitted) else one for one in names]))


def _taken(take: Callable[[Hashable, int, Partial], None], side: int, key: Hashable, partial: Partial) -> None:
    take(key, side, partial)


def can_run(plan: RulePlan) -> bool:
    """Say whether a rule can run so: it joins single events, and never waits for the clock alone."""
    if plan.fixed is not None or plan.trails is None or (plan.counts_records and not _can_count(plan)):
        return False
    return not any(_hinders(operator) for operator in plan.operators) and _is_of_one_kind(plan.operators)


def _can_count(plan: RulePlan) -> bool:
    """Say whether a rule only combines and filters records, whose positions are asked for where they can be read."""
    if plan.reads_derived or not all(operator.kind in COMBINING for operator in plan.operators):
        return False
    return not _asks_for_positions(plan.rule.per) and not any(map(_hides_positions, walk(plan.rule)))


def _hides_positions(node: object) -> bool:
    """Say whether an expression has to be evaluated by the definition, and asks for positions."""
    is_plain = isinstance(node, Call) and is_built_in(node.function)
    return isinstance(node, Call | Lookup) and not is_plain and _asks_for_positions(node)


def _asks_for_positions(root: object) -> bool:
    return any(isinstance(node, Endpoint) and node.axis is Axis.POSITION for node in walk(root))


def _is_of_one_kind(operators: Sequence[Operator]) -> bool:
    """Say whether all choices are made at once, or all when their instant is complete."""
    return len({operator.prompt for operator in operators if operator.orders}) < 2


def _hinders(operator: Operator) -> bool:
    if operator.has_points or operator.lag != 0:
        return True
    match operator.kind, operator.pattern:
        case Kind.SCAN, Atom(types=types):
            return not types
        case Kind.FILTER | Kind.SUPPRESS, _:
            return False
        case Kind.LATEST, Select(policy=policy):
            return len(operator.inputs) != 1 or policy.by_arrival != operator.prompt
        case Kind.JOIN, Join():
            return False
        case Kind.CHOICE, Join() as join:
            return any(reach.positions for reach in operator.reach.values()) or not _is_plain_choice(operator, join)
        case _:
            return True


def _is_plain_choice(operator: Operator, join: Join) -> bool:
    if join.policy.by_arrival != operator.prompt or (join.equal and sides_of(join) is None):
        return False
    if not all(is_taken_once(join, side) for side in CONSUMED.get(join.policy.choice, ())):
        return False
    if operator.retention is Retention.EVERYTHING:
        return True
    right = operator.reach[1, 0]
    passes = 1 in operator.final or not right.possible or (right.ends is not None and right.ends < 0)
    return passes and operator.widths[1] == 0 and (1 in operator.singles or not join.policy.by_arrival)
