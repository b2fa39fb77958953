"""How far what an operator sees can lie from the frontier of the events: behind it, or ahead of it."""

from collections.abc import Iterable
from dataclasses import dataclass

from cepheid.algebra.patterns import Atom, Chain
from cepheid.analysis.bounds.bound_algebra import total
from cepheid.analysis.bounds.bounds import Bound, Number
from cepheid.analysis.bounds.spans import Span
from cepheid.analysis.counts.counts import Counts
from cepheid.analysis.counts.recursive_counts import feeds_itself_in
from cepheid.analysis.plans.plan import Kind, Operator, Plan, RulePlan


@dataclass(frozen=True, slots=True)
class Lateness:
    """Lags, leads and drags of the operators of one rule, under a disorder that is allowed to every source."""

    counts: Counts
    rule: RulePlan
    disorder: int

    @property
    def whole_lag(self) -> int | None:
        """How far the least frontier of all that the rule reads may trail that of the events."""
        read = [one.lag for one in self.rule.operators if not one.inputs]
        return most([0, *read])

    @property
    def slack(self) -> int | None:
        """How far an operator's frontier may be ahead of the frontier at which its key takes a turn.

        A key takes a turn when something is new or due to the least frontier that its rule reads.
        """
        sources = {source for stream in self.counts.plan.program.streams for source in stream.sources}
        apart = self.disorder if sources else 0
        return apart if self.rule.counts_records else added(self.whole_lag, apart)

    def lag(self, numbers: Iterable[int]) -> int | None:
        """Return how far the frontiers of some operators may trail, as their key sees them."""
        return most([self.whole_lag, *(self.rule.operators[number].lag for number in numbers)])

    def behind(self, numbers: Iterable[int]) -> int | None:
        """Return how far the newest end of an event may be ahead of the frontiers of some operators."""
        return added(self.lag(numbers), self.disorder)

    def ahead(self, number: int) -> int | None:
        """Return how far instances of an operator may end after every event that has come: some are dated ahead."""
        operator = self.rule.operators[number]
        if operator.inputs:
            return most([self.ahead(below) for below in operator.inputs])
        return ahead_of(self.counts.plan, self._derived(operator))

    def ahead_of_all(self) -> int | None:
        return ahead_of(self.counts.plan, self.rule.reads_derived)

    def drag(self, numbers: Iterable[int], held: dict[int, Span]) -> Bound | None:
        """Return how many records the places of some operators may be behind; `held` says what waits in each."""
        drags = [self._drag(self.rule.operators[number], held) for number in numbers]
        return None if None in drags else total(*(drag for drag in drags if drag is not None))

    def _drag(self, operator: Operator, held: dict[int, Span]) -> Bound | None:
        below = self.drag(operator.inputs, held)
        holds_back = operator.kind in (Kind.ABSENCE, Kind.GATHER, Kind.RUNS, Kind.SKIP) or operator.has_points
        if not operator.inputs or below is None or not holds_back:
            return below
        span = held.get(operator.number, Span(None))
        records = span.records if span.records is not None else self.counts.records(self.rule, span.ticks)
        return None if records is None else total(below, records)

    def _derived(self, operator: Operator) -> frozenset[str]:
        pattern = operator.pattern
        if isinstance(pattern, Atom) and pattern.types:
            return pattern.types & self.counts.derived
        return self.rule.reads_derived if isinstance(pattern, Atom | Chain) else frozenset()


def ahead_of(plan: Plan, types: Iterable[str]) -> int | None:
    """Return how far events of some derived types may end after every event that has come."""
    return most([0, *(_ahead_of(plan, name) for name in types)])


def _ahead_of(plan: Plan, name: str) -> int | None:
    group = feeds_itself_in(plan, name)
    leads = []
    for rule in (one for one in plan.rules if one.rule.emits == name):
        if any(rule is one for one in group):
            # What is dated ahead once would be dated farther ahead with every turn.
            leads.append(0 if rule.leads is not None and rule.leads <= 0 else None)
        else:
            leads.append(added(ahead_of(plan, rule.reads_derived), rule.leads))
    return most([0, *leads])


def most(some: Iterable[int | None]) -> int | None:
    """Return the greatest, None if one of them has no bound."""
    known = list(some)
    return None if None in known else max(one for one in known if one is not None)


def added(*some: int | None) -> int | None:
    """Return the sum, None if one of them has no bound."""
    return None if None in some else sum(one for one in some if one is not None)


def record_total(records: int | None, drag: Bound | None) -> Bound | None:
    """Return how many positions there are from the oldest that counts to the newest."""
    return None if records is None or drag is None else total(Number(max(records, 0)), drag)
