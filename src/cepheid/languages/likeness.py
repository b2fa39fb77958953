"""Which language a text looks like: one that reads it, or one whose signs it has.

A text that one language refuses may well be meant in another; and a short one, such as `A then B`, can be read by two.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from cepheid.diagnostics import CepheidError
from cepheid.languages import EXTENSIONS, LANGUAGES

_SIGNS: Final[Mapping[str, re.Pattern[str]]] = {
    "json": re.compile(r"\s*\{\s*\""),
    "hbl": re.compile(r"\bwatchpoint\b|\{[^}]*\bmain\s*="),
    "parte": re.compile(r"\btemplate\s+\w+\s*\{|\brule\s+\w+\s+where\b|\bthen\s+emit\b"),
    "etalis": re.compile(r"<-|\bSEQ\b|\bPAR\b"),
    "esql": re.compile(r"\s*(SELECT|COMBINE|FILTER|APPLY|WHEN|TRIM)\s", re.IGNORECASE),
    "cep": re.compile(r"\b(unless|where|choose|repeat)\b|^\s*(rule|stream|ties|pipe)\s+\S|\bon\s+\w", re.MULTILINE),
    "algebra": re.compile(r"^\s*(let\s+)?\w+\s*=[^=]|;|\||\bpolicy\s", re.MULTILINE),
}
"""What hardly any other language has; the first that fits counts."""


def language_like(text: str, but: str) -> str | None:
    """Return the name of the language that a text looks like, other than the one that was tried.

    >>> language_like("Alarm = (Button ; Button) within 2 s", but="cep")
    'algebra'
    >>> language_like("rise(S) <- stock(S SEQ stock(S).", but="cep")
    'etalis'
    """
    found = next(_readers(text, but), None)
    sign = next((name for name, sign in _SIGNS.items() if sign.search(text)), None)
    return found or (sign if sign != but else None)


def reads(name: str, text: str) -> bool:
    """Say whether a language reads a text."""
    try:
        LANGUAGES[name].parse(text)
    except CepheidError:
        return False
    return bool(text.strip())


def _readers(text: str, but: str) -> Iterator[str]:
    return (name for name in EXTENSIONS if name != but and reads(name, text))
