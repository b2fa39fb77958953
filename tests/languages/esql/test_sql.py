"""Plain SQL over tables has the answer of a database; over a stream of the rows too, where none waits for all."""

import atexit
import math
import sqlite3
from collections import Counter
from contextlib import closing
from decimal import Decimal
from functools import cache
from random import Random
from typing import Any

import duckdb
import pytest

import cepheid
from cepheid.connectors.database import columns_of
from tests.languages.esql.random_sql import Row, random_rows, random_select

EACH = 100


@cache
def database() -> duckdb.DuckDBPyConnection:
    """One for all questions, which goes before Python does."""
    atexit.register(database.cache_clear)
    return duckdb.connect()


def answered(text: str, tables: dict[str, list[Row]]) -> list[tuple[Any, ...]]:
    """What the database says to the text as it stands."""
    with database().cursor() as connection:
        for name, rows in tables.items():
            connection.register(name, columns_of(rows, name, tuple("abcdf")))
        return connection.execute(text).fetchall()


def plain(row: Any) -> tuple[Any, ...]:
    values = tuple(row.values()) if isinstance(row, dict) else row if isinstance(row, tuple) else (row,)
    return tuple(map(_plain, values))


def _plain(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return str(value)
    return float(value) + 0.0 if isinstance(value, int | float | Decimal) else value


def random_tables(random: Random) -> dict[str, list[Row]]:
    return {"t": random_rows(random, random.randrange(1, 8)), "u": random_rows(random, random.randrange(1, 5))}


@pytest.mark.parametrize("seed", range(13))
def test_a_query_over_tables_has_the_answer_of_a_database(seed: int) -> None:
    random = Random(seed)
    for _ in range(EACH):
        tables = random_tables(random)
        text = random_select(random, whole=True)
        expected = answered(text, tables)
        found = cepheid.compile(text, language="esql", tables=tables).run()
        if " ORDER BY k0, " in text or (" ORDER BY k0" in text and " GROUP BY " in text):
            assert list(map(plain, found)) == list(map(plain, expected)), text
        assert Counter(map(plain, found)) == Counter(map(plain, expected)), text


@pytest.mark.parametrize("seed", range(10))
def test_a_query_over_a_stream_has_the_same_answer(seed: int) -> None:
    """A stream is never asked of a database: only a query inside of an expression is, over the table `u`."""
    random = Random(1000 + seed)
    for _ in range(EACH):
        tables = random_tables(random)
        text = random_select(random, whole=False)
        expected = Counter(map(plain, answered(text, tables)))
        query = cepheid.compile(text, language="esql", tables={"u": tables["u"]}, allow_unbounded=True)
        assert Counter(map(plain, query.pull(t=iter(tables["t"])))) == expected, text
        copy = query.start()
        pushed = [value for row in tables["t"] for value in copy.push(row)]
        assert Counter(map(plain, pushed)) == expected, text
        assert Counter(map(plain, cepheid.compile(text, language="esql", tables=tables).run())) == expected, text


def other_answer(text: str, tables: dict[str, list[Row]]) -> list[tuple[Any, ...]]:
    """What another database says, one that none of our answers comes from."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("PRAGMA case_sensitive_like = ON")
        connection.create_function("floor", 1, lambda one: None if one is None else float(math.floor(one)))
        for name, rows in tables.items():
            connection.execute(f"CREATE TABLE {name} (a INTEGER, b INTEGER, c TEXT, d REAL, f INTEGER)")
            connection.executemany(f"INSERT INTO {name} VALUES (:a, :b, :c, :d, :f)", rows)
        return connection.execute(text.replace(" / 2)", " / 2.0)")).fetchall()


def is_common(text: str) -> bool:
    """Whether two databases mean the same by a text: they order nulls and set operations in ways of their own."""
    sets = sum(text.count(word) for word in (" UNION ", " EXCEPT ", " INTERSECT "))
    return " LIMIT " not in text and (sets < 2 or " INTERSECT " not in text)


def numbered(row: Any) -> tuple[Any, ...]:
    """A row in which truth values are numbers, as the other database has them."""
    return tuple({"True": 1.0, "False": 0.0}.get(value, value) for value in plain(row))


@pytest.mark.parametrize("seed", range(10))
def test_another_database_agrees(seed: int) -> None:
    random = Random(2000 + seed)
    compared = 0
    for _ in range(EACH):
        tables, whole = random_tables(random), random.random() < 0.5
        text = random_select(random, whole=whole)
        if not is_common(text):
            continue
        compared += 1
        known = tables if whole else {"u": tables["u"]}
        query = cepheid.compile(text, language="esql", tables=known, allow_unbounded=True)
        found = query.pull(**({} if whole else {"t": iter(tables["t"])}))
        expected = Counter(map(numbered, other_answer(text, tables)))
        assert Counter(map(numbered, found)) == expected, text
    assert compared > EACH / 2
