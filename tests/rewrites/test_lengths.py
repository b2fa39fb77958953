"""How long events and matches can be, as far as windows tell."""

import pytest

from cepheid.languages import algebra
from cepheid.languages.cep import read_pattern
from cepheid.rewrites import EventLengths, event_lengths
from cepheid.rewrites.lengths import longest


def emitted(text: str, *, intervals: bool = False) -> dict[str, int | None]:
    return dict(event_lengths(algebra.parse(text, time_unit=1), intervals=intervals).by_type)


def test_an_emitted_event_is_as_long_as_its_matches() -> None:
    text = "Pair = (a:A ; B) within 5 emits v = a.v\nMore = (Pair ; A) emits v = A.v\nLess = Pair - A emits v = 1"
    assert emitted(text) == {"Pair": 5, "More": None, "Less": 5}


def test_where_input_events_may_last_a_single_one_may() -> None:
    assert emitted("One = A emits v = A.v", intervals=True) == {"One": None}
    assert emitted("One = A emits v = A.v") == {"One": 0}


def test_what_is_emitted_may_be_given_as_well_and_last() -> None:
    text = "Pair = (a:A ; B) within 5 emits v = a.v"
    assert emitted(text, intervals=True) == {"Pair": None}
    assert emitted(text) == {"Pair": 5}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("a", 0),
        ("a: Long", None),
        ("a: Seven", 7),
        ("a: {Seven, Other}", 7),
        ("a: *", None),
        ("a then b", None),
        ("a then b within 5", 5),
        ("a and b within 5", 5),
        ("a and b relation end($1) - start($0) <= 4, end($0) - start($1) <= 6", 6),
        ("a and b relation end($1) - start($0) <= 4", None),
        ("(a then b) within 5", 5),
        ("(a: Seven or (b then c within 5))", 7),
        ("(a: Seven or (b then c within 5)) within 6", 6),
        ("((a then b) within 5) unless c inside", 5),
        ("distinct ((a then b) within 5)", 5),
        ("((a then b) within 5) choose latest-start", 5),
        ("repeat r: 2..3 of a", None),
        ("instant i: at(5)", 0),
    ],
)
def test_windows_tell_how_long_a_match_is(pattern: str, expected: int | None) -> None:
    lengths = EventLengths({"Long": None, "Seven": 7})
    assert longest(read_pattern(pattern), lengths) == expected
