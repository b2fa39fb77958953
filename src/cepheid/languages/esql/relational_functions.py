"""Functions that traces have because SQL has them."""

import math

from cepheid.events.casts import cast_string


def like(text: object, pattern: object) -> bool | None:
    """Say whether a text is as a pattern says, in which `%` is any text and `_` any character; null for null.

    >>> like("cepheid", "c%h__d"), like("cepheid", "c_"), like(None, "%") is None
    (True, False, True)
    """
    if not isinstance(text, str) or not isinstance(pattern, str):
        return None
    at, place, star, mark = 0, 0, -1, 0
    while at < len(text):
        if place < len(pattern) and pattern[place] == "%":
            star, mark, place = place, at, place + 1
        elif place < len(pattern) and pattern[place] in ("_", text[at]):
            at, place = at + 1, place + 1
        elif star >= 0:
            # What the last `%` stands for grows by one character; no other one needs to be tried again.
            mark, at, place = mark + 1, mark + 1, star + 1
        else:
            return False
    return pattern[place:].strip("%") == ""


def concatenated(left: object, right: object) -> str | None:
    """Return one text after another; numbers are written out.

    >>> concatenated("a", 1), concatenated("a", None) is None
    ('a1', True)
    """
    one, two = cast_string(left), cast_string(right)  # type: ignore[arg-type]  # whatever it is, there is an answer
    return None if one is None or two is None else one + two


def trimmed(text: object) -> str | None:
    """Return a text without the spaces at its ends."""
    return text.strip(" ") if isinstance(text, str) else None


def nullif(value: object, other: object) -> object:
    """Return a value, and null where it is equal to another one."""
    return None if value == other else value


def substring(text: object, first: object, *length: object) -> str | None:
    """Return a part of a text, whose characters are counted from 1, and from its end by negative numbers.

    >>> substring("hello", 2, 3), substring("hello", -2), substring("hello", 0, 3)
    ('ell', 'lo', 'he')
    """
    if not isinstance(text, str) or not isinstance(first, int):
        return None
    begin = first - 1 if first >= 0 else len(text) + first
    if not length:
        return text[max(begin, 0) :]
    (count,) = length
    if not isinstance(count, int):
        return None
    end = begin + count
    return text[max(min(begin, end), 0) : max(begin, end, 0)]


def remainder(left: object, right: object) -> int | float | None:
    """Return what a division leaves over; it has the sign of the first number, as in SQL.

    >>> remainder(-7, 3), remainder(7.5, 2), remainder(1, 0) is None
    (-1, 1.5, True)
    """
    if not _is_number(left) or not _is_number(right) or right == 0:
        return None
    if isinstance(left, int) and isinstance(right, int):
        found = abs(left) % abs(right)
        return -found if left < 0 else found
    assert isinstance(left, int | float)
    assert isinstance(right, int | float)
    return math.nan if math.isinf(left) else math.fmod(left, right)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
