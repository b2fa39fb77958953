"""Brackets and quotes without a partner, and commas with nothing between them."""

from cepheid.diagnostics import CepheidError
from cepheid.languages.etalis.stops import Around
from cepheid.languages.shared.brackets import CLOSING, unended_quote
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.grammars import span_of


def unclosed_quote(around: Around) -> CepheidError | None:
    """A text or a name in quotes that does not end on its line."""
    return unended_quote(around, {'"': ("text", '`"north"`'), "'": ("name", "`'two words'`")})


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
