"""Results in a table of PostgreSQL, each once: what is there already under its query and id is left as it is.

A match has an id of its own in its query. What was set aside gets one from its run, its batch, what it says, and its
number among equals, so a batch that is repeated after a crash finds its rows there. PostgreSQL has no text with the
character zero: the one for what cannot be shown stands in its place.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeGuard
from urllib.parse import unquote

from pyspark.sql import Column, DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql import types as T

from cepheid.connectors import to_json
from cepheid.diagnostics import CepheidError, Diagnostic, missing_package
from cepheid.spark.event_columns import quoted

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
_IN_WORDS = re.compile(r"[^\s\"']*:[^\s\"']*@")
_NO_SECRET = re.compile(r"://[^:/@]*(:\*\*\*)?@$")
_IN_PAIRS = re.compile(r"(password\s*=\s*)('(?:[^'\\]|\\.)*'|[^\s&]+)")
_DIGEST = 32
_KEY = ("query", "id")
_ZERO, _IN_ITS_PLACE = "\0", "\ufffd"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FOUR_CENTURIES = 146_097 * 86_400_000_000
_FIRST_YEAR = 4712
_LEAST_SECRET = 3


def without_password(text: str) -> str:
    """Return an address, or a text that holds some, without the passwords in it.

    >>> without_password("postgresql://ann:secret@db/shop?sslpassword=x"), without_password("postgresql:ann:secret@db")
    ('postgresql://ann:***@db/shop?sslpassword=***', '***@db')
    >>> without_password("host=db password='a b' user=ann")
    'host=db password=*** user=ann'
    """
    shown = _IN_PAIRS.sub(r"\1***", _IN_ADDRESSES.sub(r"\1***@", text))
    return _IN_WORDS.sub(lambda word: word[0] if _NO_SECRET.search(word[0]) else "***@", shown)


def create_statement(table: str, schema: T.StructType) -> str:
    """Return the statement that makes the table of some results, if it is not there.

    >>> create_statement("found.matches", T.StructType().add("query", T.StringType()).add("id", T.StringType()))
    'CREATE TABLE IF NOT EXISTS "found"."matches" ("query" text, "id" text, PRIMARY KEY ("query", "id"))'
    """
    columns = [f"{_quoted(one.name)} {_type(one.dataType)}" for one in schema.fields]
    return f"CREATE TABLE IF NOT EXISTS {_table(table)} ({', '.join(columns)}, PRIMARY KEY ({_names(_KEY)}))"


def insert_statement(table: str, schema: T.StructType) -> str:
    """Return the statement that adds a row, unless one with its query and id is there.

    >>> insert_statement("a%b", T.StructType().add("query", T.StringType()).add("id", T.StringType()))
    'INSERT INTO "a%%b" ("query", "id") VALUES (%s, %s) ON CONFLICT ("query", "id") DO NOTHING'
    """
    marks = ", ".join("%s" for _ in schema.names)
    into = f"INSERT INTO {_table(table)} ({_names(schema.names)})".replace("%", "%%")
    return f"{into} VALUES ({marks}) ON CONFLICT ({_names(_KEY)}) DO NOTHING"


def trial_statement(table: str, schema: T.StructType) -> str:
    """Return a statement that adds no row, and that is refused where rows would be."""
    nothing = ", ".join(f"NULL::{_type(one.dataType)}" for one in schema.fields)
    into = f"INSERT INTO {_table(table)} ({_names(schema.names)})"
    return f"{into} SELECT {nothing} WHERE false ON CONFLICT ({_names(_KEY)}) DO NOTHING"


def parameters(rows: Iterable[Row], schema: T.StructType, batch: int, run: str = "") -> Iterator[tuple[object, ...]]:
    """Yield the values of rows as PostgreSQL takes them, each with a query and an id; what is of none is of ``."""
    seen: Counter[str] = Counter()
    for row in rows:
        values = {one.name: _plain(row[one.name], one.dataType) for one in schema.fields}
        values["query"] = values["query"] or ""
        if values["id"] is None:
            told = sha256((run + to_json(values)).encode()).hexdigest()[:_DIGEST]
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
        with self._refusing() as connection:
            connection.execute(create_statement(self.table, schema))
            known = _columns(connection, self.table)
            missing = [name for name in schema.names if name not in known]
            if missing:
                raise _other_columns(self.table, f"has no column `{missing[0]}`")
            connection.execute(trial_statement(self.table, schema))

    def reach(self) -> None:
        """Refuse a server that does not answer, does not let us in, or has no schema of the table."""
        with self._refusing() as connection:
            schema, _, _ = self.table.rpartition(".")
            found = connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", (schema,)).fetchone()
            if schema and found is None:
                raise _no_schema(schema)

    def add(self, rows: Iterable[Row], schema: T.StructType, batch: int, run: str = "") -> None:
        """Add the rows of a batch, all of them or none."""
        with self._refusing() as connection, connection.cursor() as cursor:
            statement = insert_statement(self.table, schema)
            cursor.executemany(statement, parameters(rows, schema, batch, run))

    @contextmanager
    def _refusing(self) -> "Iterator[psycopg.Connection]":
        """Yield a connection; what PostgreSQL refuses is an error that says why, and never the password."""
        try:
            import psycopg
        except ImportError:
            raise missing_package("psycopg", "postgresql") from None
        try:
            with self._connect() as connection:
                yield connection
        except psycopg.errors.InvalidColumnReference:
            raise _other_columns(self.table, "has no primary key of `query` and `id`") from None
        except psycopg.Error as error:
            raise _refused(self.url, str(error)) from None


def _connected(url: str) -> "AbstractContextManager[psycopg.Connection]":
    import psycopg

    return psycopg.connect(url, connect_timeout=10)


def _columns(connection: "psycopg.Connection", table: str) -> list[str]:
    found = connection.execute(f"SELECT * FROM {_table(table)} LIMIT 0")
    return [column.name for column in found.description or ()]


def _refused(url: str, reason: str) -> CepheidError:
    first = next((line.strip() for line in reason.splitlines() if line.strip()), "no answer")
    told = "why it does would show the password" if any(one in first for one in _secrets(url)) else first
    hint = 'start the server, or mend `url = "postgresql://user@host/database"`'
    return CepheidError(Diagnostic("unwritable-output", f"PostgreSQL refuses: {told}", hints=(hint,)))


def _secrets(url: str) -> list[str]:
    """Return what must not be shown of an address: all that may be its password, and parts of that.

    >>> _secrets("postgresql://ann:first/second@db/shop"), _secrets("postgresql://ann@db/shop")
    (['first', 'second'], [])
    """
    shown = re.split(r"[^\w.-]+", without_password(url))
    parts = [part for part in re.split(r"[^\w.-]+", unquote(url)) if len(part) >= _LEAST_SECRET]
    return sorted({part for part in parts if parts.count(part) > shown.count(part)})


def _no_schema(schema: str) -> CepheidError:
    message = f"the database has no schema `{schema}`"
    return CepheidError(Diagnostic("unwritable-output", message, hints=(f"CREATE SCHEMA {_quoted(schema)}",)))


def _other_columns(table: str, reason: str) -> CepheidError:
    message = f"the table `{table}` {reason}"
    hint = "name a table that is not there yet; it is made with the columns that are needed"
    return CepheidError(Diagnostic("unwritable-output", message, hints=(hint,)))


def _plain(value: object, kind: T.DataType) -> object:
    """Return a value as a parameter: what has parts is JSON, and a point in time has its zone."""
    if isinstance(kind, T.StructType | T.ArrayType):
        return None if value is None else to_json(_unrowed(value, kind))
    return _unrowed(value, kind)


def _unrowed(value: object, kind: T.DataType | None = None) -> Any:  # what JSON can say
    if isinstance(value, Row):
        kinds = {one.name: one.dataType for one in kind.fields} if isinstance(kind, T.StructType) else {}
        return {_storable(name): _unrowed(one, kinds.get(name)) for name, one in value.asDict().items()}
    if isinstance(value, Mapping):
        return {_storable(str(name)): _unrowed(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_unrowed(one) for one in value]
    if isinstance(kind, T.TimestampType) and isinstance(value, int):
        return _moment(value)
    return _storable(value) if isinstance(value, str) else _zoned(value)


def _storable(text: str) -> str:
    return text.replace(_ZERO, _IN_ITS_PLACE)


def _zoned(value: object) -> object:
    """Return a point in time in UTC: Spark gives Python the time on the clocks of this machine, without their zone."""
    return value.astimezone(UTC) if isinstance(value, datetime) else value


def in_ticks(results: DataFrame) -> DataFrame:
    """Return results whose points in time are ticks: Python has no year 10000, and Spark has."""
    told = {one.name: _ticks(F.col(quoted(one.name)), one.dataType) for one in results.schema.fields}
    return results.withColumns({name: column for name, column in told.items() if column is not None})


def _ticks(column: Column, kind: T.DataType) -> Column | None:
    if isinstance(kind, T.TimestampType):
        return F.unix_micros(column)
    times = [one.name for one in kind.fields if isinstance(one.dataType, T.TimestampType)] if _is_struct(kind) else []
    for name in times:
        column = column.withField(f"`{name}`", F.unix_micros(column.getField(name)))
    return column if times else None


def _moment(ticks: int) -> object:
    """Return a point in time as PostgreSQL takes it: as a text where Python has no such year.

    Before its first year, PostgreSQL has no points in time but the one before all others.

    >>> str(_moment(0)), _moment(10**18), _moment(-(10**17)), _moment(-(10**18))
    ('1970-01-01 00:00:00+00:00', '33658-09-27 01:46:40+00', '1200-02-15 14:13:20+00 BC', '-infinity')
    """
    try:
        return _EPOCH + timedelta(microseconds=ticks)
    except OverflowError:
        # The calendar repeats itself every 400 years.
        turns = ticks // _FOUR_CENTURIES
        there = _EPOCH + timedelta(microseconds=ticks - turns * _FOUR_CENTURIES)
        year = there.year + 400 * turns
        if year <= -_FIRST_YEAR:
            return "-infinity"
        era = "" if year > 0 else " BC"
        return f"{year if year > 0 else 1 - year:04}{there.isoformat(' ')[4:].replace('+00:00', '+00')}{era}"


def _is_struct(kind: T.DataType) -> TypeGuard[T.StructType]:
    return isinstance(kind, T.StructType)


def _type(kind: T.DataType) -> str:
    return next((name for known, name in _TYPES if isinstance(kind, known)), _TEXT)


def _names(names: Iterable[str]) -> str:
    return ", ".join(map(_quoted, names))


def _table(name: str) -> str:
    return ".".join(_quoted(part) for part in name.split("."))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
