"""The short ways to read a time say what `parse_time` says, and times go out as they came in."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.connectors import TIME_UNITS, Calendar, TimeUnit, show_time
from cepheid.diagnostics import CepheidError
from cepheid.events import form_of, format_time, parse_time, time_reader

UNITS: st.SearchStrategy[TimeUnit] = st.sampled_from([*TIME_UNITS, "ns"])
DECIMALS = st.from_regex(r"-?[0-9]{1,12}(\.[0-9]{1,8})?", fullmatch=True)
NUMBERS = st.integers() | st.floats() | DECIMALS.map(float)
TICKS = st.integers(-(10**16), 10**16)


def read_or_reason(value: object, unit: TimeUnit, tick: int = 1) -> int | str:
    try:
        return time_reader(unit, tick)(value)
    except CepheidError as error:
        return error.diagnostics[0].code


def parsed_or_reason(value: int | float | str, unit: TimeUnit, tick: int = 1) -> int | str:
    try:
        return parse_time(value, unit, tick=tick)
    except CepheidError as error:
        return error.diagnostics[0].code


@given(NUMBERS | DECIMALS, UNITS, st.sampled_from([1, 1000]))
def test_numbers_are_read_as_the_careful_way_reads_them(value: int | float | str, unit: TimeUnit, tick: int) -> None:
    assert read_or_reason(value, unit, tick) == parsed_or_reason(value, unit, tick)


@given(TICKS)
def test_an_iso_text_is_read_as_the_careful_way_reads_it(ticks: int) -> None:
    assert time_reader("s")(format_time(ticks)) == ticks


@given(st.text(alphabet="0123456789-:T.+Z W", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    found = read_or_reason(text, "s")
    assert found == "bad-time" or isinstance(found, int)


@given(TICKS, UNITS)
def test_a_number_that_went_out_comes_in_again(ticks: int, unit: TimeUnit) -> None:
    shown = show_time(ticks, unit)
    assert abs(ticks) >= 2**52 or time_reader(unit)(shown) == ticks


@given(st.datetimes(timezones=st.none() | st.just(UTC)))
def test_a_datetime_that_came_in_goes_out_again(moment: datetime) -> None:
    assert show_time(time_reader("s")(moment), form_of(moment, "s")) == moment


def test_the_form_is_that_of_the_value() -> None:
    assert form_of(12, "ms") == "ms"
    assert form_of("12.5", "s") == "s"
    assert form_of("2024-05-17", "s") is Calendar.ISO


@pytest.mark.parametrize("value", [None, True, {}, [1]])
def test_what_is_no_time_is_refused(value: object) -> None:
    assert read_or_reason(value, "s") == "bad-event"
