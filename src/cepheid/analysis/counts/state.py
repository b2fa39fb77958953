"""What every operator holds at most, at the end of any turn, over all keys of its rule.

An operator drops an entry when the frontier of what it waits for has passed the entry's reach. The newest end that was
seen is at most the disorder ahead of the frontier of the events, and an operator's own frontier at most its lag behind
that. So all entries end in a closed span of reach + lag + disorder. Operators that see their input in order hold
entries of complete instants only: there the span is the reach less one tick.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from cepheid.algebra.expressions import Expr, Field
from cepheid.algebra.patterns import Atom, Chain, Collect, Distinct, Either, Join, Pattern, Repeat, Suppress
from cepheid.algebra.policies import Choice
from cepheid.algebra.relations import Edge
from cepheid.algebra.traversal import walk
from cepheid.analysis.bounds.bound_algebra import NOTHING, ONE, least, product, subsets, total
from cepheid.analysis.bounds.bounds import Bound, Number, Unbounded
from cepheid.analysis.bounds.spans import Span
from cepheid.analysis.bounds.wording import endless_wait, late_for_ever
from cepheid.analysis.closures.told_positions import tells_positions
from cepheid.analysis.closures.tree import Path, below, has_position, paths
from cepheid.analysis.counts.chain_counts import Ways, endless_chain, kinds_of_waiting, merges_all
from cepheid.analysis.counts.chain_table import ChainRuns, are_found_alone
from cepheid.analysis.counts.counts import Counts
from cepheid.analysis.counts.lateness import Lateness, added, most, record_total
from cepheid.analysis.counts.run_counts import endless_run, extent, takes_everything
from cepheid.analysis.plans.chain_spans import waiting_since
from cepheid.analysis.plans.plan import Kind, Operator, Reach, Retention, RulePlan
from cepheid.analysis.plans.retention import side_of


@dataclass(frozen=True, slots=True)
class Held:
    """Entries of one kind: matches of `pattern`, and how many of them there can be; `runs` says more of a chain."""

    pattern: Pattern
    bound: Bound
    runs: ChainRuns | None = None


@dataclass(frozen=True, slots=True)
class OperatorState:
    """What one operator holds: pattern state, and instances that only wait for their instant to be complete.

    `counters` are the numbers of records that keys had, kept with the last operator where the rule tells positions.
    """

    operator: Operator
    held: tuple[Held, ...] = ()
    waiting: Bound = NOTHING
    counters: Bound = NOTHING

    @property
    def instances(self) -> Bound:
        return total(*(one.bound for one in self.held))

    @property
    def entries(self) -> Bound:
        return total(self.instances, self.counters)


@dataclass(frozen=True, slots=True)
class _States:
    """The state of the operators of one rule, children first."""

    counts: Counts
    rule: RulePlan
    late: Lateness
    spans: dict[int, Span]

    def of(self, operator: Operator) -> OperatorState:
        return OperatorState(operator, tuple(self._held(operator)), self._waiting(operator))

    def _held(self, operator: Operator) -> Iterator[Held]:
        match operator.kind:
            case Kind.JOIN:
                yield from self._join(operator)
            case Kind.ABSENCE:
                yield self._side(operator, 0, (1,))
                yield self._forbidding(operator)
            case Kind.GATHER:
                yield self._side(operator, 0, (1,))
                yield self._items(operator)
            case Kind.CHOICE:
                yield from (self._candidates(operator, side) for side in (0, 1))
            case Kind.RUNS:
                yield self._runs(operator)
            case Kind.CHAIN:
                yield self._chain(operator)
            case Kind.DISTINCT:
                yield from self._seen(operator)
            case Kind.SKIP:
                yield self._side(operator, 0, (0,))
            case Kind.SUPPRESS:
                yield self._last(operator)
            case _:
                return

    # Operators that take what comes as it comes.

    def _join(self, operator: Operator) -> Iterator[Held]:
        count = len(operator.inputs)
        for side in range(count):
            yield self._side(operator, side, tuple(other for other in range(count) if other != side))

    def _side(self, operator: Operator, side: int, others: tuple[int, ...]) -> Held:
        """Return what one input leaves waiting for others."""
        part = below(operator.pattern)[side]
        reaches = [operator.reach[side, other] for other in others if operator.reach[side, other].possible]
        if not reaches or side in operator.final:
            return Held(part, NOTHING)
        span = self._unordered(operator, side, others, reaches)
        self._note(operator, span)
        return Held(part, self._count(operator, side, span))

    def _unordered(self, operator: Operator, side: int, others: tuple[int, ...], reaches: list[Reach]) -> Span:
        numbers = [operator.inputs[other] for other in others]
        ends = most(reach.ends for reach in reaches)
        ticks = added(ends, self.late.behind(numbers), self.late.ahead(operator.inputs[side]))
        records = self._records(operator, side, most(reach.records for reach in reaches), numbers)
        return Span(ticks, records, self._gap(operator, side, others))

    def _forbidding(self, operator: Operator) -> Held:
        """Return what forbids matches to come: all in reach, or the latest per key and what some do not look at yet.

        In place of keys there may be left parts that wait.
        """
        every, rule = self._side(operator, 1, (0,)), operator.forbidding
        if rule is None or every.bound == NOTHING:
            return every
        keys = self._keys(operator.sides[1] if operator.sides else (), every.pattern)
        if rule.after is not None:
            keys = self._candidates(self.rule.operators[operator.inputs[0]], 0).bound
        farthest = max((by for _, by in rule.settled), default=None)
        if farthest is None:
            return Held(every.pattern, least(keys, every.bound))
        lag = added(self.late.whole_lag, self.late.behind(operator.inputs[:1]), self.late.ahead(operator.inputs[1]))
        unsettled = Span(added(farthest - 1, lag), None, every.bound.gaps[0] if every.bound.gaps else None)
        fresh = self._count(operator, 1, unsettled)
        return Held(every.pattern, least(total(fresh, keys), every.bound))

    def _items(self, operator: Operator) -> Held:
        """Return the items that are kept for anchors to come, or were found for anchors that wait."""
        assert isinstance(operator.pattern, Collect)
        back, ahead = operator.reach[1, 0], operator.reach[0, 1]
        if not back.possible:
            return Held(operator.pattern.item, NOTHING)
        kept = self._unordered(operator, 1, (0,), [back])
        anchors = self._unordered(operator, 0, (1,), [ahead])
        lead = self.late.ahead(operator.inputs[1])
        found = Span(
            added(ahead.ends if ahead.possible else 0, self.late.behind(operator.inputs[1:]), back.ends, lead),
            self._with(anchors.records, back.records),
            kept.gap,
        )
        if kept.ticks is not None and found.ticks is not None:
            return Held(operator.pattern.item, self._count(operator, 1, Span(max(kept.ticks, found.ticks))))
        return Held(operator.pattern.item, total(*(self._count(operator, 1, span) for span in (kept, found))))

    # Operators that see their input in order.

    def _candidates(self, operator: Operator, side: int) -> Held:
        join, part = operator.pattern, below(operator.pattern)[side]
        assert isinstance(join, Join)
        reach = operator.reach[side, 1 - side]
        if not reach.possible or side in operator.final:
            return Held(part, NOTHING)
        span = self._ordered(operator, side, reach.ends, reach.records, (1 - side,))
        self._note(operator, span)
        every = self._count(operator, side, span)
        best = self._best(operator, side, span)
        return Held(part, every if best is None else least(best, every))

    def _best(self, operator: Operator, side: int, span: Span) -> Bound | None:
        """Return how many candidates stay where worse ones go: per key, one for all and those that some can take."""
        join = operator.pattern
        assert isinstance(join, Join)
        if operator.retention is Retention.EVERYTHING:
            return None
        shares = [*join.policy.per, *(one for pair in join.equal for one in pair)]
        keys = self._keys([one for one in shares if side_of(one, join) == side], join)
        if operator.retention is Retention.BEST:
            return keys
        options = []
        length = added(operator.widths[1], self.late.slack)
        if join.policy.by_arrival:
            if 1 in operator.singles and operator.widths[1] == 0:
                return keys
            return None if length is None else total(keys, self._count(operator, side, Span(length)))
        if length is not None:
            options.append(total(self.counts.distinct_ends(self.rule, operator.inputs[side], length), ONE))
        if span.ticks is not None:
            options.append(self.counts.distinct_ends(self.rule, operator.inputs[side], span.ticks + 1))
        if operator.successive and side == 0:
            options.append(Number(2))  # the one that ended last, and the last before it
        return product(keys, least(*options)) if options else None

    def _runs(self, operator: Operator) -> Held:
        repeat = operator.pattern
        assert isinstance(repeat, Repeat)
        length = extent(operator, repeat.most)
        span = self._ordered(operator, 0, length.ticks, length.records, (0,))
        span = Span(span.ticks, span.records, endless_run(operator))
        self._note(operator, span)
        items = self._count(operator, 0, span)
        if repeat.choice is Choice.ALL:
            return Held(repeat, subsets(items, None if repeat.most is None else repeat.most - 1))
        one = self._keys(repeat.per, repeat.item)
        return Held(repeat, least(items, one) if takes_everything(repeat, self.counts.plan) else items)

    def _chain(self, operator: Operator) -> Held:
        chain = operator.pattern
        assert isinstance(chain, Chain)
        begun, every = self._chain_within(chain, operator, keyed=True)
        kinds, merges = Number(kinds_of_waiting(chain)), operator.retention is Retention.LAST
        merged = least(every, product(self._keys((), chain), kinds)) if merges_all(operator) else None
        reached = self._chain_within(chain, operator, keyed=False)[1] if self.rule.rule.per else every
        if merges and (merged is not None or (are_found_alone(chain) and not self.rule.rule.per)):
            reached = least(reached, kinds)
        runs = ChainRuns(chain, begun, every, merged, reached, merges)
        return Held(chain, every if merged is None else merged, runs)

    def _chain_within(self, chain: Chain, operator: Operator, *, keyed: bool) -> tuple[Bound, Bound]:
        """Return how many records can begin a run that waits, of all keys or of one, and how many runs these are."""
        since = waiting_since(chain, operator.reach[0, 0])
        spans = [self._chain_span(chain, operator, ticks, records, keyed=keyed) for ticks, records in since]

        def seen(types: frozenset[str]) -> Bound:
            return total(*(self.counts.events(self.rule, types, span) for span in spans))

        begun = seen(chain.steps[chain.first].lead.types)
        return begun, product(begun, Ways(chain, seen).waiting(chain.first))

    def _chain_span(
        self, chain: Chain, operator: Operator, ticks: int | None, records: int | None, *, keyed: bool
    ) -> Span:
        within = record_total(records, NOTHING)
        within = self._keyed_records(within) if keyed else within
        return Span(added(ticks, 0 if operator.prompt else -1), within, endless_chain(chain))

    def _seen(self, operator: Operator) -> Iterator[Held]:
        distinct = operator.pattern
        assert isinstance(distinct, Distinct)
        if distinct.by is not None:
            kinds = self.counts.key_values.with_null(distinct.by, distinct.pattern)
            yield Held(distinct.pattern, product(self._keys((), distinct), kinds))

    def _last(self, operator: Operator) -> Held:
        """Return of how many keys a match passed a span ago or later: no more than there are, or than there can be."""
        suppress = operator.pattern
        assert isinstance(suppress, Suppress)
        span = self._ordered(operator, 0, suppress.apart, None, (0,))
        kinds = product(self._keys((), suppress), self.counts.key_values.with_null(suppress.by, suppress.pattern))
        named = [self._bringing(operator, path, part, span) for path, part in _read_alone(suppress)]
        return Held(suppress.pattern, least(kinds, self._count(operator, 0, span), *named))

    def _bringing(self, operator: Operator, path: Path, part: Atom, span: Span) -> Bound:
        """Return how many events can be a certain part of matches that end in a span, where these are the rule's."""
        facts = self.rule.facts
        apart = facts.distance((), Edge.END, path, Edge.END) if operator.path == () else None
        ticks = None if apart is None else added(span.ticks, apart.high)
        gap = self._gap(operator, 0, (0,))
        if ticks is None:
            return gap
        # Where another branch may be taken, null is a key that no event brings.
        alone = not any(isinstance(node, Either) for node in walk(operator.pattern))
        return total(self.counts.events(self.rule, part.types, Span(ticks, None, gap)), NOTHING if alone else ONE)

    def _ordered(
        self, operator: Operator, side: int, ends: int | None, records: int | None, others: tuple[int, ...]
    ) -> Span:
        numbers = [operator.inputs[other] for other in others]
        # What has just arrived counts at once where nothing waits for its instant to be complete.
        ticks = added(ends, 0 if operator.prompt else -1, self.late.slack)
        return Span(ticks, self._records(operator, side, records, numbers), self._gap(operator, side, others))

    # What they have in common.

    def _waiting(self, operator: Operator) -> Bound:
        """Return how many instances wait for their instant to be complete."""
        if not operator.orders or not operator.inputs:
            return NOTHING
        behind = self.late.behind(operator.inputs)
        spans = [
            Span(
                added(behind, self.late.ahead(number)),
                None,
                self._gap(operator, side, tuple(range(len(operator.inputs)))),
            )
            for side, number in enumerate(operator.inputs)
        ]
        return total(*(self._count(operator, side, span) for side, span in enumerate(spans)))

    def _count(self, operator: Operator, side: int, span: Span) -> Bound:
        return self.counts.ending(self.rule, operator.inputs[side], span)

    def _keys(self, expressions: Iterable[Expr], within: Pattern) -> Bound:
        """Return how many keys some expressions make, over all keys of the rule."""
        values = self.counts.key_values
        return product(values.of_rule(self.rule), values.of(expressions, within))

    def _records(self, operator: Operator, side: int, records: int | None, numbers: list[int]) -> Bound | None:
        if records is None or not has_position(self.rule.operators[operator.inputs[side]].pattern):
            return None
        return self._keyed_records(record_total(records, self.late.drag(numbers, self.spans)))

    def _keyed_records(self, records: Bound | None) -> Bound | None:
        return None if records is None else product(self._keys((), self.rule.rule.pattern), records)

    def _with(self, records: Bound | None, more: int | None) -> Bound | None:
        if records is None or more is None:
            return None
        return total(records, product(self._keys((), self.rule.rule.pattern), Number(max(more, 0))))

    def _gap(self, operator: Operator, side: int, others: tuple[int, ...]) -> Unbounded:
        """Return why nothing would limit what waits, if nothing does."""
        parts = below(operator.pattern)
        inputs = [self.rule.operators[number].pattern for number in operator.inputs]
        for other in others:
            reach = operator.reach.get((side, other))
            if reach is not None and reach.possible and reach.ends is None:
                return endless_wait(parts[other], operator.pattern)
        late = next((other for other in others if self.rule.operators[operator.inputs[other]].lag is None), others[0])
        return late_for_ever(inputs[late], operator.pattern)

    def _note(self, operator: Operator, span: Span) -> None:
        """Remember how far back what waits in an operator reaches: its place may be held back by it."""
        before = self.spans.get(operator.number)
        self.spans[operator.number] = span if before is None else _longer(before, span)


