"""What holds for every pipe, and the laws by which kinds of pipes agree with plain lists and with one another."""

from itertools import accumulate

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cepheid.algebra.expressions import Literal, Variable
from cepheid.algebra.pipe_semantics import Timed
from cepheid.algebra.pipes import Fold, Gate, Map, Pipe, Resample, Slice, Window
from cepheid.algebra.traversal import walk
from cepheid.events import Value, values
from tests.algebra.pipes.pipe_strategies import (
    FIRST,
    HERE,
    NUMBERS,
    PIPES,
    SECOND,
    TOTAL,
    VALUES,
    Trace,
    call,
    given_by,
    timed,
    traces,
    values_of,
)

SIZES = st.integers(1, 4)
SUM = Fold((HERE,), call("+", TOTAL, FIRST), Literal(0))
COUNT = Fold((HERE,), call("+", TOTAL, Literal(1)), Literal(0))
ALL_SEEN = Fold((HERE,), call("list", TOTAL, FIRST), Literal(None))


def trim(count: int, pipe: Pipe = HERE) -> Pipe:
    return Resample((pipe,), skip=count)


def decimate(step: int, pipe: Pipe = HERE) -> Pipe:
    return Resample((pipe,), every=step)


def prefix(limit: int, pipe: Pipe = HERE) -> Pipe:
    return Resample((pipe,), limit=limit)


def stutter(copies: int, pipe: Pipe = HERE) -> Pipe:
    return Resample((pipe,), copies=copies)


@settings(max_examples=300)
@given(PIPES, traces(), st.integers(0, 7))
def test_a_longer_input_only_adds_outputs(pipe: Pipe, trace: Trace, seen: int) -> None:
    before, after = timed(pipe, trace[:seen]), timed(pipe, trace)
    assert after[: len(before)] == before


@given(PIPES, traces(), st.integers(-9, 9))
def test_moving_all_times_moves_the_outputs_and_no_more(pipe: Pipe, trace: Trace, shift: int) -> None:
    moved = tuple(Timed(time + shift, value) for time, value in trace)
    assert timed(pipe, moved) == [Timed(time + shift, value) for time, value in timed(pipe, trace)]


@given(PIPES, traces())
def test_without_time_windows_only_positions_count(pipe: Pipe, trace: Trace) -> None:
    assume(all(node.length is None for node in walk(pipe) if isinstance(node, Window)))
    by_position = tuple(Timed(position, value) for position, (_, value) in enumerate(trace))
    assert given_by(pipe, trace) == given_by(pipe, by_position)


@given(PIPES, traces())
def test_times_never_go_back_and_come_from_the_input(pipe: Pipe, trace: Trace) -> None:
    times = [item.time for item in timed(pipe, trace)]
    assert times == sorted(times)
    assert set(times) <= {item.time for item in trace}


@given(PIPES, PIPES, traces())
def test_a_front_waits_for_all_inputs_and_carries_the_latest_time(left: Pipe, right: Pipe, trace: Trace) -> None:
    first, second = timed(left, trace), timed(right, trace)
    pairs = list(zip(first, second, strict=False))
    expected = [Timed(max(one.time, other.time), (one.value, other.value)) for one, other in pairs]
    assert timed(Map((left, right), call("list", FIRST, SECOND)), trace) == expected


@given(PIPES, PIPES, PIPES, traces())
def test_a_filter_passes_what_stands_beside_true(left: Pipe, right: Pipe, condition: Pipe, trace: Trace) -> None:
    collated = Map((left, right, condition), call("list", FIRST, SECOND, Variable("$2")))
    fronts = [item for item in given_by(collated, trace) if isinstance(item, tuple)]
    assert given_by(Gate((left, right, condition)), trace) == [item[:2] for item in fronts if item[2] is True]
    alone = zip(given_by(left, trace), given_by(condition, trace), strict=False)
    assert given_by(Gate((left, condition)), trace) == [value for value, passes in alone if passes is True]


@given(traces(), st.lists(VALUES, max_size=7))
def test_a_filter_takes_nothing_but_true_for_true(trace: Trace, conditions: list[Value]) -> None:
    pairs = list(zip(values_of(trace), conditions, strict=False))
    paired = tuple(Timed(0, pair) for pair in pairs)
    value, beside = Map((HERE,), call("get", FIRST, Literal(0))), Map((HERE,), call("get", FIRST, Literal(1)))
    assert given_by(Gate((value, beside)), paired) == [value for value, passes in pairs if passes is True]


@given(traces(NUMBERS), st.integers(-3, 3))
def test_cumulating_a_sum_gives_the_running_sums(trace: Trace, initial: int) -> None:
    running = Fold((HERE,), call("+", TOTAL, FIRST), Literal(initial))
    numbers = [value for value in values_of(trace) if isinstance(value, int)]
    assert given_by(running, trace) == list(accumulate(numbers, initial=initial))[1:]


@given(traces())
def test_a_fold_shows_its_output_after_its_step(trace: Trace) -> None:
    shown = Fold((HERE,), call("+", TOTAL, Literal(1)), Literal(0), call("list", TOTAL, FIRST))
    assert given_by(shown, trace) == [(index + 1, value) for index, value in enumerate(values_of(trace))]


@given(traces(), st.integers(0, 3), SIZES, st.none() | st.integers(0, 3), SIZES)
def test_a_resampling_is_its_four_parts_in_order(
    trace: Trace, skip: int, every: int, limit: int | None, copies: int
) -> None:
    at_once = Resample((HERE,), skip, every, limit, copies)
    kept = decimate(every, trim(skip))
    assert timed(at_once, trace) == timed(stutter(copies, kept if limit is None else prefix(limit, kept)), trace)


