"""How findings about a query are written, with the place in its text where there is one."""

from collections.abc import Iterable, Sequence
from typing import Final

from cepheid.algebra.patterns import Pattern
from cepheid.diagnostics import Diagnostic, Label, close_match

MOST_LISTED: Final = 6


def finding(code: str, message: str, pattern: Pattern | None, *hints: str, notes: tuple[str, ...] = ()) -> Diagnostic:
    """Return a finding about `pattern`, which is pointed at where it came from a text."""
    labels = (Label(pattern.span),) if pattern is not None and pattern.span is not None else ()
    return Diagnostic(code, message, labels, hints=hints, notes=notes)


def suggestion(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the hint that names what was probably meant, else what there is if it is little."""
    names = sorted(set(known))
    closest = close_match(name, names)
    if closest is not None:
        return (f"did you mean `{closest}`?",)
    return (f"write {listed(names)}",) if 0 < len(names) <= MOST_LISTED else ()


def listed(names: Sequence[str]) -> str:
    """Return names to choose from, in the words of a sentence.

    >>> listed(["a", "b", "c"])
    '`a`, `b` or `c`'
    """
    *some, last = (f"`{name}`" for name in names)
    return f"{', '.join(some)} or {last}" if some else last
