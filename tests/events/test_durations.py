"""Durations are read, shown and compared exactly; the cases in `tests/cases/events` show every message."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.diagnostics import CepheidError, Source
from cepheid.events import MAX_TIME, MIN_TIME, Duration
from tests.events.outcomes import outcome

TICKS = st.one_of(
    st.integers(-100, 100),
    st.integers(-(10**6), 10**6).map(lambda seconds: seconds * 10**6),
    st.integers(-(10**5), 10**5).map(lambda minutes: minutes * 60 * 10**6),
    st.integers(MIN_TIME + 1, MAX_TIME - 1),
)


@given(TICKS)
def test_what_is_shown_is_read_back(ticks: int) -> None:
    assert Duration.parse(str(Duration(ticks))) == Duration(ticks)


@given(TICKS, TICKS)
def test_durations_are_ordered_like_their_ticks(left: int, right: int) -> None:
    assert (Duration(left) < Duration(right)) == (left < right)


@given(st.text(alphabet="0123456789. -+hmsdinu", max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    duration = outcome(Duration.parse, text)
    if isinstance(duration, Duration):
        assert Duration.parse(str(duration)) == duration
    else:
        assert duration == ["bad-duration"]


def test_constructors_count_in_their_units() -> None:
    assert Duration.microseconds(3) == Duration(3)
    assert Duration.milliseconds(1.5) == Duration(1500)
    assert Duration.seconds("0.1") == Duration(100_000)
    assert Duration.minutes(2) == Duration.seconds(120)
    assert Duration.hours(1.5) == Duration.minutes(90)
    assert Duration.days(-1) == Duration.hours(-24)


def test_an_error_points_into_the_text_the_duration_stands_in() -> None:
    source = Source("fraud.alg", "(a ; b) within 5 sconds")
    with pytest.raises(CepheidError) as raised:
        Duration.parse("5 sconds", source.span(15, 23))
    assert str(raised.value) == (
        "error[bad-duration]: `5 sconds` is not a duration\n"
        " --> fraud.alg:1:18\n"
        "  |\n"
        "1 | (a ; b) within 5 sconds\n"
        "  |                  ^^^^^^ no unit is called `sconds`\n"
        "  = hint: did you mean `5 seconds`?"
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: Duration.seconds("0.0000001"),
            "error[bad-duration]: `0.0000001 s` is not a whole number of microseconds\n"
            "  = hint: the shortest step is `1 us`",
        ),
        (
            lambda: Duration.seconds("five"),
            "error[bad-duration]: `five s` is not a duration\n  = hint: write a number, for example `5`",
        ),
        (
            lambda: Duration(2**63),
            "error[bad-duration]: `9223372036854775808 us` is too long\n"
            "  = hint: the longest duration is about `106751991 days`",
        ),
    ],
)
def test_a_constructor_refuses_what_it_cannot_keep(make: Callable[[], Duration], message: str) -> None:
    with pytest.raises(CepheidError) as raised:
        make()
    assert str(raised.value) == message
