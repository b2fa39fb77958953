"""From a program to its plan: one physical operator per node, with what it may forget and how long it takes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from cepheid.algebra.arrivals import ordered
from cepheid.algebra.expressions import Moment
from cepheid.algebra.json_form import fingerprint
from cepheid.algebra.patterns import (
    Atom,
    Chain,
    Collect,
    Distinct,
    Either,
    Instant,
    Join,
    Pattern,
    Repeat,
    Restrict,
    Select,
    Skip,
    Suppress,
    Unless,
)
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import Program, Rule, Ties
from cepheid.algebra.relations import Axis, Edge, Endpoint
from cepheid.algebra.schedules import fixed_point
from cepheid.algebra.strata import strata
from cepheid.algebra.traversal import event_types, walk
from cepheid.analysis.closures.moments import highest_offset, lowest_offset
from cepheid.analysis.closures.sizes import Lengths, reach
from cepheid.analysis.closures.tree import Path
from cepheid.analysis.closures.tree import below as children
from cepheid.analysis.closures.widths import longest
from cepheid.analysis.plans.choice_windows import takes_windows
from cepheid.analysis.plans.forbidding import first_after, forbidding_of
from cepheid.analysis.plans.neighbours import near
from cepheid.analysis.plans.plan import IN_ORDER, SELF, Forbidding, Kind, Operator, Plan, Reach, Retention, RulePlan
from cepheid.analysis.plans.promptness import Promptness, RulePromptness, arriving_last, ends_by_arrival
from cepheid.analysis.plans.reaches import FREE, Reaches
from cepheid.analysis.plans.retention import chain_retention, retention_of
from cepheid.analysis.plans.run_reach import run_reach
from cepheid.analysis.plans.sides import sides_of
from cepheid.analysis.plans.successive import Successive, emitted_once, fields_that_follow, follows
from cepheid.analysis.plans.told_by_hull import is_told_by_its_hull

KINDS: Mapping[type[Pattern], Kind] = {
    Atom: Kind.SCAN,
    Instant: Kind.POINTS,
    Either: Kind.UNION,
    Restrict: Kind.FILTER,
    Join: Kind.JOIN,
    Select: Kind.LATEST,
    Unless: Kind.ABSENCE,
    Collect: Kind.GATHER,
    Repeat: Kind.RUNS,
    Chain: Kind.CHAIN,
    Distinct: Kind.DISTINCT,
    Skip: Kind.SKIP,
    Suppress: Kind.SUPPRESS,
}


def plan_of(program: Program, *, intervals: bool = False, written: Program | None = None) -> Plan:
    """Return the plan of a program.

    `intervals`: its input events may last, otherwise they are points. `written` is the program before it was rewritten,
    if it was: its matches have the same ids.
    """
    versions = {rule.name: (number, fingerprint(rule)) for number, rule in enumerate((written or program).rules)}
    program, by_arrival = ordered(program), program.ties is Ties.ARRIVAL
    lengths: dict[str, int | None] = {}
    trails: dict[str, int | None] = {}
    default = None if intervals else 0
    slow: set[str] = set()
    once, successive = emitted_once(program), dict[str, frozenset[str]]()
    groups = []
    for group in strata(program.rules):
        emitted = {rule.emits for rule in group}
        recursive = len(group) > 1 or _reads(group[0], emitted)
        known = Lengths({**lengths, **dict.fromkeys(emitted, None)} if recursive else dict(lengths), default)
        waits = frozenset({*slow, *(emitted if recursive else ())})
        prompt = Promptness(by_arrival, waits)
        streams = _Streams(known, trails, successive)
        planned = tuple(_rule_plan(rule, streams, versions[rule.name], prompt) for rule in group)
        if recursive and any(plan.trails is None or plan.trails > 0 for plan in planned):
            # What is dated back may be dated back again by every turn of the cycle, so it can lie anywhere.
            anywhere = {**trails, **dict.fromkeys(emitted, None)}
            streams = _Streams(known, anywhere, successive)
            planned = tuple(_rule_plan(rule, streams, versions[rule.name], prompt) for rule in group)
        for plan in planned:
            _note(lengths, plan.rule.emits, plan.length, default)
            late = _sum(plan.root.lag, plan.trails) if plan.fixed is None else None
            _note(trails, plan.rule.emits, late)
            slow |= set() if plan.prompt else {plan.rule.emits}
            fields = None if recursive or plan.rule.emits not in once else fields_that_follow(plan.rule, known)
            successive |= {} if fields is None else {plan.rule.emits: fields}
        groups.append(planned)
    return Plan(program, tuple(groups), Lengths(lengths, default))


def _reads(rule: Rule, types: set[str]) -> bool:
    return bool(event_types(rule.pattern) & types)


def _note(known: dict[str, int | None], name: str, value: int | None, given: int | None = 0) -> None:
    """Several rules may emit one type, and it may be given as well: the widest bound holds for all of them."""
    old = known.get(name, given)
    known[name] = None if old is None or value is None else max(old, value)


@dataclass(frozen=True, slots=True)
class _Streams:
    """What is known of the events of types: how long they are, how late they come, and which follow each other."""

    lengths: Lengths
    trails: Mapping[str, int | None]
    successive: Successive


def _rule_plan(rule: Rule, streams: _Streams, written: tuple[int, str], prompt: Promptness) -> RulePlan:
    counts, trails = counts_records(rule), streams.trails
    reads = event_types(rule.pattern) & set(trails)
    own = {name: trails[name] for name in reads}
    known = replace(streams, trails=own)
    planner = _Planner(rule.pattern, known, prompt.of_rule(frozenset(reads)), keyed=bool(rule.per))
    planner.add((), rule.pattern)
    facts = planner.reaches.facts((), Axis.TIME)
    start, end = (lowest_offset(expression, planner.reaches.named_distance) for expression in (rule.start, rule.end))
    leads = highest_offset(rule.end, planner.reaches.named_lead)
    # An endpoint never lies after the end of the match, so the event is at most as long as its start lies before that.
    length = 0 if rule.start == rule.end else start if isinstance(rule.end, Moment) else None
    operators, derived, fixed = tuple(planner.operators), frozenset(reads), _fixed_point(rule)
    number, version = written
    told = operators[-1].prompt and prompt.tells_at_once(rule)
    return RulePlan(rule, operators, facts, counts, end, length, derived, leads, version, fixed, number, told)


def _fixed_point(rule: Rule) -> int | None:
    schedules = [node.schedule for node in walk(rule.pattern) if isinstance(node, Instant)] if rule.per else []
    return min((time for schedule in schedules if (time := fixed_point(schedule)) is not None), default=None)


def counts_records(rule: Rule) -> bool:
    """Say whether positions matter to a rule, so that it must see its whole stream in order."""
    for node in walk((rule.pattern, *rule.fields.values(), rule.start, rule.end)):
        if isinstance(node, Endpoint) and node.axis is Axis.POSITION:
            return True
        if isinstance(node, Chain | Skip) or (isinstance(node, Join) and node.policy.choice is Choice.STRICT):
            return True
    return False


def _most(some: Sequence[int | None]) -> int | None:
    return None if None in some else max(value for value in some if value is not None)


def _sum(*some: int | None) -> int | None:
    return None if None in some else sum(value for value in some if value is not None)


@dataclass
class _Planner:
    """Builds the operators of one pattern, children first."""

    root: Pattern
    streams: _Streams
    prompt: RulePromptness
    keyed: bool
    operators: list[Operator] = field(default_factory=list)
    _lengths: dict[int, int | None] = field(default_factory=dict)  # of nodes, by their identity

    def __post_init__(self) -> None:
        self.lengths, self.trails = self.streams.lengths, self.streams.trails
        self.reaches = Reaches(self.root, self.lengths)

    def add(self, path: Path, node: Pattern) -> int:
        inputs = tuple(self.add((*path, *place), child) for place, child in _inputs(node))
        below_lag = _most([0, *(self.operators[number].lag for number in inputs)])
        kind = self._kind(node)
        wait = self._wait(path, node, inputs)
        # A rule takes its turns by the least frontier of all that it reads.
        lag = _most([0, *self.trails.values()]) if kind in READING else _most([below_lag, wait])
        below = [self.operators[number] for number in inputs]
        delays = [0, *(one.delay for one in below), wait if inputs else lag]
        prompt = self.prompt.of_operator(node, lag, below)
        if kind in ORDERING and not prompt:
            delays.append(_sum(below_lag if inputs else lag, 1))
        operator = Operator(
            len(self.operators),
            kind,
            node,
            path,
            inputs,
            self._reach(path, node),
            self._retention(node),
            tuple(self._longest(child) for child in children(node)),
            lag,
            _most(delays),
            self._back(path, node, inputs),
            isinstance(node, Instant) or any(self.operators[number].has_points for number in inputs),
            tuple(self.reaches.headway(path, part) for part in range(len(inputs))) if isinstance(node, Join) else (),
            self._forbidding(path, node, inputs),
            sides_of(node),
            prompt,
            self._is_at_once(node, inputs),
            self._singles(node),
            self._final(node, kind, below),
            near(self.reaches, path) if isinstance(node, Instant) else None,
            self.reaches.distances(path) if kind is Kind.CHOICE else {},
            self._is_successive(node),
        )
        self.operators.append(operator)
        return operator.number

    def _kind(self, node: Pattern) -> Kind:
        if isinstance(node, Join) and node.policy.choice not in FREE:
            return Kind.CHOICE
        return KINDS[type(node)]

    def _retention(self, node: Pattern) -> Retention:
        match node:
            case Join():
                return retention_of(node, favours_windows=takes_windows(node, self._is_point))
            case Chain():
                return chain_retention(node, self.lengths)
            case _:
                return Retention.EVERYTHING

    def _is_point(self, pattern: Pattern) -> bool:
        return self._longest(pattern) == 0

    def _longest(self, pattern: Pattern) -> int | None:
        """Return the greatest length of a match of a node, worked out once."""
        if id(pattern) not in self._lengths:
            self._lengths[id(pattern)] = longest(pattern, self.lengths)
        return self._lengths[id(pattern)]

    def _is_successive(self, node: Pattern) -> bool:
        """Say whether a choice may forget by what waits how late all that completes a pair starts."""
        if not isinstance(node, Join) or self._retention(node) is not Retention.QUEUE:
            return False
        return follows(node, self.streams.successive)

    def _forbidding(self, path: Path, node: Pattern, inputs: tuple[int, ...]) -> Forbidding | None:
        if not isinstance(node, Unless):
            return None
        inner, below = (*path, 0), self.operators[inputs[0]]
        every = forbidding_of(node, lambda end: self.reaches.behind(inner, end), below.lag)
        if every is None and below.successive and not self.keyed:
            return first_after(node, below.lag)
        return every

    def _reach(self, path: Path, node: Pattern) -> dict[tuple[int, int], Reach]:
        if isinstance(node, Repeat):
            return self._run_reach(path, node)
        if isinstance(node, Chain):
            return {(0, 0): self._chain_reach(path, node)}
        if isinstance(node, Skip):
            return {(0, 0): self._turn_reach(path)}
        if not isinstance(node, Join | Unless | Collect):
            return {}
        count = len(children(node))
        pairs = [(one, other) for one in range(count) for other in range(count) if one != other]
        return {(one, other): self.reaches.between(path, one, other) for one, other in pairs}

    def _chain_reach(self, path: Path, chain: Chain) -> Reach:
        records = (self.lengths.chain_record(Axis.TIME), self.lengths.chain_record(Axis.POSITION))
        # A run that began last stands for those that end with it, even where it is too long for what stands above.
        above = self.reaches.limits(path) if chain.reads_support or records[0] == 0 else ()
        return run_reach(chain.window + above, "$last", "$first", records)

    def _turn_reach(self, path: Path) -> Reach:
        """Return how late a match can end that begins with the same record as another one, or before."""
        longest, records = (self.reaches.longest((*path, 0), axis) for axis in (Axis.TIME, Axis.POSITION))
        # Where records last, the first in order may have started after others.
        edge = Edge.START if self.lengths.chain_record(Axis.TIME) == 0 else Edge.END
        times = () if longest is None else ((Endpoint(SELF, edge, Axis.TIME), longest),)
        places = () if records is None else ((Endpoint(SELF, Edge.START, Axis.POSITION), records),)
        return Reach(times, places, longest, records)

    def _run_reach(self, path: Path, repeat: Repeat) -> dict[tuple[int, int], Reach]:
        """Return how late the next item of a run can end, seen from its last item (0) and from its first (1)."""
        # A greedy run that has become too long for what stands above it still keeps others from beginning.
        above = self.reaches.limits(path) if repeat.choice is Choice.ALL else ()
        return {
            (0, 0): run_reach(repeat.gap, "$next", "$previous", self._item_lengths(repeat)),
            (1, 0): run_reach(repeat.window + above, "$last", "$first", self._item_lengths(repeat)),
        }

    def _item_lengths(self, repeat: Repeat) -> tuple[int | None, int | None]:
        return self.lengths.item(repeat, Axis.TIME), self.lengths.item(repeat, Axis.POSITION)

    def _wait(self, path: Path, node: Pattern, inputs: tuple[int, ...]) -> int | None:
        """Return how long after the end of a match it can take until nothing can change it."""
        match node:
            case Unless() | Collect() if self._is_at_once(node, inputs):
                return 0
            case Unless() | Collect():
                ends = self.reaches.between(path, 0, 1)
                if not ends.possible:
                    return 0
                return None if ends.ends is None else _sum(max(ends.ends + 1, 0), self.operators[inputs[1]].lag)
            case Repeat() if node.choice is not Choice.ALL:
                return _sum(self._growth(node), 1, self.operators[inputs[0]].lag)
            case Skip():
                return _sum(self._longest(node.pattern), 1, self.operators[inputs[0]].lag)
            case _:
                return 0

    def _final(self, node: Pattern, kind: Kind, inputs: Sequence[Operator]) -> frozenset[int]:
        """Return the inputs of a join that need not be kept: a choice sees all in order, others what is prompt."""
        in_order = kind is Kind.CHOICE or all(one.prompt for one in inputs)
        return arriving_last(node) if isinstance(node, Join) and in_order else frozenset()

    def _is_at_once(self, node: Pattern, inputs: tuple[int, ...]) -> bool:
        """Say whether all that an absence or a collection looks for has come when its match is there."""
        return isinstance(node, Unless | Collect) and self.operators[inputs[1]].prompt and ends_by_arrival(node)

    def _singles(self, node: Pattern) -> frozenset[int]:
        """Return the parts of a join of two that begin and end with one arrival."""
        parts = node.parts if isinstance(node, Join) and len(node.parts) == 2 else ()
        return frozenset(number for number, part in enumerate(parts) if self.prompt.is_one_arrival(part))

    def _growth(self, repeat: Repeat) -> int | None:
        """Return how long after its last item a run can still grow."""
        item = self.lengths.item(repeat, Axis.TIME)
        gap = reach(repeat.gap, "$next", "$previous", item, Axis.TIME)
        window = reach(repeat.window, "$last", "$first", item, Axis.TIME)
        bounds = (
            gap.upper(("$next", Edge.END), ("$previous", Edge.END)),
            window.upper(("$last", Edge.END), ("$first", Edge.END)),
        )
        return min((bound for bound in bounds if bound is not None), default=None)

    def _back(self, path: Path, node: Pattern, inputs: tuple[int, ...]) -> int | None:
        """Return how far before its end anything can have started that decides about a match."""
        backs = [self.operators[number].back for number in inputs]
        if is_told_by_its_hull(node, self._is_point):
            return self.reaches.longest(path)
        match node:
            case Join() if node.policy.choice is not Choice.CHRONOLOGICAL:
                return _most([_sum(back, self.reaches.span(path, part)) for part, back in enumerate(backs)])
            case Unless() | Collect():
                beside = self.reaches.between(path, 1, 0)
                return _most([backs[0], _sum(backs[1], beside.ends) if beside.possible else 0])
            case Repeat() if node.choice is Choice.ALL:
                return _sum(self.reaches.longest(path), backs[0])
            case Repeat() if node.most is None and not node.window:
                return _sum(self._longest(node), self._growth(node), backs[0])
            case Select() | Restrict() | Either():
                return _most([0, *backs])
            case Distinct() if node.by is None:
                return backs[0]
            case _:
                return None


def _inputs(node: Pattern) -> list[tuple[Path, Pattern]]:
    """Return what an operator reads; a choice between branches must know them apart, so it reads them itself."""
    if isinstance(node, Select) and isinstance(node.pattern, Either):
        return [((0, number), branch) for number, branch in enumerate(node.pattern.branches)]
    return [((number,), child) for number, child in enumerate(children(node))]


READING = (Kind.SCAN, Kind.POINTS, Kind.CHAIN)
ORDERING = IN_ORDER | {Kind.POINTS}
