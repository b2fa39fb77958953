"""Whatever is typed, the answer is a program or an error that shows the place."""

from hypothesis import given
from hypothesis import strategies as st

from cepheid.diagnostics import CepheidError, Diagnostic, draw
from cepheid.languages.algebra import describe, parse
from tests.languages.algebra.texts import programs

_PIECES = """
    A B Alarm Alrm a: x = ; | + - or and minus then within by emits let tick rate every disorder keys policy all
    latest ( ) [ ] [value value > 12 5 s 2 sx months / . , "north" "open ' ` `two not in true null == < -> && # $ é
    A.user f( 1e999 99999999999999999999 0
"""
PIECES = st.sampled_from(_PIECES.split())
JOINTS = st.sampled_from([" ", " ", " ", "", "\n"])
SOUP = st.lists(st.tuples(PIECES, JOINTS), max_size=14).map(lambda pairs: "".join(map("".join, pairs)))


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


@given(st.text())
def test_any_characters_have_an_answer(text: str) -> None:
    answer(text)


@given(programs(), st.integers(0, 400), st.integers(1, 4), PIECES)
def test_a_program_with_one_mistake_has_an_answer(text: str, place: int, length: int, piece: str) -> None:
    answer(text[:place] + piece + text[place + length :])
