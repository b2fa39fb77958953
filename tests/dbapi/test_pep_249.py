"""What PEP 249 asks of a module, of connections and of cursors, each sentence of it that applies."""

import datetime
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from cepheid import dbapi
from cepheid.engine.pipes.graphs import runner
from cepheid.engine.pipes.graphs.pulling import Crank

STOCKS = [
    {"symbol": "A", "price": 3, "volume": 1.5},
    {"symbol": "B", "price": 5, "volume": None},
    {"symbol": "C", "price": 7, "volume": 2.5},
]


@pytest.fixture
def connection() -> dbapi.Connection:
    return dbapi.connect({"stocks": STOCKS})


@pytest.fixture
def cursor(connection: dbapi.Connection) -> dbapi.Cursor:
    return connection.cursor()


def test_the_module_says_what_it_is() -> None:
    assert dbapi.apilevel == "2.0"
    assert dbapi.threadsafety == 1
    assert dbapi.paramstyle == "qmark"


def test_exceptions_are_in_the_layout_of_the_pep() -> None:
    assert issubclass(dbapi.Warning, Exception)
    assert issubclass(dbapi.Error, Exception)
    assert issubclass(dbapi.InterfaceError, dbapi.Error)
    assert issubclass(dbapi.DatabaseError, dbapi.Error)
    for name in ("Data", "Operational", "Integrity", "Internal", "Programming", "NotSupported"):
        assert issubclass(getattr(dbapi, f"{name}Error"), dbapi.DatabaseError)


def test_exceptions_are_attributes_of_a_connection(connection: dbapi.Connection) -> None:
    for name in (
        "Warning",
        "Error",
        "InterfaceError",
        "DatabaseError",
        "DataError",
        "OperationalError",
        "IntegrityError",
    ):
        assert getattr(connection, name) is getattr(dbapi, name)
    for name in ("InternalError", "ProgrammingError", "NotSupportedError"):
        assert getattr(connection, name) is getattr(dbapi, name)


def test_a_query_has_a_description_of_seven_things_per_column(cursor: dbapi.Cursor) -> None:
    cursor.execute("SELECT symbol, price * 2 AS twice FROM stocks")
    assert cursor.description is not None
    assert [len(column) for column in cursor.description] == [7, 7]
    assert [column[0] for column in cursor.description] == ["symbol", "twice"]
    assert cursor.description[0][1] == dbapi.STRING
    assert cursor.description[1][1] == dbapi.NUMBER
    assert cursor.description[1][1] != dbapi.STRING
    assert cursor.rowcount == -1


def test_rows_are_fetched_one_by_one_until_none(cursor: dbapi.Cursor) -> None:
    cursor.execute("SELECT symbol FROM stocks WHERE price > 3")
    assert [cursor.fetchone(), cursor.fetchone(), cursor.fetchone(), cursor.fetchone()] == [("B",), ("C",), None, None]


def test_rows_are_fetched_in_portions_of_arraysize(cursor: dbapi.Cursor) -> None:
    cursor.execute("SELECT price FROM stocks")
    assert cursor.arraysize == 1
    assert cursor.fetchmany() == [(3,)]
    cursor.arraysize = 2
    assert cursor.fetchmany() == [(5,), (7,)]
    assert cursor.fetchmany() == []
    cursor.execute("SELECT price FROM stocks")
    assert cursor.fetchmany(2) == [(3,), (5,)]
    assert cursor.fetchmany(size=9) == [(7,)]


def test_all_rows_that_are_left_are_fetched(cursor: dbapi.Cursor) -> None:
    cursor.execute("SELECT price FROM stocks")
    cursor.fetchone()
    assert cursor.fetchall() == [(5,), (7,)]
    assert cursor.fetchall() == []


def test_a_cursor_is_an_iterator_and_counts(cursor: dbapi.Cursor) -> None:
    assert [price for (price,) in cursor.execute("SELECT price FROM stocks")] == [3, 5, 7]
    assert cursor.rownumber == 3
    assert iter(cursor) is cursor
    with pytest.raises(StopIteration):
        next(cursor)


@pytest.mark.parametrize("fetch", ["fetchone", "fetchmany", "fetchall"])
def test_fetching_without_rows_is_an_error(cursor: dbapi.Cursor, fetch: str) -> None:
    with pytest.raises(dbapi.Error):
        getattr(cursor, fetch)()
    cursor.execute("WHEN @P IS A PROCESSOR: THE START OF @P IS THE PROCESSOR THE FIRST 2 OF @P.")
    assert cursor.description is None
    with pytest.raises(dbapi.Error):
        getattr(cursor, fetch)()


