"""Where a match of something else must not lie."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from cepheid.algebra import intervals
from cepheid.algebra.builder.conditions import distances, terms
from cepheid.algebra.builder.records import Extent, Readable
from cepheid.algebra.builder.terms import Term
from cepheid.algebra.builder.times import Length, ticks
from cepheid.algebra.programs import HULL
from cepheid.algebra.relations import Difference, Relation, end, start
from cepheid.diagnostics import CepheidError, Diagnostic

ABSENT = "$absent"

Placement: TypeAlias = Term | Sequence[Term] | Callable[[Extent, Extent], Term | Sequence[Term]]


def place_of_absence(
    between: tuple[Readable, Readable] | None,
    after: Length | None,
    before: Length | None,
    relation: Placement | None,
) -> Relation:
    """Return the relation of an absent match to the pattern: inside it, unless said otherwise."""
    places = [*_places(between, after, before, relation)]
    if len(places) > 1:
        raise _several_places([name for name, _ in places])
    return places[0][1] if places else intervals.inside(ABSENT, HULL)


def placed(relation: Placement, one: str, other: str) -> Relation:
    """Return distances as a relation; a function is handed the extents of the two things that it relates."""
    if callable(relation):
        return distances(terms(relation(Extent(one), Extent(other))))
    return distances(terms(relation))


def _places(
    between: tuple[Readable, Readable] | None,
    after: Length | None,
    before: Length | None,
    relation: Placement | None,
) -> Iterator[tuple[str, Relation]]:
    if between is not None:
        yield "between", intervals.between(ABSENT, between[0]._name, between[1]._name)
    if after is not None:
        soon = Difference(end(ABSENT), end(HULL), high=ticks(after))
        yield "after", (*intervals.then(HULL, ABSENT), soon)
    if before is not None:
        lately = Difference(start(HULL), start(ABSENT), high=ticks(before))
        yield "before", (*intervals.then(ABSENT, HULL), lately)
    if relation is not None:
        yield "relation", placed(relation, HULL, ABSENT)


def _several_places(names: list[str]) -> CepheidError:
    listed = " and ".join(f"`{name}`" for name in names)
    message = f"an absence has one place, and {listed} say where it is"
    hint = "keep one of them, or write `.unless(b)` once for each"
    return CepheidError(Diagnostic("conflicting-options", message, hints=(hint,)))
