"""Of what forbids a match only the latest need be kept, where it forbids every match to come that the others do.

    (A then B) unless C inside        of two `C` that have ended, the one that started later

That holds where the relation asks the absent one to begin (or end) late enough, and for the rest only that it has ended
before something in the match. Once every match to come is late enough for that, a later one forbids whatever an earlier
one forbids. Conditions other than equalities of keys may tell them apart, so there everything in reach stays.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cepheid.algebra.patterns import Atom, Join, Pattern, Sieve, Unless
from cepheid.algebra.relations import Axis, Difference, Edge, Endpoint
from cepheid.algebra.traversal import named_parts
from cepheid.analysis.plans.plan import Forbidding
from cepheid.analysis.plans.sides import sides_of

ABSENT = "$absent"
Behind = Callable[[Endpoint], int | None]


@dataclass(frozen=True, slots=True)
class _Bound:
    """An end of the absent one lies at least, or at most, so far after an endpoint of the match."""

    edge: Edge
    endpoint: Endpoint
    offset: int
    is_lower: bool


def forbidding_of(unless: Unless, behind: Behind, lag: int | None) -> Forbidding | None:
    """Return how instances of what is absent outdo each other, None if they do not.

    `behind` says how far before the end of its match an endpoint can lie, `lag` how late matches may be told.
    """
    bounds = _bounds(unless)
    if bounds is None or sides_of(unless) is None or unless.where is not None:
        return None
    edges = {bound.edge for bound in bounds if bound.is_lower} or {Edge.START}
    settled = [_settled(bound, behind) for bound in bounds if not bound.is_lower]
    if len(edges) > 1 or None in settled:
        return None
    return Forbidding(edges.pop(), tuple(one for one in settled if one is not None), lag)


def first_after(unless: Unless, lag: int | None) -> Forbidding | None:
    """Return how instances of what is absent outdo each other for the left parts that wait in a choice, if they do."""
    bounds, join = _bounds(unless), unless.pattern
    if bounds is None or not isinstance(join, Join) or unless.equal or join.equal or unless.where is not None:
        return None
    lows = [bound for bound in bounds if bound.is_lower]
    left_end = Endpoint(join.parts[0].name, Edge.END) if isinstance(join.parts[0], Atom) else None
    if not lows or any((low.edge, low.endpoint) != (Edge.START, left_end) for low in lows):
        return None
    after = max(low.offset for low in lows)
    if after < 0 or any(bound.edge is Edge.START for bound in bounds if not bound.is_lower):
        return None
    return Forbidding(Edge.END, ((Edge.START, 1 - after),), lag, after)


def _settled(bound: _Bound, behind: Behind) -> tuple[Edge, int] | None:
    """Return which end must lie how far before every match to come, so that the bound is kept by all of them."""
    farthest = behind(bound.endpoint)
    return None if farthest is None else (bound.edge, farthest - bound.offset)


def _bounds(unless: Unless) -> list[_Bound] | None:
    """Return what the relation asks of the absent one, None if it asks something else."""
    own = own_names(unless.absent)
    inside = frozenset(named_parts(unless.absent))
    found: list[_Bound] = []
    for difference in unless.relation:
        parts = {difference.later.part, difference.earlier.part}
        absent = [part for part in parts if part in own or part in inside]
        if not absent:
            continue  # it is about the match alone
        if len(absent) == len(parts) or absent[0] not in own or _counts_records(difference):
            return None
        found += _of_difference(difference, own)
    return found


def _counts_records(difference: Difference) -> bool:
    return Axis.POSITION in (difference.later.axis, difference.earlier.axis)


def _of_difference(difference: Difference, own: frozenset[str]) -> Iterator[_Bound]:
    later, earlier, low, high = difference.later, difference.earlier, difference.low, difference.high
    if low is not None and later.axis is Axis.ARRIVAL:
        low = 0 if later.part in own else 1  # what ended before the match in time has also arrived before it
    if later.part in own:
        if low is not None:
            yield _Bound(later.edge, earlier, low, True)
        if high is not None:
            yield _Bound(later.edge, earlier, high, False)
        return
    if low is not None:
        yield _Bound(earlier.edge, later, -low, False)
    if high is not None:
        yield _Bound(earlier.edge, later, -high, True)


def own_names(absent: Pattern) -> frozenset[str]:
    """Return the names whose times are those of the whole absent one."""
    match absent:
        case Atom(name=name):
            return frozenset((ABSENT, name))
        case Sieve(inner):
            return own_names(inner)
        case _:
            return frozenset((ABSENT,))
