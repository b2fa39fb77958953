"""Functions that traces have because SQL has them."""

import math


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
