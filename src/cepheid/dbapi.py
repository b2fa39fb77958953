"""eSQL through Python's database API (PEP 249): tables and streams are queried as a database is.

>>> connection = connect({"stocks": [{"symbol": "A", "price": 3}, {"symbol": "B", "price": 5}]})
>>> cursor = connection.cursor()
>>> cursor.execute("SELECT symbol, price FROM stocks WHERE price > ?", [4]).fetchall()
[('B', 5)]

A stream is queried while it goes on: `connect({"trades": iterator})`, and each fetch takes as much of it as it needs.
Nothing is ever written.
"""

from cepheid.api.esql.connections import (
    BINARY,
    DATETIME,
    NUMBER,
    ROWID,
    STRING,
    Binary,
    Connection,
    Cursor,
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
    connect,
)

apilevel = "2.0"
threadsafety = 1
paramstyle = "qmark"

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
    "apilevel",
    "connect",
    "paramstyle",
    "threadsafety",
]
