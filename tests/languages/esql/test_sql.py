"""Plain SQL over tables has the answer of a database; over a stream of the rows too, where none waits for all."""

import atexit
from collections import Counter
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


@pytest.mark.parametrize("seed", range(13))
def test_a_query_over_tables_has_the_answer_of_a_database(seed: int) -> None:
    random = Random(seed)
    for _ in range(EACH):
        tables = {"t": random_rows(random, random.randrange(1, 8)), "u": random_rows(random, random.randrange(1, 5))}
        text = random_select(random, whole=True)
        expected = answered(text, tables)
        found = cepheid.compile(text, language="esql", tables=tables).run()
        if " ORDER BY k0, " in text or (" ORDER BY k0" in text and " GROUP BY " in text):
            assert list(map(plain, found)) == list(map(plain, expected)), text
        assert Counter(map(plain, found)) == Counter(map(plain, expected)), text


@pytest.mark.parametrize("seed", range(8))
def test_a_query_over_a_stream_has_the_same_answer(seed: int) -> None:
    random = Random(1000 + seed)
    for _ in range(EACH):
        rows = random_rows(random, random.randrange(1, 12))
        text = random_select(random, whole=False)
        expected = Counter(map(plain, answered(text, {"t": rows})))
        query = cepheid.compile(text, language="esql")
        assert Counter(map(plain, query.pull(t=iter(rows)))) == expected, text
        assert Counter(map(plain, cepheid.compile(text, language="esql", tables={"t": rows}).run())) == expected, text
