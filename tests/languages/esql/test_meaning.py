"""What texts of eSQL give: the examples of the paper and of the specification, and each form by itself."""

from dataclasses import replace
from pathlib import Path

import pytest

import cepheid
from cepheid.diagnostics import CepheidError

ROWS = [{"a": 1, "b": 2}, {"a": 3, "b": 4}, {"a": None, "b": 5}]


def run(text: str, **inputs: object) -> list[object]:
    return cepheid.compile(text, language="esql").run(**inputs)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("COMBINE P WITH ADDITION", [1, 3, 6, 10]),
        ("GET (COMBINE * WITH ADDITION) FROM P ON A WINDOW OF 3", [6, 9]),
        ("COMBINE APPLY CONSTANT 1 WITH @P WITH ADDITION", [1, 2, 3, 4]),
        ("EVERY 4TH OF P", [1]),
        ("every 2nd of P", [1, 3]),
        ("FREEZE @P", [1, 1, 1, 1]),
        ("TRIM 1 OF @P", [2, 3, 4]),
        ("THE FIRST 2 OF @P", [1, 2]),
        ("COMBINE @P WITH SUBTRACTION", [-1, -3, -6, -10]),
        ("COMBINE @P WITH MULTIPLICATION", [1, 2, 6, 24]),
        ("COMBINE @P WITH DIVISION", [1.0, 0.5, 1 / 6, 1 / 24]),
        ("COMBINE @P WITH MINIMUM", [1, 1, 1, 1]),
        ("COMBINE @P WITH MAXIMUM", [1, 2, 3, 4]),
        ("COMBINE (APPLY $0 < 3 WITH @P) WITH CONJUNCTION", [True, True, False, False]),
        ("COMBINE (APPLY $0 > 2 WITH @P) WITH DISJUNCTION", [False, False, True, True]),
        ("COMBINE @P WITH UNION", [{1}, {1, 2}, {1, 2, 3}, {1, 2, 3, 4}]),
        ("SLICE @P WITH (COMBINE * WITH ADDITION) ON $0 % 2", [{1: 1}, {1: 1, 0: 2}, {1: 4, 0: 2}, {1: 4, 0: 6}]),
        ("SLICE @P WITH (COMBINE * WITH ADDITION) ON $0 % 2 AS A SET", [{1}, {1, 2}, {4, 2}, {4, 6}]),
        ("WITH @P, TRIM 1 OF @P", [(1, 2), (2, 3), (3, 4)]),
        ("WITH @P AS $x, (TRIM 1 OF @P) AS $y", [{"x": 1, "y": 2}, {"x": 2, "y": 3}, {"x": 3, "y": 4}]),
        ("APPLY $0 WITH CONSTANT 7, @P", [7, 7, 7, 7]),
        ("(@P) WHERE $0 > 2", [3, 4]),
        ("NOT (APPLY $0 > 2 WITH @P)", [True, True, False, False]),
        ("¬ (APPLY $0 > 2 WITH @P)", [True, True, False, False]),
        ("(APPLY $0 > 1 WITH @P) AND (APPLY $0 < 3 WITH @P)", [False, True, False, False]),
        ("(APPLY $0 ≤ 1 WITH @P) ∨ (APPLY $0 ≥ 4 WITH @P)", [True, False, False, True]),
        ("G (APPLY $0 > 2 WITH @P)", [False, False]),
        ("GLOBALLY (APPLY $0 > 2 WITH @P)", [False, False]),
        ("F (APPLY $0 = 3 WITH @P)", [True, True, True]),
        ("EVENTUALLY (APPLY $0 = 3 WITH @P)", [True, True, True]),
        ("X (APPLY $0 = 3 WITH @P)", [False, True, False]),
        ("NEXT (APPLY $0 = 3 WITH @P)", [False, True, False]),
        ("(APPLY $0 < 3 WITH @P) U (APPLY $0 = 3 WITH @P)", [True, True, True, False]),
        ("(APPLY $0 < 3 WITH @P) UNTIL (APPLY $0 = 3 WITH @P)", [True, True, True, False]),
        ("ALWAYS (APPLY $0 < 3 WITH @P)", [None, None, False, False]),
        ("SOMETIME (APPLY $0 = 3 WITH @P)", [None, None, True, True]),
        ("AFTER (APPLY $0 = 2 WITH @P)", [None, True, True, True]),
        ("(APPLY $0 < 3 WITH @P) UP TO (APPLY $0 = 3 WITH @P)", [None, None, True, True]),
        ("APPLY √($0 * $0) ÷ 2 WITH @P", [0.5, 1.0, 1.5, 2.0]),
        ("APPLY |$0 - 3| × 2 ^ 2 WITH @P", [8, 4, 0, 4]),
        ("APPLY TURN '1.5' INTO A NUMBER WITH @P", [1.5] * 4),
        ("APPLY ⊤ ∧ ? WITH @P", [None] * 4),
        ("APPLY CASE WHEN $0 = 1 THEN 'one' WHEN $0 = 2 THEN 'two' END WITH @P", ["one", "two", None, None]),
        ("APPLY $0 IN (1, 4) WITH @P", [True, False, False, True]),
        ("APPLY abs(-$0) // 2 WITH @P", [0, 1, 1, 2]),
    ],
)
def test_a_trace_of_numbers(text: str, expected: list[object]) -> None:
    assert run(text, P=[1, 2, 3, 4]) == expected


