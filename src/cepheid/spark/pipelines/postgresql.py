"""Results in a table of PostgreSQL, each once: what is there already under its id is left as it is.

A match has an id of its own. What was set aside gets one from its batch, what it says, and its number among equals, so
a batch that is repeated after a crash finds its rows there.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pyspark.sql import Row
from pyspark.sql import types as T

from cepheid.connectors import to_json
from cepheid.diagnostics import CepheidError, Diagnostic, missing_package

if TYPE_CHECKING:
    import psycopg

    Connect = Callable[[], AbstractContextManager[psycopg.Connection]]

_TYPES: tuple[tuple[type[T.DataType], str], ...] = (
    (T.TimestampType, "timestamptz"),
    (T.TimestampNTZType, "timestamp"),
    (T.LongType, "bigint"),
    (T.IntegerType, "integer"),
    (T.DoubleType, "double precision"),
    (T.StructType, "jsonb"),
    (T.ArrayType, "jsonb"),
)
_TEXT = "text"
_IN_ADDRESSES = re.compile(r"(://[^/?#@\s:]*:)[^\s]*@")
_IN_PAIRS = re.compile(r"(password\s*=\s*)('(?:[^'\\]|\\.)*'|[^\s&]+)")
_DIGEST = 32


def without_password(text: str) -> str:
    """Return an address, or a text that holds one, without the passwords in it.

    >>> without_password("postgresql://ann:secret@db/shop?sslpassword=x")
    'postgresql://ann:***@db/shop?sslpassword=***'
    >>> without_password("host=db password='a b' user=ann")
    'host=db password=*** user=ann'
    """
    return _IN_PAIRS.sub(r"\1***", _IN_ADDRESSES.sub(r"\1***@", text))


def create_statement(table: str, schema: T.StructType) -> str:
    """Return the statement that makes the table of some results, if it is not there.

    >>> create_statement("found.matches", T.StructType().add("end", T.TimestampType()).add("id", T.StringType()))
    'CREATE TABLE IF NOT EXISTS "found"."matches" ("end" timestamptz, "id" text PRIMARY KEY)'
    """
    columns = [f"{_quoted(one.name)} {_type(one.dataType)}{_key(one.name)}" for one in schema.fields]
    return f"CREATE TABLE IF NOT EXISTS {_table(table)} ({', '.join(columns)})"


def insert_statement(table: str, schema: T.StructType) -> str:
    """Return the statement that adds a row, unless one with its id is there.

    >>> insert_statement("matches", T.StructType().add("tag", T.StringType()).add("id", T.StringType()))
    'INSERT INTO "matches" ("tag", "id") VALUES (%s, %s) ON CONFLICT ("id") DO NOTHING'
    """
    names = ", ".join(_quoted(name) for name in schema.names)
    marks = ", ".join("%s" for _ in schema.names)
    return f'INSERT INTO {_table(table)} ({names}) VALUES ({marks}) ON CONFLICT ("id") DO NOTHING'


def parameters(rows: Iterable[Row], schema: T.StructType, batch: int) -> Iterator[tuple[object, ...]]:
    """Yield the values of rows as PostgreSQL takes them, each with an id."""
    seen: Counter[str] = Counter()
    for row in rows:
        values = {one.name: _plain(row[one.name], one.dataType) for one in schema.fields}
        if values["id"] is None:
            told = sha256(to_json(values).encode()).hexdigest()[:_DIGEST]
            seen[told] += 1
            values["id"] = f"{batch}-{told}-{seen[told]}"
        yield tuple(values.values())


class PostgresqlTable:
    """A table that results are added to."""

    def __init__(self, url: str, table: str, connect: "Connect | None" = None) -> None:
        self.url, self.table = url, table
        self._connect = connect or (lambda: _connected(url))

    def prepare(self, schema: T.StructType) -> None:
        """Make the table where it is not there, and refuse one that results do not fit into."""
        with self._connect() as connection:
            connection.execute(create_statement(self.table, schema))
            known = _columns(connection, self.table)
        missing = [name for name in schema.names if name not in known]
        if missing:
            raise _other_columns(self.table, missing)

    def reach(self) -> None:
        """Refuse a server that does not answer, or does not let us in."""
        with self._connect() as connection:
            connection.execute("SELECT 1")

    def add(self, rows: Iterable[Row], schema: T.StructType, batch: int) -> None:
        """Add the rows of a batch, all of them or none."""
        with self._connect() as connection, connection.cursor() as cursor:
            statement = insert_statement(self.table, schema)
            cursor.executemany(statement, parameters(rows, schema, batch))


def _connected(url: str) -> "AbstractContextManager[psycopg.Connection]":
    try:
        import psycopg
    except ImportError:
        raise missing_package("psycopg", "postgresql") from None
    try:
        return psycopg.connect(url, connect_timeout=10)
    except psycopg.Error as error:
        raise _unreachable(str(error)) from None


def _columns(connection: "psycopg.Connection", table: str) -> list[str]:
    found = connection.execute(f"SELECT * FROM {_table(table)} LIMIT 0")
    return [column.name for column in found.description or ()]


def _unreachable(reason: str) -> CepheidError:
    first = next((line.strip() for line in reason.splitlines() if line.strip()), "no answer")
    message = f"PostgreSQL refuses: {first}"
    hint = 'start the server, or mend `url = "postgresql://user@host/database"`'
    return CepheidError(Diagnostic("unwritable-output", message, hints=(hint,)))


def _other_columns(table: str, missing: Sequence[str]) -> CepheidError:
    message = f"the table `{table}` has no column `{missing[0]}`"
    hint = "name a table that is not there yet; it is made with the columns that are needed"
    return CepheidError(Diagnostic("unwritable-output", message, hints=(hint,)))


def _plain(value: object, kind: T.DataType) -> object:
    """Return a value as a parameter: what has parts is JSON, and a point in time has its zone."""
    if isinstance(kind, T.StructType | T.ArrayType):
        return None if value is None else to_json(_unrowed(value))
    return _zoned(value) if isinstance(kind, T.TimestampType) else value


def _unrowed(value: object) -> Any:  # what JSON can say
    if isinstance(value, Row):
        return {name: _unrowed(one) for name, one in value.asDict().items()}
    if isinstance(value, Mapping):
        return {str(name): _unrowed(one) for name, one in value.items()}
    return [_unrowed(one) for one in value] if isinstance(value, list | tuple) else _zoned(value)


def _zoned(value: object) -> object:
    """Return a point in time in UTC: Spark gives Python the time on the clocks of this machine, without their zone."""
    return value.astimezone(UTC) if isinstance(value, datetime) else value


def _type(kind: T.DataType) -> str:
    return next((name for known, name in _TYPES if isinstance(kind, known)), _TEXT)


def _key(name: str) -> str:
    return " PRIMARY KEY" if name == "id" else ""


def _table(name: str) -> str:
    return ".".join(_quoted(part) for part in name.split("."))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
