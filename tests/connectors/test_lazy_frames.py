"""Queries of polars and DuckDB are read as their rows are made, once, with rows counted through."""

from collections.abc import Callable
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import cepheid
from cepheid.connectors import arrow_rows, is_read_again, lazy_frames, source_of
from cepheid.diagnostics import CepheidError
from tests.connectors.reading import read, told

COLUMNS = {"type": ["A", "B", None, "A", "B"], "time": [1, 2, 3, 4, 5]}
TOLD = [(1, "A"), (2, "B"), (4, "A"), (5, "B")]


class Relation:
    """A query of DuckDB, as its documentation has it: each method that fetches runs it, and it has a length."""

    def __init__(self, *, fails: bool = False) -> None:
        self.runs = 0
        self._fails = fails

    def __len__(self) -> int:
        raise AssertionError("counting runs the query")

    def fetch_record_batch(self, rows_per_batch: int = 1_000_000) -> Any:  # pyarrow has no types
        self.runs += 1
        if self._fails:
            raise RuntimeError("Catalog Error: Table with name t does not exist!\nLINE 1: from t")
        table = pa.table(COLUMNS)
        return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=rows_per_batch))


class LaterRelation:
    """One that hands out Arrow alone."""

    def __init__(self) -> None:
        self._made = Relation()

    def __len__(self) -> int:
        raise AssertionError("counting runs the query")

    def sql_query(self) -> str:
        return "FROM t"

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._made.fetch_record_batch(2).__arrow_c_stream__(requested_schema)


class LazyFrame:
    """A lazy frame of a polars that cannot hand out rows as they are made."""

    def collect(self) -> pl.DataFrame:
        return pl.DataFrame(COLUMNS)


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow_rows, "MOST_ROWS", 2)
    monkeypatch.setattr(lazy_frames, "MOST_ROWS", 2)


@pytest.mark.parametrize("make", [lambda: pl.LazyFrame(COLUMNS), Relation, LaterRelation, LazyFrame])
def test_rows_are_read_as_they_are_made(make: Callable[[], Any]) -> None:
    events = make()
    found, rejects = read(source_of(events))
    assert [event[:2] for event in told(found)] == TOLD
    assert [one.to_dict()["place"] for one in rejects] == ["frame:3"]
    assert not is_read_again(events)


def test_a_query_runs_once() -> None:
    events, query = Relation(), cepheid.compile("(A ; B) within 2 s", language="algebra")
    run = query.run(events)
    assert [run.to_arrow().num_rows, run.count(), len(list(run)), events.runs] == [2, 2, 2, 1]
    again = query.run(Relation())
    assert again.count() == 2
    with pytest.raises(CepheidError, match="can be read once only"):
        again.count()


def test_a_lazy_frame_without_rows_has_no_matches() -> None:
    none = pl.LazyFrame(COLUMNS).filter(pl.col("time") > 9)
    assert cepheid.compile("A", language="algebra").run(none).count() == 0


def test_a_query_that_fails_says_what_its_library_says() -> None:
    with pytest.raises(CepheidError) as caught:
        source_of(Relation(fails=True))
    assert str(caught.value) == (
        "error[unreadable-input]: `frame` cannot be read: Catalog Error: Table with name t does not exist!"
    )
    with pytest.raises(CepheidError, match=r"unreadable-input\]: `frame` cannot be read: .*nowhere"):
        cepheid.compile("A", language="algebra").run(pl.LazyFrame(COLUMNS).filter(pl.col("nowhere") > 1)).count()
    late = pl.LazyFrame(COLUMNS).with_columns(pl.col("time").map_batches(_refused, return_dtype=pl.Int64))
    with pytest.raises(CepheidError, match=r"unreadable-input\]: `frame` cannot be read"):
        cepheid.compile("A", language="algebra").run(late).count()


def _refused(_: pl.Series) -> pl.Series:
    raise ValueError("no rows today")


def test_a_frame_may_have_columns_of_any_name() -> None:
    frame = pd.DataFrame({**COLUMNS, "fetch_record_batch": 1, "sql_query": 2})
    assert is_read_again(frame)
    assert [event[:2] for event in told(read(source_of(frame))[0])] == TOLD
