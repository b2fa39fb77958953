"""Values as a table of text: tuples have a column for each attribute, other values one."""

from collections.abc import Mapping, Sequence
from typing import Any

from cepheid.diagnostics import shortened, visible

__all__ = ["text_table"]

_WIDEST = 40


def text_table(values: Sequence[Any]) -> str:
    """Return values below each other.

    >>> print(text_table([{"a": 1, "b": "x"}, {"a": 22, "b": None}]))
    a   b
    1   x
    22
    """
    rows = [value if isinstance(value, Mapping) else {"value": value} for value in values]
    names = list(dict.fromkeys(str(name) for row in rows for name in row))
    cells = [names, *([_shown(row.get(name)) for name in names] for row in rows)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(names))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells
    )


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return shortened(visible(value if isinstance(value, str) else repr(value)), _WIDEST)
