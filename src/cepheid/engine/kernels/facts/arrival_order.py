"""Which rules ask what arrived first, and which of them kernels leave to the interpreter (`docs/decisions/0084`)."""

from cepheid.algebra.patterns import (
    Chain,
    Collect,
    Distinct,
    Instant,
    Join,
    Repeat,
    Restrict,
    Select,
    Skip,
    Suppress,
)
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import Rule
from cepheid.algebra.relations import Axis, Endpoint
from cepheid.algebra.traversal import reads_any_type, walk
from cepheid.analysis.plans.plan import Kind, Operator, RulePlan
from cepheid.engine.kernels.facts.declining import Declined

MORE = "events of one time follow each other in more than joins and absences"


def asks_for_arrivals(rule: Rule) -> bool:
    """Say whether a rule tells events of one time apart."""
    return any(map(_is_by_arrival, walk(rule.pattern)))


def check_arrivals(plan: RulePlan, *, points: bool) -> None:
    """Decline what asks for the order of arrival otherwise than joins and absences of given points in time do."""
    pattern = plan.rule.pattern
    if any(map(_is_told_at_once, plan.operators)):
        raise Declined(MORE)
    if not asks_for_arrivals(plan.rule):
        return
    if any(map(_has_no_arrival, walk(pattern))) or reads_any_type(pattern):
        raise Declined(MORE)
    if not points:
        raise Declined("events of one time follow each other, and some last")


def is_made(node: object) -> bool:
    """Say whether a node is a part that is made: a group, the run of a chain, or a point of time."""
    return isinstance(node, Chain | Collect | Instant | Repeat | Skip)


def _is_by_arrival(node: object) -> bool:
    """Say whether a node tells events of one time apart."""
    if isinstance(node, Join | Select):
        return node.policy.by_arrival and node.policy.choice is not Choice.ALL
    return isinstance(node, Endpoint) and node.axis is Axis.ARRIVAL


def _has_no_arrival(node: object) -> bool:
    """Say whether a node has parts whose arrivals are not those of events, or compares arrivals by itself."""
    if isinstance(node, Restrict):
        return any(one.later.axis is Axis.ARRIVAL for one in node.relation)
    return isinstance(node, Distinct | Select | Suppress) or is_made(node)


def _is_told_at_once(operator: Operator) -> bool:
    """Say whether an operator tells what an event completes although others of its time may follow."""
    return operator.prompt and operator.kind in (Kind.RUNS, Kind.DISTINCT, Kind.SUPPRESS)
