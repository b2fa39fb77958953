"""How a piece of text looks on a screen, and how many columns it takes.

In source text a tab is shown as four spaces, and control and formatting characters as a replacement sign, so that a
query can neither move the cursor nor reorder the line it is shown in. In values and names such characters are written
as escapes, so that one can see which they are.
"""

import re
import unicodedata

_FORMATS = "\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f"
_OBEYED = re.compile(f"[\0-\x1f\x7f-\x9f{_FORMATS}]")
_OBEYED_IN_LINES = re.compile(f"[\0-\x08\x0b-\x1f\x7f-\x9f{_FORMATS}]")
_TAB = " " * 4
_UNSHOWABLE = "\N{REPLACEMENT CHARACTER}"


def shown(text: str) -> str:
    r"""The text as it is drawn.

    >>> shown("a\tb\x1b[2J")
    'a    b�[2J'
    """
    return "".join(map(_shown_character, text))


def visible(text: str, *, lines: bool = False) -> str:
    r"""The text with escapes for what a screen would obey instead of show; `lines` and tabs may stay.

    >>> visible("a\x1b[2Jb"), visible("one\ntwo"), visible("one\ntwo", lines=True), visible("\u202eabc")
    ('a\\x1b[2Jb', 'one\\ntwo', 'one\ntwo', '\\u202eabc')
    """
    return (_OBEYED_IN_LINES if lines else _OBEYED).sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()


def shortened(text: str, most: int = 80) -> str:
    """The text, or its beginning where it is longer than a message should be.

    >>> shortened("1" * 9, 4)
    '1111…'
    """
    return text if len(text) <= most else f"{text[:most]}…"


def within_reason(text: str, most: int = 4_000) -> str:
    """The text, or its two ends where it is longer than anybody reads.

    >>> within_reason("1234567890", 6)
    '123…890'
    """
    return text if len(text) <= most else f"{text[: most // 2]}…{text[-(most // 2) :]}"


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
