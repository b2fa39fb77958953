"""Which names of event types are probably misspelled names of definitions.

Any name that is not defined is an event type, so only what can hardly be meant is refused: a name of five letters or
more with one of them wrong, left out, doubled or swapped, other than its last one.
"""

from collections.abc import Iterable
from typing import Final

from cepheid.languages.shared.terms import Name

_SHORTEST: Final = 5


def misspelled(name: Name, defined: Iterable[str]) -> str | None:
    """Return the definition that was probably meant; None for a name in backticks, which is meant as it is."""
    if name.span.text.startswith("`"):
        return None
    names = list(defined)
    return None if name.name in names else next((one for one in names if is_slip(name.name, one)), None)


def is_slip(written: str, meant: str) -> bool:
    """Say whether `written` is `meant` with one slip in it.

    >>> [is_slip(written, "Alarm") for written in ("Alrm", "Alaarm", "Alram", "Alorm", "Alarms", "Alarm2", "Aalrx")]
    [True, True, True, True, False, False, False]
    """
    if min(len(written), len(meant)) < _SHORTEST - 1 or len(meant) < _SHORTEST or written[-1] != meant[-1]:
        return False
    start = next((index for index, (one, two) in enumerate(zip(written, meant, strict=False)) if one != two), 0)
    one, two = written[start:], meant[start:]
    swapped = one[:2] == two[1::-1] and one[2:] == two[2:]
    return one[1:] == two[1:] or one[1:] == two or one == two[1:] or swapped
