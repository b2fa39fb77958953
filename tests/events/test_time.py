"""Times are read and written exactly; the cases in `tests/cases/events` show every message."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.diagnostics import CepheidError, DataPlace, Source
from cepheid.events import MAX_TIME, MIN_TIME, TIME_FORMS, TimeForm, format_time, is_time, parse_time
from tests.events.outcomes import outcome

TIMES = st.one_of(st.integers(MIN_TIME + 1, MAX_TIME - 1), st.integers(-(10**16), 10**16))
FORMS: st.SearchStrategy[TimeForm] = st.sampled_from(TIME_FORMS)
OFFSETS = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@given(TIMES, FORMS)
def test_what_is_written_is_read_back(time: int, form: TimeForm) -> None:
    assert parse_time(format_time(time, form), form) == time


@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=OFFSETS))
def test_dates_agree_with_the_standard_library(moment: datetime) -> None:
    assert parse_time(moment.isoformat()) == (moment - EPOCH) // timedelta(microseconds=1)


@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1)))
def test_a_date_without_an_offset_is_in_utc(moment: datetime) -> None:
    assert parse_time(moment.isoformat()) == parse_time(moment.replace(tzinfo=UTC).isoformat())


@given(TIMES, TIMES)
def test_dates_with_four_digit_years_sort_like_times(left: int, right: int) -> None:
    shown = [format_time(time)[:19] for time in (left, right)]
    if all(text[4] == "-" and text[0].isdigit() for text in shown) and shown[0] != shown[1]:
        assert (shown[0] < shown[1]) == (left < right)


@given(st.text(alphabet="0123456789-:T.+Z ", max_size=30), FORMS)
def test_any_text_is_read_or_refused(text: str, form: TimeForm) -> None:
    time = outcome(parse_time, text, form)
    assert is_time(time) if isinstance(time, int) else time == ["bad-time"]


def test_numbers_in_a_unit_are_exact() -> None:
    assert parse_time(0.1, "s") == 100_000
    assert parse_time(1715934600123, "ms") == 1715934600123000
    assert parse_time(1715934600123456789000, "ns", tick=1) == 1715934600123456789


def test_a_time_between_two_ticks_is_refused() -> None:
    assert parse_time("2024-05-17T08:30:00Z", tick=10**6) == 1715934600 * 10**6
    with pytest.raises(CepheidError) as raised:
        parse_time("2024-05-17T08:30:00.5Z", tick=10**6)
    assert str(raised.value) == (
        "error[bad-time]: `2024-05-17T08:30:00.5Z` is between two ticks\n"
        " --> <time>:1:1\n"
        "  |\n"
        "1 | 2024-05-17T08:30:00.5Z\n"
        "  | ^^^^^^^^^^^^^^^^^^^^^^ not a multiple of the tick, 1000000 us\n"
        "  = hint: write `2024-05-17T08:30:00Z`"
    )


def test_an_error_in_data_names_the_path() -> None:
    with pytest.raises(CepheidError) as raised:
        parse_time("soon", place=DataPlace("trades.jsonl", 7, ("at",)))
    assert str(raised.value) == (
        "error[bad-time]: `soon` is not a time at `$.at` (trades.jsonl:7)\n"
        "  = hint: write it like `2024-05-17T08:30:00Z`"
    )


def test_an_error_in_a_text_points_into_it() -> None:
    source = Source("noon.etalis", "at 2024-05-32")
    with pytest.raises(CepheidError) as raised:
        parse_time("2024-05-32", place=source.span(3, 13))
    assert str(raised.value) == (
        "error[bad-time]: there is no time `2024-05-32`\n"
        " --> noon.etalis:1:4\n"
        "  |\n"
        "1 | at 2024-05-32\n"
        "  |    ^^^^^^^^^^ not in the calendar or not on the clock\n"
        "  = hint: write it like `2024-05-17T08:30:00Z`"
    )
