"""Connections and cursors of PEP 249 over sessions of eSQL."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from cepheid.api.esql.database_errors import (
    BINARY,
    DATETIME,
    NUMBER,
    ROWID,
    STRING,
    Binary,
    DatabaseError,
    DataError,
    Date,
    DateFromTicks,
    Error,
    IntegrityError,
    InterfaceError,
    InternalError,
    NotSupportedError,
    OperationalError,
    ProgrammingError,
    Time,
    TimeFromTicks,
    Timestamp,
    TimestampFromTicks,
    Warning,  # noqa: A004  # the name is PEP 249's
    as_database_errors,
    type_of,
)
from cepheid.api.esql.parameters import with_parameters
from cepheid.api.esql.sessions import Session
from cepheid.api.esql.tables import tables_of_folder
from cepheid.diagnostics import Source
from cepheid.languages.esql.grammars.statements import is_definition, statements_of

__all__ = [
    "BINARY",
    "DATETIME",
    "NUMBER",
    "ROWID",
    "STRING",
    "Binary",
    "Connection",
    "Cursor",
    "DataError",
    "DatabaseError",
    "Date",
    "DateFromTicks",
    "Error",
    "IntegrityError",
    "InterfaceError",
    "InternalError",
    "NotSupportedError",
    "OperationalError",
    "ProgrammingError",
    "Time",
    "TimeFromTicks",
    "Timestamp",
    "TimestampFromTicks",
    "Warning",
    "connect",
]

Row = tuple[Any, ...]  # values of any kind
_WRITES = frozenset(
    ("INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER", "TRUNCATE", "MERGE", "UPSERT", "GRANT", "REVOKE", "COPY")
)


def connect(
    source: str | PathLike[str] | Mapping[str, Any],
    *,
    palettes: Sequence[str] | None = None,
    allow_unbounded: bool = False,
) -> "Connection":
    """Return a connection to the files of a folder, or to tables by their names.

    A table is a list of mappings, a frame, or the name of a file; an iterator is a stream, which can be read once. A
    query that would keep something of a stream for ever is refused, unless that is allowed.
    """
    with as_database_errors():
        if isinstance(source, Mapping):
            return Connection(dict(source), Path(), palettes, allow_unbounded)
        folder = Path(source)
        if not folder.is_dir():
            raise OperationalError(f"`{folder}` is no folder")
        return Connection(dict(tables_of_folder(folder)), folder, palettes, allow_unbounded)


class Connection:
    """Tables and streams by their names, and what was defined over this connection."""

    Warning = Warning
    Error = Error
    InterfaceError = InterfaceError
    DatabaseError = DatabaseError
    DataError = DataError
    OperationalError = OperationalError
    IntegrityError = IntegrityError
    InternalError = InternalError
    ProgrammingError = ProgrammingError
    NotSupportedError = NotSupportedError

    def __init__(
        self, given: Mapping[str, Any], folder: Path, palettes: Sequence[str] | None, allow_unbounded: bool = False
    ) -> None:
        self.streams = {name: value for name, value in given.items() if isinstance(value, Iterator)}
        tables = {name: value for name, value in given.items() if name not in self.streams}
        self.session = Session(palettes, tables=tables, directory=folder, allow_unbounded=allow_unbounded)
        self.is_closed = False

    def cursor(self) -> "Cursor":
        """Return a cursor with a position of its own."""
        self.check_open()
        return Cursor(self)

    def commit(self) -> None:
        """Do nothing: there is nothing that could be written."""
        self.check_open()

    def rollback(self) -> None:
        """Do nothing: there is nothing that could be taken back."""
        self.check_open()

    def close(self) -> None:
        """Close the connection; cursors of it are of no use any more."""
        self.check_open()
        self.is_closed = True

    def check_open(self) -> None:
        if self.is_closed:
            raise InterfaceError("the connection is closed")

    def __enter__(self) -> Self:
        self.check_open()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if not self.is_closed:
            self.close()


class Cursor:
    """A position in the rows of one query at a time; rows are computed when they are fetched."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.arraysize = 1
        self.description: tuple[Row, ...] | None = None
        self.rowcount = -1
        self.rownumber: int | None = None
        self._rows: Iterator[Row] | None = None
        self._is_closed = False

    def execute(self, operation: str, parameters: Sequence[Any] = ()) -> Self:
        """Run a text of eSQL: definitions stay with the connection, a query has rows to fetch."""
        self._check_open()
        self._forget()
        with as_database_errors():
            text = _bound(operation, parameters)
            statements = statements_of(Source("<query>", text))
            if statements and statements[0].tokens[0].key in _WRITES:
                raise NotSupportedError(
                    f"`{statements[0].tokens[0].text}` would write, and nothing here can be written"
                )
            if statements and all(map(is_definition, statements)):
                self.connection.session.execute(text, name="<query>")
            else:
                self._query(text)
        return self

    def _query(self, text: str) -> None:
        query = self.connection.session.compile(text)
        streams = {name: self.connection.streams[name] for name in query.inputs if name in self.connection.streams}
        values = query.pull(**streams)
        first = list(islice(values, 1))
        names = _names(first, query.columns)
        cells = _row(first[0], names) if first else (None,) * len(names)
        types = map(type_of, cells)
        self.description = tuple(
            (name, kind, None, None, None, None, None) for name, kind in zip(names, types, strict=True)
        )
        self.rownumber = 0
        self._rows = (_row(value, names) for value in chain(first, values))

    def executemany(self, operation: str, seq_of_parameters: Iterable[Sequence[Any]]) -> None:  # noqa: ARG002
        """Refuse: this is for what writes, and nothing is written."""
        self._check_open()
        raise NotSupportedError(f"`{operation}` cannot be run many times: nothing here can be written")

    def callproc(self, procname: str, parameters: Sequence[Any] = ()) -> None:  # noqa: ARG002
        """Refuse: there are no procedures, definitions are."""
        self._check_open()
        raise NotSupportedError(f"there is no procedure `{procname}`: write a definition and execute it")

    def fetchone(self) -> Row | None:
        """Return the next row, or None after the last."""
        return next(iter(self._fetched(1)), None)

    def fetchmany(self, size: int | None = None) -> list[Row]:
        """Return so many rows at most, by default `arraysize`."""
        return self._fetched(self.arraysize if size is None else size)

    def fetchall(self) -> list[Row]:
        """Return all rows that are left."""
        return self._fetched(None)

    def nextset(self) -> None:
        """Return None: a text has one query."""
        self._check_open()

    def setinputsizes(self, sizes: Sequence[Any]) -> None:
        """Do nothing, as PEP 249 allows."""

    def setoutputsize(self, size: int, column: int | None = None) -> None:
        """Do nothing, as PEP 249 allows."""

    def close(self) -> None:
        """Close the cursor and drop its rows."""
        self._check_open()
        self._forget()
        self._is_closed = True

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Row:
        row = self.fetchone()
        if row is None:
            raise StopIteration
        return row

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if not self._is_closed:
            self.close()

    def _fetched(self, most: int | None) -> list[Row]:
        self._check_open()
        if self._rows is None or self.rownumber is None:
            raise ProgrammingError("there are no rows to fetch: execute a query first")
        with as_database_errors():
            found = list(islice(self._rows, most))
        self.rownumber += len(found)
        return found

    def _forget(self) -> None:
        self.description = self._rows = self.rownumber = None

    def _check_open(self) -> None:
        self.connection.check_open()
        if self._is_closed:
            raise InterfaceError("the cursor is closed")


def _bound(operation: str, parameters: Sequence[Any]) -> str:
    if isinstance(parameters, Mapping | str):
        raise ProgrammingError("parameters are a sequence, one for each `?`")
    try:
        return with_parameters(operation, parameters) if parameters else operation
    except (TypeError, ValueError) as error:
        raise ProgrammingError(str(error)) from None


def _names(first: list[Any], columns: tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the names of columns: what the text says, else what the first row has."""
    if columns is not None:
        return columns
    return tuple(first[0]) if first and isinstance(first[0], Mapping) else ("value",)


def _row(value: Any, names: tuple[str, ...]) -> Row:
    return tuple(value.get(name) for name in names) if isinstance(value, Mapping) else (value,)
