"""Drawings, each shown whole; `tests/cases/diagnostics/draw.case` has those of single texts."""

from string import printable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.diagnostics import DataPlace, Diagnostic, Label, Severity, Source, Span, codes, draw

FRAUD = Source("fraud.parte", "rule refunds\n    on login\n    unless refund after login\n")
WAIT = FRAUD.span(FRAUD.text.index("refund after"), len(FRAUD.text) - 1)


@pytest.fixture(autouse=True)
def example_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(codes, "unbounded-state", "a query keeps events for ever")
    monkeypatch.setitem(codes, "bad-value", "a value is not of its declared type")


def unbounded(severity: Severity = Severity.ERROR) -> Diagnostic:
    return Diagnostic(
        "unbounded-state",
        "this rule keeps every `login` event for ever",
        (Label(WAIT, "nothing ends the wait for `refund`"),),
        hints=("add a window, for example `within 1 h`",),
        severity=severity,
    )


def test_an_error_shows_the_place_the_reason_and_the_way_out() -> None:
    assert draw(unbounded()) == (
        "error[unbounded-state]: this rule keeps every `login` event for ever\n"
        " --> fraud.parte:3:12\n"
        "  |\n"
        "3 |     unless refund after login\n"
        "  |            ^^^^^^^^^^^^^^^^^^ nothing ends the wait for `refund`\n"
        "  = hint: add a window, for example `within 1 h`"
    )


def test_labels_in_another_text_come_after_those_of_the_primary_text() -> None:
    types = Source("types.parte", "type refund\n")
    new, login = Label(types.span(5, 11), "this one is new"), Label(FRAUD.span(20, 25))
    labels = (Label(WAIT, "not a type"), new, login)
    assert draw(Diagnostic("unbounded-state", "types do not agree", labels)) == (
        "error[unbounded-state]: types do not agree\n"
        " --> fraud.parte:3:12\n"
        "  |\n"
        "2 |     on login\n"
        "  |        -----\n"
        "3 |     unless refund after login\n"
        "  |            ^^^^^^^^^^^^^^^^^^ not a type\n"
        " ::: types.parte:1:6\n"
        "  |\n"
        "1 | type refund\n"
        "  |      ------ this one is new"
    )


def test_bad_data_names_its_path_and_line() -> None:
    place = DataPlace("trades.jsonl", 7, ("amount",))
    assert draw(Diagnostic("bad-value", "expected `int`, got `str`", place=place)) == (
        "error[bad-value]: expected `int`, got `str` at `$.amount` (trades.jsonl:7)"
    )


@pytest.mark.parametrize(
    ("place", "drawn"),
    [
        (DataPlace("trades.jsonl"), "(trades.jsonl)"),
        (DataPlace("trades.jsonl", 7), "(trades.jsonl:7)"),
        (DataPlace(line=7), "(line 7)"),
        (DataPlace(path=()), "at `$`"),
        (DataPlace(line=7, path=("legs", 2, "unit price")), 'at `$.legs[2]["unit price"]` (line 7)'),
        (DataPlace(path=('a"b', "größe")), 'at `$["a\\"b"].größe`'),
    ],
)
def test_a_place_in_data_leaves_out_what_is_not_known(place: DataPlace, drawn: str) -> None:
    assert str(place) == drawn


def test_notes_come_before_hints_and_keep_their_lines_together() -> None:
    diagnostic = Diagnostic("bad-value", "no", hints=("type this:\nwithin 1 h",), notes=("one", "two\nlines"))
    assert draw(diagnostic) == (
        "error[bad-value]: no\n"
        "  = note: one\n"
        "  = note: two\n"
        "          lines\n"
        "  = hint: type this:\n"
        "          within 1 h"
    )


@pytest.mark.parametrize(("severity", "ink"), [("error", "1;31"), ("warning", "1;33"), ("note", "1;36")])
def test_colours_tell_the_severity_and_set_the_frame_apart(severity: str, ink: str) -> None:
    assert draw(unbounded(Severity(severity)), colour=True) == (
        f"\x1b[{ink}m{severity}[unbounded-state]\x1b[0m"
        "\x1b[1m: this rule keeps every `login` event for ever\x1b[0m\n"
        "\x1b[1;34m -->\x1b[0m fraud.parte:3:12\n"
        "\x1b[1;34m  |\x1b[0m\n"
        "\x1b[1;34m3 |\x1b[0m     unless refund after login\n"
        "\x1b[1;34m  |\x1b[0m            "
        f"\x1b[{ink}m^^^^^^^^^^^^^^^^^^ nothing ends the wait for `refund`\x1b[0m\n"
        "  \x1b[1;34m=\x1b[0m hint: add a window, for example `within 1 h`"
    )


def test_a_line_break_of_two_characters_is_not_drawn() -> None:
    source = Source("dos.alg", "a ;\r\nb\r\n")
    assert draw(Diagnostic("bad-value", "no", (Label(source.span(2, 6), "here"),))) == (
        "error[bad-value]: no\n --> dos.alg:1:3\n  |\n1 | a ;\n  |   ^\n2 | b\n  | ^ here"
    )


@st.composite
def spans(draw_from: st.DrawFn, text: st.SearchStrategy[str]) -> Span:
    source = Source("any", draw_from(text))
    start = draw_from(st.integers(0, len(source.text)))
    return source.span(start, draw_from(st.integers(start, len(source.text))))


@given(spans(st.text()))
def test_every_span_of_every_text_can_be_drawn(span: Span) -> None:
    rows = draw(Diagnostic("internal", "no", (Label(span, "here"),))).split("\n")
    assert rows[1].endswith(f"--> any:{span.line}:{span.column}")
    assert rows[-1].endswith("^ here")


@given(spans(st.text(printable.replace("\n", "").replace("\t", "").strip() + " ", min_size=1)))
def test_the_carets_stand_under_what_they_mark(span: Span) -> None:
    _, _, _, line, carets = draw(Diagnostic("internal", "no", (Label(span),))).split("\n")
    marked = "".join(character for character, mark in zip(line, carets, strict=False) if mark == "^")
    assert marked == span.text.strip() or not span.text.strip()
