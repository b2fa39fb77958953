"""Put the parts of parts side by side.

    (a ; b) ; c   ==>   a, b and c, where a ends before b starts and b ends before c starts

Only under `all`, where a join keeps every assignment of its parts. What was said about the hull of the inner join is
said about its parts: its end is the greatest of their ends, so what comes after the one comes after all of them. Where
that cannot be said of each part by itself, as in "starts before the hull ends", the joins stay as they are.
"""

from dataclasses import dataclass, replace
from itertools import product

from cepheid.algebra.expressions import Expr, conjunction
from cepheid.algebra.patterns import Join, Pattern
from cepheid.algebra.policies import Choice
from cepheid.algebra.relations import Axis, Difference, Edge, Endpoint, Relation
from cepheid.algebra.traversal import rename
from cepheid.analysis.closures.part_order import hull, in_order
from cepheid.rewrites.reads import parts_read, reads_hull


def flatten_joins(pattern: Pattern) -> Pattern:
    match pattern:
        case Join() if pattern.policy.choice is Choice.ALL:
            for index, part in enumerate(pattern.parts):
                flat = _flattened(pattern, index, part) if isinstance(part, Join) else None
                if flat is not None:
                    return flat
    return pattern


@dataclass(frozen=True, slots=True)
class _Nesting:
    """A join inside a join: its place among the parts."""

    outer: Join
    inner: Join
    index: int

    @property
    def inner_names(self) -> dict[str, str]:
        return {hull(number): hull(self.index + number) for number in range(len(self.inner.parts))}

    @property
    def outer_names(self) -> dict[str, str]:
        shift = len(self.inner.parts) - 1
        return {hull(number): hull(number + shift) for number in range(self.index + 1, len(self.outer.parts))}

    def attaining(self, edge: Edge) -> tuple[str, ...]:
        """Return the parts of which one has the edge of the inner hull."""
        parts = tuple(self.inner_names.values())
        if not in_order(self.inner):
            return parts
        return parts[:1] if edge is Edge.START else parts[-1:]


def _flattened(outer: Join, index: int, inner: Join) -> Join | None:
    nesting = _Nesting(outer, inner, index)
    relation = _relation(nesting)
    if inner.policy.choice is not Choice.ALL or not inner.parts or relation is None or _speaks_of_inner(nesting):
        return None
    conditions = tuple(rename(one, nesting.inner_names) for one in (inner.candidate, inner.where) if one is not None)
    own = () if outer.candidate is None else (rename(outer.candidate, nesting.outer_names),)
    return replace(
        outer,
        parts=(*outer.parts[:index], *inner.parts, *outer.parts[index + 1 :]),
        relation=relation,
        equal=(*rename(inner.equal, nesting.inner_names), *rename(outer.equal, nesting.outer_names)),
        candidate=conjunction((*conditions, *own)),
    )


def _speaks_of_inner(nesting: _Nesting) -> bool:
    """Say whether a condition reads hulls in a way that flattening would change."""
    outer, inner = nesting.outer, nesting.inner
    equal = [side for pair in outer.equal for side in pair]
    read: list[Expr] = [one for one in (outer.candidate, *equal) if one is not None]
    after_choice = [where for where in (outer.where, inner.where) if where is not None]
    return any(hull(nesting.index) in parts_read(one) for one in read) or any(map(reads_hull, after_choice))


def _relation(nesting: _Nesting) -> Relation | None:
    relation = list(rename(nesting.inner.relation, nesting.inner_names))
    for difference in nesting.outer.relation:
        said = _of_parts(difference, nesting)
        if said is None:
            return None
        relation += said
    return tuple(relation)


def _of_parts(difference: Difference, nesting: _Nesting) -> list[Difference] | None:
    """Return what a difference says about the parts of the inner join; None where no conjunction says it."""
    inner = hull(nesting.index)
    endpoints = (difference.later, difference.earlier)
    if any(endpoint.part == inner and endpoint.axis is Axis.POSITION for endpoint in endpoints):
        return None
    laters, earliers = (_candidates(endpoint, nesting) for endpoint in endpoints)
    # A hull starts with the least start and ends with the greatest end: `least <= x` speaks of one part only.
    above = _is_one_of(laters, Edge.START) or _is_one_of(earliers, Edge.END)
    below = _is_one_of(laters, Edge.END) or _is_one_of(earliers, Edge.START)
    if (difference.high is not None and above) or (difference.low is not None and below):
        return None
    return [replace(difference, later=later, earlier=earlier) for later, earlier in product(laters, earliers)]


def _is_one_of(candidates: list[Endpoint], edge: Edge) -> bool:
    return len(candidates) > 1 and candidates[0].edge is edge


def _candidates(endpoint: Endpoint, nesting: _Nesting) -> list[Endpoint]:
    if endpoint.part != hull(nesting.index):
        return [rename(endpoint, nesting.outer_names)]
    return [replace(endpoint, part=part) for part in nesting.attaining(endpoint.edge)]
