"""Tables of comma-separated values as records: the first row has the names, numbers are numbers.

Lines that begin with `#` and empty lines are left out, but not inside a quoted cell. An empty cell is None.
"""

import csv as python_csv
from collections.abc import Iterator
from typing import Final

from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.processors import Processor
from cepheid.diagnostics import CepheidError
from cepheid.palettes.files import Given, bad_data, numbered_lines, source

_NUMERIC: Final = frozenset("+-.0123456789")


def csv(src: Given) -> Processor:
    """The rows of a table of comma-separated values, as records."""
    return source("csv", src, _records, "record")


class _Lines:
    """The lines of a table; those between rows are left out where they say nothing."""

    def __init__(self, given: Given) -> None:
        self.lines = numbered_lines(given)
        self.number = 0
        self.is_between = True

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        while True:
            line = next(self.lines)
            if not self.is_between or (line.text.strip() and not line.text.startswith("#")):
                break
        self.number = line.number
        self.is_between = False
        return line.text + "\n"


def _records(given: Given) -> Iterator[dict[str, Thing]]:
    names: list[str] | None = None
    for number, row in _rows(given):
        if names is None:
            names = _names(row, given, number)
        elif len(row) != len(names):
            raise bad_data(
                "bad-row", f"this row has {len(row)} cells, and the table {len(names)} columns", given, number
            )
        else:
            yield dict(zip(names, map(cell, row), strict=True))


def _rows(given: Given) -> Iterator[tuple[int, list[str]]]:
    lines = _Lines(given)
    rows = python_csv.reader(lines, strict=True)
    while True:
        lines.is_between = True
        try:
            row = next(rows, None)
        except python_csv.Error as error:
            raise bad_data("bad-row", str(error), given, lines.number) from None
        if row is None:
            return
        yield lines.number, row


def _names(row: list[str], given: Given, number: int) -> list[str]:
    names = [name.strip() for name in row]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise _twice(name, given, number)
    return names


def cell(text: str) -> Thing:
    """Return what a cell says: a number, None where it is empty, else its text.

    >>> cell("12"), cell("1.5"), cell("1_000"), cell("nan"), cell("") is None
    (12, 1.5, '1_000', 'nan', True)
    """
    if not text:
        return None
    stripped = text.strip()
    if not stripped or stripped[0] not in _NUMERIC or "_" in stripped:
        return text
    try:
        return int(stripped)
    except ValueError:
        pass
    try:
        return float(stripped)
    except ValueError:
        return text


def _twice(name: str, given: Given, number: int) -> CepheidError:
    return bad_data("duplicate-column", f"two columns are called `{name}`", given, number, "give one another name")
