"""Batches that are pushed: whatever form they have, they tell what their rows tell one by one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import cepheid as c
from cepheid.diagnostics import CepheidError

TEXT = "Rise = (a:Quote ; b:Quote) within 5 s emits gain = b.price - a.price"
ROWS = [
    {"type": "Quote", "time": 1, "price": 10.0},
    {"type": "Other", "time": 2, "price": 0.0},
    {"type": "Quote", "time": 3, "price": 12.5},
    {"type": "Quote", "time": 9, "price": 11.0},
    {"type": "Quote", "time": 10, "price": 14.0},
    {"type": "Other", "time": 20, "price": 0.0},
]
FORMS: dict[str, Callable[[list[dict[str, Any]]], Any]] = {
    "list": list,
    "iterator": iter,
    "table": pa.Table.from_pylist,
    "record batch": pa.RecordBatch.from_pylist,
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
}


def one_by_one(rows: list[dict[str, Any]]) -> list[c.Report]:
    detector = c.compile(TEXT, language="algebra").detector()
    return [match for row in rows for match in detector.push(row)]


@pytest.mark.parametrize("form", FORMS)
def test_a_batch_tells_what_its_rows_tell(form: str) -> None:
    detector = c.compile(TEXT, language="algebra").detector()
    first, second = FORMS[form](ROWS[:3]), FORMS[form](ROWS[3:])
    found = [*detector.push_batch(first), *detector.push_batch(second)]
    assert found == one_by_one(ROWS)
    assert len(found) == 2
    assert detector.position == len(ROWS)


def test_matches_may_come_as_a_table() -> None:
    table = c.compile(TEXT, language="algebra").detector().push_batch(pa.Table.from_pylist(ROWS), columns=True)
    assert table.column_names == ["match", "start", "end", "known", "evidence", "id", "gain"]
    assert table["gain"].to_pylist() == [2.5, 3.0]
    assert table["id"].to_pylist() == [match.id for match in one_by_one(ROWS)]


def test_a_table_of_no_matches_has_its_columns() -> None:
    table = c.compile(TEXT, language="algebra").detector().push_batch([], columns=True)
    assert table.num_rows == 0
    assert "gain" in table.column_names


def test_a_row_that_says_no_event_is_set_aside() -> None:
    detector = c.compile(TEXT, language="algebra").detector()
    bad = {"type": "Quote", "price": 1.0}
    expected = one_by_one([ROWS[0], {"type": "Other", "time": 1}, *ROWS[1:]])
    assert detector.push_batch([ROWS[0], bad, *ROWS[1:]]) == expected
    assert detector.rejected == [bad]
    (warning,) = detector.warnings
    assert (warning.code, warning.place and warning.place.path) == ("bad-event", (1,))


def test_a_strict_detector_refuses_a_row_and_keeps_what_was_found() -> None:
    detector = c.compile(TEXT, language="algebra").detector(strict=True)
    with pytest.raises(CepheidError, match="there is no `time`"):
        detector.push_batch([*ROWS[:4], {"type": "Quote", "price": 1.0}])
    assert [match.start for match in detector.push_batch([])] == [1]


@pytest.mark.parametrize("kind", [["A"], {"A": 1}, None, 7])
def test_a_type_that_is_no_text_is_refused(kind: object) -> None:
    detector = c.compile(TEXT, language="algebra").detector()
    detector.push(ROWS[0])
    with pytest.raises(CepheidError, match="expected a type"):
        detector.push({"type": kind, "time": 2})


def test_a_name_that_equals_nothing_is_a_name_all_the_same() -> None:
    detector = c.compile(TEXT, language="algebra").detector()
    detector.push(ROWS[0])
    row: dict[Any, object] = {pd.NA: 1, "type": "Other", "time": 2}
    assert detector.push(row) == []
    assert detector.position == 2


@pytest.mark.parametrize(
    "given",
    [7, "events.parquet", b"x", Path("events.csv"), ROWS[0], pl.LazyFrame()],
    ids=lambda one: type(one).__name__,
)
def test_what_is_no_batch_is_refused(given: object) -> None:
    detector = c.compile(TEXT, language="algebra").detector()
    with pytest.raises(CepheidError) as raised:
        detector.push_batch(given)
    assert str(raised.value) == (
        f"error[unreadable-input]: `batch` cannot be read: `{type(given).__name__}` "
        "is neither a table nor a list of events\n"
        "  = hint: `query.run(events)` reads files and queries; push tables, or lists such as "
        '`[{"type": "A", "time": 12}]`'
    )
    assert detector.position == 0


def test_a_list_of_tables_is_their_rows() -> None:
    table = pa.Table.from_pylist(ROWS)
    expected, detector = c.compile(TEXT, language="algebra").detector(), c.compile(TEXT, language="algebra").detector()
    found = detector.push_batch([*table.to_batches(max_chunksize=2), pl.from_arrow(table.slice(0, 0))])
    assert found == expected.push_batch(table)
    assert detector.position == table.num_rows
