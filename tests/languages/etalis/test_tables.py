"""Background knowledge comes from the text, from rows, frames and files, and follows from itself."""

from pathlib import Path

import pandas
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cepheid
from cepheid.algebra.programs import Table
from cepheid.api import TableInput
from cepheid.diagnostics import CepheidError
from cepheid.languages.etalis import parse

RULE = "table near(place, zone).\ne(P) <- seen(P, Z) WHERE (near(P, Z))."
EVENTS = [
    {"type": "seen", "time": 1, "arg1": "dock", "arg2": "harbour"},
    {"type": "seen", "time": 2, "arg1": "harbour", "arg2": "dock"},
]
SWAPPED = {"zone": ["harbour", "town"], "place": ["dock", "hall"]}


def found(tables: TableInput, rule: str = RULE) -> list[object]:
    query = cepheid.compile(rule, language="etalis", tables={"near": tables})
    return [match.start for match in query.run(EVENTS)]


@pytest.mark.parametrize("rule", [RULE, RULE.splitlines()[1]], ids=["declared", "not declared"])
def test_rows_that_are_given(rule: str) -> None:
    assert found([("dock", "harbour")], rule) == [1]
    assert found(Table(("place", "zone"), (("dock", "harbour"),), 2), rule) == [1]


def test_columns_are_found_by_their_names(tmp_path: Path) -> None:
    assert found(pandas.DataFrame(SWAPPED)) == [1]
    pq.write_table(pa.table(SWAPPED), tmp_path / "near.parquet")
    assert found(tmp_path / "near.parquet") == [1]
    (tmp_path / "near.csv").write_text("zone,place\nharbour,dock\n")
    assert found(tmp_path / "near.csv") == [1]


def test_a_file_that_the_text_names(tmp_path: Path) -> None:
    rule = 'table limit(account, most : float) from "limits.csv".\ne(A) <- sent(A, X) WHERE (limit(A, X)).'
    program = parse(rule, resolve={"limits.csv": "account,most\nA,10.5\nB,\n"}.__getitem__)
    assert program.tables["limit"] == Table(("account", "most"), (("A", 10.5), ("B", None)), 2)


@pytest.mark.parametrize(
    ("declared", "content", "message"),
    [
        ("account, most : float", "account,most\nA,x\n", "line 2 of `t.csv` has `x` where another kind"),
        ("account, least", "account,most\nA,1\n", "`t.csv` has no column `least`"),
        ("account, most", "account,most\nA\n", "line 2 of `t.csv` has 1 cell, and there are 2 columns"),
        ("account : text", "account\nA\n", "no column holds `text`"),
    ],
)
def test_a_file_that_does_not_fit_is_shown(declared: str, content: str, message: str) -> None:
    with pytest.raises(CepheidError, match=message):
        parse(f'table t({declared}) from "t.csv".\ne <- a.', resolve={"t.csv": content}.__getitem__)


def test_rows_that_do_not_fit_are_shown() -> None:
    with pytest.raises(CepheidError, match="a row that was given for `near` has 1 cell"):
        found([("dock",)])


NAMES = st.sampled_from("abcd")
EDGES = st.lists(st.tuples(NAMES, NAMES), max_size=8)


def _closure(edges: list[tuple[str, str]]) -> set[tuple[str, str]]:
    reached = set(edges)
    while True:
        more = {(one, four) for one, two in reached for three, four in reached if two == three} - reached
        if not more:
            return reached
        reached |= more


@pytest.mark.parametrize(
    "step",
    ["edge(X, Y), path(Y, Z)", "path(X, Y), edge(Y, Z)", "path(X, Y), path(Y, Z)", "back(Y, X), path(Y, Z)"],
)
@given(EDGES)
def test_what_follows_is_the_transitive_closure(step: str, edges: list[tuple[str, str]]) -> None:
    facts = "\n".join(f"edge({one}, {other})." for one, other in edges)
    rules = f"path(X, Y) :- edge(X, Y).\nback(Y, X) :- edge(X, Y).\npath(X, Z) :- {step}."
    program = parse(f"table edge(from, to).\n{facts}\n{rules}\ne <- a WHERE (path(a, b)).", tables={"edge": []})
    assert set(program.tables["path"].rows) == _closure(edges)


def test_comparisons_are_goals_too() -> None:
    text = (
        "age(ann, 17). age(bob, 40). older(X, Y) :- age(X, A), age(Y, B), A > B, X != Y.\ne <- a WHERE (older(_, _))."
    )
    assert parse(text).tables["older"].rows == (("bob", "ann"),)
