"""How far a chain reaches: how long a run can last, whether it asks for places, and whether it can run directly."""

from cepheid.algebra.never import leads_that_may_end
from cepheid.algebra.patterns import Chain
from cepheid.algebra.relations import Axis, Endpoint
from cepheid.algebra.traversal import walk
from cepheid.analysis.closures.told_positions import tells_positions
from cepheid.analysis.plans.plan import SELF, Reach, RulePlan
from cepheid.engine.state.deadlines import FOREVER


def is_all(reach: Reach, chain: Chain) -> bool:
    """Say whether runs are dropped in time whose records would be too far apart for the window of a chain."""
    limits = within(reach)
    if limits is None:
        return False
    most = {Axis.TIME: limits[0], Axis.POSITION: limits[1]}
    return all(
        (one.later.part, one.earlier.part) == ("$last", "$first")
        and (one.low is None or one.low <= 0)
        and one.high is not None
        and most.get(one.later.axis, FOREVER) <= one.high
        for one in chain.window
    )


def within(reach: Reach) -> tuple[int, int] | None:
    """Return how much time and how many records after its first record a run can last; None where more decides that."""
    if not reach.possible or any(endpoint.part != SELF for endpoint, _ in (*reach.times, *reach.positions)):
        return None
    time = min((offset for _, offset in reach.times), default=FOREVER)
    return time, min((offset for _, offset in reach.positions), default=FOREVER)


def reads_positions(chain: Chain) -> bool:
    """Say whether a chain asks for the places of records: by a window, or in a condition."""
    endpoints = [node for node in walk(chain) if isinstance(node, Endpoint)]
    return any(endpoint.axis is Axis.POSITION for endpoint in endpoints)


def can_run_chain(plan: RulePlan) -> bool:
    """Say whether a rule is a chain alone, over input, whose records nobody tells the places of."""
    chain = plan.root.pattern
    if len(plan.operators) != 1 or not isinstance(chain, Chain) or plan.root.lag != 0 or leads_that_may_end(chain):
        return False
    if any(step.every for step in chain.steps.values()):
        return False
    return not plan.reads_derived and plan.fixed is None and plan.trails is not None and not tells_positions(plan.rule)
