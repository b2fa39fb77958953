"""Where a choice by latest start has been made already."""

from cepheid.algebra.expressions import Expr
from cepheid.algebra.patterns import Distinct, Join, Pattern, Restrict, Select, Unless
from cepheid.algebra.policies import Choice, Policy


def is_chosen(pattern: Pattern, policy: Policy) -> bool:
    """Say whether `pattern` has at most one match per end and key of `policy`, and none without such a key."""
    match pattern:
        case Select(policy=chosen):
            return _same_key(chosen.per, policy)
        case Join(policy=Policy(Choice.LATEST_START) as chosen):
            return _same_key((*chosen.per, *(one for one, _ in pattern.equal)), policy)
        case Restrict(inner) | Unless(inner) | Distinct(inner):
            return is_chosen(inner, policy)
        case _:
            return False


def _same_key(key: tuple[Expr, ...], policy: Policy) -> bool:
    return set(key) == set(policy.per)
