"""Long random traces: events at times that rise, of few types or with rare ones, with few keys or many, tied or not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from random import Random

from cepheid.events import Event, Value
from cepheid.testing.cases import Draw

FIRST = {0: 40, -(10**6): 15, -(10**15): 10, 1_700_000_000_000_000: 15, 10**18: 10, -(2 * 10**18): 10}
"""When the first event comes: around zero, before it, today, and far away on either side."""


@dataclass(frozen=True, slots=True)
class LongTrace:
    """What a long trace is like: events of these types, each as often as its weight says.

    `gap` is how far apart events are, in ticks, of which `ties` in a hundred are none at all; `keys` is how many
    different keys there are, and `longest` how long events last.
    """

    weights: dict[str, int]
    first: int
    gap: int
    ties: int
    keys: int
    longest: int
    count: int


def random_shape(draw: Draw, types: Sequence[str], scale: int, *, lasts: bool, near: bool) -> LongTrace:
    """Return what a trace for windows of a few times `scale` is like; `near`: it begins at zero, and has no long gaps.

    There are from a few events in such a window to many.
    """
    rare = draw.chance(50)
    weights = {name: 100 if number == 0 or not rare else draw.pick((1, 5, 20)) for number, name in enumerate(types)}
    first = 0 if near else draw.weighted(FIRST)
    gap = 1 if near or scale == 1 else max(scale // draw.pick((1, 4, 20)), 1)
    ties = draw.weighted({0: 35, 10: 25, 50: 25, 80: 15})
    keys = draw.weighted({1: 15, 3: 25, 50: 30, 5000: 30})
    return LongTrace(weights, first, gap, ties, keys, 2 * scale if lasts else 0, draw.integer(20_100, 22_000))


def sparser(shape: LongTrace) -> LongTrace:
    """Return a trace in which there is less to be found: events are further apart, and few of them are simultaneous."""
    return replace(shape, gap=8 * shape.gap, ties=shape.ties // 4)


def random_events(draw: Draw, shape: LongTrace) -> list[Event]:
    """Return the events of a trace, in the order of their ends; a field has what any language calls it."""
    # There are many events, so choices for all of them are made at once.
    some, count = Random(draw.integer(0, 2**32)), shape.count
    kinds = some.choices(list(shape.weights), list(shape.weights.values()), k=count)
    gaps = [0 if some.random() * 100 < shape.ties else some.randint(1, 2 * shape.gap - 1) for _ in range(count)]
    ends = accumulate(gaps, initial=shape.first)
    lengths = [some.randint(0, shape.longest) if shape.longest and some.random() < 0.3 else 0 for _ in range(count)]
    fields = _fields(some, shape)
    told = zip(kinds, ends, lengths, range(1, count + 1), fields, strict=False)
    return [Event(kind, end - length, end, number, said) for kind, end, length, number, said in told]


def _fields(some: Random, shape: LongTrace) -> Iterator[dict[str, Value]]:
    keys = [None if some.random() < 0.03 else some.randint(1, shape.keys) for _ in range(shape.count)]
    values = some.choices((0, 1, 2, 3, 4, 5, None, 1.5, "x"), (16, 16, 16, 16, 16, 15, 2, 2, 1), k=shape.count)
    firsts = some.choices((1, 0, None, 2), (60, 20, 10, 10), k=shape.count)
    for number, (key, value, first) in enumerate(zip(keys, values, firsts, strict=True), 1):
        yield {"key": key, "value": value, "user": key, "arg1": first, "k": key, "v": value, "id": number}


def disordered(draw: Draw, events: Sequence[Event], disorder: int) -> list[Event]:
    """Return the events in an order in which each is at most so far behind the greatest end that was seen."""
    some = Random(draw.integer(0, 2**32))
    held_up = [(event.end + some.randint(0, disorder), event) for event in events]
    return [event for _, event in sorted(held_up, key=lambda entry: entry[0])]
