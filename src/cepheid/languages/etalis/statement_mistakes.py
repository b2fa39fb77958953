"""Statements that stop too early or go on too long, and conditions and absences in another form."""

from typing import Final

from cepheid.diagnostics import CepheidError
from cepheid.languages.etalis.stops import Around
from cepheid.languages.shared.findings import refusal

_EXAMPLES: Final = {
    "_EVENT": "event stock(symbol, price, volume).",
    "_TABLE": 'table near(place, zone) from "near.csv".',
    "_TICK": "tick 1 ms.",
    "_RATE": "rate stock 5/s.",
    "_DISORDER": "disorder stock 2 s.",
    "_KEYS": "keys stock 1000.",
    "_POLICY": "policy recent.",
    "_TIE": "policy recent tie longer.",
    "_NTIMES": "ntimes(a(X), 3)",
    "_STAR": "star(a(X))",
    "_RULE": "first rule: e <- a SEQ b.",
}


def missing_dot(around: Around) -> CepheidError | None:
    """A statement without its dot, where the next one begins or the text ends."""
    next_begins = around.starts_line and around.is_word
    complete = around.ended_operand and not around.open_brackets
    if not complete or not (around.stop.is_end or next_begins or around.here in ("<-", ":-")):
        return None
    if around.here in ("<-", ":-") and not around.in_body:
        return None
    return _no_dot(around, 2 if around.here in ("<-", ":-") else 1)


def _no_dot(around: Around, back: int) -> CepheidError:
    end = around.span_before(back).end
    place = around.source.span(end, end)
    hint = f"write `{around.before(back)}.`"
    return refusal("incomplete-statement", "a statement does not end", place, "a dot is missing here", hint)


def missing_condition(around: Around) -> CepheidError | None:
    """`WHERE` and no condition after it."""
    token = around.token_before()
    if token is None or token.type != "_WHERE":
        return None
    message, label = f"`{token}` is followed by no condition", "a condition is missing here"
    return refusal("incomplete-statement", message, around.gap, label, "write it like this: `a(X) WHERE (X > 3)`")


def incomplete_absence(around: Around) -> CepheidError | None:
    """`NOT c`, or `NOT(c)` without what it is between."""
    tokens = around.statement
    negated = [token for token in tokens if token.type == "NOT"]
    if not negated or around.calculates or around.here.lower() in ("seq", "and", "or", "par"):
        return None
    message, label = "it is not said where something is absent", "a place is missing here"
    return refusal("incomplete-statement", message, around.gap, label, "say between what: `NOT(c).[a, b]`")


def missing_body(around: Around) -> CepheidError | None:
    """`e <-` and nothing, or a head and no arrow."""
    token = around.token_before()
    if token is not None and token.type == "_ARROW":
        message, label = f"`{around.statement[0]}` is derived from nothing", "a pattern is missing here"
        return refusal("incomplete-statement", message, around.gap, label, "write `e(X) <- a(X) SEQ b(X).`")
    if around.in_body or not around.ended_operand or around.open_brackets or not around.statement:
        return None
    message, label = f"`{around.statement[0]}` is neither a fact nor a rule", "`<-` or a dot is missing here"
    return refusal("incomplete-statement", message, around.gap, label, "write `e(X) <- a(X) SEQ b(X).`")


def incomplete_statement(around: Around) -> CepheidError | None:
    """A declaration or a repetition without one of its pieces."""
    for token in reversed(around.statement):
        if token.type in _EXAMPLES:
            message, hint = f"something is wrong after `{token}`", f"write it like this: `{_EXAMPLES[token.type]}`"
            return refusal("incomplete-statement", message, around.gap, "this does not go on as it should", hint)
    return None


def anything_else(around: Around) -> CepheidError:
    """The last resort: say what stands where."""
    shown = f"`{around.here}`" if around.here else "the end" if around.stop.is_end else f"`{around.span.text}`"
    label = f"not after `{around.before()}`" if around.before() else "no statement begins like this"
    hint = "write a rule such as `pair(X) <- a(X) SEQ b(X).`"
    return refusal("syntax", f"{shown} cannot stand here", around.span, label, hint)
