"""Places in texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.diagnostics import Source

TEXT = Source("two.alg", "a ;\nb")


@pytest.mark.parametrize(("start", "end"), [(-1, 0), (2, 1), (0, 6), (6, 6)])
def test_a_span_lies_within_its_text(start: int, end: int) -> None:
    with pytest.raises(ValueError, match=f"^no span {start}-{end} in a text of 5 characters$"):
        TEXT.span(start, end)


def test_no_span_covers_places_in_two_texts() -> None:
    other = Source("other.alg", "a ;\nb")
    with pytest.raises(ValueError, match=r"^no span covers both two\.alg:1:1 and other\.alg:2:1$"):
        TEXT.span(0, 1).to(other.span(4, 5))


@given(st.text("ab \n"), st.data())
def test_line_and_column_lead_back_to_the_place(text: str, data: st.DataObject) -> None:
    source = Source("any", text)
    start = data.draw(st.integers(0, len(text)))
    span = source.span(start, len(text))
    lines_before = [source.line(number) for number in range(1, span.line)]
    assert sum(len(line) + 1 for line in lines_before) + span.column - 1 == start


@given(st.text("ab \n"))
def test_the_end_of_a_text_has_nothing_visible_after_it(text: str) -> None:
    end = Source("any", text).end
    assert not text[end.start :].strip()
    assert end.start == 0 or text[end.start - 1].strip()
