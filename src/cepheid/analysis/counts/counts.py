"""How many instances of an operator can end in a stretch of the stream.

Children first: a filter gives no more than it gets, a union the sum, a join the product over its parts, each part
counted over a stretch that begins earlier by how long before the whole it can have ended.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from cepheid.algebra.patterns import Atom, Chain, Instant, Join, Repeat, Select, Suppress
from cepheid.algebra.pipes import INPUT, Source
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import Program
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.traversal import event_types, walk
from cepheid.analysis.bounds.bound_algebra import NOTHING, arrivals, instants, least, product, total
from cepheid.analysis.bounds.bounds import AnyArrivals, Bound, Number, Unbounded
from cepheid.analysis.bounds.spans import Margin, Span, widened
from cepheid.analysis.bounds.wording import ADD_A_WINDOW
from cepheid.analysis.counts.chain_counts import chain_results
from cepheid.analysis.counts.margins import can_combine, completes, margins
from cepheid.analysis.counts.recursive_counts import feeds_itself_in, recursive_events
from cepheid.analysis.counts.run_counts import run_results
from cepheid.analysis.counts.schedule_counts import most_points
from cepheid.analysis.keys.key_values import KeyValues
from cepheid.analysis.keys.keys import PartitionKey
from cepheid.analysis.plans.plan import Kind, Operator, Plan, RulePlan
from cepheid.analysis.plans.retention import side_of


@dataclass
class Counts:
    """The counts of all operators of a plan; what was counted once is remembered.

    `assumed` says how many events of derived types there are, where that is not to be counted. With `within_key` there
    is one value of that key only.
    """

    plan: Plan
    assumed: Mapping[str, Bound] = field(default_factory=dict)
    within_key: PartitionKey | None = None
    _known: dict[tuple[str, int, Span], Bound] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.declared, self.derived, self.named = _types_of(self.plan)

    def ending(self, rule: RulePlan, number: int, span: Span) -> Bound:
        """Return the most instances of an operator that end in any such span, over all keys of the rule."""
        key = (rule.rule.name, number, span)
        if key not in self._known:
            self._known[key] = self._ending(rule, rule.operators[number], span)
        return self._known[key]

    def of_input(self, rule: RulePlan, operator: Operator, side: int, span: Span) -> Bound:
        return self.ending(rule, operator.inputs[side], span)

    def events(self, rule: RulePlan, types: frozenset[str], span: Span) -> Bound:
        """Return the most events of some types (none named: any) that a rule sees in any such span."""
        if not span.limited:
            return span.gap or Unbounded("nothing limits how far back it looks", rule.rule.pattern.span, ADD_A_WINDOW)
        by_time = NOTHING if span.ticks is None else self._in_time(rule, types, span.ticks)
        known = [by_time] if span.ticks is not None else []
        return least(*known, *([span.records] if span.records is not None else []))

    def records(self, rule: RulePlan, ticks: int | None) -> Bound | None:
        """Return the most records that a rule sees in a closed span, None if nothing limits the span."""
        return None if ticks is None else self._in_time(rule, frozenset(), ticks)

    def emitted(self, name: str, ticks: int) -> Bound:
        """Return the most events of a derived type that end in a closed span."""
        if name in self.assumed:
            return self.assumed[name]
        group = feeds_itself_in(self.plan, name)
        outside = self._told_outside(frozenset((name,)), group, ticks)
        return total(outside, self._recursive(group, ticks)) if group else outside

    def stream(self, name: str, ticks: int) -> Bound:
        """Return the most events of a type, given or derived, that end in a closed span."""
        given = arrivals(frozenset((name,)) - (self.derived - self.declared), ticks)
        return total(given, self.emitted(name, ticks)) if name in self.derived else given

    def told(self, rule: RulePlan, ticks: int) -> Bound:
        """Return the most matches of a rule whose events end in a closed span."""
        if rule.trails is None or rule.leads is None:
            reason = f"nobody knows when an event of `{rule.rule.emits}` ends, because its rule computes it"
            return Unbounded(reason, rule.rule.pattern.span, "end it with its match: `to end($pattern)`")
        return self.ending(rule, rule.root.number, Span(ticks + rule.trails + rule.leads))

    def rule_named(self, name: str) -> RulePlan:
        return next(rule for rule in self.plan.rules if rule.rule.name == name)

    @property
    def key_values(self) -> KeyValues:
        return KeyValues(self.plan, self.within_key)

    def keyed(self, rule: RulePlan) -> bool:
        return bool(rule.rule.per)

    def wider(self, rule: RulePlan, span: Span, margin: Margin) -> Span:
        inside = self.records(rule, span.ticks) if margin.records is not None else None
        return widened(span, margin, inside, self.keyed(rule))

    def distinct_ends(self, rule: RulePlan, number: int, span: int) -> Bound:
        """Return the most different instants at which instances end in any half-open span of `span` ticks."""
        operator = rule.operators[number]
        most = Number(max(-(-span // self.plan.program.tick), 0))
        match operator.kind:
            case Kind.SCAN:
                return self._scan_ends(rule, operator, span, most)
            case Kind.POINTS | Kind.CHAIN:
                return least(self.ending(rule, number, Span(span - self.plan.program.tick)), most)
            case Kind.JOIN | Kind.CHOICE:
                last = [side for side in range(len(operator.inputs)) if completes(operator, side)]
            case Kind.ABSENCE | Kind.GATHER:
                last = [0]
            case _:
                last = list(range(len(operator.inputs)))
        return least(total(*(self.distinct_ends(rule, operator.inputs[side], span) for side in last)), most)

    def _scan_ends(self, rule: RulePlan, operator: Operator, span: int, most: Bound) -> Bound:
        types = operator.pattern.types if isinstance(operator.pattern, Atom) else frozenset()
        if types and not types & self.derived:
            return instants(types, span)
        return least(self.events(rule, types, Span(span - self.plan.program.tick)), most)

    def _in_time(self, rule: RulePlan, types: frozenset[str], ticks: int) -> Bound:
        if ticks < 0:
            return NOTHING
        read = rule.reads_derived if not types else types & self.derived
        inputs = arrivals(types - (self.derived - self.declared), ticks)
        whole = AnyArrivals(tuple(sorted(self.named)), ticks) if not types else inputs
        return total(whole, *(self.emitted(name, ticks) for name in sorted(read)))

    def _recursive(self, group: tuple[RulePlan, ...], ticks: int) -> Bound:
        def given(types: frozenset[str], window: int) -> Bound:
            return total(arrivals(types & self.declared, window), self._told_outside(types, group, window))

        return recursive_events(group, ticks, self._assuming, given)

    def _assuming(self, assumed: Mapping[str, Bound]) -> "Counts":
        return Counts(self.plan, {**self.assumed, **assumed}, self.within_key)

    def _told_outside(self, types: frozenset[str], group: tuple[RulePlan, ...], ticks: int) -> Bound:
        rules = [rule for rule in self.plan.rules if rule.rule.emits in types and rule not in group]
        return total(*(self.told(rule, ticks) for rule in rules))

    def _ending(self, rule: RulePlan, operator: Operator, span: Span) -> Bound:
        if span.ticks is not None and span.ticks < 0:
            return NOTHING
        return _COUNTED[operator.kind](self, rule, operator, span)


@ByIdentity
def _types_of(plan: Plan) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return the types that are declared, those that rules emit, and those of the input that are named."""
    declared = frozenset(stream.name for stream in plan.program.streams)
    derived = frozenset(rule.rule.emits for rule in plan.rules)
    named = event_types(tuple(rule.rule.pattern for rule in plan.rules)) | _read_by_pipes(plan.program)
    return declared, derived, named - (derived - declared)


