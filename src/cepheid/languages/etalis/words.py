"""How names and values are written: a word, or anything at all in single quotes.

    stock      'two words'      'SEQ'      "a text"      12      -0.5      true

A word that begins with a capital letter or `_` is a variable, unless it is followed by arguments.
"""

import json
import re
from typing import Final

from cepheid.diagnostics import CepheidError, Span
from cepheid.events import Value
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.names import shown_string

OPERATOR_WORDS: Final = frozenset(
    ["seq", "and", "par", "or", "equals", "meets", "during", "starts", "finishes", "not", "where", "in"]
)
"""The words that are never names, in capitals or not."""

ANONYMOUS: Final = "_"

_WORD: Final = re.compile(r"(?![A-Z_])[^\W\d]\w*")
_CONSTANTS: Final = frozenset(["true", "false", "null"])
_STATEMENTS: Final = frozenset(["event", "table", "tick", "rate", "disorder", "keys", "every", "policy", "tie"])
_OTHERS: Final = frozenset(["from", "empty", "ntimes", "star", "rule", "mod"])
_QUOTE_OR_ESCAPE: Final = re.compile(r"\\.|\"")


def shown_word(name: str) -> str:
    """Return a name as it is written, in quotes where it could be mistaken for something else.

    >>> shown_word("stock"), shown_word("Stock"), shown_word("seq")
    ('stock', "'Stock'", "'seq'")
    """
    reserved = OPERATOR_WORDS | _CONSTANTS | _STATEMENTS | _OTHERS
    if _WORD.fullmatch(name) and name.lower() not in reserved:
        return name
    return "'" + shown_string(name)[1:-1].replace('\\"', '"').replace("'", "\\u0027") + "'"


def read_quoted(quoted: str, span: Span) -> str:
    """Return the text that stands in single quotes; escapes are those of JSON."""
    inside = _QUOTE_OR_ESCAPE.sub(lambda found: {'"': '\\"', "\\'": "'"}.get(found[0], found[0]), quoted[1:-1])
    return read_escapes(f'"{inside}"', span)


def read_escapes(quoted: str, span: Span) -> str:
    """Return the text that stands in double quotes."""
    try:
        return str(json.loads(quoted, strict=False))
    except json.JSONDecodeError:
        raise _bad_escape(span) from None


def shown_constant(value: Value) -> str | None:
    """Return a constant as it is written; None where there is no way to write it.

    >>> shown_constant("go"), shown_constant((1, -2.5)), shown_constant(float("inf"))
    ('"go"', '[1, -2.5]', None)
    """
    match value:
        case str():
            return shown_string(value)
        case float():
            return repr(value) if value == value and value not in (float("inf"), float("-inf")) else None
        case tuple():
            items = [shown_constant(item) for item in value]
            return None if None in items else f"[{', '.join(str(item) for item in items)}]"
        case None | bool() | int():
            return json.dumps(value)
        case _:
            return None


def _bad_escape(span: Span) -> CepheidError:
    message = f"`{span.text}` has an escape that means nothing"
    hint = 'escape as JSON does: `"a \\"quoted\\" word"`, `"back\\\\slash"`'
    return refusal("bad-literal", message, span, "a backslash in it means nothing", hint)
