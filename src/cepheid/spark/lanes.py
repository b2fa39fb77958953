"""How the work of queries is split: lanes of rules that feed each other, and routes that several lanes share.

A lane is run by one detector. Where its rules have a key in common, its events are dealt out by that key, and lanes
whose keys agree share a route: an event goes to the same places for all of them. Rules that feed each other but have no
key in common become several lanes where some of those have one: stages, of which the later get what the earlier emit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from cepheid.algebra.programs import Program, Rule, Ties
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.traversal import event_types, reads_any_type
from cepheid.analysis import Certificate, Plan, certify
from cepheid.analysis.certificates.spread_state import entries_everywhere
from cepheid.analysis.keys.common_keys import Key, common_key, joined_keys
from cepheid.analysis.keys.keys import Dealing
from cepheid.analysis.keys.roles import Roles, playing_roles
from cepheid.analysis.keys.stages import Stage, stages_of
from cepheid.analysis.plans.inputs import fields_read, from_one_source, types_that_matter
from cepheid.analysis.plans.reach import ahead, past
from cepheid.connectors import TimeUnit


class Query(Protocol):
    """What `cepheid.compile` returns, as far as Spark needs it."""

    @property
    def program(self) -> Program: ...
    @property
    def plan(self) -> Plan: ...
    @property
    def certificate(self) -> Certificate: ...
    @property
    def unit(self) -> TimeUnit: ...
    @property
    def disorder(self) -> int | None: ...
    @property
    def intervals(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Lane:
    """Rules that feed each other, of one query, with their key: attributes for every type of event, and `roles`.

    `title` is the name of the query; where events are addressed to queries, it is the `address` too. `before` are the
    types of the lanes that come before it in its query: what becomes of an event is told by the first that reads it.
    A `stage` runs apart from the rules that feed it, or that it feeds.
    """

    query: int
    plan: Plan
    certificate: Certificate
    disorder: int
    key: Key | None
    title: str = "query"
    address: str | None = None
    before: tuple[frozenset[str] | None, ...] = ()
    stage: Stage | None = None
    roles: Roles = field(default_factory=dict)

    @property
    def whole(self) -> Program:
        """All rules that feed each other, of this lane and of the other stages."""
        return self.plan.program if self.stage is None else self.stage.whole.program

    @property
    def entries_everywhere(self) -> int:
        """How many entries every place holds for itself, of events that are given to all."""
        return _entries_everywhere(self)

    @property
    def working(self) -> "WorkingLane":
        """What its detectors run."""
        return _working(self)

    @property
    def level(self) -> int:
        """How many stages run before it."""
        return 0 if self.stage is None else self.stage.level

    @property
    def takes(self) -> frozenset[str]:
        """The types of the events that come from stages before it."""
        return frozenset() if self.stage is None else self.stage.takes

    @property
    def hands(self) -> frozenset[str]:
        """The types of the events that go to stages after it."""
        return frozenset() if self.stage is None else self.stage.hands

    @property
    def rules(self) -> tuple[Rule, ...]:
        return self.plan.program.rules

    @property
    def name(self) -> str:
        return ", ".join(rule.name for rule in self.rules)

    @property
    def types(self) -> frozenset[str] | None:
        """The types that alone decide about its matches; None where all do."""
        return _types(self.plan)

    def speaks_for(self, kind: str) -> bool:
        """Say whether this is the first lane of its query that reads events of a type."""
        return not any(types is None or kind in types for types in self.before)

    @property
    def fields(self) -> frozenset[str]:
        return fields_read(self.plan.program) or frozenset()

    @property
    def past(self) -> int | None:
        """How far before the end of a match anything that decides it can have started, in ticks; None: no bound."""
        return past(self.plan)

    @property
    def ahead(self) -> int | None:
        """How far after the end of a match anything that decides it can still come, in ticks; None: no bound."""
        return ahead(self.plan)


@dataclass(frozen=True, slots=True)
class WorkingLane:
    """What the detectors of a lane run: its rules, whose parts take only what came for them, among all rules."""

    plan: Plan
    stage: Stage | None
    program: Program


@ByIdentity
def _entries_everywhere(lane: Lane) -> int:
    if all((lane.key or {}).values()):
        return 0
    return entries_everywhere(lane.plan, lane.certificate, lane.roles)


@ByIdentity
def _working(lane: Lane) -> WorkingLane:
    plan = lane.plan if lane.key is None else playing_roles(lane.plan, lane.key, lane.roles)
    own = {rule.name: rule for rule in plan.program.rules}
    program = replace(lane.whole, rules=tuple(own.get(rule.name, rule) for rule in lane.whole.rules))
    return WorkingLane(plan, None if lane.stage is None else replace(lane.stage, plan=plan), program)


@dataclass(frozen=True, slots=True)
class Route:
    """Lanes that events reach in the same way: by a key, or all of them in one place."""

    number: int
    lanes: tuple[Lane, ...]
    key: Key | None

    @property
    def address(self) -> str | None:
        return self.lanes[0].address

    @property
    def level(self) -> int:
        """How many stages run before its lanes."""
        return self.lanes[0].level

    @property
    def reach(self) -> tuple[int, int]:
        """How far before and after the end of a match anything lies that decides it, where all its lanes can tell."""
        return max(lane.past or 0 for lane in self.lanes), max(lane.ahead or 0 for lane in self.lanes)

    @property
    def multiplies(self) -> bool:
        """Whether an event may go to several places: one for each of its roles, or all."""
        return self.key is not None and any(len(names) != 1 for names in self.key.values())

    def buckets(self, count: int) -> range:
        """Return the numbers of its buckets in a stream, where a key has so many."""
        first = self.number * count
        return range(first, first + (1 if self.key is None else count))

    @property
    def types(self) -> frozenset[str] | None:
        every = [lane.types for lane in self.lanes]
        known = [types for types in every if types is not None]
        return frozenset().union(*known) if len(known) == len(every) else None


def lanes_of(
    number: int, query: Query, title: str = "query", *, several_sources: bool = False, addressed: bool = False
) -> Iterator[Lane]:
    """Yield the lanes of a query."""
    plan = query.plan if several_sources else from_one_source(query.plan)
    before: tuple[frozenset[str] | None, ...] = ()
    disorder, address = query.disorder or 0, title if addressed else None
    for rules in _fed_together(plan.program.rules):
        part = _only(plan, rules)
        certificate = certify(part, disorder)
        for stage in _stages(part):
            own = stage if stage.takes or stage.hands else None
            key = common_key(stage.plan.program.rules, part.program.rules)
            by_type, roles = (None, {}) if key is None else (key.by_type, key.roles)
            lane = Lane(number, stage.plan, certificate, disorder, by_type, title, address, before, own, roles)
            before = (*before, lane.types)
            yield lane


def _only(plan: Plan, rules: Sequence[Rule]) -> Plan:
    names = {rule.name for rule in rules}
    groups = tuple(group for group in plan.groups if group[0].rule.name in names)
    return replace(plan, program=replace(plan.program, rules=tuple(rules), pipes={}), groups=groups)


def _stages(plan: Plan) -> tuple[Stage, ...]:
    # What comes one after the other is put in order in one place.
    together = common_key(plan.program.rules, most=Dealing.BY_ROLE)
    apart = plan.program.ties is Ties.SIMULTANEOUS and together is None
    return stages_of(plan) if apart else (Stage(plan, plan),)


def routes_of(lanes: Sequence[Lane]) -> tuple[Route, ...]:
    """Return the routes of some lanes; of one level, those without a key share one."""
    routes: list[Route] = []
    for lane in lanes:
        place, key = _place(lane, routes)
        if place is None:
            routes.append(Route(len(routes), (lane,), lane.key))
        else:
            routes[place] = Route(place, (*routes[place].lanes, lane), key)
    return tuple(routes)


def _place(lane: Lane, routes: Sequence[Route]) -> tuple[int | None, Key | None]:
    for route in (one for one in routes if (one.address, one.level) == (lane.address, lane.level)):
        if lane.key is None and route.key is None:
            return route.number, None
        if lane.key is not None and route.key is not None:
            together = joined_keys(route.key, lane.key)
            if together is not None:
                return route.number, together
    return None, None


def _fed_together(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Return the rules in groups that have nothing to do with each other, each in the order in which they stand."""
    groups: list[list[Rule]] = []
    for rule in rules:
        near = [group for group in groups if any(_are_tied(rule, other) for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append([*(one for group in near for one in group), rule])
    order = {rule.name: place for place, rule in enumerate(rules)}
    return [sorted(group, key=lambda rule: order[rule.name]) for group in groups]


def _are_tied(one: Rule, other: Rule) -> bool:
    """Say whether one of two rules reads what the other emits; a rule that reads any event reads them all."""
    return any(_reads(reader, feeder.emits) for reader, feeder in ((one, other), (other, one)))


def _reads(rule: Rule, kind: str) -> bool:
    return reads_any_type(rule.pattern) or kind in event_types(rule.pattern)


@ByIdentity
def _types(plan: Plan) -> frozenset[str] | None:
    return types_that_matter(plan)