def _read_by_pipes(program: Program) -> frozenset[str]:
    read = (node.stream for node in walk(program.pipes) if isinstance(node, Source))
    return frozenset(read) - {INPUT, ""}


def _scan(counts: Counts, rule: RulePlan, operator: Operator, span: Span) -> Bound:
    assert isinstance(operator.pattern, Atom)
    return counts.events(rule, operator.pattern.types, span)


def _points(counts: Counts, rule: RulePlan, operator: Operator, span: Span) -> Bound:
    assert isinstance(operator.pattern, Instant)
    one_key = most_points(operator.pattern, span)
    return product(counts.key_values.of_rule(rule), one_key)


def _inputs_together(counts: Counts, rule: RulePlan, operator: Operator, span: Span) -> Bound:
    return total(*(counts.of_input(rule, operator, side, span) for side in range(len(operator.inputs))))


def _first_input(counts: Counts, rule: RulePlan, operator: Operator, span: Span) -> Bound:
    return counts.of_input(rule, operator, 0, span)


def _latest(counts: Counts, rule: RulePlan, operator: Operator, span: Span) -> Bound:
    assert isinstance(operator.pattern, Select)
    given = _inputs_together(counts, rule, operator, span)
    policy = operator.pattern.policy
    one_key = not policy.per and not policy.by_arrival and not counts.keyed(rule)
    return least(given, _instants_in(counts, span)) if one_key and span.ticks is not None else given


