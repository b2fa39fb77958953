"""Operators that there are not, that lack a side, or that are missing themselves."""

import re
from typing import Final

from cepheid.diagnostics import CepheidError, close_match
from cepheid.languages.etalis.stops import CALCULATING, COMPARING, OPERATORS, Around
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.lengths import check_unit

_FOREIGN: Final = {
    "->": "`a SEQ b` is first the one, then the other",
    "=>": "`a SEQ b` is first the one, then the other",
    ">>": "`a SEQ b` is first the one, then the other",
    ";": "`a SEQ b` is first the one, then the other, `a OR b` is one of the two",
    "then": "`a SEQ b` is first the one, then the other",
    "before": "`a SEQ b` is first the one, then the other",
    "followed": "`a SEQ b` is first the one, then the other",
    "&": "`a AND b` is both in any order",
    "&&": "`a AND b` is both in any order",
    "+": "`a AND b` is both in any order",
    "|": "`a OR b` is one of the two",
    "||": "`a OR b` is one of the two",
    "overlaps": "`a PAR b` is both with some of their time in common",
    "within": "`(a SEQ b).5 s` lasts at most so long",
    "without": "`NOT(c).[a, b]` is a and then b without c between them",
    "unless": "`NOT(c).[a, b]` is a and then b without c between them",
    "if": "`a(X) WHERE (X > 3)` has a condition",
    "when": "`a(X) WHERE (X > 3)` has a condition",
    "=": "a condition stands after WHERE: `a(X) WHERE (X == 3)`",
    "<": "a condition stands after WHERE: `a(X) WHERE (X < 3)`",
    ">": "a condition stands after WHERE: `a(X) WHERE (X > 3)`",
}
_FOREIGN_IN_CONDITIONS: Final = {
    "&": "write `and`: `X > 3 and X < 9`",
    "&&": "write `and`: `X > 3 and X < 9`",
    "|": "write `or`: `X < 3 or X > 9`",
    "||": "write `or`: `X < 3 or X > 9`",
    ";": "write `or`: `X < 3 or X > 9`",
    "!": "write `not`: `not X == 3`",
    "\\+": "write `not`: `not near(X, harbour)`",
    "<>": "write `!=`: `X != 3`",
    "===": "compare with `==`: `X == 3`",
    "^": "write `pow`: `pow(X, 2)`",
    "**": "write `pow`: `pow(X, 2)`",
}
_OPERAND: Final = re.compile(r"\s+[\w('\"]")
_ALL_WORDS: Final = "`SEQ`, `AND`, `PAR`, `OR`, `EQUALS`, `MEETS`, `DURING`, `STARTS` and `FINISHES`"


def unknown_operator(around: Around) -> CepheidError | None:
    """A word or sign between two patterns, or in a condition, that is no operator."""
    if not around.ended_operand:
        return None
    if around.calculates:
        return _in_condition(around)
    is_word = around.is_word and around.in_body and not around.starts_line and _goes_on(around)
    if not is_word and (around.stop.is_end or around.signs is None):
        return None
    span = around.span if is_word or around.signs is None else around.signs
    if span.text in ("<-", ":-", "."):
        return None
    if span.text in COMPARING and around.has_bare_condition:
        hint = "put all conditions in parentheses: `a(X) WHERE (X > 3 AND X < 9)`"
        return refusal("unknown-operator", f"there is no operator `{span.text}`", span, "not an operator", hint)
    closest = close_match(span.text.lower(), sorted(OPERATORS)) if is_word else None
    hint = f"did you mean `{closest.upper()}`?" if closest else f"the operators are {_ALL_WORDS}"
    message = f"there is no operator `{span.text}`"
    return refusal("unknown-operator", message, span, "not an operator", _FOREIGN.get(span.text.lower(), hint))


def _goes_on(around: Around) -> bool:
    """Does something stand after the word here that an operator could combine?"""
    return _OPERAND.match(around.source.text, around.span.end) is not None


def unknown_unit(around: Around) -> CepheidError | None:
    """A limit such as `.5 q`."""
    limit, number, word = around.token_before(2), around.token_before(), around.stop.token
    if limit is None or limit.type != "_LIMIT" or number is None or word is None or not around.is_word:
        return None
    if around.starts_line or _goes_on(around):
        return None
    try:
        check_unit(number, word, around.source)
    except CepheidError as error:
        return error
    return None


def _in_condition(around: Around) -> CepheidError | None:
    if around.stop.token is not None and around.here in CALCULATING | {",", ")", "]"}:
        return None
    if around.signs is None or around.stop.is_end:
        return None
    span = around.signs
    hint = _FOREIGN_IN_CONDITIONS.get(span.text, "use `==`, `!=`, `<`, `<=`, `>`, `>=`, `+`, `-`, `*` or `/`")
    return refusal("unknown-operator", f"there is no operator `{span.text}`", span, "not an operator here", hint)


def missing_operand(around: Around) -> CepheidError | None:
    """An operator with nothing on one of its sides."""
    word = around.before().lower()
    if (word in OPERATORS or word in CALCULATING or word == "not") and not around.begins_operand:
        message, label = f"`{around.before()}` has no right side", "nothing stands on its right"
        return refusal("missing-operand", message, around.span_before(), label, _example(around.before(), around))
    here = around.here.lower()
    if (here in OPERATORS or here in COMPARING or here == "where") and not around.ended_operand:
        message, label = f"`{around.here}` has no left side", "nothing stands on its left"
        return refusal("missing-operand", message, around.span, label, _example(around.here, around))
    return None


def _example(operator: str, around: Around) -> str:
    word = operator.lower()
    if around.calculates and word in ("and", "or"):
        return f"write it like this: `X > 3 {word} X < 9`"
    if word in CALCULATING:
        return f"write it like this: `X {operator} 3`"
    if word == "where":
        return "write it like this: `a(X) WHERE (X > 3)`"
    if word == "not":
        return "write it like this: `not X == 3`" if around.calculates else "write it like this: `NOT(c).[a, b]`"
    return f"write it like this: `a {operator.upper()} b`"


def missing_operator(around: Around) -> CepheidError | None:
    """Two operands with nothing between them."""
    if not (around.ended_operand and around.begins_operand) or not around.in_body:
        return None
    if around.starts_line and not around.open_brackets:
        return None
    message = f"an operator is missing between `{around.before()}` and `{around.here}`"
    hint = "compare or combine them, for example with `==`" if around.calculates else "put `SEQ` or `AND` between them"
    return refusal("missing-operator", message, around.span, "nothing joins this to what stands before it", hint)


def chained_comparison(around: Around) -> CepheidError | None:
    """`X < Y < Z`."""
    if not (around.calculates and around.here.lower() in COMPARING and around.before(2).lower() in COMPARING):
        return None
    middle, earlier = around.before(), f"{around.before(3)} {around.before(2)} {around.before()}"
    hint = f"compare twice: `{earlier} and {middle} {around.here} 9`"
    return refusal("missing-operator", "comparisons cannot be chained", around.span, "a second comparison", hint)
