"""Each processor on one small trace, and the properties that say it for every trace."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra import processors
from cepheid.algebra.expressions import Call, Expr, Field, Literal, Variable
from cepheid.algebra.machines import Transition, machine
from cepheid.algebra.pipe_semantics import Timed
from cepheid.algebra.pipes import Pipe, Slice, Window
from cepheid.events import Value
from tests.algebra.pipes.pipe_strategies import FIRST, HERE, NUMBERS, Trace, call, given_by, traces, values_of

BOOLEANS: st.SearchStrategy[Value] = st.sampled_from([True, False, None])
IS_BIG = processors.apply(call(">", FIRST, Literal(2)), HERE)
NEGATED = processors.apply(call("neg", FIRST), HERE)


def over(pipe: Pipe, *values: Value) -> list[Value]:
    return given_by(pipe, tuple(Timed(time, value) for time, value in enumerate(values)))


@pytest.mark.parametrize(
    ("pipe", "expected"),
    [
        (processors.apply(call("*", FIRST, Literal(2)), HERE), [6, 2, 8, 2, 10]),
        (processors.apply(call("+", FIRST, Variable("$1")), HERE, processors.trim(HERE, 1)), [4, 5, 5, 6]),
        (processors.turn_into(HERE, "x"), ["x", "x", "x", "x", "x"]),
        (processors.cumulate(HERE, "+", 0), [3, 4, 8, 9, 14]),
        (processors.cumulate(HERE, "max", 2), [3, 3, 4, 4, 5]),
        (processors.decimate(HERE, 2), [3, 4, 5]),
        (processors.decimate(HERE, 3), [3, 1]),
        (processors.freeze(HERE), [3, 3, 3, 3, 3]),
        (processors.trim(HERE, 2), [4, 1, 5]),
        (processors.trim(HERE, 9), []),
        (processors.prefix(HERE, 2), [3, 1]),
        (processors.prefix(HERE, 0), []),
        (processors.filtered(IS_BIG, HERE), [3, 4, 5]),
        (processors.filtered(IS_BIG, HERE, NEGATED), [(3, -3), (4, -4), (5, -5)]),
        (processors.stutter(processors.prefix(HERE, 2), 2), [3, 3, 1, 1]),
        (processors.choose(IS_BIG, HERE, NEGATED), [3, -1, 4, -1, 5]),
        (processors.yield_(1, IS_BIG, HERE, NEGATED), [3, -1, 4, -1, 5]),
        (processors.yield_(3, IS_BIG, HERE, NEGATED), [3, -1, -4, -1, 5]),
        (processors.collate(HERE, IS_BIG), [(3, True), (1, False), (4, True), (1, False), (5, True)]),
        (processors.prefix(processors.collate(HERE, IS_BIG, names=("v", "big")), 1), [{"v": 3, "big": True}]),
        (processors.count(HERE), [1, 2, 3, 4, 5]),
        (processors.total(HERE), [3, 4, 8, 9, 14]),
        (processors.minimum(HERE), [3, 1, 1, 1, 1]),
        (processors.maximum(HERE), [3, 3, 4, 4, 5]),
        (processors.average(HERE), [3.0, 2.0, 8 / 3, 2.25, 2.8]),
        (processors.peaks(HERE), [0, 0, -2, 3, -3]),
        (Window((HERE,), processors.total(HERE), count=3), [8, 6, 10]),
        (Window((HERE,), processors.maximum(HERE), count=2), [3, 4, 4, 5]),
        (Window((HERE,), processors.decimate(HERE, 2), count=2), []),
        (Window((HERE,), processors.total(HERE), length=1), [3, 4, 5, 5, 6]),
    ],
)
def test_a_processor_over_3_1_4_1_5(pipe: Pipe, expected: list[Value]) -> None:
    assert over(pipe, 3, 1, 4, 1, 5) == expected


def test_slices_are_gathered_as_a_map_or_as_a_set() -> None:
    parity = call("%", FIRST, Literal(2))
    by_key = Slice((HERE,), processors.total(HERE), parity)
    assert over(by_key, 3, 4, 5) == [{"1": 3}, {"1": 3, "0": 4}, {"1": 8, "0": 4}]
    assert over(Slice((HERE,), processors.total(HERE), parity, "set"), 3, 4, 5) == [(3,), (3, 4), (8, 4)]


def test_a_value_for_all_slices_goes_to_those_that_exist() -> None:
    counted = Slice((HERE,), processors.count(HERE), FIRST)
    expected = [{}, {"a": 1}, {"a": 1, "b": 1}, {"a": 2, "b": 2}, {"a": 2, "b": 2}]
    assert over(counted, "#", "a", "b", "#", None) == expected


def test_a_slice_that_has_given_nothing_yet_is_not_shown() -> None:
    second = Slice((HERE,), processors.trim(HERE, 1), FIRST)
    assert over(second, "a", "b", "a") == [{}, {}, {"a": "a"}]


def test_freezing_keeps_even_a_null() -> None:
    assert over(processors.freeze(HERE), None, 1, 2) == [None, None, None]


def test_aggregates_pass_over_null() -> None:
    for aggregate, expected in [
        (processors.total, [0, 2, 2, 3]),
        (processors.minimum, [None, 2, 2, 1]),
        (processors.maximum, [None, 2, 2, 2]),
        (processors.average, [None, 2.0, 2.0, 1.5]),
        (processors.count, [1, 2, 3, 4]),
    ]:
        assert over(aggregate(HERE), None, 2, None, 1) == expected


def test_a_peak_is_told_when_it_has_passed() -> None:
    assert over(processors.peaks(HERE), 0, 0, 1000, 1000, 30, 20, 500) == [0, 0, 0, 0, 1000, 0, -980]


@given(traces(BOOLEANS), st.integers(1, 4))
def test_yielding_gives_way_at_most_once_in_so_many_values(trace: Trace, count: int) -> None:
    yes, no = processors.turn_into(HERE, 1), processors.turn_into(HERE, 0)
    given_ones = given_by(processors.yield_(count, HERE, yes, no), trace)
    ones = [place for place, value in enumerate(given_ones) if value == 1]
    assert all(later - earlier >= count for earlier, later in pairwise(ones))
    for place, value in enumerate(values_of(trace)):
        free = not any(place - count < one < place for one in ones)
        assert (place in ones) == (value is True and free)


@given(traces(NUMBERS))
def test_peaks_add_up_to_the_way_from_the_first_value_to_the_last_turn(trace: Trace) -> None:
    numbers = [value for value in values_of(trace) if isinstance(value, int)]
    heights = [value for value in given_by(processors.peaks(HERE), trace) if isinstance(value, int)]
    turns = [place - 1 for place, height in enumerate(heights) if height]
    assert sum(heights) == (numbers[turns[-1]] - numbers[0] if turns else 0)
    assert len(heights) == len(numbers)


GUARD = call(">", FIRST, Literal(0))
COUNTED = {"count": call("+", Field("$total", "count"), Literal(1))}


def toggling(outputs: dict[str, Expr]) -> Pipe:
    """A machine that turns on and off, and counts how often it turned on."""
    transitions = [Transition("off", "on", GUARD, COUNTED), Transition("on", "off", call("not", GUARD))]
    return machine(HERE, "off", transitions, outputs, {"count": 0})


def test_a_machine_says_what_its_state_says_and_remembers() -> None:
    says: dict[str, Expr] = {"off": Literal("off"), "on": Field("$total", "count")}
    assert over(toggling(says), 0, 1, 2, 0, 0, 5) == ["off", 1, 1, "off", "off", 2]


def test_a_state_without_an_output_is_silent() -> None:
    assert over(toggling({"on": Field("$total", "count")}), 0, 1, 2, 0, 0, 5) == [1, 1, 2]
    assert over(toggling({}), 0, 1) == []


def test_a_machine_takes_the_first_transition_it_can() -> None:
    transitions = [Transition("s", "a", GUARD), Transition("s", "b")]
    outputs: dict[str, Expr] = {name: Literal(name) for name in "sab"}
    assert over(machine(HERE, "s", transitions, outputs), 1) == ["a"]
    assert over(machine(HERE, "s", transitions, outputs), 0) == ["b"]


def test_a_machine_remembers_all_at_once() -> None:
    swap = {"x": Field("$total", "y"), "y": Field("$total", "x")}
    both = Call("list", (Field("$total", "x"), Field("$total", "y")))
    swapping = machine(HERE, "s", [Transition("s", "s", GUARD, swap)], {"s": both}, {"x": 1, "y": 2})
    assert over(swapping, 0, 1, 1) == [(1, 2), (2, 1), (1, 2)]


@given(traces(NUMBERS))
def test_a_machine_is_the_automaton_that_it_says(trace: Trace) -> None:
    state, count, expected = "off", 0, []
    for value in values_of(trace):
        positive = isinstance(value, int) and value > 0
        count += state == "off" and positive
        state = "on" if positive else "off"
        expected.append((state, count))
    says: dict[str, Expr] = {name: Call("list", (Literal(name), Field("$total", "count"))) for name in ("off", "on")}
    assert given_by(toggling(says), trace) == expected
