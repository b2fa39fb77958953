"""Columns that an input has not, or has twice: a mistake in the call or in the header, not in some rows."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeVar

from cepheid.connectors.columns import Columns
from cepheid.connectors.event_columns import AnyChunk
from cepheid.connectors.records import Reading
from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic, close_match

Some = TypeVar("Some", bound=AnyChunk)
_ROWS_THAT_DECIDE = 10_000
_OFTEN_TYPES = ("kind", "event", "action")
_OFTEN_TIMES = ("time", "date", "stamp", "ts", "when", "at")


def refuse_missing(columns: Columns, existing: Iterable[str], name: str) -> None:
    """Refuse an input, called `name`, that has not all the columns that events need."""
    have = list(existing)
    for column in (*columns.needed, *columns.order_by):
        if column not in have:
            raise _missing(column, columns, have, name)


def refuse_twice(existing: Iterable[str], reading: Reading, name: str) -> None:
    """Refuse an input that has a column twice which somebody looks at: nobody knows which of them is meant."""
    twice = [column for column, count in Counter(existing).items() if count > 1 and reading.reads(column)]
    if twice:
        message, hint = f"two columns are called `{twice[0]}`", "give one of them another name"
        raise CepheidError(Diagnostic("duplicate-column", message, hints=(hint,), place=DataPlace(name)))


def watched(chunks: Iterator[Some], columns: Columns, name: str) -> Iterator[Some]:
    """Yield the chunks, unless the first rows say no event because one column is in none of them.

    This is for inputs whose columns are not known beforehand.
    """
    lacking: list[str | None] = []
    names: dict[str, None] = {}
    decided = False
    for chunk in chunks:
        if not decided:
            decided = len(chunk.events) > 0
            lacking += [reject.lacks for reject in chunk.rejects]
            names |= dict.fromkeys(known for reject in chunk.rejects for known in reject.names)
            if not decided and len(lacking) >= _ROWS_THAT_DECIDE:
                _judge(lacking, columns, names, name)
        yield chunk
    if not decided:
        _judge(lacking, columns, names, name)


def _judge(lacking: list[str | None], columns: Columns, names: Iterable[str], name: str) -> None:
    [*missing] = set(lacking)
    if len(missing) == 1 and missing[0] is not None:
        raise _missing(missing[0], columns, list(names), name)


def _hint(column: str, columns: Columns, existing: list[str]) -> str:
    """Return what can be typed: the option with a column that there is, or with the type of all rows."""
    close = _close(column, columns, existing)
    if close is None and column == columns.type:
        name = columns.expected
        return f'say what all rows are: `--type {name}`, or in Python `type="{name}"`'
    close = close or next(iter(existing), column)
    if column in columns.order_by:
        return f"say which column it is: `--order-by {close}`"
    option = columns.option(column)
    keyword = option.removeprefix("--").replace("-", "_")
    return f'say which column it is: `{option} {close}`, or in Python `{keyword}="{close}"`'


def _close(column: str, columns: Columns, existing: list[str]) -> str | None:
    """Return the column that is probably meant: one that is called almost so, or as such columns often are."""
    found = close_match(column, existing) or next((one for one in existing if column in one.lower()), None)
    usual = _OFTEN_TYPES if column == columns.type else _OFTEN_TIMES if column == columns.time else ()
    return found or next((one for name in usual for one in existing if name in one.lower()), None)


def _missing(column: str, columns: Columns, existing: list[str], name: str) -> CepheidError:
    hint = _hint(column, columns, existing)
    notes = (f"there is {', '.join(f'`{one}`' for one in existing)}",) if existing else ()
    message = f"no row has a column `{column}`"
    return CepheidError(Diagnostic("missing-column", message, hints=(hint,), notes=notes, place=DataPlace(name)))
