"""Plain SQL over tables has the answer of a database; over a stream of the rows too, where none waits for all."""

import atexit
import math
import re
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
        if not is_ordered_in_part(text):
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
        return connection.execute(_in_its_words(text)).fetchall()


def _in_its_words(text: str) -> str:
    """A text with what the other database takes in another way: halves of whole numbers, and where nulls stand."""
    halves = text.replace(" / 2)", " / 2.0)")
    return re.sub(r"ORDER BY (k[0-9](?:, k[0-9])*)", lambda found: f"ORDER BY {_nulls_last(found[1])}", halves)


def _nulls_last(keys: str) -> str:
    return ", ".join(f"{key} NULLS LAST" for key in keys.split(", "))


def is_common(text: str) -> bool:
    """Whether two databases mean the same by a text: the other one takes set operations from left to right."""
    sets = sum(text.count(word) for word in (" UNION ", " EXCEPT ", " INTERSECT "))
    return sets < 2 or " INTERSECT " not in text


def numbered(row: Any) -> tuple[Any, ...]:
    """A row in which truth values are numbers, as the other database has them."""
    return tuple({"True": 1.0, "False": 0.0}.get(value, value) for value in plain(row))


@pytest.mark.parametrize("seed", range(12))
def test_another_database_agrees(seed: int) -> None:
    """More than 1,000 queries, half of them over tables and half over a stream."""
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
        found = list(map(numbered, query.pull(**({} if whole else {"t": iter(tables["t"])}))))
        expected = list(map(numbered, other_answer(text, tables)))
        assert Counter(found) == Counter(expected), text
        assert is_ordered_in_part(text) or found == expected, text
    assert compared > 0.92 * EACH


def is_ordered_in_part(text: str) -> bool:
    """Whether rows have no order, or equals in it."""
    if text.startswith("WITH "):
        return True
    return " ORDER BY k0, " not in text and not (" ORDER BY k0" in text and " GROUP BY " in text)
