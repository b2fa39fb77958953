"""Brackets and quotes without a partner, as all languages have them."""

from typing import Final

from cepheid.diagnostics import CepheidError, Label, Span
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.grammars import span_of
from cepheid.languages.shared.surroundings import Surroundings

CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
OPENING: Final = {closing: opening for opening, closing in CLOSING.items()}
_NAMES_IN_BACKTICKS: Final = {'"': ("text", '`"north"`'), "`": ("name", "`two words`")}


def unclosed_quote(around: Surroundings) -> CepheidError | None:
    """A text in double quotes or a name in backticks that does not end on its line, or a text in single quotes."""
    if _quote(around) == "'":
        span = _rest_of_line(around)
        word = span.text.split("'")[1].replace('"', '\\"')
        return refusal("bad-literal", "a text stands in double quotes", span, "single quotes", f'write `"{word}"`')
    return unended_quote(around, _NAMES_IN_BACKTICKS)


def unended_quote(around: Surroundings, quotes: dict[str, tuple[str, str]]) -> CepheidError | None:
    """Something in quotes that does not end on its line; `quotes` say what stands in each kind, with an example."""
    quote = _quote(around)
    if quote not in quotes:
        return None
    kind, example = quotes[quote]
    message, hint = f"a {kind} in quotes does not end", f"close it on the same line: {example}"
    return refusal("unbalanced", message, _rest_of_line(around), "nothing closes it", hint)


def unopened_bracket(around: Surroundings, kinds: str) -> CepheidError | None:
    """A closing bracket that nothing opens, or that closes another kind; `kinds` are the opening brackets there are."""
    if OPENING.get(around.here, "none") not in kinds:
        return None
    brackets = around.brackets(kinds, "".join(CLOSING[kind] for kind in kinds))
    if not brackets:
        message, label = f"nothing opens this `{around.here}`", "no bracket is open here"
        hint = f"leave it out, or put `{OPENING[around.here]}` before it"
        return refusal("unbalanced", message, around.span, label, hint)
    if CLOSING[brackets[-1]] == around.here:
        return None
    others = (Label(span_of(brackets[-1], around.source), f"this `{brackets[-1]}` is still open"),)
    message, hint = f"`{brackets[-1]}` is closed by `{around.here}`", f"close it with `{CLOSING[brackets[-1]]}` first"
    return refusal("unbalanced", message, around.span, f"this is a `{around.here}`", hint, others=others)


def _quote(around: Surroundings) -> str:
    """Return the character at which no token starts, nothing where one does."""
    return "" if around.stop.token is not None else around.source.text[around.stop.at : around.stop.at + 1]


def _rest_of_line(around: Surroundings) -> Span:
    line_end = (around.source.text + "\n").index("\n", around.stop.at)
    return around.source.span(around.stop.at, line_end)
