"""Points of time are made by schedules."""

import pytest

import cepheid as c
from cepheid.algebra.expressions import Moment
from cepheid.algebra.patterns import Instant, Pattern
from cepheid.algebra.relations import end, start
from tests.algebra.builder.nodes import SECOND, call, error_of

HOUR = 3600 * SECOND


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (c.instant(at=12), Instant("moment", call("at", 12))),
        (c.instant(at="1970-01-01T00:00:01Z", name="dawn"), Instant("dawn", call("at", SECOND))),
        (c.every("1 h"), Instant("moment", call("every", HOUR, 0))),
        (c.every("1 h", offset="1 s", name="hour"), Instant("hour", call("every", HOUR, SECOND))),
        (
            c.daily("17:00", zone="Europe/Brussels"),
            Instant("moment", call("daily", "17:00", "Europe/Brussels")),
        ),
        (c.weekly("mon", "09:00"), Instant("moment", call("weekly", "mon", "09:00", "UTC"))),
    ],
)
def test_schedules(part: c.Part, expected: Pattern) -> None:
    assert c.pattern_of(part) == expected


def test_an_instant_can_be_read() -> None:
    noon = c.daily("12:00", name="noon")
    assert noon.start.expression == Moment(start("noon"))
    assert noon.end.expression == Moment(end("noon"))


def test_events_are_joined_with_instants() -> None:
    a, hour = c.event("A"), c.every(10)
    query = c.query((a >> hour).within(5), values={"at": hour.start})
    events = [c.point("A", time, time) for time in (1, 7, 21)]
    assert [match.values for match in query.run(events)] == [{"at": 10}]


def test_a_text_that_is_no_time_is_refused() -> None:
    assert error_of(lambda: c.instant(at="tomorrow")) == (
        "error[bad-time]: `tomorrow` is not a time\n"
        " --> <time>:1:1\n"
        "  |\n"
        "1 | tomorrow\n"
        "  | ^^^^^^^^ not a date as in ISO 8601\n"
        "  = hint: write it like `2024-05-17T08:30:00Z`"
    )
