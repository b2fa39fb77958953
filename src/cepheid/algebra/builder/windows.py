"""How long a pattern may last, and how long it must.

For a join this is part of its relation, so it comes before the choice; above anything else it stands in a `Restrict`.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from cepheid.algebra import intervals
from cepheid.algebra.expressions import Call, Expr, Literal, Moment, conjunction
from cepheid.algebra.patterns import Join, Pattern, Restrict
from cepheid.algebra.programs import HULL
from cepheid.algebra.relations import Axis, Difference, Edge, Relation, Ticks, end, length, start


def within(pattern: Pattern, longest: Ticks, axis: Axis = Axis.TIME) -> Pattern:
    """Return the matches of `pattern` that reach at most `longest` from their start to their end."""
    if isinstance(pattern, Join):
        in_order = _are_in_order(pattern, axis)
        return related(pattern, intervals.within(len(pattern.parts), longest, in_order=in_order, axis=axis))
    return related(pattern, (length(HULL, HULL, longest, axis),))


def at_least(pattern: Pattern, shortest: Ticks) -> Pattern:
    """Return the matches of `pattern` that last `shortest` or longer."""
    if not isinstance(pattern, Join):
        return related(pattern, (Difference(end(HULL), start(HULL), low=shortest),))
    if _are_in_order(pattern, Axis.TIME):
        return related(pattern, (Difference(end(f"${len(pattern.parts) - 1}"), start("$0"), low=shortest),))
    # No difference says how long the hull of parts in any order is: any of them may start first or end last.
    last, first = _extreme("max", pattern, Edge.END), _extreme("min", pattern, Edge.START)
    lasts = Call(">=", (Call("-", (last, first)), Literal(shortest)))
    already = () if pattern.candidate is None else (pattern.candidate,)
    return replace(pattern, candidate=conjunction((*already, lasts)))


def related(pattern: Pattern, relation: Relation) -> Pattern:
    """Return the matches of `pattern` that stand in `relation` as well."""
    if isinstance(pattern, Join | Restrict):
        return replace(pattern, relation=(*pattern.relation, *relation))
    return Restrict(pattern, relation)


def run_window(longest: Ticks | None, records: int | None) -> Relation:
    """Return the window of a repetition or a chain, from its first record to its last."""
    limits = ((longest, Axis.TIME), (None if records is None else records - 1, Axis.POSITION))
    return tuple(length("$first", "$last", limit, axis) for limit, axis in limits if limit is not None)


def _are_in_order(join: Join, axis: Axis) -> bool:
    """Say whether the first part always starts first and the last one always ends last.

    Positions are ordered only where the times of neighbours cannot be equal.
    """
    hulls = [f"${index}" for index in range(len(join.parts))]
    neighbours = list(pairwise(hulls))
    if axis is Axis.POSITION:
        return all(_is_bounded(join, intervals.then(*pair)) for pair in neighbours)
    return all(
        _is_bounded(join, [Difference(start(right), end(left), low=0)])
        or _is_bounded(join, [Difference(start(right), start(left), low=0), Difference(end(right), end(left), low=0)])
        for left, right in neighbours
    )


def _is_bounded(join: Join, wanted: Iterable[Difference]) -> bool:
    """Say whether each distance has a lower bound in the join's relation that is at least the one wanted."""

    def has(difference: Difference) -> bool:
        return any(
            (found.later, found.earlier) == (difference.later, difference.earlier)
            and found.low is not None
            and found.low >= (difference.low or 0)
            for found in join.relation
        )

    return all(has(difference) for difference in wanted)


def _extreme(function: str, join: Join, edge: Edge) -> Expr:
    endpoint = start if edge is Edge.START else end
    return Call(function, tuple(Moment(endpoint(f"${index}")) for index in range(len(join.parts))))
