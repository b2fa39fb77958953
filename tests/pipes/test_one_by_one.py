"""A value that is pushed or pulled alone goes through one function; that has the answers of the definition too."""

import gc
import math
from collections.abc import Sequence
from itertools import cycle
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid import CepheidError, Event
from cepheid import pipes as p
from cepheid.algebra.graphs.definition import outputs_of
from cepheid.engine.pipes.graphs.copies import RunningCopy
from tests.pipes.same import same

count = p.turn_into(1) | p.cumulate(p.add)
mean = p.cumulate(p.add) / count
square = p.apply(p.x * p.x) | p.cumulate(p.add)
half = (p.cumulate(p.add) | p.apply(p.x * p.context("share"))).context(share=0.5)
WINDOWS = {
    "sum": p.cumulate(p.add),
    "sum from 2": p.cumulate(p.add, 2),
    "count": count,
    "mean": mean,
    "variance": square / count - mean * mean,
    "spread": p.cumulate(p.maximum) - p.cumulate(p.minimum),
    "above the least": mean - p.cumulate(p.minimum),
    "functions of Python": p.apply(lambda value: value) | p.cumulate(p.add) | p.apply(lambda total: [total]),
    "several outputs": p.fork(2) | p.beside(p.cumulate(p.add), square) | p.apply(p.x, p.y) | p.collate(2),
    "a record": p.fan(mean, count) | p.collate("mean", "count"),
    "a choice": p.fan(p.apply(p.x > 0), p.cumulate(p.add), count) | p.choose(),
    "a context": half,
}
floats = st.floats(-1000, 1000) | st.sampled_from([0.1, 12.34, -0.0, 1e-3, 1 / 3, 2.0**-60])
whole = st.integers(-5, 5) | st.sampled_from([2**62, -(2**63), 2**63 - 1])
odd = st.sampled_from([1e300, 5e-324, 2.0**40, None, True, "b", math.inf, math.nan, (1,)])
runs = st.one_of(st.lists(floats, max_size=12), st.lists(whole, max_size=12), st.lists(odd, max_size=2))
traces = st.lists(runs, max_size=5).map(lambda parts: [value for part in parts for value in part])


def told(processor: p.Processor, trace: Sequence[object]) -> list[object]:
    return outputs_of(processor, trace)[0]


def pushed(running: Any, values: Sequence[object]) -> list[object]:  # a running copy, of whatever kind
    return [one for value in values for one in running.push(value)]


def is_one_function(processor: p.Processor) -> bool:
    running = processor.start(allow_unbounded=True)
    assert isinstance(running, RunningCopy)
    return running.machine.fused() is not None


@pytest.mark.parametrize("name", WINDOWS)
@given(traces, st.integers(1, 5), st.integers(0, 40))
def test_windows_go_on_as_they_are_defined(name: str, trace: list[Any], size: int, cut: int) -> None:
    """Runs of floats and of whole numbers have short ways; whoever comes in between finds the same."""
    processor = p.window(WINDOWS[name], size)
    expected = told(processor, trace)
    assert same(list(processor.pull(trace)), expected)
    running = processor.start()
    before = pushed(running, trace[:cut])
    again, copy = processor.start(running.snapshot()), running.copy()
    for one in (running, again, copy):
        assert same(before + pushed(one, trace[cut:]), expected)


def test_windows_are_part_of_one_function() -> None:
    assert all(is_one_function(p.window(body, 3)) for name, body in WINDOWS.items() if name != "a context")


def test_a_function_of_python_is_called_once_for_each_value() -> None:
    calls: list[object] = []

    def noted(value: object) -> object:
        calls.append(value)
        return value

    body = p.apply(noted) | p.cumulate(p.add)
    values = [1.5, 2, 0.25, None, 3, 4, 5, 1e300]
    assert pushed(p.window(body, 2).start(), values) == told(p.window(p.cumulate(p.add), 2), values)
    assert calls == values


