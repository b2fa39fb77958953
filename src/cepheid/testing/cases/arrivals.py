"""How events arrive: out of order within a bound, some of them twice, and cut into batches."""

from collections.abc import Sequence

from cepheid.events import Event
from cepheid.testing.cases.draw import Draw


def random_disordered(draw: Draw, trace: Sequence[Event], disorder: int) -> list[Event]:
    """Return the events in an order in which each is at most `disorder` behind the greatest end seen: none is late."""
    # An event that is held up until `end + delay` overtakes only what ends at most `disorder` before it.
    held_up = [(event.end + draw.integer(0, disorder), event) for event in draw.shuffled(trace)]
    return [event for _, event in sorted(held_up, key=lambda entry: entry[0])]


def random_duplicates(draw: Draw, arrivals: Sequence[Event], disorder: int, percent: int = 20) -> list[Event]:
    """Return the arrivals with some of them a second time, while none of these is late yet."""
    again: list[Event] = []
    seen: list[Event] = []
    for event in arrivals:
        again.append(event)
        seen.append(event)
        latest = max(other.end for other in seen)
        fresh = [other for other in seen if other.end >= latest - disorder]
        if draw.chance(percent):
            again.append(draw.pick(fresh))
    return again


def random_cuts(draw: Draw, count: int) -> tuple[int, ...]:
    """Return some places at which `count` arrivals are cut into batches; two equal ones make an empty batch."""
    return tuple(sorted(draw.integer(0, count) for _ in range(draw.integer(0, 4))))
