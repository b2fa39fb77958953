"""What is read knows its place, and the grammar knows its words."""

import pytest
from lark.lexer import PatternRE

from cepheid.algebra.patterns import Join, Pattern
from cepheid.algebra.text import show
from cepheid.algebra.text.words import WORDS, shown_function, shown_member, shown_name
from cepheid.algebra.traversal import walk
from cepheid.diagnostics import CepheidError
from cepheid.languages.cep import read_expression, read_pattern, read_rule
from cepheid.languages.cep.reading import grammar

TEXT = "login then (a: A or distinct (b: B)) within 5 s"


def test_every_pattern_knows_its_place() -> None:
    found = [item.span.text for item in walk(read_pattern(TEXT)) if isinstance(item, Pattern) and item.span]
    assert found == [TEXT, "login", "a: A or distinct (b: B)", "a: A", "distinct (b: B)", "b: B"]


def test_a_place_has_the_name_of_its_text() -> None:
    pattern = read_pattern(f"\n  {TEXT}", "fraud.alg")
    assert str(pattern.span) == "fraud.alg:2:3"


def test_a_pattern_in_a_rule_has_its_place_in_the_whole_text() -> None:
    pattern = read_rule("rule r:\n    a then b emits R").pattern
    assert isinstance(pattern, Join)
    assert [str(part.span) for part in pattern.parts] == ["<rule>:2:5", "<rule>:2:12"]


def test_the_grammar_has_exactly_the_words_that_names_avoid() -> None:
    words = {item.name.lower() for item in grammar().terminals if item.name.lower() in WORDS}
    others = {item.pattern.value for item in grammar().terminals if not isinstance(item.pattern, PatternRE)}
    assert words | {"inf", "nan"} == WORDS
    assert not any(text.isidentifier() for text in others)


@pytest.mark.parametrize("word", sorted(WORDS))
def test_every_word_can_be_a_name(word: str) -> None:
    text = (
        f"{shown_name(word)}: {{A, {shown_member(word)}}}[`a`.{shown_member(word)} == bound({shown_name(word)})"
        f" + {shown_function(word)}() + @{shown_member(word)}]"
    )
    assert show(read_pattern(text)) == text


@pytest.mark.parametrize("text", ["a thenb", "a then b within5 s", "a then b wherex", "distinctx (a)"])
def test_words_stand_apart(text: str) -> None:
    with pytest.raises(CepheidError):
        read_pattern(text)


def test_a_sign_belongs_to_a_number_only_where_an_operand_begins() -> None:
    assert read_expression("a.x-5") == read_expression("a.x - 5")
    assert read_expression("a.x - -5") != read_expression("a.x - (-(5))")


def test_deep_parentheses_are_read() -> None:
    assert show(read_expression("(" * 3000 + "1" + ")" * 3000)) == "1"


def test_what_is_nested_too_deeply_is_refused() -> None:
    with pytest.raises(CepheidError, match="this is nested too deeply"):
        read_expression("-" * 3000 + "@x")


def test_a_number_with_too_many_digits_is_refused() -> None:
    with pytest.raises(CepheidError, match="this number is too long"):
        read_expression("9" * 5000)
