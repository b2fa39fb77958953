"""Brackets and quotes without a partner, and commas with nothing between them."""

from cepheid.diagnostics import CepheidError, Label
from cepheid.languages.etalis.refusals import refusal
from cepheid.languages.etalis.stops import CLOSING, OPENING, Around
from cepheid.languages.shared.grammars import span_of


def unclosed_quote(around: Around) -> CepheidError | None:
    """A text or a name in quotes that does not end on its line."""
    quote = around.source.text[around.stop.at : around.stop.at + 1]
    if around.stop.token is not None or quote not in ('"', "'"):
        return None
    line_end = (around.source.text + "\n").index("\n", around.stop.at)
    span = around.source.span(around.stop.at, line_end)
    kind, example = ("text", '"north"') if quote == '"' else ("name", "'two words'")
    message, hint = f"a {kind} in quotes does not end", f"close it on the same line: `{example}`"
    return refusal("unbalanced", message, span, "nothing closes it", hint)


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
    message, hint = f"`{brackets[-1]}` is closed by `{around.here}`", f"close it with `{CLOSING[brackets[-1]]}` first"
    return refusal("unbalanced", message, around.span, f"this is a `{around.here}`", hint, others=others)


def unclosed_bracket(around: Around) -> CepheidError | None:
    """A bracket that is still open where the statement ends."""
    ends = around.stop.is_end or around.here.startswith(".") or around.here in ("<-", ":-")
    if not around.open_brackets or not ends:
        return None
    bracket = around.open_brackets[-1]
    message, hint = f"nothing closes this `{bracket}`", f"put `{CLOSING[bracket]}` after `{around.before()}`"
    return refusal("unbalanced", message, span_of(bracket, around.source), "opened here", hint)


def empty_entry(around: Around) -> CepheidError | None:
    """A comma with nothing on one of its sides."""
    before_nothing = around.here == "," and around.before() in (",", "(", "[")
    after_nothing = around.before() == "," and around.here in (")", "]")
    if not before_nothing and not after_nothing:
        return None
    span = around.span if before_nothing else around.span_before()
    message, label = "a comma separates nothing", "an entry is missing"
    return refusal("syntax", message, span, label, "leave the comma out, or write what it separates")
