"""How a piece of source text looks on a screen, and how many columns it takes.

A tab is shown as four spaces. Control and formatting characters are shown as a replacement sign, so that a
query can neither move the cursor nor reorder the line it is shown in.
"""

import unicodedata

_TAB = " " * 4
_UNSHOWABLE = "\N{REPLACEMENT CHARACTER}"


def shown(text: str) -> str:
    r"""The text as it is drawn.

    >>> shown("a\tb\x1b[2J")
    'a    b�[2J'
    """
    return "".join(map(_shown_character, text))


def shortened(text: str, most: int = 80) -> str:
    """The text, or its beginning where it is longer than a message should be.

    >>> shortened("1" * 9, 4)
    '1111…'
    """
    return text if len(text) <= most else f"{text[:most]}…"


def width(text: str) -> int:
    r"""The number of screen columns of the text as it is drawn.

    >>> width("a\tb"), width("温度"), width("e\u0301")
    (6, 4, 1)
    """
    return sum(map(_character_width, shown(text)))


def _shown_character(character: str) -> str:
    if character == "\t":
        return _TAB
    return _UNSHOWABLE if unicodedata.category(character) in ("Cc", "Cf", "Cs") else character


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