def _read_alone(suppress: Suppress) -> Iterator[tuple[Path, Atom]]:
    """Yield the single event whose values are the key of a suppression, with its place below the rule's root."""
    read = {one.part for one in walk(suppress.by) if isinstance(one, Field)}
    if suppress.by and len(read) == 1 and all(isinstance(one, Field) for one in suppress.by):
        found = [(path, node) for path, node in paths(suppress) if isinstance(node, Atom) and node.name in read]
        yield from found if len(found) == 1 else ()


def _longer(one: Span, other: Span) -> Span:
    records = None if one.records is None or other.records is None else total(one.records, other.records)
    return Span(most([one.ticks, other.ticks]), records)


def operator_states(counts: Counts, rule: RulePlan, disorder: int) -> list[OperatorState]:
    """Return what each operator of a rule holds, where `disorder` is allowed to every source."""
    states = _States(counts, rule, Lateness(counts, rule, disorder), {})
    *others, last = [states.of(operator) for operator in rule.operators]
    if rule.rule.per and tells_positions(rule.rule):
        last = replace(last, counters=counts.key_values.of_rule(rule))
    return [*others, last]


def entry_buffer(counts: Counts, rule: RulePlan, disorder: int) -> Bound:
    """Return how many events wait for their instant before a rule that counts records sees them."""
    if not rule.counts_records:
        return NOTHING
    late = Lateness(counts, rule, disorder)
    ticks = added(late.whole_lag, disorder, late.ahead_of_all())
    return counts.events(rule, frozenset(), Span(ticks, None, late_for_ever(rule.rule.pattern, rule.rule.pattern)))
