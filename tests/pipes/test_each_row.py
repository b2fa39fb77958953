"""Each built-in processor against its row in plain Python, with terms and Python functions, in all ways to run."""

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid import pipes as p
from cepheid.algebra.graphs.definition import outputs_of
from tests.pipes.same import same

numbers = st.integers(-4, 4)
traces = st.lists(numbers, max_size=12)
Row: TypeAlias = tuple[list[p.Processor], Callable[..., list[Any]]]


def sums(values: Sequence[int]) -> list[int]:
    return list(accumulate(values))


def windows(values: Sequence[int], size: int) -> list[Sequence[int]]:
    return [values[first : first + size] for first in range(len(values) - size + 1)]


def sliced(values: Sequence[int], key: Callable[[int], Any]) -> list[dict[Any, int]]:
    last, told = dict[Any, int](), list[dict[Any, int]]()
    for value in values:
        for one in [*last] if key(value) == "#" else [key(value)]:
            if one is not None:
                last[one] = last.get(one, 0) + value
        told.append(dict(last))
    return told


def yielded(values: Sequence[int], count: int) -> list[object]:
    told, pause = list[object](), 0
    for value in values:
        is_free = value > 0 and not pause
        told.append(value if is_free else "no")
        pause = count - 1 if is_free else max(0, pause - 1)
    return told


def packed(values: Sequence[int]) -> list[list[int]]:
    told, since = list[list[int]](), list[int]()
    for value in values:
        if value > 0:
            told.append(since)
            since = []
        since.append(value)
    return told


def limited(values: Sequence[int], count: int) -> list[int]:
    told, pause = list[int](), 0
    for value in values:
        passes = value != 0 and not pause
        told.append(value if passes else 0)
        pause = count - 1 if passes else max(0, pause - 1)
    return told


def plateaus(values: Sequence[int], width: int, spread: int) -> list[float]:
    told, before = list[float](), False
    for window in windows(values, width):
        is_flat = max(window) - min(window) <= spread
        told.append(sum(window) / width if is_flat and not before else 0)
        before = is_flat
    return told


def peaks(values: Sequence[int], width: int) -> list[int]:
    told, first = list[int](), 0
    for end in range(1, len(values) + 1):
        seen = values[first:end]
        top = max(range(len(seen)), key=lambda at: (seen[at], -at))
        if len(seen) - 1 - top >= width:
            told += [*[0] * top, seen[top] - min(seen[:width])]
            first += top + 1
    return told


@p.processor(initial=0)
def _total(total: int, value: int) -> tuple[int, list[int]]:
    return total + value, [total + value]


def _key(value: int) -> object:
    return "#" if value == 0 else None if value == 1 else value % 2


