"""How far the parts of a rule may be from each other, and how long they wait for that, read from its relations."""

from collections.abc import Iterable, Mapping, Sequence

from cepheid.algebra.patterns import Join
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import HULL
from cepheid.algebra.relations import MEASURED, Axis, Difference, Edge, Endpoint
from cepheid.analysis.plans.plan import SELF, Operator, Reach
from cepheid.engine.kernels.facts.declining import Declined, Never
from cepheid.engine.kernels.facts.time_bounds import LONGEST, TimeBounds
from cepheid.engine.kernels.plans.pattern_stages import Distances, ScanShape, Span, StageShape
from cepheid.engine.kernels.plans.run_bounds import LONG_AGO

ABSENT = "$absent"
UNCOUNTED: Distances = ((0, None, None, None), (0, 0, None, None), (None, None, 0, None), (None, None, 0, 0))


def bounds_of(
    join: Join, left: StageShape, right: StageShape, operator: Operator
) -> tuple[Distances, Distances | None]:
    """Return the greatest distances between the four ends of two parts, in time and, where they count, in places."""
    places = {("$0", Edge.START): 0, ("$0", Edge.END): 1, ("$1", Edge.START): 2, ("$1", Edge.END): 3}
    for side, shape in enumerate((left, right)):
        if isinstance(shape, ScanShape):
            places |= {(shape.name, Edge.START): 2 * side, (shape.name, Edge.END): 2 * side + 1}
    bounds = {axis: TimeBounds(4) for axis in MEASURED}
    for side, width in enumerate(operator.widths):
        bounds[Axis.TIME].limit(2 * side, 2 * side + 1, 0, width)
        bounds[Axis.POSITION].limit(2 * side, 2 * side + 1, 0, None)
    for one in join.relation:
        earlier, later = (places.get((endpoint.part, endpoint.edge)) for endpoint in (one.earlier, one.later))
        if one.earlier.axis is not one.later.axis or earlier is None or later is None:
            raise Declined("a distance is not between its two parts")
        _limit(bounds, one, earlier, later)
    if join.policy.choice is Choice.STRICT:
        bounds[Axis.POSITION].limit(1, 2, 1, 1)
    _check_possible(operator)
    _limit_waits(bounds, operator, chooses=join.policy.choice not in (Choice.ALL, Choice.STRICT))
    for one_axis in bounds.values():
        _check_bounds(one_axis)
    times, counted = (tuple(map(tuple, bounds[axis].most)) for axis in MEASURED)
    return times, None if counted == UNCOUNTED else counted


def combined_bounds(join: Join, shapes: Sequence[StageShape], operator: Operator) -> tuple[Distances, Distances | None]:
    """Return the greatest distances between the ends of several parts, in time and, where they count, in places."""
    places = {(f"${part}", edge): 2 * part + (edge is Edge.END) for part in range(len(shapes)) for edge in Edge}
    for part, shape in enumerate(shapes):
        if isinstance(shape, ScanShape):
            places |= {(shape.name, edge): 2 * part + (edge is Edge.END) for edge in Edge}
    bounds = {axis: TimeBounds(2 * len(shapes)) for axis in MEASURED}
    for part, width in enumerate(operator.widths):
        bounds[Axis.TIME].limit(2 * part, 2 * part + 1, 0, width)
        bounds[Axis.POSITION].limit(2 * part, 2 * part + 1, 0, None)
    uncounted = bounds[Axis.POSITION].closed
    for one in join.relation:
        earlier, later = (places.get((endpoint.part, endpoint.edge)) for endpoint in (one.earlier, one.later))
        if one.earlier.axis is not one.later.axis or earlier is None or later is None:
            raise Declined("a distance is not between its parts")
        _limit(bounds, one, earlier, later)
    _check_possible(operator)
    for (part, other), reach in operator.reach.items():
        ends = (2 * part + 1, 2 * other + 1)
        for axis, limits in ((Axis.TIME, reach.times), (Axis.POSITION, reach.positions)):
            for endpoint, most in limits:
                if endpoint.part == SELF:
                    bounds[axis].limit(2 * part + (endpoint.edge is Edge.END), ends[1], None, most)
        if reach.bounded and all(one.closed[ends[0]][ends[1]] is None for one in bounds.values()):
            raise Declined("how long a part of it waits is not said of its parts alone")
    for one_axis in bounds.values():
        one_axis.close()
        _check_bounds(one_axis)
    times, counted = (tuple(map(tuple, bounds[axis].most)) for axis in MEASURED)
    return times, None if counted == uncounted else counted


