"""How far the parts of a rule may be from each other, and how long they wait for that, read from its relations."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from cepheid.algebra.expressions import Call, Expr, Literal, Moment
from cepheid.algebra.patterns import Join
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import HULL
from cepheid.algebra.relations import MEASURED, Axis, Difference, Edge, Endpoint
from cepheid.analysis.closures.tree import has_position
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
    bounds = {axis: TimeBounds(4) for axis in MEASURED}
    for side, width in enumerate(operator.widths):
        bounds[Axis.TIME].limit(2 * side, 2 * side + 1, 0, width)
        bounds[Axis.POSITION].limit(2 * side, 2 * side + 1, 0, None)
    _limit_ends(bounds, join, (left, right))
    if join.policy.choice is Choice.STRICT:
        _check_placed(join, 0, 1)
        bounds[Axis.POSITION].limit(1, 2, 1, 1)
    _check_possible(operator)
    chooses = join.policy.choice not in (Choice.ALL, Choice.STRICT)
    _limit_waits(bounds, operator, chooses=chooses, placed=_are_placed(join, 0, 1))
    for one_axis in bounds.values():
        _check_bounds(one_axis)
    times, counted = (tuple(map(tuple, bounds[axis].most)) for axis in MEASURED)
    return times, None if counted == UNCOUNTED else counted


def combined_bounds(join: Join, shapes: Sequence[StageShape], operator: Operator) -> tuple[Distances, Distances | None]:
    """Return the greatest distances between the ends of several parts, in time and, where they count, in places."""
    bounds = {axis: TimeBounds(2 * len(shapes)) for axis in MEASURED}
    for part, width in enumerate(operator.widths):
        bounds[Axis.TIME].limit(2 * part, 2 * part + 1, 0, width)
        bounds[Axis.POSITION].limit(2 * part, 2 * part + 1, 0, None)
    uncounted = bounds[Axis.POSITION].closed
    _limit_ends(bounds, join, shapes)
    _check_possible(operator)
    for (part, other), reach in operator.reach.items():
        ends = (2 * part + 1, 2 * other + 1)
        for axis, limits in _limits(reach, placed=_are_placed(join, part, other)):
            for edge, most in limits:
                bounds[axis].limit(2 * part + (edge is Edge.END), ends[1], None, most)
        if reach.bounded and all(one.closed[ends[0]][ends[1]] is None for one in bounds.values()):
            raise Declined("how long a part of it waits is not said of its parts alone")
    for one_axis in bounds.values():
        one_axis.close()
        _check_bounds(one_axis)
    times, counted = (tuple(map(tuple, bounds[axis].most)) for axis in MEASURED)
    return times, None if counted == uncounted else counted


def named_distances(relation: Iterable[Difference], shapes: Sequence[StageShape]) -> tuple[Expr, ...]:
    """Return what a relation says of other ends than those of parts: conditions on what these are made of."""
    places = _places_of(shapes)
    others = [one for one in relation if not {_end_of(one.later), _end_of(one.earlier)} <= places.keys()]
    named = [replace(one, later=_by_name(one.later, shapes), earlier=_by_name(one.earlier, shapes)) for one in others]
    return tuple(condition for one in named for condition in _conditions(one))


def _by_name(endpoint: Endpoint, shapes: Sequence[StageShape]) -> Endpoint:
    """Return an end of a part under the name by which conditions read it; they read no hull of several events."""
    for part, shape in enumerate(shapes):
        if endpoint.part == f"${part}":
            if not isinstance(shape, ScanShape):
                raise Declined("a distance is between a part and what another is made of")
            return replace(endpoint, part=shape.name)
    return endpoint


def _conditions(one: Difference) -> Iterator[Expr]:
    """Yield what is true where a difference holds; an end that is not there is null, and then nothing is."""
    distance = Call("-", (Moment(one.later), Moment(one.earlier)))
    if one.low is not None:
        yield Call("<=", (Literal(one.low), distance))
    if one.high is not None:
        yield Call("<=", (distance, Literal(one.high)))


def _places_of(shapes: Sequence[StageShape]) -> dict[tuple[str, Edge], int]:
    """Return the number of every end of every part: its start, then its end."""
    called = [
        (f"${part}", *((shape.name,) if isinstance(shape, ScanShape) else ())) for part, shape in enumerate(shapes)
    ]
    ends = ((name, edge, part) for part, names in enumerate(called) for name in names for edge in Edge)
    return {(name, edge): 2 * part + (edge is Edge.END) for name, edge, part in ends}


def _end_of(endpoint: Endpoint) -> tuple[str, Edge]:
    return endpoint.part, endpoint.edge


def _limit_ends(bounds: Mapping[Axis, TimeBounds], join: Join, shapes: Sequence[StageShape]) -> None:
    """Take in the distances between the ends of parts; others are conditions."""
    places = _places_of(shapes)
    for one in join.relation:
        earlier, later = places.get(_end_of(one.earlier)), places.get(_end_of(one.later))
        if earlier is not None and later is not None:
            if one.later.axis is Axis.POSITION:
                _check_placed(join, earlier // 2, later // 2)
            _limit(bounds, one, earlier, later)


def _check_placed(join: Join, *parts: int) -> None:
    if not _are_placed(join, *parts):
        raise Declined("places of points of time matter, which have none")


def _are_placed(join: Join, *parts: int) -> bool:
    """Say whether all matches of some parts stand somewhere in the stream."""
    return all(has_position(join.parts[part]) for part in parts)


def _limits(reach: Reach, *, placed: bool) -> Iterator[tuple[Axis, list[tuple[Edge, int]]]]:
    """Yield how late a partner ends at most, by time and where both are `placed` by place, from the ends of a part.

    What is said from the ends of something that it is made of is said from its own end as well, if not as closely.
    """
    places = reach.positions if placed else ()
    for axis, limits, ends in ((Axis.TIME, reach.times, reach.ends), (Axis.POSITION, places, reach.records)):
        own = [(endpoint.edge, most) for endpoint, most in limits if endpoint.part == SELF]
        yield axis, [*own, *([(Edge.END, ends)] if limits and ends is not None else [])]


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


def _limit_waits(bounds: Mapping[Axis, TimeBounds], operator: Operator, *, chooses: bool, placed: bool) -> None:
    """Draw all conclusions; where nothing between two parts limits how long they wait, what is around them does."""
    for one in bounds.values():
        one.close()
    for side, other in ((0, 1), (1, 0)):
        reach, ends = operator.reach[side, other], (2 * side + 1, 2 * other + 1)
        is_limited = any(one.most[ends[0]][ends[1]] is not None for one in bounds.values())
        for axis, limits in _limits(reach, placed=placed):
            # What is around a choice comes after it, and may not limit what it chooses from.
            if is_limited and axis is Axis.TIME and chooses:
                continue
            for edge, most in limits:
                bounds[axis].limit(2 * side + (edge is Edge.END), ends[1], None, most)
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
