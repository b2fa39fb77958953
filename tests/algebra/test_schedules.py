"""Points of the calendar, also at its ends."""

import pytest

from cepheid.algebra.expressions import Call, Literal
from cepheid.algebra.schedules import next_point, points
from cepheid.events import MAX_TIME, MIN_TIME, parse_time

DAY = 86_400_000_000
ZONES = ("UTC", "Asia/Tokyo", "America/New_York", "Pacific/Kiritimati", "Pacific/Pago_Pago")
ENDS = tuple(map(parse_time, ("0001-01-01", "9999-12-31T23:59:59.999999Z", "+010000-01-01", "-000001-01-01")))


def calendar(clock: str, zone: str, *day: str) -> Call:
    return Call("weekly" if day else "daily", tuple(map(Literal, (*day, clock, zone))))


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("clock", ["00:00", "23:59:59.999999"])
@pytest.mark.parametrize("time", [*ENDS, MIN_TIME, MIN_TIME + 1, MAX_TIME - 1, MAX_TIME])
def test_the_calendar_ends_quietly(zone: str, clock: str, time: int) -> None:
    for schedule in (calendar(clock, zone), calendar(clock, zone, "mon")):
        around = points(schedule, time - 9 * DAY, time + 9 * DAY)
        assert all(time - 9 * DAY <= one <= time + 9 * DAY for one in around)
        following = next_point(schedule, time)
        assert following == min((one for one in around if one >= time), default=None)


def test_the_first_and_the_last_day_have_their_point() -> None:
    noon = calendar("12:00", "UTC")
    first, last = parse_time("0001-01-01T12:00Z"), parse_time("9999-12-31T12:00Z")
    assert points(noon, MIN_TIME, first) == [first]
    assert points(noon, last, MAX_TIME) == [last]