def test_placeholders_name_what_is_collated() -> None:
    window = "GET (COMBINE * WITH ADDITION) FROM {} ON A WINDOW OF 3"
    text = f"APPLY $A + $B WITH {window.format('P')} AS $A, {window.format('Q')} AS $B"
    assert run(text, P=[1, 2, 3, 4], Q=[10, 20, 30, 40]) == [66, 99]
    assert run("APPLY A - B WITH @P AS A, @Q AS B", P=[5], Q=[3]) == [2]


def test_inputs_are_read_in_fronts_of_their_own() -> None:
    assert run("APPLY $0 + $1 WITH (EVERY 2ND OF @P), @Q", P=[1, 2, 3, 4], Q=[10, 20]) == [11, 23]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT a + b AS c FROM @t", [{"c": 3}, {"c": 7}, {"c": None}]),
        ("SELECT a + b FROM @t", [3, 7, None]),
        ("SELECT a FROM @t", [{"a": 1}, {"a": 3}, {"a": None}]),
        ("SELECT b, a + 1 FROM @t WHERE a > 1", [{"b": 4, "a + 1": 4}]),
        ("SELECT * FROM @t WHERE a IS NULL", [{"a": None, "b": 5}]),
        ("SELECT x.b AS k FROM @t AS x WHERE NOT x.a = 3", [{"k": 2}]),
        ("SELECT t.b FROM @t LIMIT 1 OFFSET 1", [{"b": 4}]),
        ("SELECT *, a * 2 AS d FROM @t LIMIT 1", [{"a": 1, "b": 2, "d": 2}]),
        ("SELECT DISTINCT a IS NULL AS n FROM @t", [{"n": False}, {"n": True}]),
        ("SELECT a (@t) WHERE b > 4", [{"a": None}]),
        ("(SELECT a FROM @t) WHERE a > 1", [{"a": 3}]),
        ("SELECT x.a, y.b FROM @t AS x, (TRIM 1 OF @t) AS y", [{"a": 1, "b": 4}, {"a": 3, "b": 5}]),
        ("FROM @t AS x, (TRIM 2 OF @t) AS y", [(ROWS[0], ROWS[2])]),
        ("SELECT a, b AS a FROM @t LIMIT 1", [{"a": 1, "a_2": 2}]),
        ("SELECT a, b AS a FROM t ORDER BY b LIMIT 1", [{"a": 1, "a_2": 2}]),
        ("SELECT SUM(b) AS s FROM t", [{"s": 11}]),
        ("SELECT COUNT(a) FROM t", [2]),
        ("GET (SELECT SUM(b) FROM *) FROM @t ON A WINDOW OF 2", [[6], [9]]),
        ("SELECT SUM(b) AS s FROM (EVERY 2ND OF @t)", [{"s": 7}]),
    ],
)
def test_a_trace_of_tuples(text: str, expected: list[object]) -> None:
    assert run(text, t=ROWS) == expected


def test_the_pattern_of_figure_23() -> None:
    text = """
    WHEN @P IS A PROCESSOR:
      MY PATTERN IN @P IS THE PROCESSOR
      (SELECT closingPrice > 1 FROM @P)
      AND (
        EVENTUALLY (SELECT closingPrice > 2 AND stockSymbol = 1 FROM @P)
      ).
    MY PATTERN IN @stocks."""
    prices = ((2, 1), (1, 1), (9, 2), (5, 1), (5, 2))
    stocks = [{"closingPrice": price, "stockSymbol": symbol} for price, symbol in prices]
    assert run(text, stocks=stocks) == [True, False, True, True]


def test_a_formula_is_a_filter_that_waits_until_it_is_known() -> None:
    text = "(NOT (APPLY $0 = 'a' WITH @t)) OR (F (APPLY $0 = 'b' WITH @t))"
    copy = cepheid.compile(text, language="esql", allow_unbounded=True).start()
    assert [copy.push(letter) for letter in "accb"] == [[], [], [], [True, True, True, True]]


def test_the_tuples_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "myfile.csv").write_text("# prices\na, b\n\n1, 2\n3, x\n")
    monkeypatch.chdir(tmp_path)
    assert run("SELECT a + b AS c FROM THE TUPLES OF FILE 'myfile.csv'") == [{"c": 3}, {"c": None}]
    assert run("THE FIRST 1 OF FILE 'myfile.csv'") == ["# prices"]
    assert run("THE TUPLES OF @lines", lines=["a,b", "1,2"]) == [{"a": 1, "b": 2}]
    with pytest.raises(CepheidError, match="file-not-allowed"):
        run("FILE '../secret'")


