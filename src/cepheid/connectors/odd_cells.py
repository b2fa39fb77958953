"""Cells in frames of pandas that Arrow would never come back from, so that it is not given them.

Arrow goes as deep into a cell as it is nested, and ends the process where that is too deep; and it writes out all zeros
of a decimal, however many there are.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from cepheid.events import MOST_NESTED

_MOST_DIGITS = 1000


def why_unreadable(frame: Any) -> str | None:  # any frame; those of pandas are looked into
    """Return what is wrong with a cell of a frame of pandas, None where Arrow may have it."""
    return next((reason for cell in _odd_cells(frame) if (reason := _reason(cell)) is not None), None)


def _odd_cells(frame: Any) -> Iterator[object]:
    """Yield the cells of columns that hold objects, but for those that hold nothing but texts or numbers."""
    if type(frame).__module__.partition(".")[0] != "pandas":
        return
    from pandas.api.types import infer_dtype  # whoever has such a frame has pandas

    for _, column in frame.items():  # noqa: PERF102  # no dictionary
        if column.dtype == object and infer_dtype(column, skipna=True).startswith(("mixed", "decimal")):
            yield from column


def _reason(cell: object) -> str | None:
    if isinstance(cell, Decimal):
        return f"`{cell}` has too many digits" if cell.is_finite() and abs(cell.adjusted()) > _MOST_DIGITS else None
    return f"values are nested more than {MOST_NESTED} deep" if is_too_deep(cell) else None


def is_too_deep(cell: object) -> bool:
    """Say whether a value is nested too deep; one that holds itself is.

    >>> is_too_deep([1, [2, {"a": [3]}]])
    False
    >>> itself: list[object] = []
    >>> itself.append(itself)
    >>> is_too_deep(itself)
    True
    """
    seen: dict[int, int] = {}
    waiting = [(cell, 1)] if isinstance(cell, list | tuple | Mapping) else []
    while waiting:
        value, depth = waiting.pop()
        if depth > MOST_NESTED:
            return True
        if seen.get(id(value), 0) >= depth:
            continue  # what stands in several places is looked into once, unless it is deeper there
        seen[id(value)] = depth
        inside = value.values() if isinstance(value, Mapping) else value
        waiting += [(one, depth + 1) for one in inside if isinstance(one, list | tuple | Mapping)]
    return False