def _instants_in(counts: Counts, span: Span) -> Bound:
    assert span.ticks is not None
    return Number(span.ticks // counts.plan.program.tick + 1)


def _combinations(counts: Counts, rule: RulePlan, operator: Operator, span: Span) -> Bound:
    if not can_combine(operator):
        return NOTHING
    spans = [counts.wider(rule, span, margin) for margin in margins(operator)]
    return product(*(counts.of_input(rule, operator, side, wide) for side, wide in enumerate(spans)))


def _chosen(counts: Counts, rule: RulePlan, operator: Operator, span: Span) -> Bound:
    """Return how many pairs a choice takes: at most one for each instance that the choice is made for."""
    join = operator.pattern
    assert isinstance(join, Join)
    pairs = _combinations(counts, rule, operator, span)
    if join.policy.choice is Choice.NEXT:
        wide = counts.wider(rule, span, margins(operator)[0])
        return least(counts.of_input(rule, operator, 0, wide), pairs) if _tells_key(join, 0) else pairs
    last = [side for side in (0, 1) if completes(operator, side)]
    if not all(_tells_key(join, side) for side in last):
        return pairs
    taken = least(total(*(counts.of_input(rule, operator, side, span) for side in last)), pairs)
    one_key = not join.policy.per and not join.equal and not counts.keyed(rule)
    by_instant = join.policy.choice is Choice.LATEST_START and not join.policy.by_arrival
    if by_instant and one_key and span.ticks is not None:
        return least(taken, _instants_in(counts, span))
    return taken


def _tells_key(join: Join, side: int) -> bool:
    """Say whether an instance of one side tells the key under which it is chosen."""
    pairs = [pair for pair in join.equal if side in (side_of(pair[0], join), side_of(pair[1], join))]
    told = {one for pair in pairs for one in pair}
    own = all(one in told or side_of(one, join) == side for one in join.policy.per)
    return own and len(pairs) == len(join.equal)


def _runs(counts: Counts, rule: RulePlan, operator: Operator, span: Span) -> Bound:
    assert isinstance(operator.pattern, Repeat)

    def items(margin: Margin) -> Bound:
        return counts.of_input(rule, operator, 0, counts.wider(rule, span, margin))

    return run_results(operator, items, counts.plan)


def _chain(counts: Counts, rule: RulePlan, operator: Operator, span: Span) -> Bound:
    assert isinstance(operator.pattern, Chain)

    def records(types: frozenset[str], margin: Margin) -> Bound:
        return counts.events(rule, types, counts.wider(rule, span, margin))

    return chain_results(operator, records)


def _apart(counts: Counts, rule: RulePlan, operator: Operator, span: Span) -> Bound:
    """Return how many matches pass: of each key as many as lie so far apart in a span."""
    suppress = operator.pattern
    assert isinstance(suppress, Suppress)
    given = _first_input(counts, rule, operator, span)
    if span.ticks is None:
        return given
    values = counts.key_values
    of_one_key = Number(span.ticks // (suppress.apart + 1) + 1)
    return least(given, product(values.of_rule(rule), values.with_null(suppress.by, suppress), of_one_key))


_COUNTED: Mapping[Kind, Callable[[Counts, RulePlan, Operator, Span], Bound]] = {
    Kind.SCAN: _scan,
    Kind.POINTS: _points,
    Kind.UNION: _inputs_together,
    Kind.FILTER: _first_input,
    Kind.JOIN: _combinations,
    Kind.CHOICE: _chosen,
    Kind.LATEST: _latest,
    Kind.ABSENCE: _first_input,
    Kind.GATHER: _first_input,
    Kind.RUNS: _runs,
    Kind.CHAIN: _chain,
    Kind.DISTINCT: _inputs_together,
    Kind.SKIP: _first_input,
    Kind.SUPPRESS: _apart,
}
