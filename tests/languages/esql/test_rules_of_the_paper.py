"""Every rule of the tables 1 to 5 of the paper, by its name there, with a text that needs it and the answer to it."""

from typing import Any

import pytest

import cepheid
from cepheid import pipes as p

RULES = {
    "1": "S processor p-placeholder userdef-proc c-function fct-coll fct-cp cumulative function fct-and fct-or fct-not "
    "fct-eq constant fct-name fctn-and fctn-or boolean",
    "2": "number boolean var-name p-freeze p-trim p-window p-decimate number-suffix p-prefix p-slicer p-collator "
    "proc-list proc-def proc-def-named proc-def-anonymous constant map-placeholder",
    "3": "definition pattern type-list type-definition var-name",
    "4": "processor tuple-name constant tuple-reader tuples-select attribute-expression-list attribute-expression "
    "named-attribute-expression anonymous-attribute-expression tuples-from tuple-expression-list tuple-expression "
    "named-tuple-expression anonymous-tuple-expression tuples-where get-attribute get-attribute-qual "
    "get-attribute-unqual",
    "5": "processor ltl-operator ltl-not ltl-and ltl-or globally eventually next until constant troolean",
}
"""The left sides of each table."""

COUNT = "WHEN @P IS A PROCESSOR: THE COUNT OF @P IS THE PROCESSOR COMBINE APPLY CONSTANT 1 WITH @P\nWITH ADDITION.\n"
GREATER = "WHEN @F IS A FUNCTION, @G IS A FUNCTION: @F BEATS @G IS THE FUNCTION @F > @G.\n"
P = [1, 2, 3, 4]
T = [{"a": 1, "b": 2}, {"a": 3, "b": 4}]
TRUTHS = [True, False, True]

