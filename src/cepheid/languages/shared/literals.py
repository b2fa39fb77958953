r"""Numbers, texts and names out of tokens.

    12      0.5      1e9      "north"      "a \"quoted\" word"      login      `two words`

What 64 bits do not hold is refused, never rounded.
"""

import json
import re
from typing import NoReturn

from lark import Token

from cepheid.diagnostics import CepheidError, Diagnostic, Label, Source, Span
from cepheid.events import integer
from cepheid.languages.shared.grammars import span_of

_QUOTE_OR_ESCAPE = re.compile(r'\\.|"')
_MOST_DIGITS = 19


def read_number(token: Token, source: Source, *, negative: bool = False) -> int | float:
    """Return a number; only with its sign it is known whether 64 bits hold it."""
    sign, text = -1 if negative else 1, str(token)
    number = sign * (int(text) if text.isdigit() and len(text) <= _MOST_DIGITS else float(text))
    if number in (float("inf"), float("-inf")):
        _refuse_number(span_of(token, source), "1e308")
    if text.isdigit() and (isinstance(number, float) or integer(number) is None):
        _refuse_number(span_of(token, source), f"{text}.0")
    return number


def read_string(token: Token, source: Source) -> str:
    """Return the text that a token in quotes says."""
    return _unescaped(str(token), span_of(token, source))


def read_name(token: Token, source: Source) -> str:
    """Return the name that a word, or a token in backticks, says."""
    if not token.startswith("`"):
        return str(token)
    inside = _QUOTE_OR_ESCAPE.sub(lambda found: '\\"' if found[0] == '"' else found[0], token[1:-1])
    return _unescaped(f'"{inside}"', span_of(token, source))


def _unescaped(quoted: str, span: Span) -> str:
    try:
        return str(json.loads(quoted, strict=False))
    except json.JSONDecodeError:
        label = Label(span, "a backslash in it means nothing")
        hint = 'escape as JSON does: `"a \\"quoted\\" word"`, `"back\\\\slash"`'
        message = f"`{span.text.strip('`')}` has an escape that means nothing"
        raise CepheidError(Diagnostic("bad-literal", message, (label,), hints=(hint,))) from None


def _refuse_number(span: Span, instead: str) -> NoReturn:
    label = Label(span, "64 bits do not hold it")
    hint = f"write it with a fraction: `{instead}`" if instead.endswith(".0") else f"the greatest is about `{instead}`"
    raise CepheidError(Diagnostic("bad-literal", f"the number `{span.text}` is too large", (label,), hints=(hint,)))
