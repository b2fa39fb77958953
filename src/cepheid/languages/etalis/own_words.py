"""Ways out in the words of ETALIS, where an analysis of all languages names them in its own."""

import re
from typing import Final

from cepheid.analysis.key_hints import DeclaredKeys

_WORDS: Final = (
    (re.compile(r"add a window, for example `within 1 h`"), "limit how long it may last, for example `(a SEQ b).1 h`"),
    (re.compile(r"allow more time, for example `within 1 h`"), "allow more time, for example `(a SEQ b).1 h`"),
    (re.compile(r"limit the run, for example `.*`"), "limit the run, for example `(star(a)).1 h`"),
    (re.compile(r"say until when, for example `.*`"), "limit how long it may last, for example `(NOT(c).[a, b]).1 h`"),
)


def in_own_words(hint: str) -> str:
    """Return a hint as it can be typed in this language.

    >>> in_own_words("say how many there are: `stream stock keys 1000`")
    'say how many there are: `keys stock 1000.`'
    """
    declared = DeclaredKeys.of(hint)
    if declared is not None:
        return f"say how many there are: `keys {declared.name} 1000.`"
    for general, own in _WORDS:
        if general.fullmatch(hint):
            return general.sub(own, hint)
    return hint
