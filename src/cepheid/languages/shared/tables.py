"""Rows of a table that somebody else holds, with the names of their columns: a file, or a frame."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass

from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.events import Value


@dataclass(frozen=True, slots=True)
class NamedRows:
    """Rows with named columns; errors call them by `name`. `texts`: cells are texts that are still to be read.

    The first row is on line 2, as in a file whose first line names the columns. An empty row says nothing.
    """

    name: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Value]]
    texts: bool = False


def comma_separated(name: str, content: str) -> NamedRows:
    r"""Return the rows of a text of comma-separated values, whose first line names the columns.

    >>> comma_separated("routes.csv", "from,to\nE,F\n").rows
    [['E', 'F']]
    """
    try:
        header, *lines = list(csv.reader(content.lstrip("\ufeff").splitlines(), strict=True)) or [[]]
    except csv.Error as error:
        message, hint = f"`{name}` is no table: {error}", 'put a cell in quotes, and double those inside it: `""`'
        raise CepheidError(Diagnostic("bad-table", message, hints=(hint,))) from None
    return NamedRows(name, tuple(column.strip() for column in header), lines, texts=True)
