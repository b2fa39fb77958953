"""Whatever is typed, the answer is a program or an error that shows the place."""

from hypothesis import given
from hypothesis import strategies as st

from cepheid.diagnostics import CepheidError, Diagnostic, draw
from cepheid.languages.etalis import describe, parse
from tests.languages.etalis.texts import PIECES, SOUP, TEXTS


def findings(text: str) -> tuple[Diagnostic, ...]:
    """Return what is wrong with a text."""
    try:
        parse(text)
        describe(text)
    except CepheidError as error:
        return error.diagnostics
    return ()


def answer(text: str) -> None:
    """Read a text; an error has to say where, and what to do."""
    for finding in findings(text):
        assert finding.labels
        assert finding.hints
        assert finding.code != "internal"
        assert draw(finding)


@given(SOUP)
def test_pieces_in_any_order_have_an_answer(text: str) -> None:
    answer(text)


@given(SOUP)
def test_pieces_after_the_arrow_of_a_rule_have_an_answer(text: str) -> None:
    answer(f"e <- a SEQ {text}")


@given(st.text())
def test_any_characters_have_an_answer(text: str) -> None:
    answer(text)


@given(TEXTS, st.integers(0, 400), st.integers(1, 4), PIECES)
def test_a_program_with_one_mistake_has_an_answer(text: str, place: int, length: int, piece: str) -> None:
    answer(text[:place] + piece + text[place + length :])
