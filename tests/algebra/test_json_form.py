"""The JSON form: it keeps every node, tells all values apart, and says where it cannot be read."""

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.expressions import Call, Expr, Field, Literal
from cepheid.algebra.formulas import Formula
from cepheid.algebra.json_form import fingerprint, from_json, program_from_json, program_to_json, to_json
from cepheid.algebra.patterns import Atom, Join, Pattern
from cepheid.algebra.pipes import Map, Pipe, Source
from cepheid.algebra.programs import Program, Rule, Table
from cepheid.diagnostics import CepheidError
from cepheid.diagnostics import Source as Text
from cepheid.events import Value
from tests.algebra.node_strategies import (
    DIFFERENCES,
    EXPRESSIONS,
    FORMULAS,
    PATTERNS,
    PIPES,
    POLICIES,
    PROGRAMS,
    RULES,
    STREAMS,
    TABLES,
)

ATOM = Atom("a", frozenset({"B", "A"}))
A_FORM = {"node": "Atom", "name": "a", "types": ["A", "B"]}
APART: list[Value] = [
    1, 1.0, True, "1", None, (1,), (1.0,), {"x": 1}, {"x": 1.0}, {"x": None}, {}, (), "", 0, 0.0, -0.0, False,
    math.nan, math.inf, -math.inf, "nan", 1.5, 2**53 + 1, float(2**53), 10**30, ("float", "1.0"), {"float": "1.0"},
]  # fmt: skip


def through_json(node: object) -> object:
    return from_json(json.loads(json.dumps(to_json(node), allow_nan=False)))


def refusal(data: object) -> str:
    with pytest.raises(CepheidError) as error:
        from_json(data)
    return str(error.value)


@given(st.one_of(EXPRESSIONS, DIFFERENCES, POLICIES, STREAMS))
def test_a_small_node_comes_back(node: object) -> None:
    assert through_json(node) == node


@given(PATTERNS)
def test_a_pattern_comes_back(pattern: Pattern) -> None:
    assert through_json(pattern) == pattern


@given(RULES)
def test_a_rule_comes_back(rule: Rule) -> None:
    assert through_json(rule) == rule


@given(PIPES)
def test_a_pipe_comes_back(pipe: Pipe) -> None:
    assert through_json(pipe) == pipe


@given(FORMULAS)
def test_a_formula_comes_back(formula: Formula) -> None:
    assert through_json(formula) == formula


@given(TABLES)
def test_a_table_comes_back(table: Table) -> None:
    assert to_json(through_json(table)) == to_json(table)


@given(PROGRAMS)
def test_a_program_comes_back_in_its_envelope(program: Program) -> None:
    form = json.loads(json.dumps(program_to_json(program), allow_nan=False))
    assert program_to_json(program_from_json(form)) == program_to_json(program)


@given(EXPRESSIONS, EXPRESSIONS)
def test_fingerprints_are_the_same_exactly_for_equal_expressions(left: Expr, right: Expr) -> None:
    assert (fingerprint(left) == fingerprint(right)) == (left == right)


def test_the_form_names_the_node_and_leaves_out_what_is_usual() -> None:
    assert to_json(ATOM) == A_FORM
    assert to_json(Join((ATOM,))) == {"node": "Join", "parts": [A_FORM]}


def test_names_keep_their_order() -> None:
    pattern = Atom("a", frozenset())
    both = {"x": Literal(1), "y": Literal(2)}
    rule = Rule("r", pattern, "R", Literal(0), Literal(0), both)
    turned = replace(rule, fields={"y": Literal(2), "x": Literal(1)})
    assert list(from_json(to_json(rule), Rule).fields) == ["x", "y"]
    assert fingerprint(rule) != fingerprint(turned)


def test_values_that_python_takes_for_equal_stay_apart() -> None:
    forms = [json.dumps(to_json(Literal(value)), allow_nan=False) for value in APART]
    assert len(set(forms)) == len(APART)
    assert [through_json(Literal(value)) for value in APART] == [Literal(value) for value in APART]


