"""Events that are dealt out once for each of their roles: what a copy may do at the place that it came to.

    incoming: Transfer   ==>   incoming: Transfer[is_null($elsewhere.destination)]

A copy is marked with the attributes by which it did not come. Parts that hold the key in one of these do not take it:
at the place of that value there is another copy, and a match is found there, and nowhere else.
"""

from collections.abc import Mapping
from dataclasses import replace

from cepheid.algebra.expressions import Call, Field
from cepheid.algebra.patterns import Atom
from cepheid.algebra.traversal import transform_shared
from cepheid.analysis.plans.plan import Plan, RulePlan

Roles = Mapping[str, Mapping[str, str]]
"""By rule, the attribute in which each of its parts holds the key."""

_MARK = "$elsewhere"
AGAIN = f"{_MARK}!"
"""The mark of every copy of an event but the first."""


def mark_of(name: str) -> str:
    """Return the field that is not null in a copy which did not come by an attribute."""
    return f"{_MARK}.{name}"


def is_mark(name: str) -> bool:
    """Say whether a field is no field of an event but a mark of a copy."""
    return name.startswith(_MARK)


def playing_roles(plan: Plan, key: Mapping[str, tuple[str, ...]], roles: Roles) -> Plan:
    """Return a plan whose parts take only copies that came for them; operators and ids stay as they are."""
    several = frozenset(kind for kind, names in key.items() if len(names) > 1)
    if not several:
        return plan
    groups = tuple(tuple(_playing(one, roles[one.rule.name], several) for one in group) for group in plan.groups)
    rules = {one.rule.name: one.rule for group in groups for one in group}
    program = replace(plan.program, rules=tuple(rules[rule.name] for rule in plan.program.rules))
    return replace(plan, program=program, groups=groups)


def _playing(plan: RulePlan, roles: Mapping[str, str], several: frozenset[str]) -> RulePlan:
    def limited(node: object) -> object:
        if not isinstance(node, Atom) or not node.types & several or node.name not in roles:
            return node
        came = Call("is_null", (Field(node.name, mark_of(roles[node.name])),))
        return replace(node, where=came if node.where is None else Call("and", (node.where, came)))

    return transform_shared(plan, limited)
