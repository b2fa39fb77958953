"""Windows: sums are correctly rounded, aggregates that slide give what a fresh body gives, times are heeded."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid import CepheidError
from cepheid import pipes as p
from cepheid.algebra.graphs.definition import outputs_of
from cepheid.analysis.graphs.aggregation import aggregation_of
from cepheid.engine.pipes.graphs import recent
from tests.pipes.same import same

count = p.turn_into(1) | p.cumulate(p.add)
mean = p.cumulate(p.add) / count
square = p.apply(p.x * p.x) | p.cumulate(p.add)
BODIES = {
    "sum": p.cumulate(p.add),
    "sum from half": p.cumulate(p.add, 0.5),
    "sum from text": p.cumulate(p.add, "a"),
    "count": count,
    "mean": mean,
    "least": p.cumulate(p.minimum),
    "greatest": p.cumulate(p.maximum),
    "greatest from 2": p.cumulate(p.maximum, 2),
    "variance": square / count - mean * mean,
    "beside the last": p.fan(p.passthrough(), mean, p.cumulate(p.minimum)) | p.collate(3),
}
odd_floats = st.floats() | st.sampled_from([1e308, -1e308, 5e-324, 0.1, 1e100, -1e100, 1e-300, -0.0])
plain = st.lists(st.integers(-(2**63), 2**63 - 1) | odd_floats, max_size=14)
anything = st.lists(st.integers(-3, 3) | odd_floats | st.sampled_from([None, True, "b", (1,)]), max_size=14)


@pytest.mark.parametrize("name", BODIES)
@given(plain | anything, st.integers(1, 5))
def test_what_slides_gives_what_a_fresh_body_gives(name: str, trace: list[object], size: int) -> None:
    assert aggregation_of(BODIES[name]) is not None
    windowed = p.window(BODIES[name], size)
    expected = outputs_of(windowed, trace)[0]
    assert same(windowed.run(trace), expected)
    running = windowed.start(allow_unbounded=True)
    assert same([one for value in trace for one in running.push(value)], expected)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e290, max_value=1e290), max_size=30))
def test_sums_of_floats_are_correctly_rounded(trace: list[float]) -> None:
    expected = [math.fsum(trace[first : first + 4]) for first in range(len(trace) - 3)]
    assert p.window(p.cumulate(p.add), 4).run(trace) == expected


def test_other_bodies_are_run_anew() -> None:
    assert aggregation_of(p.cumulate(p.multiply)) is None
    assert p.window(p.cumulate(lambda total, value: [*total, value], []), 2).run("abc") == [["a", "b"], ["b", "c"]]
    assert p.window(p.where(p.x > 1), 2).run([1, 2, 3, 1]) == [3]
    assert p.window(p.trim(1), 2).run([1, 2, 3]) == []


SECONDS = [0, 1, 1, 4, 5, 9, 30]


def test_a_window_of_time_has_what_is_at_most_that_old() -> None:
    records = [{"time": time, "n": 1} for time in SECONDS]
    counts = p.apply(p.field("n")) | p.window(p.cumulate(p.add), "4 s")
    expected = [len([one for one in SECONDS[: last + 1] if SECONDS[last] - one <= 4]) for last in range(len(SECONDS))]
    assert counts.run(records) == expected == outputs_of(counts, records)[0]
    running = p.window(p.cumulate(p.add), "4 s").start(allow_unbounded=True)
    assert [running.push(1, time=time)[0] for time in SECONDS] == expected
    with pytest.raises(CepheidError, match="carries no time"):
        running.push(1)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(-3, 3)), max_size=10), st.integers(0, 4))
def test_windows_of_time_in_graphs_and_bodies(told: list[tuple[int, int]], seconds: int) -> None:
    records = [{"time": time, "n": number} for time, number in told]
    number = p.apply(p.field("n"))
    latest = p.window(p.cumulate(p.add), f"{seconds} s")
    graph = p.where(p.field("n") != 0) | p.fan(number | latest, number | p.stutter(2)) | p.apply(p.x - p.y)
    for processor in (graph, p.slice(p.field("n") % 2, number | latest), p.window(number | latest, 3)):
        expected = outputs_of(processor, records)[0]
        assert processor.run(records) == expected
        running = processor.start(allow_unbounded=True)
        assert [one for record in records for one in running.push(record)] == expected
        assert list(processor.pull(records)) == expected


@pytest.mark.parametrize("name", BODIES)
@given(plain | anything, st.lists(st.integers(-2, 5), min_size=14, max_size=14), st.integers(0, 6), st.booleans())
def test_windows_of_time_slide_too(
    name: str, values: list[object], steps: list[int], seconds: int, in_order: bool
) -> None:
    """Also where times go back, and after a snapshot anywhere."""
    windowed = p.apply(p.field("n")) | p.window(BODIES[name], f"{seconds} s")
    times = [sum(max(step, 0) if in_order else step for step in steps[: last + 1]) + 60 for last in range(len(values))]
    records = [{"time": time, "n": value} for time, value in zip(times, values, strict=True)]
    expected = outputs_of(windowed, records)[0]
    assert same(windowed.run(records), expected)
    running, found = windowed.start(allow_unbounded=True), []
    for place, record in enumerate(records):
        found += running.push(record)
        if place == len(records) // 2:
            running = running.copy()
    assert same(found, expected)


def test_a_window_of_time_over_an_aggregate_runs_no_body_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent.RecentValues, "_replayed", None)
    running = p.window(mean, "1 h").start(allow_unbounded=True)
    assert [running.push(number, time=number)[0] for number in range(5)] == [0.0, 0.5, 1.0, 1.5, 2.0]


usual = st.floats(-1000, 1000) | st.sampled_from([0.1, 12.34, -0.0, 1e-3, 99.99, 1 / 3])
odd = st.sampled_from([1e300, 5e-324, 2.0**40, 3, 7, None, math.inf, 2.0**-60])


@given(st.lists(st.one_of(usual, usual, usual, odd), max_size=40), st.integers(1, 6), st.integers(0, 40))
def test_values_one_by_one_have_the_sums_of_all_at_once(values: list[Any], size: int, cut: int) -> None:
    """Some pushed, then a snapshot, then the rest: the sums are those of the definition, to the last bit."""
    processor = p.window(p.cumulate(p.add), size)
    expected = outputs_of(processor, values)[0]
    assert same(processor.run(values), expected)
    assert same(list(processor.pull(iter(values))), expected)
    copy = processor.start()
    given = [one for value in values[:cut] for one in copy.push(value)]
    again = processor.start(copy.snapshot())
    assert same(given + [one for value in values[cut:] for one in again.push(value)], expected)
    assert same(given + [one for value in values[cut:] for one in copy.push(value)], expected)