CASES: list[tuple[str, str, str, list[Any]]] = [
    ("1", "S", "@P", P),
    ("1", "S", "PI IS THE NUMBER 3.1416.\nAPPLY PI WITH THE FIRST 1 OF @P", [3.1416]),
    ("1", "processor", "GET * FROM @P ON A WINDOW OF 2", [2, 3, 4]),
    ("1", "processor", COUNT + "THE COUNT OF @P", [1, 2, 3, 4]),
    ("1", "p-placeholder", "GET (TRIM 0 OF *) FROM @P ON A WINDOW OF 3", [3, 4]),
    ("1", "userdef-proc", COUNT + "TRIM 2 OF THE COUNT OF @P", [3, 4]),
    ("1", "c-function", GREATER + "APPLY $0 BEATS 2 WITH @P", [False, False, True, True]),
    ("1", "fct-coll", "APPLY $0 = 2 WITH @P", [False, True, False, False]),
    ("1", "fct-coll", "APPLY $0 = $1 WITH @P, CONSTANT 2", [False, True, False, False]),
    ("1", "fct-cp", "THE FIRST 2 OF CONSTANT 7", [7, 7]),
    ("1", "cumulative", "COMBINE @P WITH ADDITION", [1, 3, 6, 10]),
    ("1", "function", "APPLY 5 WITH @P", [5, 5, 5, 5]),
    ("1", "fct-and", "APPLY $0 ∧ TRUE WITH @Q", TRUTHS),
    ("1", "fct-and", "APPLY $0 ∧ ($0 = TRUE) WITH @Q", TRUTHS),
    ("1", "fct-and", "APPLY ($0 = TRUE) ∧ $0 WITH @Q", TRUTHS),
    ("1", "fct-and", "APPLY ($0 = TRUE) ∧ (¬ $0) WITH @Q", [False] * 3),
    ("1", "fct-or", "APPLY $0 ∨ FALSE WITH @Q", TRUTHS),
    ("1", "fct-or", "APPLY $0 ∨ (¬ TRUE) WITH @Q", TRUTHS),
    ("1", "fct-or", "APPLY (¬ $0) ∨ FALSE WITH @Q", [False, True, False]),
    ("1", "fct-or", "APPLY (¬ $0) ∨ ($0 = TRUE) WITH @Q", [True] * 3),
    ("1", "fct-not", "APPLY ¬ $0 WITH @Q", [False, True, False]),
    ("1", "fct-not", "APPLY ¬ ($0 = TRUE) WITH @Q", [False, True, False]),
    ("1", "fct-eq", "APPLY $0 = 2 WITH @P", [False, True, False, False]),
    ("1", "fct-eq", "APPLY 2 = ($0) WITH @P", [False, True, False, False]),
    ("1", "fct-eq", "APPLY ($0) = 2 WITH @P", [False, True, False, False]),
    ("1", "fct-eq", "APPLY ($0) = ($0) WITH @P", [True] * 4),
    ("1", "constant", "THE FIRST 1 OF CONSTANT 12", [12]),
    ("1", "constant", "THE FIRST 1 OF CONSTANT true", [True]),
    ("1", "fct-name", "COMBINE @Q WITH CONJUNCTION", [True, False, False]),
    ("1", "fctn-and", "COMBINE @Q WITH CONJUNCTION", [True, False, False]),
    ("1", "fctn-or", "COMBINE @Q WITH DISJUNCTION", [True, True, True]),
    ("1", "boolean", "APPLY true WITH @Q", [True] * 3),
    ("1", "boolean", "APPLY false WITH @Q", [False] * 3),
    ("2", "number", "TRIM 3 OF @P", [4]),
    ("2", "boolean", "APPLY TRUE WITH @Q", [True] * 3),
    ("2", "boolean", "APPLY FALSE WITH @Q", [False] * 3),
    ("2", "var-name", "APPLY $A1 WITH @P AS $A1", P),
    ("2", "p-freeze", "FREEZE @P", [1, 1, 1, 1]),
    ("2", "p-trim", "TRIM 1 OF @P", [2, 3, 4]),
    ("2", "p-window", "GET (COMBINE * WITH ADDITION) FROM @P ON A WINDOW OF 3", [6, 9]),
    ("2", "p-decimate", "EVERY 4TH OF @P", [1]),
    ("2", "number-suffix", "EVERY 1ST OF @P", P),
    ("2", "number-suffix", "EVERY 2ND OF @P", [1, 3]),
    ("2", "number-suffix", "EVERY 3RD OF @P", [1, 4]),
    ("2", "number-suffix", "EVERY 5TH OF @P", [1]),
    ("2", "p-prefix", "THE FIRST 3 OF @P", [1, 2, 3]),
    ("2", "p-slicer", "SLICE @P WITH (COMBINE * WITH ADDITION) ON $0 = 2", [{False: 1}, {False: 1, True: 2}]),
    ("2", "p-collator", "WITH @P, TRIM 2 OF @P", [(1, 3), (2, 4)]),
    ("2", "proc-list", "APPLY $2 WITH @P, @P, TRIM 3 OF @P", [4]),
    ("2", "proc-list", "APPLY $0 WITH @P", P),
    ("2", "proc-def", "APPLY $0 = $B WITH @P, @P AS $B", [True] * 4),
    ("2", "proc-def-named", "APPLY $A WITH @P AS $A", P),
    ("2", "proc-def-named", "APPLY $A WITH (@P) AS $A", P),
    ("2", "proc-def-named", "APPLY $A WITH (@P AS $A)", P),
    ("2", "proc-def-named", "APPLY A WITH @P AS A", P),
    ("2", "proc-def-anonymous", "APPLY $0 WITH (@P)", P),
    ("2", "proc-def-anonymous", "APPLY $0 WITH @P", P),
    ("2", "constant", "APPLY $A = 1 WITH @P AS $A", [True, False, False, False]),
    ("2", "map-placeholder", "APPLY $A WITH @P AS $A", P),
    ("3", "definition", COUNT + "THE COUNT OF @P", [1, 2, 3, 4]),
    ("3", "pattern", "MY OWN - TRACE ! IS THE PROCESSOR TRIM 3 OF @P.\nMY OWN - TRACE !", [4]),
    ("3", "type-list", GREATER + "APPLY 3 BEATS $0 WITH @P", [True, True, False, False]),
    ("3", "type-list", COUNT + "THE COUNT OF FREEZE @P", [1, 2, 3, 4]),
    ("3", "type-definition", "WHEN @N IS A NUMBER: FROM @N ON IS THE PROCESSOR TRIM @N OF @P.\nFROM 3 ON", [4]),
    ("3", "var-name", "WHEN @my_p IS A PROCESSOR: ONE @my_p IS THE PROCESSOR FREEZE @my_p.\nONE @Q", [True] * 3),
    ("4", "processor", "(@T) WHERE a = 1", T[:1]),
    ("4", "processor", "SELECT a FROM @T", [{"a": 1}, {"a": 3}]),
    ("4", "processor", "FROM @T, @T", [(T[0], T[0]), (T[1], T[1])]),
    ("4", "processor", "THE TUPLES OF @L", T),
    ("4", "tuple-name", "SELECT a AS a_2x FROM @T", [{"a_2x": 1}, {"a_2x": 3}]),
    ("4", "constant", "SELECT a = 1 FROM @T", [True, False]),
    ("4", "tuple-reader", "THE TUPLES OF @L", T),
    ("4", "tuples-select", "SELECT a, b FROM @T", T),
    ("4", "tuples-select", "SELECT a, b (@T) WHERE a = 3", T[1:]),
    ("4", "attribute-expression-list", "SELECT a AS x, b AS y, a AS z FROM @T WHERE a = 1", [{"x": 1, "y": 2, "z": 1}]),
    ("4", "attribute-expression-list", "SELECT b FROM @T", [{"b": 2}, {"b": 4}]),
    ("4", "attribute-expression", "SELECT a AS x, b FROM @T", [{"x": 1, "b": 2}, {"x": 3, "b": 4}]),
    ("4", "named-attribute-expression", "SELECT a + b AS c FROM @T", [{"c": 3}, {"c": 7}]),
    ("4", "anonymous-attribute-expression", "SELECT a + b FROM @T", [3, 7]),
    ("4", "tuples-from", "FROM @T, TRIM 1 OF @T", [(T[0], T[1])]),
    ("4", "tuple-expression-list", "SELECT x.a, y.b, z.b AS c FROM @T AS x, @T AS y, @T AS z WHERE x.a = 1",
     [{"a": 1, "b": 2, "c": 2}]),
    ("4", "tuple-expression-list", "SELECT a FROM @T", [{"a": 1}, {"a": 3}]),
    ("4", "tuple-expression", "SELECT x.a, b FROM @T AS x", T),
    ("4", "named-tuple-expression", "SELECT x.a FROM @T AS x", [{"a": 1}, {"a": 3}]),
    ("4", "anonymous-tuple-expression", "SELECT a FROM @T", [{"a": 1}, {"a": 3}]),
    ("4", "tuples-where", "(SELECT a FROM @T) WHERE a = 3", [{"a": 3}]),
    ("4", "get-attribute", "SELECT a = x.a FROM @T AS x", [True, True]),
    ("4", "get-attribute-qual", "SELECT T.b FROM @T", [{"b": 2}, {"b": 4}]),
    ("4", "get-attribute-unqual", "(@T) WHERE b = 4", T[1:]),
    ("5", "processor", "G (@Q)", [False, False]),
    ("5", "ltl-operator", "X (G (@Q))", [False]),
    ("5", "ltl-not", "NOT (@Q)", [False, True, False]),
    ("5", "ltl-and", "(@Q) AND (@Q)", TRUTHS),
    ("5", "ltl-or", "(@Q) OR (NOT (@Q))", [True] * 3),
    ("5", "globally", "G (@Q)", [False, False]),
    ("5", "eventually", "F (@Q)", [True, True, True]),
    ("5", "next", "X (@Q)", [False, True]),
    ("5", "until", "(@Q) U (NOT (@Q))", [True, True]),
    ("5", "constant", "APPLY ⊤ WITH @Q", [True] * 3),
    ("5", "troolean", "APPLY ⊥ WITH @Q", [False] * 3),
    ("5", "troolean", "APPLY ? WITH @Q", [None] * 3),
]  # fmt: skip
INPUTS: dict[str, list[Any]] = {"P": P, "Q": TRUTHS, "T": T, "L": ["a,b", "1,2", "3,4"]}


