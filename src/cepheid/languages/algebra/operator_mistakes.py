"""Operators that there are not, that lack a side, or that are missing themselves."""

import re
from typing import Final

from cepheid.diagnostics import CepheidError, Span
from cepheid.languages.algebra.stops import BINARY, CALCULATING, Surroundings
from cepheid.languages.shared.findings import refusal

_FOREIGN: Final = {
    "&": "`A + B` is both in any order",
    "&&": "`A + B` is both in any order",
    "||": "`A | B` is one of the two",
    "->": "`A ; B` is first the one, then the other",
    "=>": "`A ; B` is first the one, then the other",
    ">>": "`A ; B` is first the one, then the other",
    "!": "`A - B` is an A without a B inside it",
    "~": "`A - B` is an A without a B inside it",
    "not": "`A - B` is an A without a B inside it",
    ",": "`A ; B` is first the one, then the other",
    "==": "`Alarm = A ; B` gives a name to an expression",
    ";;": "statements need no sign at their end: start a new line",
    "=": "a definition is one name and one expression: `Alarm = A ; B`",
    ".": "an attribute stands in a condition: `A[value > 12]`",
    ":": "one name stands before an event type: `a:Button`",
}
_BRACKETS: Final = frozenset("()[]")
_IN_CONDITIONS_ONLY: Final = frozenset(["!=", "<", "<=", ">", ">=", "in", "*", "/", "//", "%"])
_FOREIGN_IN_CONDITIONS: Final = {
    "=": "compare with `==`: `value == 3`",
    "&": "write `and`: `value > 3 and value < 9`",
    "&&": "write `and`: `value > 3 and value < 9`",
    "|": "write `or`: `value < 3 or value > 9`",
    "||": "write `or`: `value < 3 or value > 9`",
    "!": "write `not`: `not value == 3`",
    "<>": "write `!=`: `value != 3`",
    "===": "compare with `==`: `value == 3`",
    "^": "write `pow`: `pow(value, 2)`",
    "**": "write `pow`: `pow(value, 2)`",
}


def unknown_operator(around: Surroundings) -> CepheidError | None:
    """Signs that are an operator elsewhere, or nowhere."""
    span = around.signs or around.span
    sign = span.text
    known = CALCULATING if around.calculates else BINARY
    if sign in known or not _is_sign(around, sign) or around.names_next:
        return None
    if not around.calculates and sign in _IN_CONDITIONS_ONLY:
        label = "this belongs into a condition"
        hint = "a condition stands in brackets after an event type: `Temperature[value > 12]`"
        return refusal("unknown-operator", f"`{sign}` does not combine events", span, label, hint)
    hints = _FOREIGN_IN_CONDITIONS if around.calculates else _FOREIGN
    usual = "use `+`, `-`, `*`, `/`" if around.calculates else "use `|`, `+`, `-`, `;` or `within 5 s`"
    message, label = f"there is no operator `{sign}`", "not an operator here"
    return refusal("unknown-operator", message, span, label, hints.get(sign, usual))


def missing_operand(around: Surroundings) -> CepheidError | None:
    """An operator with nothing on one of its sides."""
    operators = CALCULATING if around.calculates else BINARY
    if around.before() in operators and not around.begins_operand:
        return _nothing_on(around, 1, "right")
    if around.names_next and around.before(2) in BINARY:
        return _nothing_on(around, 2, "right")
    follows_nothing = around.here in operators or (around.here in ("within", "by") and not around.calculates)
    if follows_nothing and not around.ended_operand:
        message, label = f"`{around.here}` has no left side", "nothing stands on its left"
        return refusal("missing-operand", message, around.span, label, _example(around.here, around.calculates))
    return None


def _nothing_on(around: Surroundings, back: int, side: str) -> CepheidError:
    operator = around.before(back)
    message, label = f"`{operator}` has no {side} side", f"nothing stands on its {side}"
    return refusal("missing-operand", message, around.span_before(back), label, _example(operator, around.calculates))


def _example(operator: str, calculates: bool) -> str:
    if operator == "not":
        return "write it like this: `not value == 3`"
    if operator == "in":
        return 'write it like this: `zone in ["north", "south"]`'
    if calculates and operator not in ("and", "or"):
        return f"write it like this: `value {operator} 3`"
    if calculates:
        return f"write it like this: `value > 3 {operator} value < 9`"
    if operator in BINARY:
        return f"write it like this: `A {operator} B`"
    return f"write it like this: `A {operator} {'5 s' if operator == 'within' else 'user'}`"


def missing_operator(around: Surroundings) -> CepheidError | None:
    """Two operands with nothing between them."""
    if around.calculates and around.here == "." and around.token_before(2) is not None:
        return joined_by(around.before(2), around.before(), around.span_before(), "+")
    if not (around.ended_operand and around.begins_operand):
        return None
    compared = around.stop.token is not None and around.stop.token.type in ("STRING", "NUMBER", "DURATION")
    sign = ";" if not around.calculates else "==" if compared else "and"
    return joined_by(around.before(), around.here, around.span, sign)


def joined_by(left: str, right: str, span: Span, sign: str = ";") -> CepheidError:
    """The error for two things side by side that nothing joins; `sign` could."""
    message = f"an operator is missing between `{left}` and `{right}`"
    hint = f"join them, for example `{left} {sign} {right}`"
    folded = right.lower()
    if right != folded and folded in BINARY | {"within", "by", "emits", "in", "not"}:
        hint = f"operators are written in small letters: `{folded}`"
    elif {left, right} & _BRACKETS or (sign in BINARY and not (left + right).isidentifier()):
        hint = f"put an operator between them, for example `{sign}`"
    return refusal("missing-operator", message, span, "nothing joins this to what stands before it", hint)


def chained_comparison(around: Surroundings) -> CepheidError | None:
    """`a < b < c`."""
    comparing = ("==", "!=", "<", "<=", ">", ">=", "in")
    if not (around.calculates and around.here in comparing and around.before(2) in comparing):
        return None
    middle, earlier = around.before(), f"{around.before(3)} {around.before(2)} {around.before()}"
    last = re.split(r"[\]),]", around.source.text[around.span.end :])[0].strip()
    hint = f"compare twice: `{earlier} and {middle} {around.here} {last}`"
    return refusal("missing-operator", "comparisons cannot be chained", around.span, "a second comparison", hint)


def _is_sign(around: Surroundings, sign: str) -> bool:
    token = around.stop.token
    if token is not None and token.type in ("NAME", "QUOTED", "NUMBER", "DURATION", "STRING", "$END"):
        return False
    if around.before() in (",", "let", "emits") or (around.calculates and sign in (".", ",")):
        return False
    return around.signs is not None or token is None or sign in CALCULATING | set(_FOREIGN)
