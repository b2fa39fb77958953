"""All rules of a plan at work on events that come one at a time and in order.

Its state is that of the interpreter in another form: either can go on where the other was.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from cepheid.algebra.expressions import Moment
from cepheid.algebra.matches import Match
from cepheid.algebra.programs import HULL, Table, Ties
from cepheid.algebra.relations import end
from cepheid.algebra.strata import feeds_itself
from cepheid.algebra.traversal import event_types
from cepheid.analysis.plans.plan import Plan, RulePlan
from cepheid.connectors import Glance
from cepheid.engine.direct.chain_reach import can_run_chain
from cepheid.engine.direct.chains import DirectChain
from cepheid.engine.direct.counting_rules import CountingRule
from cepheid.engine.direct.partials import Emitted
from cepheid.engine.direct.rules import DirectRule, can_run
from cepheid.events import MAX_TIME, MIN_TIME, Event


class DirectGear:
    """The rules of a plan, each over all its keys; one step may tell at most `most` matches of a rule."""

    def __init__(self, plan: Plan, most: int | None) -> None:
        self.plan, self.most = plan, most
        self.due = MAX_TIME
        """As long as no frontier is past this, there is nothing to do unless something new comes."""
        self._limited: list[tuple[DirectRule | DirectChain, Callable[[], int], int]] | None = None
        self.frontier = MIN_TIME
        """How far the input had come when something was done last."""
        tables = plan.program.tables
        read = frozenset().union(*(rule.reads_derived for rule in plan.rules))
        self.rules = [_direct_rule(rule, tables, most, feeds=rule.rule.emits in read) for rule in plan.rules]
        self.feeds = bool(read)
        self.single = self.rules[0] if len(self.rules) == 1 and not read else None
        self.scans = frozenset().union(*(rule.scans for rule in self.rules))
        """The types that rules ask for."""
        self.passes = all(rule.passes for rule in self.rules)
        """Whether events that no rule reads need no more than to be counted."""
        self.counts = any(rule.counts for rule in self.rules)
        """Whether they need even that."""

    def push(self, event: Event, frontier: int) -> list[Match]:
        """Take in an event, and return the matches that are certain now; nothing more will end before the frontier."""
        rule = self.single
        if rule is None:
            return self._fed(event, frontier) if self.feeds else self._taken_by_all(event, frontier)
        self.frontier, self.due = frontier, MAX_TIME
        if event.type not in rule.scans and not rule.sees_all and rule.waiting is None:
            return []
        found, waiting = rule.push(event, frontier), rule.waiting
        if waiting is not None:
            self.due = waiting
        return found

    def push_all(
        self, coming: Iterable[Glance], make: Callable[[Glance], Event], bound: int, lag: int
    ) -> Iterator[list[Match]]:
        """Take in events one after the other, and yield what is certain with one of them.

        The input has come to a bound, and comes so far behind each of them.
        """
        if isinstance(self.single, DirectChain) and self.single.takes_many:
            yield from self.single.push_all(coming, make)
            return
        for one in coming:
            kind, end, _, _ = one
            bound = max(bound, end - lag)
            if self.passes and kind not in self.scans:
                if self.counts:
                    self.pass_by()
                found = [] if self.due >= bound else self.come_to(bound)
            else:
                found = self.push(make(one), bound)
            if found:
                yield found

    def _taken_by_all(self, event: Event, frontier: int) -> list[Match]:
        found: list[Match] = []
        self.frontier, due, kind = frontier, MAX_TIME, event.type
        for rule in self.rules:
            if kind in rule.scans or rule.sees_all or rule.waiting is not None:
                found += rule.push(event, frontier)
                waiting = rule.waiting
                if waiting is not None and waiting < due:
                    due = waiting
        self.due = due
        return found

    def _fed(self, event: Event | None, frontier: int) -> list[Match]:
        """Do so where rules read what others emit: each takes that before it looks at what is complete."""
        found: list[Match] = []
        self.frontier, news = frontier, list[Emitted]()
        for rule in self.rules:
            if news and isinstance(rule, DirectRule):
                rule.take(news)
            found += rule.come_to(frontier) if event is None else rule.push(event, frontier)
            if isinstance(rule, DirectRule) and rule.feeds:
                news += rule.news
                rule.news.clear()
        self._see_due()
        return found

    def pass_by(self) -> None:
        """Count an event that no rule reads."""
        for rule in self.rules:
            rule.pass_by()

    def come_to(self, frontier: int) -> list[Match]:
        """Return what becomes certain as the input comes so far; whoever holds too much for that is not asked."""
        self.frontier = frontier
        if self.feeds:
            return self._fed(None, frontier)
        if self.single is not None:
            found, waiting = self.single.come_to(frontier), self.single.waiting
            self.due = MAX_TIME if waiting is None else waiting
            return found
        found = [match for rule in self.rules for match in rule.come_to(frontier)]
        self._see_due()
        return found

    def advance(self, frontier: int) -> list[Match]:
        """Return what becomes certain when nothing more ends before the frontier."""
        self.frontier = frontier
        found = self._fed(None, frontier) if self.feeds else []
        found += [match for rule in self.rules for match in rule.advance(frontier)]
        self._see_due()
        return found

    def _see_due(self) -> None:
        self.due = min([rule.waiting for rule in self.rules if rule.waiting is not None], default=MAX_TIME)

    def exceeds(self, limits: Sequence[Sequence[int | None]], frontier: int) -> bool:
        """Say whether an operator holds more than it may."""
        if self._limited is None:
            self._limited = [one for rule, most in zip(self.rules, limits, strict=True) for one in rule.limited(most)]
        for rule, size, most in self._limited:
            if size() > most:
                rule.expire(frontier)
                if size() > most:
                    return True
        return False

    def states(self) -> list[object]:
        """Return the state of each rule as the interpreter writes it."""
        return [rule.state(self.frontier) for rule in self.rules]

    def restored(self, states: Iterable[object], frontier: int) -> "DirectGear":
        """Return another one that goes on from what the interpreter wrote of each rule."""
        other = DirectGear(self.plan, self.most)
        other.frontier = frontier
        for rule, state in zip(other.rules, states, strict=True):
            rule.restore(state)
        other._see_due()
        return other


def _direct_rule(
    rule: RulePlan, tables: Mapping[str, Table], most: int | None, *, feeds: bool
) -> DirectRule | DirectChain:
    if can_run_chain(rule):
        return DirectChain(rule, tables, most)
    return CountingRule(rule, tables, most) if rule.counts_records else DirectRule(rule, tables, most, feeds=feeds)


def direct_gear(plan: Plan, most: int | None) -> DirectGear | None:
    """Return the gear for a plan whose rules can all run so; None where one cannot."""
    if plan.lengths.default != 0 or plan.program.pipes or not _feed_in_order(plan):
        return None
    if not all(can_run_chain(rule) or can_run(rule) for rule in plan.rules):
        return None
    return DirectGear(plan, most)


def _feed_in_order(plan: Plan) -> bool:
    """Say whether what rules emit ends where their matches do, and comes back to none of them."""
    read = frozenset().union(*(rule.reads_derived for rule in plan.rules))
    if not read:
        emitted = {rule.rule.emits for rule in plan.rules}
        return not any(emitted & event_types(rule.rule.pattern) for rule in plan.rules)
    if plan.program.ties is not Ties.SIMULTANEOUS or any(
        feeds_itself([one.rule for one in some]) for some in plan.groups
    ):
        return False
    return all(
        rule.trails == 0 and rule.rule.end == Moment(end(HULL)) and not rule.counts_records
        for rule in plan.rules
        if rule.rule.emits in read
    )
