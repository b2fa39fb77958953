"""Chains: how many runs can be under way, and how many can complete in a span.

A run waits for one step. When it takes a record it waits for each of the steps that may follow instead, so the runs
that come from one first record are as many as the alternatives it has met. On a cycle it meets them again with every
record it takes. A step that takes every record leaves a copy of the run behind with each of them.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from cepheid.algebra.expressions import IsBound, Variable
from cepheid.algebra.patterns import Chain
from cepheid.algebra.traversal import walk
from cepheid.analysis.bounds.bound_algebra import ONE, least, power, product, total
from cepheid.analysis.bounds.bounds import Bound, Number, Unbounded
from cepheid.analysis.bounds.spans import Margin
from cepheid.analysis.bounds.wording import ADD_A_WINDOW, called
from cepheid.analysis.plans.chain_ways import cycles_of
from cepheid.analysis.plans.plan import Operator, Retention
from cepheid.analysis.plans.run_limits import run_limits, variables_of
from cepheid.analysis.plans.step_limits import ends_by_itself

Records = Callable[[frozenset[str], Margin], Bound]


def chain_results(operator: Operator, records: Records) -> Bound:
    """Return how many runs complete in a span; `records` counts records in it, or from so long before."""
    chain = _chain(operator)
    reach = operator.reach[0, 0]
    window = Margin(_none_less(reach.ends), _none_less(reach.records), endless_chain(chain))
    ways = Ways(chain, lambda types: records(types, window))
    every = product(records(chain.steps[chain.first].lead.types, window), ways.completed(chain.first))
    last = [step.lead.types for step in chain.steps.values() if not step.follow]
    once = Margin(0, 0)
    return least(every, total(*(records(types, once) for types in last))) if reports_once(chain) else every


def endless_chain(chain: Chain) -> Unbounded:
    """Return why runs are kept for ever: a step waits, and nothing says until when."""
    waiting = run_limits(chain).open
    if waiting is None:
        return Unbounded(f"nothing ends the runs that begin with {called(chain)}", chain.span, ADD_A_WINDOW)
    lead = chain.steps[waiting].lead
    what = called(lead) if lead.types else "such a record"
    if ends_by_itself(lead, variables_of(chain)):
        reason = f"{what} has a limit, but nothing says how long after the first record that is"
        return Unbounded(reason, lead.span, ADD_A_WINDOW)
    return Unbounded(f"{what} may never come, and nothing ends the wait", lead.span, ADD_A_WINDOW)


def reports_once(chain: Chain) -> bool:
    """Say whether runs that complete at one record are one match: nothing tells them apart."""
    told = _varying(chain) if chain.observed is None else _varying(chain) & set(chain.observed)
    return not chain.reads_support and not told


def merges_all(operator: Operator) -> bool:
    """Say whether runs that wait for the same thing are always one."""
    chain = _chain(operator)
    merges = operator.retention is Retention.LAST
    return merges and reports_once(chain) and not _varying(chain) & _read(chain)


def kinds_of_waiting(chain: Chain) -> int:
    """Return how many things there are to wait for: a step, after a step."""
    return sum(len(set(step.follow)) for step in chain.steps.values())


def _varying(chain: Chain) -> frozenset[str]:
    return frozenset(name for step in chain.steps.values() for name in step.lets)


def _read(chain: Chain) -> frozenset[str]:
    return frozenset(one.name for one in walk(chain.steps) if isinstance(one, Variable | IsBound))


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways through a chain; `records` counts the records of some types that one run can see."""

    chain: Chain
    records: Callable[[frozenset[str]], Bound]
    _counted: dict[tuple[str, str], Bound] = field(default_factory=dict, compare=False)

    def waiting(self, name: str) -> Bound:
        """Return how many runs can be under way at once that come from one that has taken the step `name`."""
        return total(*(self._live(follow) for follow in self.chain.steps[name].follow))

    def completed(self, name: str) -> Bound:
        """Return how many runs can complete that come from one that waits for the step `name`."""
        return self._once("completed", name, self._completed)

    def _completed(self, name: str) -> Bound:
        cycle = cycles_of(self.chain)[name]
        if not cycle:
            return product(self._taken(name), self._after(name, frozenset(), self.completed) or ONE)
        return self._around(cycle, self.completed, Number(0))

    def _taken(self, name: str) -> Bound:
        """Return how many records a run that waits for a step can take there, one in each of its copies."""
        step = self.chain.steps[name]
        return self.records(step.lead.types) if step.every else ONE

    def _live(self, name: str) -> Bound:
        """Return how many runs can be under way at once that come from one that waits for the step `name`."""
        return self._once("live", name, self._counted_live)

    def _once(self, kind: str, name: str, count: Callable[[str], Bound]) -> Bound:
        """Return what is counted for a step; many ways may lead to it, and it is counted once."""
        if (kind, name) not in self._counted:
            self._counted[kind, name] = count(name)
        return self._counted[kind, name]

    def _counted_live(self, name: str) -> Bound:
        cycle = cycles_of(self.chain)[name]
        if cycle:
            return self._around(cycle, self._live, ONE)
        after = self._after(name, frozenset(), self._live)
        if not self.chain.steps[name].every:
            return after or ONE
        return total(ONE, product(self._taken(name), after)) if after else ONE

    def _after(self, name: str, cycle: frozenset[str], of: Callable[[str], Bound]) -> Bound | None:
        """Return the sum over the steps that follow outside a cycle, None if there are none."""
        follow = [one for one in self.chain.steps[name].follow if one not in cycle]
        return total(*(of(one) for one in follow)) if follow else None

    def _around(self, cycle: frozenset[str], of: Callable[[str], Bound], own: Bound) -> Bound:
        """Return how many come of one run on a cycle: what leaves it with each record, and the run itself."""
        types = [self.chain.steps[name].lead.types for name in cycle]
        seen = self.records(frozenset().union(*types) if all(types) else frozenset())
        leaving = [bound for name in sorted(cycle) if (bound := self._after(name, cycle, of)) is not None]
        once = total(own, product(seen, _most(leaving)))
        again = max(len([one for one in self.chain.steps[name].follow if one in cycle]) for name in cycle)
        again += any(self.chain.steps[name].every for name in cycle)
        return once if again == 1 else product(power(again, seen), once)


def longest_way(chain: Chain) -> int | None:
    """Return the most records that a run can take, None if it can go round a cycle."""
    if any(cycles_of(chain).values()):
        return None

    @cache
    def length(name: str) -> int:
        return 1 + max((length(follow) for follow in chain.steps[name].follow), default=0)

    return length(chain.first)


def _most(bounds: list[Bound]) -> Bound:
    """Return a bound that is at least as great as each of some."""
    different = list(dict.fromkeys(bounds))
    numbers = [bound.number for bound in different if isinstance(bound, Number)]
    rest = [bound for bound in different if not isinstance(bound, Number)]
    return total(*rest, Number(max(numbers, default=0)))


def _chain(operator: Operator) -> Chain:
    assert isinstance(operator.pattern, Chain)
    return operator.pattern


def _none_less(high: int | None) -> int | None:
    return None if high is None else max(high, 0)
