"""How far before and after a match anything lies that decides it: what a slice of the input must read to tell it."""

from collections.abc import Iterable

from cepheid.algebra.expressions import Moment
from cepheid.algebra.patterns import Instant
from cepheid.algebra.relations import Axis
from cepheid.algebra.traversal import event_types, reads_any_type, walk
from cepheid.analysis.plans.plan import Plan


def past(plan: Plan, *, whole: bool = False) -> int | None:
    """Return how far before the end of a match anything that decides it can have started, in ticks; None: no bound.

    `whole`: no other rules feed those of the plan. Those that do not feed each other then reach no further together.

    Points of time lie between the first event of the whole input and the last, so they look back without end.
    """
    if any(isinstance(node, Instant) for node in walk(plan.program.rules)):
        return None
    return _together(plan, [(rule.root.back, rule.leads, rule.trails) for rule in plan.rules], whole=whole)


def ahead(plan: Plan, *, whole: bool = False) -> int | None:
    """Return how far after the end of a match anything that decides it can still come, in ticks; None: no bound."""
    return _together(plan, [(rule.root.delay, rule.root.lag, rule.trails) for rule in plan.rules], whole=whole)


def reads_positions(plan: Plan) -> bool:
    """Say whether a rule reads the position of an event as a number, which counts from the first event of all."""
    moments = (node for node in walk(plan.program.rules) if isinstance(node, Moment))
    return any(node.endpoint.axis is Axis.POSITION for node in moments)


def _together(plan: Plan, lengths: Iterable[Iterable[int | None]], *, whole: bool) -> int | None:
    """Return how far all rules reach: one after the other, where one may read what another emits."""
    each = [_sum(some) for some in lengths]
    rules = plan.program.rules
    emitted = {rule.emits for rule in rules}
    if not whole or any(reads_any_type(rule.pattern) or emitted & event_types(rule.pattern) for rule in rules):
        return _sum(each)
    known = [one for one in each if one is not None]
    return max(known, default=0) if len(known) == len(each) else None


def _sum(lengths: Iterable[int | None]) -> int | None:
    total = 0
    for length in lengths:
        if length is None:
            return None
        total += max(length, 0)
    return total
