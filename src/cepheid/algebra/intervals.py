"""The relations of two intervals by their names, and windows, all of them as differences of endpoints.

    then       starts after the other has ended (also called before)     |--|  |--|
    meets      starts when the other ends                                |--|--|
    overlaps   starts inside the other and outlasts it                   |--+--+--|
    during     lies strictly inside the other

Two intervals that last stand in exactly one of Allen's thirteen relations: the six pairs of a relation and its inverse,
and `equals`. `par` is the overlap in the wide sense: both last, and some of their time is the same. The parts are
`$0` and `$1`, the hulls of a join's first two parts, unless they are named.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from cepheid.algebra.relations import Axis, Difference, Endpoint, Relation, Ticks, end, length, same, start

IntervalRelation: TypeAlias = Callable[[str, str], Relation]

FIRST: Final = "$0"
SECOND: Final = "$1"


def then(left: str = FIRST, right: str = SECOND) -> Relation:
    return (_less(end(left), start(right)),)


def after(left: str = FIRST, right: str = SECOND) -> Relation:
    return then(right, left)


def meets(left: str = FIRST, right: str = SECOND) -> Relation:
    return (same(start(right), end(left)),)


def met_by(left: str = FIRST, right: str = SECOND) -> Relation:
    return meets(right, left)


def overlaps(left: str = FIRST, right: str = SECOND) -> Relation:
    """`left` starts first and ends inside `right`."""
    return (_less(start(left), start(right)), _less(start(right), end(left)), _less(end(left), end(right)))


def overlapped_by(left: str = FIRST, right: str = SECOND) -> Relation:
    return overlaps(right, left)


def starts(left: str = FIRST, right: str = SECOND) -> Relation:
    """Both start together, and `left` ends first."""
    return (same(start(right), start(left)), _less(end(left), end(right)))


def started_by(left: str = FIRST, right: str = SECOND) -> Relation:
    return starts(right, left)


def finishes(left: str = FIRST, right: str = SECOND) -> Relation:
    """Both end together, and `left` starts last."""
    return (same(end(right), end(left)), _less(start(right), start(left)))


def finished_by(left: str = FIRST, right: str = SECOND) -> Relation:
    return finishes(right, left)


def during(left: str = FIRST, right: str = SECOND) -> Relation:
    """`left` starts after `right` and ends before it."""
    return (_less(start(right), start(left)), _less(end(left), end(right)))


def contains(left: str = FIRST, right: str = SECOND) -> Relation:
    return during(right, left)


def equals(left: str = FIRST, right: str = SECOND) -> Relation:
    return (same(start(right), start(left)), same(end(right), end(left)))


def par(left: str = FIRST, right: str = SECOND) -> Relation:
    """Both last, and each starts before the other ends."""
    return (
        _less(start(left), end(right)),
        _less(start(right), end(left)),
        _less(start(left), end(left)),
        _less(start(right), end(right)),
    )


def inside(left: str = FIRST, right: str = SECOND) -> Relation:
    """`left` neither starts before `right` nor ends after it."""
    return (Difference(start(left), start(right), low=0), Difference(end(right), end(left), low=0))


ALLEN: Final[Mapping[str, IntervalRelation]] = {
    "then": then,
    "after": after,
    "meets": meets,
    "met_by": met_by,
    "overlaps": overlaps,
    "overlapped_by": overlapped_by,
    "starts": starts,
    "started_by": started_by,
    "finishes": finishes,
    "finished_by": finished_by,
    "during": during,
    "contains": contains,
    "equals": equals,
}
INTERVALS: Final[Mapping[str, IntervalRelation]] = {**ALLEN, "par": par, "inside": inside}

_IN_ORDER: Final = frozenset({"then", "meets", "overlaps", "starts", "equals"})


def keeps_order(name: str, axis: Axis = Axis.TIME) -> bool:
    """Say whether in this relation the left one starts first and the right one ends last, if not both together.

    Events at one instant may have either order in the stream, so positions are in order only after a time between.

    >>> keeps_order("meets"), keeps_order("meets", Axis.POSITION), keeps_order("then", Axis.POSITION)
    (True, False, True)
    """
    return name in _IN_ORDER if axis is Axis.TIME else name == "then"


def between(part: str, left: str = FIRST, right: str = SECOND) -> Relation:
    """`part` lies strictly after `left` and strictly before `right`."""
    return (*then(left, part), *then(part, right))


def within(parts: int, longest: Ticks, *, in_order: bool, axis: Axis = Axis.TIME) -> Relation:
    """From the first start to the last end of a join's `parts` it is at most `longest`.

    Parts in order need one difference, from the first to the last; others one for each pair, each part with itself too.
    """
    if in_order:
        return (length(FIRST, f"${parts - 1}", longest, axis),)
    hulls = [f"${index}" for index in range(parts)]
    return tuple(length(first, last, longest, axis) for last in hulls for first in hulls)


def _less(earlier: Endpoint, later: Endpoint) -> Difference:
    return Difference(later, earlier, low=1)
