"""All rows of a window in one list, which a SELECT can be asked about."""

from typing import Any

from cepheid.algebra.graphs import built_in
from cepheid.algebra.graphs.processors import Processor
from cepheid.algebra.graphs.user_processors import processor

__all__ = ["windows_of_rows"]

Rows = tuple[Any, ...]  # rows are any objects


def windows_of_rows(span: str | int) -> Processor:
    """Return a processor that gives the rows of each window: of so many values, or of so much time.

    >>> from cepheid import pipes
    >>> windows_of_rows(2).run("abc")
    [('a', 'b'), ('b', 'c')]
    """
    if isinstance(span, str):
        return built_in.window(built_in.cumulate(_more, ()), span)

    @processor(initial=(), keeps=span)
    def rows(before: Rows, row: Any) -> tuple[Rows, list[Rows]]:
        now = (*before[-(span - 1) :], row) if span > 1 else (row,)
        return now, [now] if len(now) == span else []

    return rows


def _more(rows: Rows, row: Any) -> Rows:
    return (*rows, row)
