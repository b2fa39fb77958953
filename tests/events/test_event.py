"""What an event is, and when two are one."""

import pytest

from cepheid.diagnostics import CepheidError
from cepheid.events import MAX_TIME, MIN_TIME, Event, interval, point


def test_a_point_starts_and_ends_at_its_time() -> None:
    event = point("login", 7, 1, {"user": "ann"})
    assert (event.start, event.end, event.derived) == (7, 7, False)


def test_an_interval_may_not_end_before_it_starts() -> None:
    assert interval("call", 2, 5, 1).end == 5
    with pytest.raises(CepheidError) as raised:
        interval("call", 5, 2, 1)
    assert str(raised.value) == (
        "error[bad-interval]: `call` ends at 2, before it starts at 5\n  = hint: swap them: `2-5`"
    )


@pytest.mark.parametrize("time", [MIN_TIME, MAX_TIME, 2**63])
def test_nothing_happens_at_an_infinity(time: int) -> None:
    with pytest.raises(CepheidError) as raised:
        point("call", time, 1)
    assert str(raised.value) == (
        f"error[bad-interval]: `call` at {time} is outside the times that can be distinguished\n"
        "  = hint: times are ticks from `-9223372036854775807` to `9223372036854775806`"
    )


def test_a_missing_field_is_null() -> None:
    assert point("login", 7, 1).get("user") is None
    assert point("login", 7, 1) == point("login", 7, 1, {"user": None})


def test_an_input_event_rests_on_itself_and_a_derived_one_on_what_it_was_given() -> None:
    assert point("a", 1, "x").support == ("x",)
    assert Event("alarm", 1, 3, "m", derived=True, support=("x", "y")).support == ("x", "y")
    assert Event("noon", 1, 1, "n", derived=True).support == ()


def test_events_are_equal_by_what_they_say() -> None:
    assert point("a", 1, 1, {"v": float("nan")}) == point("a", 1, 1, {"v": float("nan")})
    assert point("a", 1, 1, {"v": 1}) == point("a", 1, 1, {"v": 1.0})
    assert point("a", 1, 1, {"v": 1}) != point("a", 1, 1, {"v": True})
    assert point("a", 1, 1) != point("a", 1, 2)
    assert point("a", 1, 1) != point("a", 1, 1, tie=(1,))
    assert point("a", 1, 1) != ("a", 1, 1)


def test_equal_events_share_a_hash() -> None:
    assert len({point("a", 1, 1, {"v": 1}), point("a", 1, 1, {"v": 1.0}), point("b", 1, 2)}) == 2