def _limit(bounds: Mapping[Axis, TimeBounds], one: Difference, earlier: int, later: int) -> None:
    """Take in a distance; an arrival is the position of an event, and what arrives later does not end before."""
    if one.later.axis is Axis.ARRIVAL:
        bounds[Axis.POSITION].limit(earlier, later, one.low, None)
        bounds[Axis.TIME].limit(earlier, later, 0, None)
    else:
        bounds[one.later.axis].limit(earlier, later, one.low, one.high)


def _check_possible(operator: Operator) -> None:
    """Say so where what is around a join lets nothing of it match."""
    if not all(reach.possible for reach in operator.reach.values()):
        raise Never("it can never match")


def _check_bounds(bounds: TimeBounds) -> None:
    if not bounds.possible:
        raise Never("it can never match")
    if any(most is not None and abs(most) > LONGEST for row in bounds.most for most in row):
        raise Declined("a distance is too long to compute with")


def _limit_waits(bounds: Mapping[Axis, TimeBounds], operator: Operator, *, chooses: bool) -> None:
    """Draw all conclusions; where nothing between two parts limits how long they wait, what is around them does."""
    for one in bounds.values():
        one.close()
    for side, other in ((0, 1), (1, 0)):
        reach, ends = operator.reach[side, other], (2 * side + 1, 2 * other + 1)
        is_limited = any(one.most[ends[0]][ends[1]] is not None for one in bounds.values())
        for axis, limits in ((Axis.TIME, reach.times), (Axis.POSITION, reach.positions)):
            # What is around a choice comes after it, and may not limit what it chooses from.
            if is_limited and axis is Axis.TIME and chooses:
                continue
            for endpoint, most in limits:
                if endpoint.part == SELF:
                    bounds[axis].limit(2 * side + (endpoint.edge is Edge.END), ends[1], None, most)
                    is_limited = True
        if reach.bounded and not is_limited:
            raise Declined("how long a part of it waits is not said of its two parts alone")
    for one in bounds.values():
        one.close()


def span_of(relation: Iterable[Difference], names: set[str], *, is_point: bool, by_arrival: bool = False) -> Span:
    """Return where something must be absent, in distances from the ends of the match; arrivals are whole numbers."""
    axes = (Axis.TIME, Axis.ARRIVAL) if by_arrival else (Axis.TIME,)
    found: dict[tuple[Edge, bool], list[tuple[Endpoint, int]]] = {}
    for one in relation:
        is_later = one.later.part == ABSENT
        edge, other = (one.later.edge, one.earlier) if is_later else (one.earlier.edge, one.later)
        if (one.later.part == ABSENT) == (one.earlier.part == ABSENT):
            raise Declined("a distance is not between a match and what must be absent")
        check_endpoints([Difference(other, other)], names, axes)
        low, high = (one.low, one.high) if is_later else (_negative(one.high), _negative(one.low))
        # What is a point starts early enough if it ends early enough, and ends late enough if it starts late enough.
        for by, is_high, plain in ((low, False, Edge.START), (high, True, Edge.END)):
            if by is not None:
                found.setdefault((plain if is_point else edge, is_high), []).append((other, by))
    sides = [tuple(found.get((edge, is_high), ())) for edge in (Edge.START, Edge.END) for is_high in (False, True)]
    return sides[0], sides[1], sides[2], sides[3]


def _negative(distance: int | None) -> int | None:
    return None if distance is None else -distance


def expiry_of(reach: Reach) -> tuple[int | None, int | None]:
    """Return how long after its start, and its end, something that must be absent matters; None: for ever."""
    if not reach.possible:
        return LONG_AGO, LONG_AGO
    own = {endpoint.edge: offset for endpoint, offset in reach.times if endpoint.part == SELF}
    return own.get(Edge.START), own.get(Edge.END)


def own_end(endpoint: Endpoint) -> Endpoint:
    return Endpoint(HULL, endpoint.edge, endpoint.axis) if endpoint.part == SELF else endpoint


def check_endpoints(relation: Iterable[Difference], names: set[str], axes: Sequence[Axis] = (Axis.TIME,)) -> None:
    for endpoint in (each for one in relation for each in (one.later, one.earlier)):
        if endpoint.axis not in axes or endpoint.part not in names:
            raise Declined("a distance is not between its events")
