"""Ways out that an analysis names, as data, so that each language has its own words for them.

An `Advice` reads as it is typed in the native language. Another language says the same advice in a template of its own.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from cepheid.algebra.programs import Stream

WINDOW, MORE_TIME, RUN, UNTIL, KEYS, RULE = "window", "more time", "run", "until", "keys", "rule"


class Advice(str):
    """A hint of some kind, in the native language; `stream` is what it says to declare, if it does."""

    __slots__ = ("kind", "stream")

    kind: str
    stream: Stream | None

    def __new__(cls, text: str, kind: str = "", stream: Stream | None = None) -> "Advice":
        made = super().__new__(cls, text)
        made.kind, made.stream = kind, stream
        return made

    def __getnewargs__(self) -> tuple[str, str, Stream | None]:  # type: ignore[override]  # more than a text has
        return str(self), self.kind, self.stream


class OfRule(str):
    """A message about a rule, by its name: `rule`, or what a language calls one, and then the `rest`."""

    __slots__ = ("rest",)

    rest: str

    def __new__(cls, rest: str) -> "OfRule":
        made = super().__new__(cls, f"rule {rest}")
        made.rest = rest
        return made

    def __getnewargs__(self) -> tuple[str]:
        return (self.rest,)


Wording: TypeAlias = str | Callable[[Stream], str]
Wordings: TypeAlias = Mapping[str, Wording]
"""What a language says for each kind of advice: a text, or what it says about a stream."""


def message_in_words(message: str, words: Wordings) -> str:
    """Return a message in the words of a language, which may have one of its own for a rule.

    >>> message_in_words(OfRule("`slow` can never match"), {RULE: "watchpoint"})
    'watchpoint `slow` can never match'
    """
    return f"{words[RULE]} {message.rest}" if isinstance(message, OfRule) and RULE in words else message


def in_words(hint: str, words: Wordings) -> str:
    """Return a hint in the words of a language; what it has none for stays as it is.

    >>> in_words(Advice("add a window: `within 1 h`", WINDOW), {WINDOW: "add `window 1 h;`"})
    'add `window 1 h;`'
    """
    if not isinstance(hint, Advice) or hint.kind not in words:
        return hint
    said = words[hint.kind]
    if isinstance(said, str):
        return said
    assert hint.stream is not None
    return said(hint.stream)