def test_definitions_stay_with_the_connection(connection: dbapi.Connection) -> None:
    connection.cursor().execute("WHEN @P IS A PROCESSOR: THE START OF @P IS THE PROCESSOR THE FIRST 2 OF @P.")
    assert connection.cursor().execute("SELECT price FROM THE START OF stocks").fetchall() == [(3,), (5,)]


@pytest.mark.parametrize(
    ("value", "found"),
    [("A", 1), ("' OR 1 = 1 --", 0), ("?", 0), (None, 0), ("it's", 0)],
)
def test_parameters_are_values_and_nothing_else(cursor: dbapi.Cursor, value: Any, found: int) -> None:
    cursor.execute("SELECT symbol FROM stocks WHERE symbol = ?", [value])
    assert len(cursor.fetchall()) == found


def test_parameters_have_their_types(cursor: dbapi.Cursor) -> None:
    cursor.execute("SELECT ? AS a, ? AS b, ? AS c, ? AS d, ? AS e FROM stocks LIMIT 1", (-1, 2.5, True, None, "x"))
    assert cursor.fetchone() == (-1, 2.5, True, None, "x")
    day = dbapi.Date(2024, 2, 29)
    cursor.execute("SELECT ? AS a FROM stocks LIMIT 1", (day,))
    assert cursor.fetchone() == ("2024-02-29",)


@pytest.mark.parametrize("parameters", [(), (1, 2), {"a": 1}, "x", [object()], [b"x"]])
def test_parameters_that_do_not_fit_are_an_error(cursor: dbapi.Cursor, parameters: Any) -> None:
    if parameters == ():
        return  # without parameters a question mark is what is not known
    with pytest.raises(dbapi.ProgrammingError):
        cursor.execute("SELECT symbol FROM stocks WHERE price = ?", parameters)


def test_types_are_made_by_constructors() -> None:
    assert dbapi.Date(2024, 1, 2) == datetime.date(2024, 1, 2)
    assert dbapi.Time(1, 2, 3) == datetime.time(1, 2, 3)
    assert dbapi.Timestamp(2024, 1, 2, 3, 4, 5) == datetime.datetime(2024, 1, 2, 3, 4, 5)
    assert dbapi.DateFromTicks(86_400) == datetime.date(1970, 1, 2)
    assert dbapi.TimeFromTicks(61) == datetime.time(0, 1, 1)
    assert dbapi.TimestampFromTicks(86_461) == datetime.datetime(1970, 1, 2, 0, 1, 1)
    assert dbapi.Binary(b"x") == b"x"
    assert len({dbapi.STRING, dbapi.BINARY, dbapi.NUMBER, dbapi.DATETIME, dbapi.ROWID}) == 5


@pytest.mark.parametrize(
    "text", ["INSERT INTO stocks VALUES (1)", "delete from stocks", "DROP TABLE stocks", "UPDATE stocks"]
)
def test_what_writes_is_not_supported(cursor: dbapi.Cursor, text: str) -> None:
    with pytest.raises(dbapi.NotSupportedError):
        cursor.execute(text)
    with pytest.raises(dbapi.NotSupportedError):
        cursor.executemany(text, [[1]])
    with pytest.raises(dbapi.NotSupportedError):
        cursor.callproc("write")


def test_a_wrong_text_is_a_programming_error_that_shows_it(cursor: dbapi.Cursor) -> None:
    with pytest.raises(dbapi.ProgrammingError, match="did you mean `SELECT`"):
        cursor.execute("SELEKT price FROM stocks")
    with pytest.raises(dbapi.ProgrammingError, match="missing-input"):
        cursor.execute("SELECT price FROM bonds")


def test_closed_means_closed(connection: dbapi.Connection) -> None:
    cursor = connection.cursor()
    cursor.close()
    for use in (cursor.close, cursor.fetchall, lambda: cursor.execute("SELECT price FROM stocks"), cursor.nextset):
        with pytest.raises(dbapi.Error):
            use()
    other = connection.cursor()
    connection.close()
    for use in (connection.cursor, connection.commit, connection.close, other.fetchall):
        with pytest.raises(dbapi.Error):
            use()


def test_nothing_is_there_to_commit_or_to_take_back(connection: dbapi.Connection) -> None:
    connection.commit()
    connection.rollback()
    cursor = connection.cursor()
    assert cursor.connection is connection
    cursor.setinputsizes([1])
    cursor.setoutputsize(1)
    cursor.nextset()


def test_with_closes() -> None:
    with dbapi.connect({"stocks": STOCKS}) as connection, connection.cursor() as cursor:
        assert cursor.execute("SELECT COUNT(*) FROM stocks").fetchall() == [(3,)]
    with pytest.raises(dbapi.InterfaceError):
        connection.cursor()


