"""Conditions and values in which something is missing, or that have a sign of another language."""

from typing import Final

from cepheid.diagnostics import CepheidError
from cepheid.languages.parte.stops import CALCULATING, COMPARING, Around
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.surroundings import OPERAND_TYPES

_INSTEAD: Final = {
    "&&": "write `and`, or a comma between two conditions",
    "&": "write `and`, or a comma between two conditions",
    "||": "write `or`: `amount < 1 or amount > 5`",
    "|": "write `or`: `amount < 1 or amount > 5`",
    "!": "write `not`: `not common_routes(a, b)`",
    "<>": "write `!=`: `id != a.id`",
    ";": "leave it out: a line needs no sign at its end",
    "=>": "write `>=`: `amount >= 100`",
    "=<": "write `<=`: `amount <= 100`",
    "**": "multiply it by itself, or write `pow(x, 2)`",
    "$": "write a name without it",
    "@": "write a time after `at`: `emit Alarm at a.timestamp`",
    "->": "write `then` before what a rule does",
    ":=": "write `=`",
}


def unknown_sign(around: Around) -> CepheidError | None:
    """A sign that means nothing here."""
    signs = around.signs
    if signs is None or signs.text not in _INSTEAD or (signs.text == ";" and around.open_brackets):
        return None
    message, label = f"there is no sign `{signs.text}`", "this means nothing"
    return refusal("unknown-operator", message, signs, label, _INSTEAD[signs.text])


def chained_comparison(around: Around) -> CepheidError | None:
    """`1 < amount < 5`."""
    if around.here not in COMPARING or not around.ended_operand or not around.calculates:
        return None
    left = " ".join(token for token in _words_back(around))
    message, label = "comparisons cannot be chained", "a second comparison"
    operand = around.before()
    hint = f"compare twice, with a comma between: `{left}, {operand} {around.here} 9`"
    return refusal("missing-operator", message, around.span, label, hint)


def _words_back(around: Around) -> list[str]:
    """Return the tokens of the entry so far."""
    words: list[str] = []
    for token in reversed(around.stop.before):
        if token in (",", "{", "("):
            break
        words.insert(0, str(token))
    return words


def missing_operand(around: Around) -> CepheidError | None:
    """An operator with nothing on one of its sides."""
    if around.before() in CALCULATING and _is_sign(around, 1) and not around.begins_operand:
        sign = around.before()
        label, hint = "nothing stands on its right", f"write it like this: `amount {sign} 3`"
        return refusal("missing-operand", f"`{sign}` has no right side", around.span_before(), label, hint)
    if around.here in CALCULATING and around.before() in ("{", "(", ",") and around.here != "in":
        sign = around.here
        label, hint = "nothing stands on its left", f"write it like this: `amount {sign} 3`"
        return refusal("missing-operand", f"`{sign}` has no left side", around.span, label, hint)
    return None


def _is_sign(around: Around, back: int) -> bool:
    token = around.token_before(back)
    return token is not None and token.type not in OPERAND_TYPES and (around.calculates or token.type != "IN")


def missing_operator(around: Around) -> CepheidError | None:
    """Two values side by side."""
    if not (around.calculates and around.ended_operand and around.begins_operand):
        return None
    before, here = around.before(), around.here
    message = f"an operator or a comma is missing between `{before}` and `{here}`"
    return refusal("missing-operator", message, around.span, "nothing joins them", f"write `{before} = {here}`")
