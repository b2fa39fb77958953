"""Formulas of temporal logic as text; a condition on the value of a position stands in brackets.

always ([$0.kind == "open"] implies eventually within 10 [$0.kind == "close"])
forall x in $0.items: [@x > 0]
"""

from cepheid.algebra.expressions import Expr
from cepheid.algebra.formulas import (
    And,
    Eventually,
    Exists,
    ForAll,
    Formula,
    Globally,
    Holds,
    Implies,
    Next,
    Not,
    Or,
    Until,
)
from cepheid.algebra.text.show_expressions import shown_expression
from cepheid.algebra.text.words import shown_name

IMPLIES, OR, AND, UNTIL, OPERAND, QUANTIFIED = range(6)


def shown_formula(formula: Formula, level: int = IMPLIES) -> str:
    """Return a formula, in parentheses where it binds less than `level`."""
    match formula:
        case Implies(left, right):
            return _infix(left, "implies", right, IMPLIES, level, left_level=OR)
        case Or(left, right):
            return _infix(left, "or", right, OR, level, left_level=OR)
        case And(left, right):
            return _infix(left, "and", right, AND, level, left_level=AND)
        case Until(hold, goal):
            return _infix(hold, "until", goal, UNTIL, level, left_level=OPERAND)
        case ForAll() | Exists() if IMPLIES < level < QUANTIFIED:
            # Its reach would be easy to mistake.
            return f"({_operand(formula)})"
        case _:
            return _operand(formula)


def _infix(left: Formula, word: str, right: Formula, binds: int, level: int, *, left_level: int) -> str:
    shown = f"{shown_formula(left, left_level)} {word} {shown_formula(right, binds + 1)}"
    return shown if binds >= level else f"({shown})"


def _operand(formula: Formula) -> str:
    match formula:
        case Holds(condition):
            return f"[{shown_expression(condition)}]"
        case Not(inner):
            return f"not {shown_formula(inner, OPERAND)}"
        case Next(inner):
            return f"next {shown_formula(inner, OPERAND)}"
        case Globally(inner, within):
            return f"always{_within(within)} {shown_formula(inner, OPERAND)}"
        case Eventually(inner, within):
            return f"eventually{_within(within)} {shown_formula(inner, OPERAND)}"
        case ForAll(variable, domain, inner):
            return f"forall {_quantified(variable, domain, inner)}"
        case Exists(variable, domain, inner):
            return f"exists {_quantified(variable, domain, inner)}"
        case _:
            raise TypeError(f"`{type(formula).__name__}` is not a formula that can be shown")


def _within(positions: int | None) -> str:
    return "" if positions is None else f" within {positions}"


def _quantified(variable: str, domain: Expr, inner: Formula) -> str:
    return f"{shown_name(variable)} in {shown_expression(domain)}: {shown_formula(inner, QUANTIFIED)}"
