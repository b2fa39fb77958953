"""Random traces: few events at few times, many of them simultaneous, with awkward values now and then."""

from collections.abc import Sequence
from dataclasses import dataclass

from cepheid.events import Event, EventId, Value, interval
from cepheid.testing.cases.draw import Draw

TYPES = ("A", "B", "C", "D")


@dataclass(frozen=True, slots=True)
class TraceShape:
    """What a random trace may look like; `intervals` of a hundred traces hold more than points.

    `plain`: keys and values are numbers that are there, ids are integers in the order of time. `base` is the time of
    the first event.
    """

    types: tuple[str, ...] = TYPES
    least: int = 0
    most: int = 10
    intervals: int = 35
    ties: int = 40
    plain: bool = False
    base: int = 0


def random_trace(draw: Draw, shape: TraceShape | None = None) -> list[Event]:
    """Return events with different ids, in the order of their ends."""
    shape = shape or TraceShape()
    count = draw.integer(shape.least, shape.most)
    ids = list(range(1, count + 1)) if shape.plain else _ids(draw, count)
    lengths = 45 if draw.chance(shape.intervals) else 0
    columns = 0 if shape.plain else draw.weighted({0: 75, 1: 20, 2: 5})
    ends = _ends(draw, count, shape)
    kinds = _kinds(draw, ends, shape.types)
    return [_event(draw, shape, *told, lengths, columns) for told in zip(kinds, ends, ids, strict=True)]


def _event(draw: Draw, shape: TraceShape, kind: str, end: int, event_id: EventId, lengths: int, columns: int) -> Event:
    start = end - (draw.integer(1, 4) if draw.chance(lengths) else 0)
    fields = {"key": _key(draw, shape.plain), "value": _value(draw, shape.plain)}
    tie = tuple(draw.pick((1, 2, None)) for _ in range(columns))
    return interval(kind, start, end, event_id, fields, tie)


def _kinds(draw: Draw, ends: Sequence[int], types: Sequence[str]) -> list[str]:
    """Return a type for every event, of simultaneous ones often the same: then only the tie order tells them apart."""
    kinds: list[str] = []
    for place, end in enumerate(ends):
        twin = place > 0 and ends[place - 1] == end and draw.chance(45)
        kinds.append(kinds[-1] if twin else draw.pick(types))
    return kinds


def _ends(draw: Draw, count: int, shape: TraceShape) -> list[int]:
    """Return times that rise by small steps, or by none."""
    time, ends = shape.base, []
    for _ in range(count):
        ends.append(time)
        time += 0 if draw.chance(shape.ties) else draw.weighted({1: 70, 2: 20, 3: 10})
    return ends


def _ids(draw: Draw, count: int) -> Sequence[EventId]:
    """Return different ids, mostly numbers that say nothing about the order."""
    numbers = draw.shuffled(range(1, count + 1))
    match draw.weighted({"numbers": 75, "strings": 20, "mixed": 5}):
        case "numbers":
            return numbers
        case "strings":
            return [f"e{number}" for number in numbers]
        case _:
            return [f"e{number}" if number % 2 else number for number in numbers]


def _key(draw: Draw, plain: bool) -> Value:
    if plain:
        return draw.integer(1, 2)
    options: tuple[Value, ...] = (draw.integer(1, 2), 3, None, 1.0, "x")
    return options[draw.weighted({0: 84, 1: 6, 2: 6, 3: 2, 4: 2})]


def _value(draw: Draw, plain: bool) -> Value:
    if plain:
        return draw.integer(0, 5)
    options: tuple[Value, ...] = (draw.integer(0, 4), 1.5, float("nan"), None, "x", True, 2**63 - 1, -0.0)
    return options[draw.weighted({0: 76, 1: 6, 2: 5, 3: 6, 4: 3, 5: 1, 6: 2, 7: 1})]
