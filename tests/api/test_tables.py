"""Tables come from rows, frames and files, and their columns are found by name where they have names."""

from pathlib import Path

import pandas
import polars
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

import cepheid
from cepheid.algebra.programs import Table
from cepheid.api import TableInput
from cepheid.api.tables import rows_of
from cepheid.diagnostics import CepheidError

RULES = """
template Transfer { originator : String, destination : String, amount : Float }
table limits(originator, destination) gives most : Float
rule TooMuch where t : Transfer { amount > limits.most(originator, destination) } then
"""
SWAPPED = {"most": [10.0, 99.0], "destination": ["F", "R"], "originator": ["E", "S"]}
EVENTS = [
    {"type": "Transfer", "time": time, "originator": who, "destination": to, "amount": amount}
    for time, (who, to, amount) in enumerate([("E", "F", 9.0), ("E", "F", 11.0), ("S", "R", 100.0), ("F", "E", 1e6)])
]


def found(tables: TableInput) -> list[object]:
    query = cepheid.compile(RULES, language="parte", tables={"limits": tables})
    return [match.start for match in query.run(EVENTS)]


@pytest.mark.parametrize("content", ['a,b\n1,"x\n', f"a,b\n1,{'y' * 200_000}\n", 'a,b\n1,"x"y\n'])
def test_a_file_that_is_no_table_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / "t.csv").write_text(content)
    with pytest.raises(CepheidError, match="bad-table"):
        rows_of({"t": tmp_path / "t.csv"})


def test_rows_are_in_the_order_of_the_columns() -> None:
    rows = [("E", "F", 10.0), ("S", "R", 99.0)]
    assert found(rows) == [1, 2]
    assert found(iter(rows)) == [1, 2]
    assert found(Table(("originator", "destination", "most"), tuple(rows), 2)) == [1, 2]


@pytest.mark.parametrize("frame", [pa.table, pandas.DataFrame, polars.DataFrame])
def test_columns_of_frames_are_found_by_their_names(frame: type[pandas.DataFrame]) -> None:
    assert found(frame(SWAPPED)) == [1, 2]


@pytest.mark.parametrize("ending", ["csv", "parquet", "feather"])
def test_columns_of_files_are_found_by_their_names(ending: str, tmp_path: Path) -> None:
    path, table = tmp_path / f"limits.{ending}", pa.table(SWAPPED)
    match ending:
        case "csv":
            path.write_text("most,destination,originator\n10,F,E\n\n99,R,S\n", encoding="utf-8")
        case "parquet":
            pq.write_table(table, path)
        case _:
            feather.write_feather(table, path)
    assert found(path) == [1, 2]
    assert found(str(path)) == [1, 2]


def test_a_table_that_was_given_goes_before_what_the_text_says() -> None:
    text = RULES.replace("most : Float", 'most : Float = [["E", "F", 0.0]]')
    given = cepheid.compile(text, language="parte", tables={"limits": [("E", "F", 10.0)]})
    assert [match.start for match in given.run(EVENTS)] == [1]
    assert [match.start for match in cepheid.compile(text, language="parte").run(EVENTS)] == [0, 1]


def test_a_column_that_is_not_there_is_told(tmp_path: Path) -> None:
    path = tmp_path / "limits.csv"
    path.write_text("mots,destination,originator\n10,F,E\n", encoding="utf-8")
    with pytest.raises(CepheidError) as raised:
        found(path)
    assert str(raised.value).replace(str(tmp_path), "here") == (
        "error[bad-table]: `here/limits.csv` has no column `most`\n"
        " --> <query>:3:7\n"
        "  |\n"
        "3 | table limits(originator, destination) gives most : Float\n"
        "  |       ^^^^^^ this file\n"
        "  = hint: did you mean the column `mots`?"
    )


def test_a_file_that_is_not_there_is_told() -> None:
    with pytest.raises(CepheidError) as raised:
        found("nowhere.csv")
    assert str(raised.value) == "error[unreadable-input]: `nowhere.csv` cannot be read: there is no such file"


def test_what_looks_nothing_up_takes_no_tables() -> None:
    tables = {"limits": [("E", "F", 10.0)]}
    with pytest.raises(CepheidError, match="a text in `algebra` looks nothing up in tables"):
        cepheid.compile("A ; B", tables=tables, allow_unbounded=True, language="algebra")
    with pytest.raises(CepheidError, match="the tables of what the builder made are set in the builder"):
        cepheid.compile(cepheid.query(cepheid.event("A")), tables=tables)