def test_tables_are_joined_and_traces_are_paired() -> None:
    text = "SELECT x.a, y.a AS b FROM l AS x, r AS y"
    rows = {"l": [{"a": 1}, {"a": 2}], "r": [{"a": 3}, {"a": 4}]}
    assert run(text, **rows) == [{"a": 1, "b": 3}, {"a": 2, "b": 4}]
    joined = cepheid.compile(text, language="esql", tables=rows).run()
    assert sorted((row["a"], row["b"]) for row in joined) == [(1, 3), (1, 4), (2, 3), (2, 4)]


def test_a_stream_is_pulled_pushed_and_run_alike() -> None:
    query = cepheid.compile("SELECT a + b FROM @t WHERE a > 1", language="esql")
    assert list(query.pull(t=iter(ROWS))) == query.run(t=ROWS) == [7]
    copy = query.start()
    assert [copy.push(row) for row in ROWS] == [[], [7], []]


def test_a_table_without_rows_has_an_answer() -> None:
    assert run("SELECT COUNT(*) FROM t", t=[]) == [0]
    assert run("SELECT a FROM t ORDER BY a", t=[]) == []
    assert run("SELECT * FROM t ORDER BY 1", t=[]) == []
    assert run("SELECT COUNT(*) FROM t", t=[{}, {}]) == [2]


def test_a_stream_without_an_end_is_not_grouped() -> None:
    query = cepheid.compile("SELECT a, COUNT(*) AS n FROM t GROUP BY a", language="esql")
    for run_it in (lambda: query.run(t=iter(ROWS)), query.start):
        with pytest.raises(CepheidError, match="needs-whole-input"):
            run_it()


def test_what_is_kept_of_a_stream_for_ever_is_refused_unless_it_is_allowed() -> None:
    text = "SELECT DISTINCT a FROM @t"
    query = cepheid.compile(text, language="esql")
    for run_it in (lambda: query.pull(t=iter(ROWS)), query.start):
        with pytest.raises(CepheidError, match="unbounded-state"):
            run_it()
    allowed = cepheid.compile(text, language="esql", allow_unbounded=True)
    assert list(query.pull(t=ROWS)) == list(allowed.pull(t=iter(ROWS))) == query.run(t=ROWS)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("*", "bad-pipe"),
        ("GET (APPLY $0 WITH @x) FROM @y ON A WINDOW OF 2", "bad-pipe"),
        ("TRIM -1 OF @x", "bad-pipe"),
        ("EVERY 0TH OF @x", "bad-pipe"),
        ("SELECT a FROM @t LIMIT 1.5", "bad-pipe"),
        ("APPLY $2 WITH @x", "unknown-part"),
        ("APPLY COUNT(a) WITH @x", "unknown-function"),
        ("APPLY sqt(a) WITH @x", "unknown-function"),
        ("APPLY sqrt(a, b) WITH @x", "argument-count"),
        ("SELECT y.* FROM @x, @z", "unknown-part"),
        ("SELECT sinh(a) FROM @x GROUP BY a", "unknown-function"),
    ],
)
def test_what_cannot_run_is_refused_when_it_is_compiled(text: str, code: str) -> None:
    with pytest.raises(CepheidError) as raised:
        cepheid.compile(text, language="esql")
    assert raised.value.diagnostics[0].code == code
    assert raised.value.diagnostics[0].labels


def test_the_pipe_of_a_query_is_shown() -> None:
    assert cepheid.compile("COMBINE (TRIM 2 OF @x) WITH ADDITION", language="esql").explain("algebra") == (
        "trim(2) | cumulate(x + y, 0)"
    )


@pytest.mark.parametrize(
    ("text", "is_made"),
    [
        ("APPLY $e WITH @t AS $e", True),
        ("APPLY e WITH (WITH (TRIM 1 OF @t) AS $e, @t AS $m) WHERE e.a > m.a", False),
        ("APPLY e.b + m.b WITH (WITH (TRIM 1 OF @t) AS $e, @t AS $m) WHERE e.b > m.a", False),
        ("(WITH (TRIM 1 OF @t) AS $e, @t AS $m) WHERE e.a > m.a", True),
    ],
)
def test_tuples_that_are_taken_apart_at_once_are_not_made(text: str, is_made: bool) -> None:
    rows: list[object] = [*ROWS, {"a": 4}, 5, None, {"a": 9, "b": 1}, {"a": 9, "b": "x"}]
    query = cepheid.compile(text, language="esql", tables={})
    assert is_made or "collate" not in query.explain("algebra")
    lowered = query._bound(None).lowering
    plain = replace(lowered, inputs=("t",)).processor(query._expanded)
    assert query.run(t=rows) == plain.run(rows)
