"""Expressions as terms are written, with no more parentheses than needed."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from cepheid.algebra.expressions import Call, Expr, Field, IsBound, Literal, Moment
from cepheid.algebra.relations import Axis
from cepheid.events import Value
from cepheid.languages.shared.names import WORD, shown_name, shown_string

OR, AND, NOT, COMPARISON, SUM, PRODUCT, SIGN, OPERAND = range(8)

LEVELS: Final = {
    "or": OR,
    "and": AND,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">=", "in"), COMPARISON),
    **dict.fromkeys(("+", "-"), SUM),
    **dict.fromkeys(("*", "/", "//", "%"), PRODUCT),
}

Refuse = Callable[[str], Exception]
"""Makes the error for something that cannot be written."""

Leaf = Callable[[Expr, "TermPrinter"], str | None]
"""Writes an expression in the own way of a language; None: it is written as always."""


@dataclass(frozen=True, slots=True)
class TermPrinter:
    """Writes expressions; `own` is the part whose attributes stand alone.

    A language may write some operators with `signs` of its own, and some expressions as `leaf` says.
    """

    refuse: Refuse
    own: str | None = None
    signs: Mapping[str, str] = field(default_factory=dict)
    leaf: Leaf | None = None

    def shown(self, expression: Expr, level: int = OR) -> str:
        """Return an expression, in parentheses where it binds less than `level`."""
        written = None if self.leaf is None else self.leaf(expression, self)
        if written is not None:
            return written
        match expression:
            case Call(sign, (left, right)) if sign in LEVELS:
                return _enclosed(self._infix(sign, left, right), LEVELS[sign], level)
            case Call("not", (operand,)):
                return _enclosed(f"not {self.shown(operand, NOT)}", NOT, level)
            case Call("neg", (operand,)) if not isinstance(operand, Literal):
                return _enclosed(f"-{self.shown(operand, SIGN)}", SIGN, level)
            case Call(function, arguments) if WORD.fullmatch(function):
                return f"{shown_name(function)}({', '.join(map(self.shown, arguments))})"
            case Literal(value):
                return self._constant(value)
            case _:
                return self._name(expression)

    def _infix(self, sign: str, left: Expr, right: Expr) -> str:
        level = LEVELS[sign]
        on_left = level + 1 if level == COMPARISON else level
        return f"{self.shown(left, on_left)} {self.signs.get(sign, sign)} {self.shown(right, level + 1)}"

    def _name(self, expression: Expr) -> str:
        match expression:
            case Field(part, name) if part == self.own:
                return shown_name(name)
            case Field(part, name):
                return f"{shown_name(part)}.{shown_name(name)}"
            case Moment(endpoint) if endpoint.axis is Axis.TIME:
                return f"{endpoint.edge.value}({shown_name(endpoint.part)})"
            case IsBound(name):
                return f"bound({shown_name(name)})"
            case _:
                raise self.refuse(f"an expression of the kind `{type(expression).__name__}`")

    def _constant(self, value: Value) -> str:
        if isinstance(value, str):
            return shown_string(value)
        if isinstance(value, float):
            return self._float(value)
        if isinstance(value, tuple):
            return f"[{', '.join(map(self._constant, value))}]"
        if value is None or isinstance(value, bool | int):
            return json.dumps(value)
        raise self.refuse("a record as a constant")

    def _float(self, value: float) -> str:
        if value != value or value in (float("inf"), float("-inf")):
            raise self.refuse(f"the number `{value}`")
        return repr(value)


def _enclosed(shown: str, binds: int, level: int) -> str:
    return shown if binds >= level else f"({shown})"