@given(traces(), SIZES)
def test_trim_drops_and_prefix_keeps_the_first(trace: Trace, count: int) -> None:
    dropped, kept = timed(trim(count), trace), timed(prefix(count), trace)
    assert kept + dropped == list(trace)
    assert len(kept) == min(count, len(trace))


@given(traces(), SIZES, SIZES)
def test_decimations_multiply_and_trims_add(trace: Trace, some: int, more: int) -> None:
    assert timed(decimate(some, decimate(more)), trace) == timed(decimate(some * more), trace)
    assert timed(trim(some, trim(more)), trace) == timed(trim(some + more), trace)
    assert timed(stutter(some, stutter(more)), trace) == timed(stutter(some * more), trace)
    assert timed(prefix(some, prefix(more)), trace) == timed(prefix(min(some, more)), trace)


@given(traces(), SIZES, SIZES)
def test_a_decimation_starts_with_the_first_and_commutes_with_trims(trace: Trace, step: int, count: int) -> None:
    assert timed(decimate(step), trace)[:1] == list(trace[:1])
    assert timed(trim(count, decimate(step)), trace) == timed(decimate(step, trim(count * step)), trace)


@given(traces(), SIZES)
def test_a_decimation_undoes_a_stutter(trace: Trace, copies: int) -> None:
    assert timed(decimate(copies, stutter(copies)), trace) == list(trace)


@given(traces(NUMBERS), SIZES)
def test_a_window_of_sums_gives_the_sums_of_slices(trace: Trace, count: int) -> None:
    numbers = [value for value in values_of(trace) if isinstance(value, int)]
    expected = [sum(numbers[first : first + count]) for first in range(len(numbers) - count + 1)]
    assert given_by(Window((HERE,), SUM, count=count), trace) == expected


@given(traces(), SIZES)
def test_a_window_of_its_input_is_a_trim(trace: Trace, count: int) -> None:
    assert timed(Window((HERE,), HERE, count=count), trace) == timed(trim(count - 1), trace)


@given(PIPES, traces(), SIZES)
def test_a_window_gives_the_nth_output_of_a_fresh_body(body: Pipe, trace: Trace, count: int) -> None:
    parts = [trace[first : first + count] for first in range(len(trace) - count + 1)]
    nth = [given_by(body, part)[count - 1 : count] for part in parts]
    assert given_by(Window((HERE,), body, count=count), trace) == [value for given in nth for value in given]


@given(traces(), SIZES, SIZES)
def test_a_window_waits_until_it_is_full_whatever_its_body_gives(trace: Trace, count: int, copies: int) -> None:
    middles = values_of(trace)[(count - 1) // copies :]
    expected = middles[: max(len(trace) - count + 1, 0)]
    assert given_by(Window((HERE,), stutter(copies), count=count), trace) == expected


@given(traces(), st.integers(0, 5))
def test_a_time_window_holds_what_is_not_too_old(trace: Trace, length: int) -> None:
    times = [item.time for item in trace]
    held = [sum(last - length <= time for time in times[: index + 1]) for index, last in enumerate(times)]
    assert timed(Window((HERE,), COUNT, length=length), trace) == [
        Timed(time, size) for time, size in zip(times, held, strict=True)
    ]


@given(PIPES, traces())
def test_a_time_window_over_everything_gives_the_last_output_so_far(body: Pipe, trace: Trace) -> None:
    last = [given_by(body, trace[: index + 1])[-1:] for index in range(len(trace))]
    everything = Window((HERE,), body, length=100)
    assert given_by(everything, trace) == [value for given in last for value in given]


def slices(trace: Trace) -> list[tuple[Value, Trace]]:
    """Return the keys in the order they came, each with the values it has got; the values are the keys."""
    parts: dict[object, tuple[Value, Trace]] = {}
    for item in trace:
        places = list(parts) if item.value == "#" else [values.key_of(item.value)]
        for place in places if item.value is not None else []:
            key, part = parts.get(place, (item.value, ()))
            parts[place] = (key, (*part, item))
    return list(parts.values())


@given(PIPES, traces(st.sampled_from([None, "a", "b", "#"])))
def test_a_slice_runs_a_fresh_body_on_the_values_of_each_key(body: Pipe, trace: Trace) -> None:
    given_after = timed(Slice((HERE,), body, FIRST), trace)
    assert [item.time for item in given_after] == [item.time for item in trace]
    for index, item in enumerate(given_after):
        last = {key: given_by(body, part)[-1:] for key, part in slices(trace[: index + 1])}
        assert item.value == {key: given[0] for key, given in last.items() if given}


@given(PIPES, traces())
def test_a_set_of_slices_is_their_map_in_the_order_they_began(body: Pipe, trace: Trace) -> None:
    given_after = given_by(Slice((HERE,), body, FIRST, "set"), trace)
    for index, value in enumerate(given_after):
        last = [given_by(body, part)[-1:] for _, part in slices(trace[: index + 1])]
        assert value == tuple(given[0] for given in last if given)


@given(traces())
def test_one_key_for_all_is_no_slicing(trace: Trace) -> None:
    one = Slice((HERE,), ALL_SEEN, Literal("k"))
    assert given_by(one, trace) == [{"k": value} for value in given_by(ALL_SEEN, trace)]