def test_no_rule_is_left_out() -> None:
    told = {(table, rule) for table, rules in RULES.items() for rule in rules.split()}
    assert {(table, rule) for table, rule, _, _ in CASES} == told


@pytest.mark.parametrize(("table", "rule", "text", "expected"), CASES)
def test_a_rule_is_read_and_has_its_answer(table: str, rule: str, text: str, expected: list[Any]) -> None:
    query = cepheid.compile(text, language="esql")
    found = query.run(**{name: INPUTS[name] for name in query.inputs})
    assert found[: len(expected)] == expected
    assert rule == "p-slicer" or len(found) == len(expected)


def test_the_processors_of_section_7_are_a_few_lines() -> None:
    """Distances of two traces of points, the greater of two successive numbers, and a repeater with its syntax."""

    class Point:
        def __init__(self, x: float, y: float) -> None:
            self.x, self.y = x, y

    @p.processor(inputs=2)
    def distance(state: Any, one: Point, other: Point) -> Any:
        return state, [((other.x - one.x) ** 2 + (other.y - one.y) ** 2) ** 0.5]

    @p.processor()
    def greater(last: Any, current: Any) -> Any:
        return current, [] if last is None else [max(last, current)]

    session = cepheid.esql.Session()
    session.add_syntax("PROCESSOR", "REPEAT ( <processor> ) <number> TIMES", lambda source, n: source | p.stutter(n))
    session.add_syntax("PROCESSOR", "THE GREATER OF <processor>", lambda source: source | greater)
    assert distance.run([Point(0, 0)], [Point(3, 4)]) == [5.0]
    assert session.compile("THE GREATER OF @x").run(x=[5, 1, 2, 3, 6, 4]) == [5, 2, 3, 6, 6]
    assert session.compile("REPEAT (THE GREATER OF @x) 2 TIMES").run(x=[5, 1, 2]) == [5, 5, 2, 2]
    assert session.compile("GET (COMBINE * WITH MAXIMUM) FROM @x ON A WINDOW OF 2").run(x=[5, 1, 2, 3, 6, 4]) == [
        5, 2, 3, 6, 6,
    ]  # fmt: skip


def test_the_program_of_figure_14(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "myfile.csv").write_text("a,b\n1,2\n3,4\n")
    connection = cepheid.dbapi.connect(tmp_path)
    cursor = connection.cursor()
    cursor.execute("SELECT a + b AS c FROM THE TUPLES OF FILE 'myfile.csv'")
    assert [column[0] for column in cursor.description or ()] == ["c"]
    assert list(cursor) == [(3,), (7,)]
    connection.close()
