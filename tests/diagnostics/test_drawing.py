"""Drawings, each shown whole; `tests/cases/diagnostics/draw.case` has those of single texts."""

from string import printable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.diagnostics import DataPlace, Diagnostic, Label, Severity, Source, Span, codes, draw
from cepheid.diagnostics.windows import WIDEST

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


def rows_of(text: str, *marked: tuple[int, int]) -> list[str]:
    source = Source("any", text)
    labels = tuple(Label(source.span(start, end), "here") for start, end in marked)
    return draw(Diagnostic("internal", "no", labels)).split("\n")


LETTERS = st.sampled_from("ab\t温度 é\u0301")


@st.composite
def long_lines(draw_from: st.DrawFn) -> tuple[str, int, int]:
    """A line in three pieces, of which the second is to be marked; it begins and ends with a letter."""
    before, after = (draw_from(st.text(LETTERS, max_size=20)) * draw_from(st.integers(0, 300)) for _ in "12")
    marked = "x" + draw_from(st.text(LETTERS, max_size=30)) + "y"
    return before + marked + after, len(before), len(before) + len(marked)


def on_screen(text: str) -> str:
    """A text in which each column of the screen is a character."""
    wide = {"温": "WW", "度": "WW", "\u0301": ""}
    return "".join(wide.get(one, one) for one in text.replace("\t", "    "))


@given(long_lines())
def test_of_a_long_line_what_stands_around_the_place_is_drawn(case: tuple[str, int, int]) -> None:
    text, start, end = case
    _, place, _, line, carets = rows_of(text, (start, end))
    assert place == f" --> any:1:{start + 1}"
    content = on_screen(line.removeprefix("1 | "))
    assert len(content) <= WIDEST + 2
    marks = carets.removeprefix("  | ").removesuffix(" here")
    piece = content[len(marks) - marks.count("^") : len(marks)]
    assert piece == on_screen(text[start:end])[: len(piece)]
    assert len(piece) == min(len(on_screen(text[start:end])), marks.count("^"))
    assert piece.endswith("y") or len(piece) >= WIDEST - 50


def test_a_line_of_a_million_characters_is_drawn_around_its_place() -> None:
    text = "a " * 400_000 + "温\tthn b " + "b " * 400_000
    rows = rows_of(text, (800_002, 800_005))
    assert rows == [
        "error[internal]: no",
        " --> any:1:800003",
        "  |",
        f"1 | …{' a' * 26} 温    thn{' b' * 29}…",
        f"  | {' ' * 60}^^^ here",
    ]


def test_of_a_long_mark_its_beginning_is_drawn() -> None:
    assert rows_of("温" * 1000, (100, 900))[3:] == [f"1 | …{'温' * 60}…", f"  |  {'^' * 120} here"]


def test_marks_that_are_far_apart_on_one_line_have_a_row_each() -> None:
    rows = rows_of("a" * 5000, (4000, 4002), (10, 12), (60, 62))
    assert rows[3:] == [
        f"1 | {'a' * 120}…",
        f"  | {' ' * 10}-- here",
        f"  | {' ' * 60}-- here",
        f"1 | …{'a' * 120}…",
        f"  | {' ' * 60}^^ here",
    ]


def test_a_long_line_between_two_marked_ones_shows_its_beginning() -> None:
    assert rows_of(f"a\n{'b' * 500}\nc", (0, 1), (503, 504))[5] == f"2 | {'b' * 120}…"


def test_a_name_of_a_million_characters_is_left_out_in_its_middle() -> None:
    long = "a" * 1_000_000
    source = Source("any", long)
    drawn = draw(
        Diagnostic("internal", f"no `{long}`", (Label(source.span(0, 9), long),), hints=(long,), notes=(long,))
    )
    assert len(drawn) < 20_000
