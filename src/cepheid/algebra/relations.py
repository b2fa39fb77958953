"""Temporal conditions: every one of them is a bound on the distance of two endpoints.

    b after a, within 5 s        1 <= b.start - a.end      b.end - a.start <= 5 s
    a meets b                    0 <= b.start - a.end <= 0
    at most 10 records           position(b.end) - position(a.start) <= 9

Time and position are integers, so a strict bound is a closed one that is one larger.
"""

from dataclasses import dataclass
from enum import Enum

Ticks = int


class Edge(Enum):
    """Which end of an interval."""

    START = "start"
    END = "end"


class Axis(Enum):
    """What is measured: event time, or the position in the total order of the stream (or of the key).

    Arrivals are compared and not measured: a difference on that axis says with a `low` of 1 that one comes after the
    other, with 0 that it does not come before it, and nothing else.
    """

    TIME = "time"
    POSITION = "position"
    ARRIVAL = "arrival"


MEASURED = (Axis.TIME, Axis.POSITION)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One end of a part.

    A part is an atom's name, or `$0`, `$1`, ... for the hull of a join's part; `$pattern` in Restrict and Unless,
    `$absent` in Unless, `$anchor` and `$item` in Collect, `$previous` and `$next` in a repetition's gap, `$first`
    and `$last` in the window of a repetition or a chain.
    """

    part: str
    edge: Edge
    axis: Axis = Axis.TIME


@dataclass(frozen=True, slots=True)
class Difference:
    """`low <= later - earlier <= high`; None is no bound on that side."""

    later: Endpoint
    earlier: Endpoint
    low: Ticks | None = None
    high: Ticks | None = None


Relation = tuple[Difference, ...]


def start(part: str, axis: Axis = Axis.TIME) -> Endpoint:
    return Endpoint(part, Edge.START, axis)


def end(part: str, axis: Axis = Axis.TIME) -> Endpoint:
    return Endpoint(part, Edge.END, axis)


def after(later: str, earlier: str, axis: Axis = Axis.TIME) -> Difference:
    """`later` starts strictly after `earlier` has ended."""
    return Difference(start(later, axis), end(earlier, axis), low=1)


def same(one: Endpoint, other: Endpoint) -> Difference:
    return Difference(one, other, 0, 0)


def length(first: str, last: str, longest: Ticks, axis: Axis = Axis.TIME) -> Difference:
    """From the start of `first` to the end of `last` it is at most `longest`."""
    return Difference(end(last, axis), start(first, axis), high=longest)
