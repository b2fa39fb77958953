"""Where a text breaks into lines: on one line if it fits, else every piece on a line of its own."""

from collections.abc import Sequence
from typing import Final

WIDTH: Final = 100
_STEP = "    "


def joined(*pieces: str) -> str:
    """Return the pieces side by side, or one below the other.

    >>> joined("login", "then logout", "within 5 s")
    'login then logout within 5 s'
    """
    line = " ".join(pieces)
    return line if _fits(line) else "\n".join(pieces)


def hanging(head: str, *pieces: str) -> str:
    """Return the pieces side by side after the head, or one below the other and indented."""
    line = joined(head, *pieces)
    below = "\n".join(pieces)
    return f"{head}\n{indented(below)}" if "\n" in line else line


def enclosed(opening: str, pieces: Sequence[str], closing: str, *, separator: str = ",") -> str:
    """Return a list between its brackets, or its entries indented between them.

    >>> enclosed("(", ["a", "b"], ")")
    '(a, b)'
    """
    line = opening + f"{separator} ".join(pieces) + closing
    if _fits(line):
        return line
    entries = f"{separator}\n".join(pieces)
    return f"{opening.rstrip()}\n{indented(entries)}\n{closing.lstrip()}"


def indented(text: str) -> str:
    return _STEP + text.replace("\n", "\n" + _STEP)


def _fits(line: str) -> bool:
    return len(line) <= WIDTH and "\n" not in line
