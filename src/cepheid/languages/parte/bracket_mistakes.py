"""Brackets and quotes without a partner, and commas with nothing between them."""

import re
from typing import Final

from cepheid.diagnostics import CepheidError, Label
from cepheid.languages.parte.refusals import refusal
from cepheid.languages.parte.stops import CLAUSES, CLOSING, OPENING, STATEMENTS, Around
from cepheid.languages.shared.grammars import span_of

_VARIABLE: Final = re.compile(r"[^\W\d]\w*\s*:")


def unclosed_quote(around: Around) -> CepheidError | None:
    """A text or a name in quotes that does not end on its line."""
    quote = around.source.text[around.stop.at : around.stop.at + 1]
    if around.stop.token is not None or quote not in ('"', "`", "'"):
        return None
    line_end = (around.source.text + "\n").index("\n", around.stop.at)
    span = around.source.span(around.stop.at, line_end)
    if quote == "'":
        word = span.text.split("'")[1]
        return refusal("bad-literal", "a text stands in double quotes", span, "single quotes", f'write `"{word}"`')
    kind, example = ("text", '"north"') if quote == '"' else ("name", "`two words`")
    hint = f"close it on the same line: {example}" if quote == "`" else f"close it on the same line: `{example}`"
    return refusal("unbalanced", f"a {kind} in quotes does not end", span, "nothing closes it", hint)


def unopened_bracket(around: Around) -> CepheidError | None:
    """A closing bracket that nothing opens, or that closes another kind of bracket."""
    if around.here not in OPENING:
        return None
    brackets = around.open_brackets
    if not brackets:
        message, label = f"nothing opens this `{around.here}`", "no bracket is open here"
        hint = f"leave it out, or put `{OPENING[around.here]}` before it"
        return refusal("unbalanced", message, around.span, label, hint)
    if CLOSING[brackets[-1]] == around.here:
        return None
    others = (Label(span_of(brackets[-1], around.source), f"this `{brackets[-1]}` is still open"),)
    hint, message = f"close it with `{CLOSING[brackets[-1]]}` first", f"`{brackets[-1]}` is closed by `{around.here}`"
    return refusal("unbalanced", message, around.span, f"this is a `{around.here}`", hint, others=others)


def unclosed_bracket(around: Around) -> CepheidError | None:
    """A bracket that is still open at the end, or where something begins that never stands inside one."""
    binds_next = _VARIABLE.match(around.source.text, around.stop.at) is not None
    begins = around.starts_line and (around.here in (*STATEMENTS, *CLAUSES, "emit", "no") or binds_next)
    if not around.open_brackets or not (around.stop.is_end or begins):
        return None
    bracket = around.open_brackets[-1]
    message, hint = f"nothing closes this `{bracket}`", f"put `{CLOSING[bracket]}` after `{around.before()}`"
    return refusal("unbalanced", message, span_of(bracket, around.source), "opened here", hint)


def empty_entry(around: Around) -> CepheidError | None:
    """A comma with nothing before it."""
    if around.here != "," or around.before() not in (",", "{", "(", "["):
        return None
    message, label = "nothing stands before this comma", "an entry is missing"
    return refusal("syntax", message, around.span, label, "leave the comma out, or write what it separates")
