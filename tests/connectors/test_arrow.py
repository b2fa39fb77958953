"""Arrow in all its forms: tables, batches, frames, files; what a column holds becomes a value of an event."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cepheid.connectors import Calendar, Columns, Reading, source_of
from cepheid.connectors.arrow_columns import values_of
from cepheid.diagnostics import CepheidError
from tests.connectors.reading import as_arrow, read, reasons, told

ROWS: list[dict[str, object]] = [
    {"type": "A", "time": 1, "user": "ann", "value": 0.5},
    {"type": "B", "time": 2, "user": None, "value": 2.0},
]
EVENTS = [
    (1, "A", 1_000_000, 1_000_000, {"user": "ann", "value": 0.5}),
    (2, "B", 2_000_000, 2_000_000, {"user": None, "value": 2.0}),
]
NOON = datetime(2024, 5, 17, 12, tzinfo=UTC)
NOON_TICKS = 1715947200 * 10**6


@pytest.mark.parametrize(
    "frame",
    [
        as_arrow(ROWS),
        as_arrow(ROWS).to_batches()[0],
        as_arrow(ROWS).to_batches(),
        pl.DataFrame(ROWS),
        pd.DataFrame(ROWS),
    ],
    ids=["table", "batch", "batches", "polars", "pandas"],
)
def test_every_kind_of_frame_is_read(frame: object) -> None:
    events, rejects = read(source_of(frame))  # type: ignore[arg-type]  # any object may be tried
    assert told(events) == EVENTS
    assert rejects == []


def test_the_index_of_a_frame_is_no_field() -> None:
    events, _ = read(source_of(pd.DataFrame(ROWS, index=["x", "y"])))
    assert told(events) == EVENTS


def test_a_frame_that_mixes_kinds_in_a_column_is_an_error() -> None:
    with pytest.raises(CepheidError) as raised:
        read(source_of(pd.DataFrame({"type": ["A", 3], "time": [1, 2]})))
    assert str(raised.value).startswith("error[unreadable-input]: `frame` cannot be read: ")
    assert "give each column one kind of value" in str(raised.value)


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Berlin"])
def test_timestamps_have_their_own_unit(unit: str, zone: str | None) -> None:
    times = pa.array([NOON, None], pa.timestamp(unit, zone))
    source = source_of(pa.table({"type": ["A", "B"], "time": times}))
    events, rejects = read(source)
    assert [event.end for event in events] == [NOON_TICKS]
    assert reasons(rejects) == ["bad-event: expected a time, got `null` at `$.time` (frame:2)"]
    assert source.form is (Calendar.NAIVE if zone is None else Calendar.AWARE)


def test_a_timestamp_between_two_declared_ticks_is_set_aside() -> None:
    times = pa.array([1_000_000, 1_001_001], pa.timestamp("ns"))
    events, rejects = read(source_of(pa.table({"type": ["A", "B"], "time": times}), Reading(tick=1000)))
    assert [event.end for event in events] == [1000]
    assert reasons(rejects) == ["bad-time: `1001001` is not a whole number of microseconds at `$.time` (frame:2)"]
    assert rejects[0].raw == {"type": "B", "time": "1970-01-01T00:00:00.001001001"}


def test_starts_are_read_like_times() -> None:
    table = pa.table({"type": ["A", "B"], "time": [5, 2], "from": ["1", "3"]})
    events, rejects = read(source_of(table, Reading(Columns(start="from"))))
    assert told(events) == [(1, "A", 1_000_000, 5_000_000, {})]
    assert reasons(rejects) == ["bad-interval: `B` starts after it ends at `$.from` (frame:2)"]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        (pa.array([1], pa.uint8()), 1),
        (pa.array([2**63], pa.uint64()), None),
        (pa.array([7], pa.uint64()), 7),
        (pa.array([1.5], pa.float32()), 1.5),
        (pa.array([True]), True),
        (pa.array(["x"], pa.large_string()), "x"),
        (pa.array(["x"], pa.string_view()), "x"),
        (pa.array(["x"]).dictionary_encode(), "x"),
        (pa.array([Decimal("1.25")]), 1.25),
        (pa.array([NOON]), NOON_TICKS),
        (pa.array([date(1970, 1, 2)]), 86_400_000_000),
        (pa.array([timedelta(seconds=1)]), 1_000_000),
        (pa.array([[1, None]]), (1, None)),
        (pa.array([{"x": [1.5]}]), {"x": (1.5,)}),
        (pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int64())), {"k": 1}),
        (pa.array([b"x"]), None),
        (pa.array([[b"x"]]), None),
        (pa.array([None]), None),
    ],
)
def test_what_a_column_holds_becomes_a_value(column: pa.Array, value: object) -> None:
    assert values_of(column) == [value]


def test_columns_that_nobody_looks_at_are_not_read(tmp_path: Path) -> None:
    pq.write_table(as_arrow(ROWS), tmp_path / "events.parquet")
    for events in (as_arrow(ROWS), tmp_path):
        found, _ = read(source_of(events, Reading(fields=frozenset({"value"}))))
        assert [dict(event.fields) for event in found] == [{"value": 0.5}, {"value": 2.0}]


def test_a_missing_column_is_an_error() -> None:
    with pytest.raises(CepheidError) as raised:
        read(source_of(pa.table({"type": ["A"], "when": [1]})))
    assert str(raised.value) == (
        "error[missing-column]: no row has a column `time` (frame)\n"
        "  = note: there is `type`, `when`\n"
        '  = hint: say which column it is: `--time-column when`, or in Python `time_column="when"`'
    )
