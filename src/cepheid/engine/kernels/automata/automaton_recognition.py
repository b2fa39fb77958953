"""From a chain to the shape that kernels run, or to the reason why the interpreter runs it."""

from collections.abc import Iterator
from dataclasses import replace

from cepheid.algebra.expressions import Field, IsBound, Variable
from cepheid.algebra.never import leads_that_may_end
from cepheid.algebra.patterns import Chain
from cepheid.algebra.programs import EVENT, Rule
from cepheid.algebra.traversal import children
from cepheid.analysis.plans.plan import SELF, Operator, Reach, Retention, RulePlan
from cepheid.engine.kernels.automata.automata import is_linear, lead_names
from cepheid.engine.kernels.facts.absences import rule_keys
from cepheid.engine.kernels.facts.declining import Declined
from cepheid.engine.kernels.plans.pattern_stages import AutomatonShape
from cepheid.engine.kernels.plans.run_bounds import ends_after


def automaton_shape(chain: Chain, operator: Operator, plan: RulePlan) -> AutomatonShape:
    """Return the shape of a chain."""
    around = list(around_chains(plan.rule))
    _check_reading(around, chain)
    if leads_that_may_end(chain):
        raise Declined("a function that it asks may answer Never")
    if any(chain.steps[follow].every and step.avoid for step in chain.steps.values() for follow in step.follow):
        raise Declined("a step takes every record before one that it avoids")
    names = lead_names(chain)
    if names is None:
        raise Declined("runs of a chain take its leads in several orders")
    told = tuple(sorted({node.name for node in around if isinstance(node, Variable)} & _variables(chain)))
    per = rule_keys(plan, EVENT)
    limits, places = _reach(operator.reach[0, 0])
    merges = operator.retention is Retention.LAST
    return AutomatonShape(chain, names, told, limits, places, per, merges, may_be_level=not is_linear(chain))


def _check_reading(around: list[object], chain: Chain) -> None:
    names = {*_variables(chain), *(step.lead.name for step in chain.steps.values())}
    for node in around:
        if isinstance(node, IsBound) and node.name in names:
            raise Declined("it asks whether a run bound something")
        if isinstance(node, Field) and node.part in _variables(chain):
            raise Declined("it reads what is in a variable")


def around_chains(rule: Rule) -> Iterator[object]:
    """Yield all of a rule that is not in a chain of it."""
    ahead: list[object] = [rule.pattern, rule.start, rule.end, rule.fields]
    while ahead:
        node = ahead.pop()
        if not isinstance(node, Chain):
            yield node
            ahead += children(node)


def _variables(chain: Chain) -> set[str]:
    return {*chain.initially, *(name for step in chain.steps.values() for name in step.lets)}


def _reach(reach: Reach) -> tuple[tuple[int | None, int | None], int | None]:
    """Return how long after start and end of its first record a run can be complete, and how many places."""
    if not reach.possible:
        return ends_after(reach), None
    if any(endpoint.part != SELF for endpoint, _ in (*reach.times, *reach.positions)):
        raise Declined("how long a run waits is not said of its first record alone")
    places = min((by for _, by in reach.positions), default=None)
    return ends_after(replace(reach, positions=())), places