def test_the_place_in_a_text_is_no_part_of_the_form() -> None:
    placed = replace(ATOM, span=Text("q", "a: A").span(0, 4))
    assert to_json(placed) == A_FORM
    assert fingerprint(placed) == fingerprint(ATOM)


def test_a_fingerprint_never_changes() -> None:
    assert fingerprint(Join((ATOM, Atom("b", frozenset())))) == "007411762c72e401"


def test_what_is_no_node_has_no_form() -> None:
    with pytest.raises(TypeError, match="`int` is no node of the algebra"):
        to_json(1)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "expected a node, got a list at `$`"),
        ({}, "expected the name of a node, got null at `$.node`"),
        ({"node": "Jion"}, "expected the name of a node, got `Jion` at `$.node`\n  = hint: write `\"node\": \"Join\"`"),
        ({"node": "Pattern"}, "expected the name of a node, got `Pattern` at `$.node`"),
        ({"node": "Join"}, "`Join` needs `parts` at `$`"),
        ({"node": "Join", "parts": 1}, "expected a list, got a number at `$.parts`"),
        ({"node": "Join", "parts": [{"node": "Source"}]}, "expected a pattern, got `Source` at `$.parts[0]`"),
        ({**A_FORM, "types": ["A", 1]}, "expected a string, got a number at `$.types[1]`"),
        ({**A_FORM, "wher": None}, "`Atom` has no `wher` at `$.wher`\n  = hint: did you mean `where`?"),
        ({"node": "Literal", "value": {"set": []}}, "expected `int`, `float` or `record`, got `set` at `$.value`"),
        ({"node": "Literal", "value": {"float": "x"}}, "`x` is not a number at `$.value.float`"),
        ({"node": "Literal", "value": {"int": 1}}, "expected a string, got a number at `$.value.int`"),
        ({"node": "Literal", "value": [{"record": 1}]}, "expected an object, got a number at `$.value[0].record`"),
        ({"node": "Literal", "value": {"a": 1, "b": 2}}, "expected a value, got an object at `$.value`"),
        ({"node": "Policy", "choice": "first"}, "expected one of `all`, `latest-start`, `recent`, `chronological`, "
            "`next`, `strict`, got `first` at `$.choice`"),
        ({"node": "Resample", "skip": True}, "expected an integer, got a boolean at `$.skip`"),
        ({"node": "Program", "pipes": {}}, "expected a list, got an object at `$.pipes`"),
        ({"node": "Program", "pipes": [["p"]]},
            "expected a name and what it stands for, got a list at `$.pipes[0]`"),
        ({"node": "Program", "pipes": [["p", {"node": "Source"}], ["p", {"node": "Source"}]]},
            "`p` stands here twice at `$.pipes[1][0]`"),
        ({"node": "Join", "parts": [], "equal": [[{"node": "Literal", "value": 1}]]},
            "expected 2 entries, got 1 at `$.equal[0]`"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_with_its_path(data: object, message: str) -> None:
    assert refusal(data) == f"error[bad-json-form]: {message}"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (1, "expected an object, got a number at `$`"),
        ({}, 'expected version 1, got null at `$.cepheid`\n  = hint: write `"cepheid": 1` beside `"program"`'),
        ({"cepheid": 1, "program": A_FORM}, "expected `Program`, got `Atom` at `$.program`"),
    ],
)
def test_a_program_needs_its_envelope(data: object, message: str) -> None:
    with pytest.raises(CepheidError) as error:
        program_from_json(data)
    assert str(error.value) == f"error[bad-json-form]: {message}"


def test_a_wanted_kind_is_checked() -> None:
    assert from_json(to_json(Map((Source(),), Field("$0", "x"))), Pipe) == Map((Source(),), Field("$0", "x"))
    with pytest.raises(CepheidError, match="expected a pipe, got `Call`"):
        from_json(to_json(Call("list")), Pipe)