class Mine(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "missing"


names = ["a", "exit", "it's", 'a "b"', "\0", "\n", "a\\", "{w0}", "é"]
things = st.one_of(st.integers(-3, 3), floats, st.sampled_from([None, True, "a", 1.0, math.nan, (1, 2), {"a": 1}]))
records = st.one_of(
    st.dictionaries(st.sampled_from(names), things, max_size=4),
    st.dictionaries(st.sampled_from(names), things, max_size=2).map(Mine),
    things.map(lambda value: SimpleNamespace(a=value)),
    things,
)
field = st.sampled_from(names).map(p.field)
numbers = st.sampled_from([0, 1, -2, 2**60, 2**53, 0.5, -0.1, 0.0, 1e300, math.inf])
sums = st.one_of(
    st.builds(lambda one, other: one + other, field, numbers),
    st.builds(lambda one, other: one - other, field, numbers),
    st.builds(lambda one, other: one * other, field, numbers),
    st.builds(lambda one, other: one / other, field, numbers),
    st.builds(lambda one, other: one / other, field, field),
    field,
)
constants = numbers | st.sampled_from(["a", True, None])
compared = st.one_of(
    st.builds(lambda one, other: one > other, sums, numbers),
    st.builds(lambda one, other: one == other, sums, sums),
    st.builds(lambda one, other: one == other, field, constants),
    st.builds(lambda one, other: one != other, field, constants),
    st.builds(lambda one, other: one <= other, sums, numbers),
)
conditions = st.recursive(
    compared,
    lambda some: st.one_of(
        st.builds(lambda one, other: one & other, some, some),
        st.builds(lambda one, other: one | other, some, some),
        st.builds(lambda one: ~one, some),
    ),
    max_leaves=4,
)


@given(conditions, sums, st.lists(records, max_size=8))
def test_terms_over_records_are_what_the_definition_says(condition: Any, term: Any, trace: list[Any]) -> None:
    for processor in (
        p.where(condition) | p.apply(term),
        p.fan(p.passthrough() | p.trim(1), p.apply(condition)) | p.filter(),
        p.apply(term) | p.cumulate(p.add),
    ):
        assert is_one_function(processor)
        expected = told(processor, trace)
        assert same(processor.run(trace), expected)
        assert same(pushed(processor.start(allow_unbounded=True), trace), expected)
        assert same(list(processor.pull(trace)), expected)


def test_events_have_fields() -> None:
    event = Event("a", 1, 1, "first", {"a": 5})
    assert p.apply(p.field("a") + 1).start().push(event) == [6]


PIPES = {
    "several outputs": p.stutter(2),
    "nothing kept": p.where(p.x == 1) | p.apply(p.x + 1),
    "a total": p.cumulate(p.add),
    "a window": p.trim(1) | p.window(mean, 2),
    "fronts": p.fan(p.trim(1), p.window(p.cumulate(p.add), 2)) | p.apply(p.y - p.x),
}


@pytest.mark.parametrize("name", PIPES)
def test_who_holds_a_push_of_before_pushes_into_what_runs_now(name: str) -> None:
    running = PIPES[name].start(allow_unbounded=True)
    values, pushes = [1, 2, 4, 1, 0.5, 3, 1, 8], [running.push]
    for _ in range(3):
        outputs = [one for push, value in zip(cycle(pushes), values, strict=False) for one in push(value)]
        assert outputs == told(PIPES[name], values)
        running.reset()
        pushes.append(running.push)
    assert running.end() == []
    for late in (*pushes, running.push):
        with pytest.raises(CepheidError, match="have ended"):
            late(1)
    running.reset()
    assert [one for value in values for one in pushes[0](value)] == told(PIPES[name], values)


UNKNOWN: list[Any] = [1, -1, True, 0.5, "a"]


@pytest.mark.parametrize("name", PIPES)
def test_an_input_may_be_said_and_must_be_there(name: str) -> None:
    running = PIPES[name].start(allow_unbounded=True)
    before = running.push
    running.reset()
    for push in (before, running.push):
        for at in UNKNOWN:
            with pytest.raises(CepheidError) as refused:
                push(1, at=at)
            assert refused.value.diagnostics[0].message == f"there is no input {at}"
            assert refused.value.diagnostics[0].hints == ("this processor has 1, counted from 0",)
    values, outputs = [1, 2, 4, 1, 3, 1], list[object]()
    for first, second in zip(values[::2], values[1::2], strict=True):
        outputs += [*running.push(first, at=0), *before(second, 0)]
    assert outputs == told(PIPES[name], values)


@pytest.mark.parametrize("processor", [*PIPES.values(), p.where(p.x > p.context("least")).context(least=1)])
def test_a_push_outlives_its_running_copy(processor: p.Processor) -> None:
    push = processor.start(allow_unbounded=True).push
    values = [1, 2, 4, 1, 0.5, 3, 1]
    gc.collect()
    assert [one for value in values for one in push(value)] == told(processor, values)


def test_what_a_function_raises_goes_to_the_caller_and_the_rest_goes_on() -> None:
    running = (p.cumulate(p.add) | p.apply(lambda total: 10 // total)).start()
    assert running.push(5) == [2]
    with pytest.raises(ZeroDivisionError):
        running.push(-5)
    assert running.push(2) == [5]


def test_a_context_that_is_changed_is_read() -> None:
    running = (p.where(p.x > p.context("least")) | p.cumulate(p.add)).context(least=2).start()
    assert pushed(running, [1, 3, 2, 4]) == [3, 7]
    running.set("least", 0)
    assert pushed(running, [1, 3]) == [8, 11]
