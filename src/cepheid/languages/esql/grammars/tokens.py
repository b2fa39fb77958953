"""Words, numbers, texts and signs of an eSQL text, each with its place.

Signs that have two spellings become one here: `∧` is `AND`, `÷` is `/`, `≤` is `<=`. Signs that the language does not
know are tokens as well, since a definition may use them.
"""

import re
from dataclasses import dataclass
from typing import Final

from cepheid.diagnostics import CepheidError, Source, Span
from cepheid.languages.shared.findings import refusal

__all__ = ["Token", "tokens_of"]

_SPELLINGS: Final = {
    "÷": "/",
    "×": "*",
    "^": "**",
    "≤": "<=",
    "≥": ">=",
    "∧": "AND",
    "∨": "OR",
    "¬": "NOT",
    "!=": "<>",
    "≠": "<>",
    "==": "=",
    "⊤": "TRUE",
    "⊥": "FALSE",
    "?": "UNKNOWN",
    ";": ".",
}

_TOKEN: Final = re.compile(
    r"""(?P<space>\s+|--[^\n]*)
    |(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+(?!\w))?)
    |(?P<word>[^\W\d]\w*)
    |(?P<quoted>`[^`\n]+`)
    |(?P<input>@[^\W\d]\w*)
    |(?P<slot>\$\w+)
    |(?P<string>'(?:[^']|'')*'|"(?:[^"]|"")*")
    |(?P<stop>[.;](?=\s|$|--))
    |(?P<sign>\*\*|<=|>=|<>|!=|==|//|[-+*/%^<>=(),.|:√÷×≤≥≠∧∨¬⊤⊥?])
    |(?P<other>[^\w\s'"`@$;])
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """What one token is: its kind, what literals of the grammar are compared with, and where it stands."""

    kind: str
    key: str
    text: str
    start: int
    end: int

    def span(self, source: Source) -> Span:
        return source.span(self.start, self.end)


def tokens_of(source: Source) -> tuple[Token, ...]:
    """Return the tokens of a text, without white space and comments.

    >>> [token.key for token in tokens_of(Source("<query>", "every 4th of @p -- slowly"))]
    ['EVERY', '4', 'TH', 'OF', '@p']
    """
    found: list[Token] = []
    position, text = 0, source.text
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or (match.lastgroup == "other" and not match[0].isprintable()):
            raise _unreadable(source, position)
        if match.lastgroup != "space":
            found.append(_token(match))
        position = match.end()
    return tuple(found)


def _token(match: re.Match[str]) -> Token:
    kind, text = str(match.lastgroup), match[0]
    kind = "sign" if kind == "other" else kind
    key = text.upper() if kind == "word" else _SPELLINGS.get(text, text)
    if kind == "sign" and key.isalpha():
        kind = "word-sign"
    return Token(kind, key, text, match.start(), match.end())


def _unreadable(source: Source, position: int) -> CepheidError:
    sign = source.text[position]
    place = source.span(position, position + 1)
    if sign in "'\"`":
        hint = f"end it with another {sign} on the same line" if sign == "`" else f"end it with another {sign}"
        return refusal("unbalanced", "a quote is never closed", place, "opened here", hint)
    if sign in "@$":
        hint = f"write a name after it, for example `{sign}trades`"
        return refusal("syntax", f"`{sign}` stands before a name", place, "no name follows", hint)
    return refusal("syntax", f"eSQL has no sign `{sign}`", place, "nothing begins like this", "leave it out")
