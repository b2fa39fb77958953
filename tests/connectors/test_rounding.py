"""A time that is finer than a microsecond is rounded to it, and that is said once."""

import io
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cepheid
from cepheid.diagnostics import draw
from cepheid.events import Rounding, TimeUnit, time_reader

QUERY = cepheid.compile("A", language="algebra")
WARNING = (
    "warning[rounded-time]: `{}` is finer than a microsecond: such times are rounded to the nearest one\n"
    "{}  = hint: leave out what is finer than a microsecond"
)


@pytest.mark.parametrize(
    ("given", "unit", "ticks"),
    [
        (0.3333333, "s", 333_333),
        (1763290582.1234567, "s", 1_763_290_582_123_457),
        (-0.3333333, "s", -333_333),
        ("0.3333337", "s", 333_334),
        (Decimal("0.33333350"), "s", 333_334),
        (0.6, "us", 1),
        (1499, "ns", 1),
        (1500, "ns", 2),
        (-1500, "ns", -1),
        ("1e-60", "s", 0),
        ("1970-01-01T00:00:00.3333333Z", "s", 333_333),
        ("1970-01-01T00:00:59.9999999Z", "s", 60_000_000),
        (np.float32(0.1), "s", 100_000),
    ],
)
def test_a_time_is_rounded_to_the_nearest_microsecond(given: object, unit: TimeUnit, ticks: int) -> None:
    rounding = Rounding()
    assert time_reader(unit, 1, rounding)(given) == ticks
    assert rounding.count == 1


@given(st.floats(-9e12, 9e12), st.sampled_from(["s", "ms", "us"]))
def test_a_number_is_read_within_half_a_microsecond(number: float, unit: TimeUnit) -> None:
    scale = {"s": 10**6, "ms": 10**3, "us": 1}[unit]
    ticks = time_reader(unit, 1, Rounding())(number)
    assert abs(Decimal(repr(number)) * scale - ticks) <= Decimal("0.5") + Decimal(abs(number) * scale) / 2**52


@pytest.mark.parametrize("late", [0.25, 2, "1970-01-01T00:00:00.5Z", 10**9])
def test_a_time_that_is_no_finer_is_read_as_it_is(late: object) -> None:
    rounding = Rounding()
    assert time_reader("s", 1, rounding)(late) == time_reader("s")(late)
    assert rounding.count == 0


def inputs() -> dict[str, object]:
    return {
        "dictionaries": [{"type": "A", "time": 0.3333333}, {"type": "A", "time": 0.6666666}],
        "json": io.BytesIO(b'{"type": "A", "time": 0.3333333}\n{"type": "A", "time": 0.6666666}\n'),
        "csv": io.BytesIO(b"type,time\nA,0.3333333\nA,0.6666666\n"),
        "arrow": pa.table({"type": ["A", "A"], "time": [0.3333333, 0.6666666]}),
    }


@pytest.mark.parametrize("door", inputs())
def test_rounding_is_said_once_for_a_run(door: str) -> None:
    run = QUERY.run(inputs()[door], strict=True)  # type: ignore[arg-type]
    assert [match.end for match in run] == [0.333333, 0.666667]
    assert list(map(draw, run.warnings)) == [WARNING.format("0.3333333", "  = note: 2 times were rounded\n")]


def test_timestamps_in_nanoseconds_are_rounded() -> None:
    times = pa.array([1_000_000_600], pa.timestamp("ns"))
    run = QUERY.run(pa.table({"type": ["A"], "time": times}), strict=True)
    assert [match.evidence for match in run] == [(1,)]
    assert list(map(draw, run.warnings)) == [WARNING.format("1000000600 ns", "")]


def test_a_detector_rounds_and_says_so() -> None:
    detector = QUERY.detector()
    found = detector.push({"type": "A", "time": 0.3333333}) + detector.close()
    assert [match.end for match in found] == [0.333333]
    assert list(map(draw, detector.warnings)) == [WARNING.format("0.3333333", "")]


def test_a_declared_tick_rounds_nothing() -> None:
    run = cepheid.compile("A", tick="1 s", language="algebra").run(
        [{"type": "A", "time": time} for time in (1, 0.3333333, 1.5)]
    )
    assert [match.end for match in run] == [1]
    assert (run.summary.rejects, [one.code for one in run.warnings]) == ({"bad-time": 2}, ["rejected-rows"])


def test_a_tick_in_the_text_of_a_query_rounds_nothing() -> None:
    run = cepheid.compile("tick 1 s\nA", language="algebra").run(
        [{"type": "A", "time": time} for time in (1, 0.3333333)]
    )
    assert (len(list(run)), run.summary.rejects) == (1, {"bad-time": 1})