def test_a_folder_has_a_table_per_file(tmp_path: Path) -> None:
    (tmp_path / "stocks.csv").write_text("symbol,price\nA,3\nB,5\n")
    (tmp_path / "bonds.jsonl").write_text('{"symbol": "A", "rate": 0.5}\n')
    cursor = dbapi.connect(tmp_path).cursor()
    cursor.execute("SELECT s.symbol, rate * price AS gain FROM stocks AS s JOIN bonds AS b ON s.symbol = b.symbol")
    assert cursor.fetchall() == [("A", 1.5)]
    with pytest.raises(dbapi.OperationalError):
        dbapi.connect(tmp_path / "nothing")
    (tmp_path / "broken.jsonl").write_text("{")
    with pytest.raises(dbapi.DatabaseError):
        dbapi.connect(tmp_path).cursor().execute("SELECT * FROM broken")


def test_pandas_reads_from_a_connection(connection: dbapi.Connection) -> None:
    with pytest.warns(UserWarning, match="SQLAlchemy"):
        frame = pd.read_sql("SELECT symbol, price FROM stocks WHERE price > ?", connection, params=[3])
    assert frame.to_dict("list") == {"symbol": ["B", "C"], "price": [5, 7]}


def test_an_endless_stream_is_read_as_far_as_rows_are_fetched() -> None:
    read: list[int] = []

    def endless() -> Iterator[dict[str, int]]:
        for number in count():
            read.append(number)
            yield {"n": number}

    cursor = dbapi.connect({"numbers": endless()}).cursor()
    cursor.execute("SELECT n * n AS square FROM numbers WHERE n % 2 = 0")
    assert cursor.fetchmany(3) == [(0,), (4,), (16,)]
    assert len(read) < 10
    with pytest.raises(dbapi.NotSupportedError, match="needs-whole-input"):
        cursor.execute("SELECT SUM(n) FROM numbers")
    with pytest.raises(dbapi.NotSupportedError, match="unbounded-state"):
        cursor.execute("SELECT DISTINCT n FROM numbers")
    allowed = dbapi.connect({"numbers": endless()}, allow_unbounded=True).cursor()
    assert allowed.execute("SELECT DISTINCT n % 3 AS n FROM numbers").fetchmany(3) == [(0,), (1,), (2,)]


@pytest.mark.parametrize(
    "text",
    [
        "SELECT n * n AS square FROM numbers WHERE n % 2 = 0",
        "GET (COMBINE * WITH ADDITION) FROM (SELECT n + 0 FROM numbers) ON A WINDOW OF 50",
        "APPLY $0 - $1 WITH (SELECT n + 0 FROM numbers), TRIM 7 OF (SELECT n + 0 FROM numbers)",
        "SELECT x.n, y.n AS later FROM numbers AS x, (TRIM 20 OF numbers) AS y",
        "GET (SELECT MAX(n) AS top FROM *) FROM numbers ON A WINDOW OF 9",
        "SELECT n, name FROM numbers JOIN names ON numbers.n % 3 = names.id",
    ],
)
def test_a_cursor_over_an_endless_stream_holds_what_the_certificate_says(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cranks: list[Crank] = []

    class Noted(Crank):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            cranks.append(self)

    monkeypatch.setattr(runner, "Crank", Noted)
    names = [{"id": number, "name": f"name {number}"} for number in range(3)]
    connection = dbapi.connect({"numbers": ({"n": number} for number in count()), "names": names})
    promised = connection.session.compile(text).certificate.entries
    assert promised is not None
    cursor = connection.cursor().execute(text)
    (crank,) = cranks
    for _ in range(200):
        assert len(cursor.fetchmany(10)) == 10
        assert crank.machine.held() <= promised
        assert sum(map(len, crank.waiting)) <= 1


def test_rows_of_a_star_and_of_plain_values() -> None:
    cursor = dbapi.connect({"t": STOCKS, "x": iter([1, 2, 3])}).cursor()
    cursor.execute("SELECT * FROM t WHERE price = 5")
    assert [column[0] for column in cursor.description or ()] == ["symbol", "price", "volume"]
    assert cursor.fetchall() == [("B", 5, None)]
    cursor.execute("COMBINE @x WITH ADDITION")
    assert [column[0] for column in cursor.description or ()] == ["value"]
    assert cursor.fetchall() == [(1,), (3,), (6,)]
    cursor.execute("SELECT price FROM t WHERE price > 100")
    assert [column[:2] for column in cursor.description or ()] == [("price", None)]
    assert cursor.fetchall() == []
