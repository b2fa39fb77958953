"""Which rules may be rewritten without anyone noticing.

The id of a match tells which version of its rule found it, and events that happen at once are ordered by their ids.
So a rule that is written in another way gives its events another order among those of one instant. Nobody sees that
unless another rule reads these events in a way that depends on the order: by a choice, a run, a chain or a position.
"""

from collections.abc import Sequence

from cepheid.algebra.expressions import Aggregate
from cepheid.algebra.patterns import Chain, Distinct, Join, Repeat, Select
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import Rule
from cepheid.algebra.relations import Axis, Endpoint
from cepheid.algebra.strata import reachable, readers
from cepheid.algebra.traversal import walk

_IN_ORDER = ("first", "last", "list")


def free_to_change(rules: Sequence[Rule]) -> frozenset[str]:
    """Return the names of the rules whose events reach no rule that depends on their order."""
    feeds = readers(rules)
    dependent = {rule.name for rule in rules if depends_on_order(rule)}
    return frozenset(rule.name for rule in rules if dependent.isdisjoint(reachable(feeds, rule.name)))


def depends_on_order(rule: Rule) -> bool:
    """Say whether a rule may find something else when simultaneous events come in another order."""
    return any(_depends(node) for node in walk(rule.pattern))


def _depends(node: object) -> bool:
    match node:
        case Join(policy=policy):
            return policy.choice is not Choice.ALL
        case Aggregate(function):
            return function in _IN_ORDER
        case Endpoint(axis=axis):
            return axis is Axis.POSITION
        case _:
            return isinstance(node, Select | Repeat | Chain | Distinct)
