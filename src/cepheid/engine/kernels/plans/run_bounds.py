"""How far the items of a repetition may be from each other, read from its relations."""

from collections.abc import Callable, Sequence

import numpy as np

from cepheid.algebra.patterns import Repeat
from cepheid.algebra.relations import MEASURED, Axis, Difference, Edge, Endpoint, Relation
from cepheid.analysis.closures.tree import has_position
from cepheid.analysis.plans.plan import SELF, Reach
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask
from cepheid.engine.kernels.facts.declining import Declined
from cepheid.engine.kernels.facts.time_bounds import UNLIMITED, TimeBounds
from cepheid.engine.kernels.plans.pattern_stages import Distances, StageShape, UnionShape, names_of

FIRST, LAST = "$first", "$last"
PREVIOUS, NEXT = "$previous", "$next"
LONG_AGO = -UNLIMITED


def between(relation: Relation, parts: tuple[str, str], axis: Axis = Axis.TIME) -> Distances:
    """Return the greatest distances between the four ends of two parts, of which one is before the other.

    >>> from cepheid.algebra.relations import Difference, end, start
    >>> between((Difference(start("b"), end("a"), 1, 5),), ("a", "b"))[1:3]
    ((None, None, 5, None), (None, -1, None, None))
    """
    most: list[list[int | None]] = [[None] * 4 for _ in range(4)]
    for one in checked(relation, set(parts), (axis,)):
        if one.later.part == one.earlier.part:
            raise Declined("a distance is not between its two parts")
        later, earlier = (2 * parts.index(end.part) + (end.edge is Edge.END) for end in (one.later, one.earlier))
        _limit(most, earlier, later, one.high)
        _limit(most, later, earlier, None if one.low is None else -one.low)
    return tuple(map(tuple, most))


def apart(relation: Relation, parts: tuple[str, str]) -> Distances:
    """Return the same with all conclusions that can be drawn from it."""
    most, bounds = between(relation, parts), TimeBounds(4)
    for one, row in enumerate(most):
        for other, high in enumerate(row):
            bounds.limit(one, other, None, high)
    for part in (0, 2):
        bounds.limit(part, part + 1, 0, None)
    bounds.close()
    if not bounds.possible:
        raise Declined("it can never match")
    return tuple(map(tuple, bounds.most))


def growth(window: Relation, axis: Axis) -> tuple[int | None, ...]:
    """Return how far the last item may be from the first while a run grows: from its start, then from its end."""
    apart = tuple(one for one in window if one.later.part != one.earlier.part)
    most = between(apart, (FIRST, LAST), axis)
    return (*most[0][2:], *most[1][2:])


def places_of_runs(repeat: Repeat) -> tuple[Distances | None, tuple[int | None, ...] | None]:
    """Return how many places neighbours may be apart, and how many a run may grow; None where places do not count."""
    gap, window = (checked(*one, MEASURED) for one in ((repeat.gap, {PREVIOUS, NEXT}), (repeat.window, {FIRST, LAST})))
    if not of_axis((*gap, *window), Axis.POSITION):
        return None, None
    if not has_position(repeat.item):
        raise Declined("items of a repetition may be points of time, which have no places")
    places = of_axis(gap, Axis.POSITION), of_axis(window, Axis.POSITION)
    return between(places[0], (PREVIOUS, NEXT), Axis.POSITION), growth(places[1], Axis.POSITION)


def of_axis(relation: Relation, axis: Axis) -> Relation:
    """Return what a relation says of times, or of places."""
    return tuple(one for one in relation if one.later.axis is axis)


def checked(relation: Relation, parts: set[str], axes: Sequence[Axis]) -> Relation:
    """Decline a relation that is not one of times, or of places, of some parts."""
    for one in relation:
        ends = (one.later, one.earlier)
        if one.later.axis not in axes or any(end.axis is not one.later.axis or end.part not in parts for end in ends):
            raise Declined("a distance is not between its events")
    return relation


def standing(difference: Difference, moment: Callable[[Endpoint], Data]) -> Mask:
    """Say where two ends are as far apart as a relation has them."""
    distance = moment(difference.later) - moment(difference.earlier)
    stands: Mask = np.ones(len(distance), np.bool_)
    if difference.low is not None:
        stands &= distance >= difference.low
    return stands if difference.high is None else stands & (distance <= difference.high)


def ends_after(reach: Reach) -> tuple[int | None, int | None]:
    """Return how long after its start, and after its end, something can still follow, as far as times limit that."""
    if not reach.possible:
        return LONG_AGO, LONG_AGO
    if any(endpoint.part != SELF for endpoint, _ in reach.times):
        raise Declined("how long a part of it waits is not said of its two parts alone")
    found: dict[Edge, int] = {}
    for endpoint, by in reach.times:
        found[endpoint.edge] = min(by, found.get(endpoint.edge, by))
    return found.get(Edge.START), found.get(Edge.END)


def places_after(reaches: Sequence[Reach]) -> tuple[int | None, ...] | None:
    """Return how many places after the first and the last one of each thing something can still follow it.

    None where places do not limit that.
    """
    if any(endpoint.part != SELF for reach in reaches for endpoint, _ in reach.positions):
        raise Declined("how long a part of it waits is not said of its two parts alone")
    if not any(reach.positions and reach.possible for reach in reaches):
        return None
    known: list[dict[Edge, int]] = [{} for _ in reaches]
    for found, reach in zip(known, reaches, strict=True):
        for endpoint, by in reach.positions if reach.possible else ():
            found[endpoint.edge] = min(by, found.get(endpoint.edge, by))
    return tuple(found.get(edge) for found in known for edge in (Edge.START, Edge.END))


def is_single(shape: StageShape) -> bool:
    """Say whether an occurrence is one event or group, whose fields can be read; decline where only some are."""
    branches = shape.branches if isinstance(shape, UnionShape) else (shape,)
    single = {len(names_of(branch)) == 1 for branch in branches}
    if len(single) > 1 or any(isinstance(branch, UnionShape) for branch in branches):
        raise Declined("not all items of a repetition are single events")
    return single.pop()


def _limit(most: list[list[int | None]], one: int, other: int, by: int | None) -> None:
    known = most[one][other]
    if by is not None:
        most[one][other] = by if known is None else min(by, known)
