"""What is shown reads back as the same program."""

import pytest
from hypothesis import given

from cepheid.algebra.patterns import Atom, Repeat
from cepheid.algebra.programs import Program, Rule
from cepheid.diagnostics import CepheidError
from cepheid.languages.algebra import parse, show
from tests.languages.algebra.texts import EXPRESSIONS, programs


@given(EXPRESSIONS)
def test_an_expression_reads_back(text: str) -> None:
    program = parse(text)
    assert parse(show(program)) == program


@given(EXPRESSIONS)
def test_what_is_shown_once_is_shown_the_same_again(text: str) -> None:
    shown = show(parse(text))
    assert show(parse(shown)) == shown


@given(programs())
def test_a_program_reads_back(text: str) -> None:
    program = parse(text)
    assert parse(show(program)) == program


@given(programs())
def test_a_program_reads_back_under_the_other_policy(text: str) -> None:
    program = parse(text, policy="all")
    assert parse(show(program)) == program


def test_a_query_that_the_algebra_cannot_say_is_refused() -> None:
    [rule] = parse("A").rules
    repeated = Repeat("many", Atom("a", frozenset(["A"])), 1, None)
    program = Program((Rule("match", repeated, "match", rule.start, rule.end),))
    with pytest.raises(CepheidError) as raised:
        show(program)
    assert str(raised.value) == (
        "error[not-expressible]: the query cannot be written in the language `algebra`\n"
        "  = note: it has a pattern of the kind `Repeat`, and the language has no words for that\n"
        "  = hint: every query can be written in `cep`: `cepheid convert query.json --to cep`"
    )


def test_a_rule_that_emits_under_another_name_is_refused() -> None:
    [rule] = parse("A").rules
    program = Program((Rule("match", rule.pattern, "other", rule.start, rule.end),))
    with pytest.raises(CepheidError, match="something that its operators do not mean"):
        show(program)
