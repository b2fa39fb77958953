"""The clauses that constructs share: equalities, conditions, choices and named expressions."""

from collections.abc import Mapping

from cepheid.algebra.expressions import Expr
from cepheid.algebra.patterns import Equalities
from cepheid.algebra.policies import Policy
from cepheid.algebra.text.show_expressions import SUM, shown_expression, shown_expressions
from cepheid.algebra.text.words import shown_member


def shown_policy(policy: Policy) -> str:
    """Return a choice with what it is made per, and what decides between candidates that are alike."""
    per = [f"per {shown_expressions(policy.per)}"] if policy.per else []
    tie = [f"tie {shown_expressions(policy.tie)}"] if policy.tie else []
    return " ".join([policy.choice.value, *per, *tie])


def shown_entries(named: Mapping[str, Expr]) -> list[str]:
    """Return `name = expression` for each entry."""
    return [f"{shown_member(name)} = {shown_expression(value)}" for name, value in named.items()]


def on_clause(equal: Equalities) -> list[str]:
    pairs = (f"{shown_expression(left, SUM)} == {shown_expression(right, SUM)}" for left, right in equal)
    return [f"on {', '.join(pairs)}"] if equal else []


def condition_clause(word: str, condition: Expr | None) -> list[str]:
    return [] if condition is None else [f"{word} {shown_expression(condition)}"]


def entries_clause(word: str, named: Mapping[str, Expr]) -> list[str]:
    return [f"{word} {', '.join(shown_entries(named))}"] if named else []
