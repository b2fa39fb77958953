"""A database for what is plain SQL over finite tables: DuckDB, in this process, without files or a network."""

import atexit
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from cepheid.connectors.sources import ArrowStream
from cepheid.diagnostics import CepheidError, Diagnostic, missing_package

__all__ = ["Answer", "answer", "columns_of"]

_AT_ONCE = 1024
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "python_enable_replacements": "false",
    "threads": "2",
    "autoinstall_known_extensions": "false",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """The names of the columns, the names of their types, and rows as they are asked for."""

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]  # values of any type of the database


def answer(
    statement: str,
    tables: Mapping[str, object],
    names: Mapping[str, Sequence[str]] | None = None,
    *,
    strict: bool = False,
) -> Answer:
    """Return what a statement of SQL gives over tables: frames, Arrow, or rows that are mappings.

    Rows have all columns that any of them has, and the `names` of their table, null where they have no value. Where it
    is `strict`, only a table without rows has columns that no row has.
    """
    connection, error_kind = _connected()
    for name, given in tables.items():
        once = statement.count(f'"{name}"') == 1
        told = (names or {}).get(name, ())
        connection.register(name, columns_of(given, name, told, once=once, strict=strict))
    try:
        found = connection.execute(statement)
    except error_kind as error:
        raise _failed(error) from None
    columns = found.description or []
    types = tuple(str(one[1]) for one in columns)
    return Answer(_unique([one[0] for one in columns]), types, _rows(connection, error_kind))


def _connected() -> tuple[Any, type[Exception]]:
    """Return a connection of its own to the database, and what its errors are."""
    try:
        import duckdb  # heavy, and an extra
    except ImportError:
        raise missing_package("duckdb", "sql") from None
    return _database().cursor(), duckdb.Error


@cache
def _database() -> Any:
    """Return the database of this process; it is empty, and tables are known to one connection each."""
    import duckdb

    atexit.register(_database.cache_clear)
    return duckdb.connect(config=_SETTINGS)


def _rows(connection: Any, error_kind: type[Exception]) -> Iterator[tuple[Any, ...]]:
    while True:
        try:
            portion = connection.fetchmany(_AT_ONCE)
        except error_kind as error:
            raise _failed(error) from None
        if not portion:
            connection.close()
            return
        yield from portion


def _failed(error: Exception) -> CepheidError:
    told = str(error).strip().split("\n")[0]
    reason = told.partition(": ")[2] or told
    hint = "compare the names and kinds of its columns with those of the tables"
    return CepheidError(Diagnostic("sql-failed", f"the tables give no answer: {reason}", hints=(hint,)))


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of which none is there twice: the second `a` is `a_2`."""
    found: list[str] = []
    for name in names:
        times, told = 1, name
        while told in found:
            times += 1
            told = f"{name}_{times}"
        found.append(told)
    return tuple(found)


def columns_of(
    given: object, name: str, names: Sequence[str] = (), *, once: bool = False, strict: bool = False
) -> Any:  # pyarrow has no types: a Table, or a RecordBatchReader
    """Return a table in columns; one that is read `once` comes batch by batch, and is never held as a whole."""
    import pyarrow as pa  # heavy

    if isinstance(given, ArrowStream):
        return pa.RecordBatchReader.from_stream(given) if once else pa.table(given)
    assert isinstance(given, Iterable)
    rows = [row if isinstance(row, Mapping) else {"value": row} for row in given]
    # A table has a column at least, also where it has no row that could have one.
    added = () if strict and rows else names
    columns = list(dict.fromkeys([*(key for row in rows for key in row), *added])) or ["value"]
    try:
        return pa.table({str(column): [row.get(column) for row in rows] for column in columns})
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        reason = str(error).split("\n")[0]
        message = f"the rows of `{name}` have no columns of one kind each: {reason}"
        hint = "give every column values of one kind"
        raise CepheidError(Diagnostic("bad-table", message, hints=(hint,))) from None
