"""Queries run over events and over records that say events."""

import numpy as np
import pytest

import cepheid as c
from cepheid.algebra.builder.inputs import Input, events_of
from tests.algebra.builder.nodes import SECOND, error_of


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"type": "A", "time": 12}, c.point("A", 12, 1)),
        ({"type": "A", "time": 12, "user": "ann", "value": None}, c.point("A", 12, 1, {"user": "ann"})),
        ({"type": "A", "time": 12, "start": 10}, c.interval("A", 10, 12, 1)),
        ({"type": "A", "time": 12, "id": "x7"}, c.point("A", 12, "x7")),
        ({"type": "A", "time": "1970-01-01T00:00:01Z"}, c.point("A", SECOND, 1)),
        (
            {"type": "A", "time": 0, "tags": ["x", 1], "place": {"x": 1.5, "near": [True]}},
            c.point("A", 0, 1, {"tags": ("x", 1), "place": {"x": 1.5, "near": (True,)}}),
        ),
        (c.point("A", 12, 7, {"user": "ann"}), c.point("A", 12, 7, {"user": "ann"})),
    ],
)
def test_a_record_says_an_event(given: Input, expected: c.Event) -> None:
    assert events_of([given], "us") == [expected]


def test_events_without_an_id_are_counted_from_one() -> None:
    events = events_of([{"type": "A", "time": 5}, {"type": "A", "time": 3, "id": "x"}, {"type": "A", "time": 4}])
    assert [event.id for event in events] == [1, "x", 3]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"time": 1}, 'expected `str`, got `NoneType` at `$[1].type`\n  = hint: `"type"` names the type'),
        (
            {"type": "A"},
            "expected a time, got `null` at `$[1].time`\n"
            "  = hint: a time is a number, or a text such as `2024-05-17T08:30:00Z`",
        ),
        (
            {"type": "A", "time": 3, "start": [1]},
            "expected a time, got `list` at `$[1].start`\n"
            "  = hint: a time is a number, or a text such as `2024-05-17T08:30:00Z`",
        ),
        ({"type": "A", "time": 3, "id": 1.5}, "expected `int` or `str`, got `float` at `$[1].id`"),
        (
            {"type": "A", "time": 3, "tags": ["x", {1}]},
            "a `set` is no value of an event at `$[1].tags[1]`\n"
            "  = hint: a value is a number, a string, a boolean, a date, null, a list or a mapping",
        ),
        (
            {"type": "A", "time": 3, "id": "first"},
            "two events have the id `first` at `$[1]`\n  = hint: leave out `id` to have them counted",
        ),
        (7, "expected an event or a mapping, got `int` at `$[1]`"),
    ],
)
def test_a_record_that_says_no_event_is_refused(given: Input, message: str) -> None:
    first = {"type": "A", "time": 0, "id": "first"}
    assert error_of(lambda: events_of([first, given])) == f"error[bad-event]: {message}"


def test_a_text_that_is_no_time_is_refused() -> None:
    assert error_of(lambda: events_of([{"type": "A", "time": "noon"}])) == (
        "error[bad-time]: `noon` is not a time at `$[0].time`\n  = hint: write it like `2024-05-17T08:30:00Z`"
    )


@pytest.mark.parametrize(("unit", "ticks"), [("s", 1_500_000), ("ms", 1500), ("us", 2)])
def test_a_number_counts_seconds_unless_another_unit_is_named(unit: c.events.TimeUnit, ticks: int) -> None:
    [event] = events_of([{"type": "A", "time": 1.5}], unit)
    assert event.end == ticks
    [match] = c.query(c.event("A")).run([{"type": "A", "time": 1.5}], time_unit=unit)
    assert match.end == ticks


def test_numbers_of_another_library_are_read_as_everywhere() -> None:
    record = {"type": np.str_("A"), "time": np.int64(3), "id": np.int64(7), "n": np.float64(1.5), "at": np.array([1])}
    for given in (record, c.Event("A", np.int64(3_000_000), 3_000_000, 7, {"n": 1.5, "at": (1,)})):  # type: ignore[arg-type]
        [event] = events_of([given])
        assert event == c.point("A", 3_000_000, 7, {"n": 1.5, "at": (1,)})
        assert (type(event.start), type(event.id), type(event.fields["n"])) == (int, int, float)


def test_a_whole_number_beyond_64_bits_is_refused() -> None:
    for given in ({"type": "A", "time": 3, "n": 2**63}, c.point("A", 3, 7, {"n": 2**63})):
        assert error_of(lambda given=given: events_of([given])).startswith(  # type: ignore[misc]
            f"error[bad-event]: `{2**63}` does not fit into 64 bits at `$[0].n`"
        )


def test_a_unit_that_is_none_is_refused() -> None:
    assert error_of(lambda: c.query(c.event("A")).run([], time_unit="sec")) == (  # type: ignore[arg-type]
        'error[unknown-unit]: times are not counted in `sec`; there is `s`, `ms`, `us`\n  = hint: write `time_unit="s"`'
    )
