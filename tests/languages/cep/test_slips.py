"""What people write who know other languages: each is told how `cep` says it, and what it is told can be read."""

import re

import pytest

from cepheid.diagnostics import CepheidError
from cepheid.languages.cep import parse, show

SLIPS = {
    "A -> B within 5 s": "write `then`: `a: A then b: B`",
    "A followed by B": "write `then`: `a: A then b: B`",
    "a: A where a.x <> 3": "write `!=`",
    "a: A where a.user is null": "write `is_null(a.field)`",
    "a: A where a.user is not null": "write `not is_null(a.field)`",
    'a: A where a.user like "x%"': 'write `starts_with(a.field, "x")`, or `matches(a.field, "^x")`',
    "a: A where a.x between 1 and 9": "write `a.field >= 1 and a.field <= 9`",
    'a: A where a.user in ("ann", "bob")': 'a list stands in brackets: `a.field in ["x", "y"]`',
    "suppress 10 min (a: A)": "say after the pattern what is left out: `a: A suppress 10 min by a.user`",
    "a: A throttle 10 min": "say after the pattern what is left out: `a: A suppress 10 min by a.user`",
    "a: A then b: B partition by user": "write `by field`: the rule then holds for each of its values",
}


@pytest.mark.parametrize("text", SLIPS)
def test_a_phrase_of_another_language_is_translated(text: str) -> None:
    with pytest.raises(CepheidError) as caught:
        parse(text)
    assert caught.value.diagnostics[0].hints == (SLIPS[text],)


@pytest.mark.parametrize("hint", sorted(set(SLIPS.values())))
def test_what_a_hint_says_can_be_read(hint: str) -> None:
    for said in re.findall("`([^`]+)`", hint):
        parse(_in_a_query(said))


def _in_a_query(said: str) -> str:
    if said.startswith("by "):
        return f"a: A then b: B {said}"
    if said in ("then", "!="):
        return f"a: A {said} b: B" if said == "then" else f"a: A where a.field {said} 3"
    return said if said.startswith("a: A") else f"a: A where {said}"


@pytest.mark.parametrize("text", ["", "  \n", "# nothing but words\n", "tick 1 s"])
def test_a_text_without_a_rule_is_refused(text: str) -> None:
    with pytest.raises(CepheidError, match="there is no rule"):
        parse(text)


@pytest.mark.parametrize(("wrong", "right"), [("minuts", "minutes"), ("secnds", "seconds"), ("dyas", "days")])
def test_a_misspelt_unit_brings_the_unit(wrong: str, right: str) -> None:
    with pytest.raises(CepheidError) as caught:
        parse(f"a: A then b: B within 10 {wrong}")
    assert caught.value.diagnostics[0].hints == (f"did you mean `{right}`?",)
    parse(f"a: A then b: B within 10 {right}")


def test_m_is_minutes() -> None:
    assert show(parse("a: A then b: B within 5m")) == show(parse("a: A then b: B within 300 s"))
    assert "within 5 min" in show(parse("a: A then b: B within 5m"))
