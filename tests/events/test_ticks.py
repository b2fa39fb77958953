"""Numbers become ticks exactly or not at all."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.events.ticks import (
    MAX_TIME,
    MIN_TIME,
    NANOSECONDS,
    Misfit,
    Number,
    decimal_text,
    exact,
    is_time,
    ticks_of,
)

TICKS = st.integers(MIN_TIME + 1, MAX_TIME - 1)
UNITS = st.sampled_from(sorted(NANOSECONDS))


@given(TICKS, UNITS)
def test_decimal_text_is_read_back_exactly(ticks: int, unit: str) -> None:
    text = decimal_text(ticks, unit)
    if text is not None:
        assert ticks_of(text, unit) == ticks
    else:
        assert unit in ("min", "h", "d", "w")


@given(st.text(max_size=12) | st.floats() | st.integers() | st.decimals(), UNITS)
def test_anything_becomes_ticks_or_a_misfit(number: Number, unit: str) -> None:
    ticks = ticks_of(number, unit)
    assert isinstance(ticks, Misfit) or is_time(ticks)


@given(st.integers(-(10**12), 10**12), st.integers(0, 6))
def test_the_value_is_the_one_that_was_written(digits: int, places: int) -> None:
    number = Decimal(digits).scaleb(-places)
    assert ticks_of(number, "s") == ticks_of(str(number), "s") == Fraction(number) * 10**6


@pytest.mark.parametrize(
    ("number", "unit", "expected"),
    [
        (0.1, "s", 100_000),
        (1715934600.123457, "s", 1715934600123457),
        (Decimal("0.000001"), "s", 1),
        ("1e-6", "s", 1),
        ("0.0000001", "s", Misfit.TOO_FINE),
        ("1e-999999999", "s", Misfit.TOO_FINE),
        ("1e999999999", "s", Misfit.TOO_LARGE),
        (MAX_TIME, "us", Misfit.TOO_LARGE),
        (MIN_TIME, "us", Misfit.TOO_LARGE),
        (MAX_TIME - 1, "us", MAX_TIME - 1),
        ("0e999999999", "s", 0),
        ("9" * 5000, "s", Misfit.TOO_LARGE),
        (float("nan"), "s", Misfit.NOT_A_NUMBER),
        (float("inf"), "s", Misfit.NOT_A_NUMBER),
        (True, "s", Misfit.NOT_A_NUMBER),
        ("1_000", "s", Misfit.NOT_A_NUMBER),
        ("٣", "s", Misfit.NOT_A_NUMBER),
        ("", "s", Misfit.NOT_A_NUMBER),
    ],
)
def test_ticks_of(number: Number, unit: str, expected: int | Misfit) -> None:
    assert ticks_of(number, unit) == expected


def test_a_float_stands_for_its_shortest_text() -> None:
    assert exact(0.1) == Fraction(1, 10)
    assert exact(1e22) == 10**22
