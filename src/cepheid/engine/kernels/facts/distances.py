"""Which rules kernels leave to the interpreter because a sum of times and distances might not fit into 64 bits."""

from collections.abc import Iterator

from cepheid.algebra.expressions import Call, Expr, Literal, Moment
from cepheid.algebra.programs import Rule
from cepheid.algebra.relations import Difference
from cepheid.algebra.traversal import walk
from cepheid.analysis.plans.plan import Operator, RulePlan
from cepheid.engine.kernels.facts.time_bounds import LONGEST


def hindrance(plan: RulePlan, *, is_read: bool) -> str:
    """Return what kernels cannot compute with in a rule, nothing if they can; `is_read`: rules read what it emits."""
    if any(abs(distance) > LONGEST for distance in _distances(plan) if distance is not None):
        return "a distance is too long to compute with"
    if is_read and not (_is_near(plan.rule.start) and _is_near(plan.rule.end)):
        return "its events may be at any time, and rules read them"
    return ""


def _distances(plan: RulePlan) -> Iterator[int | None]:
    """Yield all that may be added to a time, or compared with a distance."""
    yield from (plan.trails, plan.leads, plan.length)
    yield from _said(plan.rule)
    for operator in plan.operators:
        yield from _worked_out(operator)


def _said(rule: Rule) -> Iterator[int | None]:
    for node in walk(rule.pattern):
        if isinstance(node, Difference):
            yield from (node.low, node.high)


def _worked_out(operator: Operator) -> Iterator[int | None]:
    yield from (operator.lag, operator.delay, operator.back, *operator.widths, *operator.headway)
    for reach in operator.reach.values():
        yield from (by for _, by in (*reach.times, *reach.positions))
    if operator.forbidding is not None:
        yield from (operator.forbidding.lag, *(by for _, by in operator.forbidding.settled))


def _is_near(time: Expr) -> bool:
    """Say whether a time is near one of a match: that one, or a fixed distance from it."""
    match time:
        case Moment():
            return True
        case Call("+" | "-", (first, Literal(value=int(by)))):
            return _is_near(first) and abs(by) <= LONGEST
        case _:
            return False
