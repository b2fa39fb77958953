"""Rules that feed themselves: how many events they can emit.

Every turn of the cycle joins what was emitted with something strictly later from outside. So what is emitted is told by
where it began, by its last turn and by the set of turns between, and all of these lie within the length of the event.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from cepheid.algebra.expressions import Moment
from cepheid.algebra.patterns import Atom, Either, Join, Pattern, Restrict
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import HULL, Rule
from cepheid.algebra.relations import Difference, Edge, end, start
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.strata import feeds_itself
from cepheid.algebra.traversal import event_types
from cepheid.analysis.bounds.bound_algebra import NOTHING, ONE, less, power, product, total
from cepheid.analysis.bounds.bounds import Bound, Unbounded
from cepheid.analysis.bounds.spans import Span
from cepheid.analysis.bounds.wording import ADD_A_WINDOW
from cepheid.analysis.plans.plan import Plan, RulePlan


class Counting(Protocol):
    """What counts the instances of operators."""

    def ending(self, rule: RulePlan, number: int, span: Span) -> Bound: ...


CountingWith = Callable[[Mapping[str, Bound]], Counting]
Given = Callable[[frozenset[str], int], Bound]


def feeds_itself_in(plan: Plan, name: str) -> tuple[RulePlan, ...]:
    """Return the group of rules that emit a type and feed themselves, none if they do not."""
    return _recursive_groups(plan).get(name, ())


@ByIdentity
def _recursive_groups(plan: Plan) -> Mapping[str, tuple[RulePlan, ...]]:
    """Return the groups of rules that feed themselves, by what they emit."""
    recursive = [group for group in plan.groups if feeds_itself([rule.rule for rule in group])]
    return {rule.rule.emits: group for group in reversed(recursive) for rule in group}


def recursive_events(group: Sequence[RulePlan], ticks: int, counting: CountingWith, given: Given) -> Bound:
    """Return the most events that a group of rules emits in any closed span.

    `counting` counts under what it is told to assume; `given` says how many such events come from outside the group.
    """
    types = frozenset(rule.rule.emits for rule in group)
    lengths = [rule.length for rule in group]
    if None in lengths or not all(_is_linear(rule.rule, types) for rule in group):
        named = group[0].rule
        reason = f"`{named.emits}` feeds itself, and nothing limits how often"
        return Unbounded(reason, named.pattern.span, ADD_A_WINDOW)
    length = max(length for length in lengths if length is not None)

    def begun(window: int) -> Bound:
        return _all_of(group, Span(window), counting(dict.fromkeys(types, NOTHING)))

    def turns(window: int) -> Bound:
        return less(_all_of(group, Span(window), counting(dict.fromkeys(types, ONE))), begun(window))

    before = total(given(types, length), begun(length))
    return total(begun(ticks), product(turns(ticks), before, power(2, turns(length))))


def _all_of(group: Sequence[RulePlan], span: Span, counts: Counting) -> Bound:
    return total(*(counts.ending(rule, rule.root.number, span) for rule in group))


def _is_linear(rule: Rule, types: frozenset[str]) -> bool:
    """Say whether a rule emits the hull of its match, which holds one event of the group and something later."""
    hull = rule.start == Moment(start(HULL)) and rule.end == Moment(end(HULL))
    return hull and _takes_turns(rule.pattern, types)


def _takes_turns(pattern: Pattern, types: frozenset[str]) -> bool:
    if not event_types(pattern) & types:
        return True
    match pattern:
        case Atom():
            return True
        case Restrict():
            return _takes_turns(pattern.pattern, types)
        case Either():
            return all(_takes_turns(branch, types) for branch in pattern.branches)
        case Join(policy=policy) if policy.choice is Choice.ALL:
            return _joins_something_later(pattern, types)
        case _:
            return False


def _joins_something_later(join: Join, types: frozenset[str]) -> bool:
    recursive = [number for number, part in enumerate(join.parts) if event_types(part) & types]
    if len(recursive) != 1 or not _takes_turns(join.parts[recursive[0]], types):
        return False
    own = f"${recursive[0]}"
    return any(_is_strictly_after(difference, own) for difference in join.relation)


def _is_strictly_after(difference: Difference, own: str) -> bool:
    edges = (difference.later.edge, difference.earlier.edge)
    return difference.earlier.part == own and edges == (Edge.START, Edge.END) and (difference.low or 0) >= 1
