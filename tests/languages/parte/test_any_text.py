"""Whatever stands in a text, it is read or explained; nothing else happens."""

import re

from hypothesis import given
from hypothesis import strategies as st

from cepheid.diagnostics import CepheidError, Diagnostic, draw
from cepheid.languages.parte import describe, parse
from tests.languages.parte.texts import programs

TEXT = """
template rule where when then emit at with no of use tick source sources every from per disorder keys table gives
predicate pattern daily weekly A B a b id amount Integer sum count list max { } ( ) [ ] : , ; = != <= >= < > + - * / .
3 0.5 "text" `name` 5 s 14 days 12:00 UTC 2018-03-28 Europe/Brussels and or not in true null # //
"""
WORDS = re.findall(r"\S+", TEXT)


def problems(text: str) -> tuple[Diagnostic, ...]:
    """Return what is wrong with a text."""
    try:
        parse(text)
        describe(text)
    except CepheidError as error:
        return error.diagnostics
    return ()


def told(text: str) -> None:
    """Parse a text; where that fails, the error can be drawn and says what to do."""
    for finding in problems(text):
        assert draw(finding)
        assert finding.hints, finding
        assert finding.code != "internal"


@given(st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join))
def test_any_words_are_read_or_explained(text: str) -> None:
    told(text)


@given(st.text(max_size=30))
def test_any_characters_are_read_or_explained(text: str) -> None:
    told(text)


@given(programs(), st.integers(0, 2000), st.integers(0, 12), st.sampled_from(["", *WORDS]))
def test_a_text_with_a_slip_is_read_or_explained(text: str, at: int, cut: int, instead: str) -> None:
    place = at % (len(text) + 1)
    told(f"{text[:place]} {instead} {text[place + cut :]}")


def codes(text: str) -> list[str]:
    return [finding.code for finding in problems(text)]


def test_a_condition_may_be_deep_but_not_too_deep() -> None:
    start = "template A { id : Integer } rule R where a : A { "
    assert codes(start + "(" * 90 + "id" + ")" * 90 + " > 1 } then") == []
    assert codes(start + "id > " + "+".join(["1"] * 500) + " } then") == ["too-deep"]


def test_predicates_of_predicates_are_not_too_deep() -> None:
    start = "template A { id : Integer }\n"
    deep = "\n".join(f"predicate p{number + 1}(x) = {'not ' * 50}p{number}(x)" for number in range(50))
    assert codes(f"{start}predicate p0(x) = x > 1\n{deep}\nrule R where a : A {{ p50(id) }} then") == ["too-deep"]
    wide = "p0(" * 60 + "id" + ")" * 60
    assert codes(f"{start}predicate p0(x) = {'-' * 60}x\nrule R where a : A {{ {wide} > 1 }} then") == ["too-deep"]