term_key = p.if_(p.x == 0, "#", p.if_(p.x == 1, None, p.x % 2))
pair = p.collate(2)
total = p.cumulate(p.add)
ONE: dict[str, Row] = {
    "passthrough": ([p.passthrough()], list),
    "apply": ([p.apply(p.x * 2 + 1), p.apply(lambda x: x * 2 + 1)], lambda xs: [x * 2 + 1 for x in xs]),
    "apply of two": (
        [p.apply(p.x, -p.x) | pair, p.apply(lambda x: x, lambda x: -x) | pair],
        lambda xs: [(x, -x) for x in xs],
    ),
    "constant": ([p.fan(p.passthrough(), p.constant(7)) | pair], lambda xs: [(x, 7) for x in xs]),
    "turn into": ([p.turn_into("a")], lambda xs: ["a" for _ in xs]),
    "fork": ([p.fork(2) | pair], lambda xs: [(x, x) for x in xs]),
    "fan": ([p.fan(p.apply(p.x + 1), p.trim(1)) | pair], lambda xs: [(x + 1, y) for x, y in pairwise(xs)]),
    "lifted": ([p.cumulate(p.add) > 3, total | p.apply(lambda x: x > 3)], lambda xs: [x > 3 for x in sums(xs)]),
    "cumulate": ([total, p.cumulate(lambda x, y: x + y, 0), _total], sums),
    "cumulate from a start": (
        [p.cumulate(p.x - p.y, 9), p.cumulate(lambda x, y: x - y, 9)],
        lambda xs: [9 - x for x in sums(xs)],
    ),
    "least": ([p.cumulate(p.minimum)], lambda xs: list(accumulate(xs, min))),
    "decimate": ([p.decimate(3)], lambda xs: xs[::3]),
    "decimate with the last": ([p.decimate(3, last=True)], lambda xs: xs[::3] + (xs[-1:] if len(xs) % 3 != 1 else [])),
    "freeze": ([p.freeze()], lambda xs: xs[:1] * len(xs)),
    "trim": ([p.trim(2)], lambda xs: xs[2:]),
    "prefix": ([p.prefix(2)], lambda xs: xs[:2]),
    "stutter": ([p.stutter(2)], lambda xs: [x for x in xs for _ in range(2)]),
    "insert": ([p.insert(2, "a")], lambda xs: ["a", "a", *xs] if xs else []),
    "keep the last": ([p.keep_last()], lambda xs: xs[-1:]),
    "where": ([p.where(p.x > 0), p.where(lambda x: x > 0)], lambda xs: [x for x in xs if x > 0]),
    "window": (
        [p.window(total, 3), p.window(p.cumulate(lambda x, y: x + y, 0), 3), p.window(_total, 3)],
        lambda xs: [sum(one) for one in windows(xs, 3)],
    ),
    "window of a filter": (
        [p.window(p.where(p.x > 0), 2), p.window(p.where(lambda x: x > 0), 2)],
        lambda xs: [y for x, y in pairwise(xs) if x > 0 and y > 0],
    ),
    "successive": (
        [p.successive(p.y - p.x), p.successive(lambda x, y: y - x)],
        lambda xs: [y - x for x, y in pairwise(xs)],
    ),
    "slice": (
        [p.slice(term_key, total), p.slice(_key, p.cumulate(lambda x, y: x + y, 0))],
        lambda xs: sliced(xs, _key),
    ),
    "slice into a set": (
        [p.slice(term_key, total, "set"), p.slice(_key, _total, "set")],
        lambda xs: [set(one.values()) for one in sliced(xs, _key)],
    ),
    "yield": (
        [p.apply(p.x > 0, p.x, "no") | p.yield_(3), p.apply(lambda x: x > 0, p.x, "no") | p.yield_(3)],
        lambda xs: yielded(xs, 3),
    ),
    "choose": ([p.apply(p.x > 0, p.x, "no") | p.choose()], lambda xs: [x if x > 0 else "no" for x in xs]),
    "pack": ([p.apply(p.x, p.x > 0) | p.pack(), p.apply(p.x, lambda x: x > 0) | p.pack()], packed),
    "unpack": (
        [p.apply(p.list_of(p.x, 0)) | p.unpack(), p.apply(lambda x: [x, 0]) | p.unpack()],
        lambda xs: [one for x in xs for one in (x, 0)],
    ),
    "run on": (
        [p.apply(p.list_of(p.x, 5)) | p.run_on(total), p.apply(lambda x: (x, 5)) | p.run_on(_total)],
        lambda xs: [x + 5 for x in xs],
    ),
    "threshold": ([p.threshold(2)], lambda xs: [x if abs(x) > 2 else 0 for x in xs]),
    "limit": ([p.limit(3)], lambda xs: limited(xs, 3)),
    "plateau": ([p.plateau(2, 1)], lambda xs: plateaus(xs, 2, 1)),
    "peaks": ([p.peaks(2)], lambda xs: peaks(xs, 2)),
    "drops": ([p.peaks(2, drops=True)], lambda xs: [-x if x else 0 for x in peaks([-x for x in xs], 2)]),
}
TWO: dict[str, Row] = {
    "apply": (
        [p.apply(p.x - p.y), p.apply(lambda x, y: x - y)],
        lambda xs, ys: [x - y for x, y in zip(xs, ys, strict=False)],
    ),
    "passthrough": ([p.passthrough(2) | pair], lambda xs, ys: list(zip(xs, ys, strict=False))),
    "turn into": ([p.turn_into(1, inputs=2)], lambda xs, ys: [1 for _ in zip(xs, ys, strict=False)]),
    "beside": ([p.beside(p.trim(1), total) | pair], lambda xs, ys: list(zip(xs[1:], sums(ys), strict=False))),
    "filter": (
        [
            p.beside(p.passthrough(), p.apply(p.x > 0)) | p.filter(),
            p.beside(p.passthrough(), p.apply(lambda y: y > 0)) | p.filter(),
        ],
        lambda xs, ys: [x for x, y in zip(xs, ys, strict=False) if y > 0],
    ),
    "filter of two": (
        [p.apply(p.x, p.y, p.x > p.y) | p.filter(2) | pair],
        lambda xs, ys: [(x, y) for x, y in zip(xs, ys, strict=False) if x > y],
    ),
    "collate": ([p.collate("a", "b")], lambda xs, ys: [{"a": x, "b": y} for x, y in zip(xs, ys, strict=False)]),
}


def pulled_softly(pullable: Any) -> list[object]:  # an iterator of ours
    told: list[object] = []
    while pullable.has_next_soft() != "no":
        value = pullable.soft()
        told += [] if value is p.NOTHING else [value]
    return told


def check(processor: p.Processor, expected: list[Any], *given_traces: list[int]) -> None:
    assert same(outputs_of(processor, *given_traces)[0], expected)
    assert same(processor.run(*given_traces), expected)
    assert same(list(processor.pull(*given_traces)), expected)
    assert same(pulled_softly(processor.pull(*given_traces)), expected)
    running, told = processor.start(allow_unbounded=True), []
    for at, values in enumerate(given_traces):
        for value in values:
            told += running.push(value, at=at)
    assert same([*told, *running.end()], expected)


@pytest.mark.parametrize("name", ONE)
@given(traces)
def test_a_row_of_one_input(name: str, trace: list[int]) -> None:
    processors, meaning = ONE[name]
    for processor in processors:
        check(processor, meaning(trace), trace)


@pytest.mark.parametrize("name", TWO)
@given(traces, traces)
def test_a_row_of_two_inputs(name: str, left: list[int], right: list[int]) -> None:
    processors, meaning = TWO[name]
    for processor in processors:
        check(processor, meaning(left, right), left, right)


def test_nested_forks_are_run_once_each() -> None:
    calls: list[object] = []

    def noted(value: int) -> int:
        calls.append(value)
        return value

    processor = p.passthrough()
    for _ in range(20):
        processor = processor + (processor | p.apply(noted))
    running = processor.start()
    assert running.push(1) == [1 << 20]
    assert len(calls) == 20
    assert list(processor.pull([1, 2])) == processor.run([1, 2]) == [1 << 20, 2 << 20]
    assert len(calls) == 20 * 5
