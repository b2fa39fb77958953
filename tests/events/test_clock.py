"""Clocks count in ticks."""

from datetime import UTC, datetime

from cepheid.events import Clock, SystemClock, is_time, parse_time


def test_the_system_clock_counts_microseconds_since_1970() -> None:
    clock: Clock = SystemClock()
    assert is_time(clock.now())
    # The clock of the machine is somewhere between the first release and the end of the calendar.
    assert parse_time("2020-01-01") < clock.now() < parse_time(datetime.max.replace(tzinfo=UTC).isoformat())
