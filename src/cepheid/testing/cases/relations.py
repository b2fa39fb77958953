"""Random temporal conditions: orders, Allen's relations, distances and windows, over time or over positions."""

from collections.abc import Sequence
from itertools import pairwise

from cepheid.algebra.intervals import INTERVALS, within
from cepheid.algebra.relations import Axis, Difference, Relation, after, end, length, start
from cepheid.testing.cases.draw import Draw
from cepheid.testing.cases.sketches import Sketch, Workshop


def join_relation(workshop: Workshop, sketches: Sequence[Sketch], in_order: int) -> Relation:
    """Return how the parts of a join stand to each other; `in_order` is the weight of one after the other."""
    draw, count = workshop.draw, len(sketches)
    kinds = {
        "sequence": in_order,
        "together": 20,
        "distance": 12,
        "interval": 20 if count == 2 else 0,
        "position": 6 if workshop.shape.positions else 0,
    }
    match draw.weighted(kinds):
        case "sequence":
            return _sequence(draw, count)
        case "interval":
            return INTERVALS[draw.pick(tuple(INTERVALS))]("$0", "$1")
        case "distance":
            return _distances(draw, count)
        case "position":
            return (_records(draw, "$0", f"${count - 1}"),)
        case _:
            return _together(draw, count)


def named_relation(draw: Draw, sketches: Sequence[Sketch]) -> Relation:
    """Return a distance between two events by their own names, as a join of everything allows."""
    names = [part.name for sketch in sketches for part in sketch.parts if part.certain]
    if len(names) < 2:
        return ()
    first, second = draw.some(names, 2, 2)
    return (Difference(start(second), start(first), -draw.integer(0, 2), draw.integer(3, 9)),)


def window(workshop: Workshop, first: str, last: str) -> Difference:
    """Return a limit on a length, mostly a generous one."""
    if workshop.shape.positions and workshop.draw.chance(20):
        return _records(workshop.draw, first, last)
    return length(first, last, generous(workshop.draw))


def generous(draw: Draw) -> int:
    """Return a length that most matches fit into."""
    return draw.integer(3, 9) if draw.chance(75) else draw.integer(0, 2)


def _sequence(draw: Draw, count: int) -> Relation:
    order = tuple(after(f"${later}", f"${earlier}") for earlier, later in pairwise(range(count)))
    return order + (within(count, generous(draw), in_order=True) if draw.chance(45) else ())


def _together(draw: Draw, count: int) -> Relation:
    """Return no order at all, with a limit on the length of the whole or without."""
    return () if draw.chance(40) else within(count, generous(draw), in_order=False)


def _distances(draw: Draw, count: int) -> Relation:
    """Return distances of the starts of neighbours, which may lie on both sides of zero."""
    return tuple(
        Difference(start(f"${later}"), start(f"${earlier}"), draw.integer(-3, 1), draw.integer(2, 8))
        for earlier, later in pairwise(range(count))
    )


def _records(draw: Draw, first: str, last: str) -> Difference:
    return Difference(
        end(last, Axis.POSITION), start(first, Axis.POSITION), draw.pick((None, 0, 1)), draw.integer(2, 8)
    )
