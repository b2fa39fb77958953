"""What every place holds of a rule for itself: entries made only of events that are given to all places.

All else is held in one place, that of its key, so that all places together hold no more of it than is certified.
"""

from collections.abc import Iterator, Mapping

from cepheid.algebra.traversal import named_parts
from cepheid.analysis.certificates.certificate import Certificate
from cepheid.analysis.certificates.certified_rule import Promise, RuleCertificate
from cepheid.analysis.keys.roles import Roles
from cepheid.analysis.plans.plan import Plan, RulePlan


def entries_everywhere(plan: Plan, certificate: Certificate, roles: Roles) -> int:
    """Return how many entries are certified that every place holds, as far as there are numbers."""
    each = (
        promise
        for rule in plan.rules
        for promise in _everywhere(rule, certificate.rule(rule.rule.name), roles.get(rule.rule.name, {}))
    )
    return sum(promise.number or 0 for promise in each)


def _everywhere(rule: RulePlan, certified: RuleCertificate, roles: Mapping[str, str]) -> Iterator[Promise]:
    for operator, own in zip(rule.operators, certified.operators, strict=True):
        if own.histories:
            yield from (
                one.entries for one in own.histories if not any(part in roles for part in one.part.split(" with "))
            )
        elif not any(part in roles for part in named_parts(operator.pattern)):
            yield own.entries
