"""Sessions of eSQL: definitions stay, palettes bring grammar, Python gets a syntax."""

from importlib.metadata import EntryPoint
from types import SimpleNamespace
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import cepheid
from cepheid import pipes as p
from cepheid.diagnostics import CepheidError
from cepheid.languages.esql import palettes

START = "WHEN @P IS A PROCESSOR: THE START OF @P IS THE PROCESSOR THE FIRST 2 OF @P."


def test_definitions_stay_in_a_session_and_not_in_what_is_compiled() -> None:
    session = cepheid.esql.Session()
    session.execute(START)
    assert session.compile("THE START OF @x").run(x=[1, 2, 3]) == [1, 2]
    session.compile("MINE IS THE PROCESSOR @x. MINE")
    with pytest.raises(CepheidError, match="missing-input"):
        session.compile("MINE").run()
    assert session.definitions == [START]
    with pytest.raises(CepheidError, match="bad-definition"):
        session.execute("THE START OF @x")


def test_a_text_with_a_mistake_changes_nothing() -> None:
    session = cepheid.esql.Session()
    with pytest.raises(CepheidError):
        session.execute(f"{START} THE END IS THE PROCESSR @x.")
    assert session.definitions == []


def test_palettes_are_what_a_session_reads() -> None:
    assert cepheid.esql.Session(palettes=["ltl"]).compile("G (@x)").run(x=[False]) == [False]
    with pytest.raises(CepheidError, match="syntax"):
        cepheid.esql.Session(palettes=["tuples"]).compile("G (@x)")
    with pytest.raises(CepheidError, match="syntax"):
        cepheid.esql.Session(palettes=[]).compile("SELECT a FROM t")


def test_python_gets_a_syntax() -> None:
    session = cepheid.esql.Session()
    session.add_syntax("PROCESSOR", "REPEAT ( <processor> ) <number> TIMES", lambda source, n: source | p.stutter(n))
    session.add_syntax("FUNCTION", "THE SQUARE OF <primary>", lambda term: term * term)
    assert session.compile("REPEAT (FREEZE @x) 2 TIMES").run(x=[1, 2]) == [1, 1, 1, 1]
    assert session.compile("SELECT THE SQUARE OF a + 1 FROM @t").run(t=[{"a": 3}]) == [10]
    session.execute("WHEN @P IS A PROCESSOR: TWICE @P IS THE PROCESSOR REPEAT (@P) 2 TIMES.")
    assert session.compile("TWICE @x").run(x=[1]) == [1, 1]
    with pytest.raises(CepheidError, match="hidden-syntax"):
        session.add_syntax("PROCESSOR", "FREEZE <processor>", lambda source: source)
    with pytest.raises(CepheidError, match="unknown-symbol"):
        session.add_syntax("PROCESSOR", "AGAIN <procesor>", lambda source: source)


def test_what_makes_no_processor_is_refused_with_its_place() -> None:
    session = cepheid.esql.Session()
    session.add_syntax("PROCESSOR", "NOTHING AT ALL", lambda: None)
    with pytest.raises(CepheidError, match=r"bad-pipe.*\n --> <query>:1:8"):
        session.compile("FREEZE NOTHING AT ALL")


def test_palettes_of_other_packages_are_found_by_their_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    palette = SimpleNamespace(
        ESQL_GRAMMAR="thrice: <processor> ::= THRICE ( <processor> )",
        ESQL_MAKERS={"thrice": lambda source: source | p.stutter(3)},
    )
    monkeypatch.setattr(EntryPoint, "load", lambda _: palette)
    point = EntryPoint("threes", "threes", palettes.GROUP)
    monkeypatch.setattr(palettes, "entry_points", lambda **_: [point])
    assert cepheid.esql.Session(palettes=["threes"]).compile("THRICE (@x)").run(x=[1]) == [1, 1, 1]


def test_the_palette_of_signals_is_said_in_words() -> None:
    session = cepheid.esql.Session(palettes=["signal", "tuples"])
    assert session.compile("THE VALUES ABOVE 3 OF @x").run(x=[1, 5, -7]) == p.threshold(3).run([1, 5, -7])
    values = [0, 0, 9, 1, 0, 0, 0, 0, 0]
    assert session.compile("THE PEAKS OF @x BY 3").run(x=values) == p.peaks(3).run(values)
    assert session.compile("THE PLATEAUS OF @x BY 3 WITHIN 1").run(x=values) == p.plateau(3, 1).run(values)
    assert session.compile("AT MOST ONE IN 2 OF @x").run(x=[1, 1, 1]) == p.limit(2).run([1, 1, 1])


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_table_is_a_frame_of_any_kind(frame: Any) -> None:
    session = cepheid.esql.Session(tables={"t": frame({"a": [1, 2], "b": ["x", "y"]})})
    assert session.compile("SELECT a FROM t WHERE b = 'y'").run() == [{"a": 2}]
    assert session.compile("SELECT SUM(a) AS s FROM t").run() == [{"s": 3}]
    assert session.compile("COMBINE (SELECT a + 0 FROM t) WITH ADDITION").run() == [1, 3]
    query = cepheid.compile("SELECT x.a, y.a AS b FROM l AS x, r AS y", language="esql")
    given = frame({"a": [1, 2]})
    assert len(query.run(l=given, r=given)) == 4


def test_a_table_of_something_else_is_refused() -> None:
    with pytest.raises(CepheidError, match="bad-table"):
        cepheid.esql.Session(tables={"t": [1, 2]})


def test_a_maker_that_fails_is_shown_at_its_place() -> None:
    session = cepheid.esql.Session()
    session.add_syntax("PROCESSOR", "BROKEN <number>", lambda number: 1 / number)
    session.add_syntax("FUNCTION", "WRONG <number>", lambda number: 1 / number)
    for text in ("FREEZE BROKEN 0", "SELECT WRONG 0 FROM @t"):
        with pytest.raises(CepheidError, match="what makes this failed: ZeroDivisionError"):
            session.compile(text)


def test_a_palette_may_name_its_rules_like_built_in_ones() -> None:
    session = cepheid.esql.Session()
    session.add(palettes.Extension("mine", "where: <processor> ::= ONLY <processor>", {"where": lambda source: source}))
    assert session.compile("ONLY (@x) WHERE $0 > 1").run(x=[1, 2]) == [2]


@pytest.mark.parametrize(
    "options", [{"policy": "all"}, {"disorder": "1 s"}, {"rates": {"A": "1/s"}}, {"ties": "arrival"}]
)
def test_what_only_matches_have_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(CepheidError, match="conflicting-options"):
        cepheid.compile("FREEZE @x", language="esql", **options)


def test_each_copy_of_a_distinct_select_has_its_own_memory() -> None:
    query = cepheid.compile("SELECT DISTINCT a FROM @t", language="esql", allow_unbounded=True)
    one = query.start()
    assert one.push({"a": 1}) == [{"a": 1}]
    two = one.copy()
    assert (one.push({"a": 2}), two.push({"a": 2}), two.push({"a": 1})) == ([{"a": 2}], [{"a": 2}], [])
    assert query.start().push({"a": 1}) == [{"a": 1}]
