"""Functions of texts and regular expressions; what they cannot answer they raise, and the caller makes it null.

Regular expressions are those of RE2: the time that one takes grows with the text alone, whatever the expression is.
"""

from functools import lru_cache
from typing import Any


@lru_cache(maxsize=256)
def expression_named(pattern: str) -> Any:  # re2 has no types
    """Return a regular expression that is ready to be searched for; `ValueError` where RE2 does not know it."""
    import re2  # most conditions have none

    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        told = error.args[0] if error.args else "it cannot be read"
        raise ValueError(told.decode() if isinstance(told, bytes) else str(told)) from None


def matches(text: str, pattern: object) -> bool:
    """Say whether a regular expression is found anywhere in a text."""
    return expression_named(_text(pattern)).search(text) is not None


def extract(text: str, pattern: object, group: object = None) -> str | None:
    """Return what a regular expression finds first: a group by its number or name, else its first group, else all."""
    found = expression_named(_text(pattern)).search(text)
    if found is None:
        return None
    if group is None:
        group = 1 if found.re.groups else 0
    if isinstance(group, bool) or not isinstance(group, int | str):
        raise TypeError
    part: str | None = found.group(group)
    return part


def trim(text: str) -> str:
    return text.strip()


def replace(text: str, old: object, new: object) -> str:
    """Return a text with every `old` in it replaced; nothing is found in the place of an empty text."""
    return text if _text(old) == "" else text.replace(_text(old), _text(new))


def split_part(text: str, separator: object, number: object) -> str | None:
    """Return one of the parts between separators, counted from 1, or from the end with -1; null where it is missing."""
    if isinstance(number, bool) or not isinstance(number, int):
        raise TypeError
    parts = text.split(_text(separator))
    if number == 0 or abs(number) > len(parts):
        return None
    return parts[number - 1] if number > 0 else parts[number]


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
