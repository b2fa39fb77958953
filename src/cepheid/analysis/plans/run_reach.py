"""How late the next record of a run can end, seen from a record that the run already has."""

from cepheid.algebra.relations import Axis, Edge, Endpoint, Relation
from cepheid.analysis.closures.sizes import reach
from cepheid.analysis.plans.plan import SELF, Reach


def run_reach(relation: Relation, later: str, earlier: str, longest: tuple[int | None, int | None]) -> Reach:
    """Return the reach from `earlier` to the end of `later`; both are at most `longest` ticks and records long."""
    times = _bounds(relation, later, earlier, longest[0], Axis.TIME)
    places = _bounds(relation, later, earlier, longest[1], Axis.POSITION)
    return Reach(times, places, _from_end(times), _from_end(places))


def _bounds(
    relation: Relation, later: str, earlier: str, longest: int | None, axis: Axis
) -> tuple[tuple[Endpoint, int], ...]:
    closure = reach(relation, later, earlier, longest, axis)
    found = []
    for edge in (Edge.END, Edge.START):
        high = closure.upper((later, Edge.END), (earlier, edge))
        if high is not None:
            found.append((Endpoint(SELF, edge, axis), high))
    return tuple(found)


def _from_end(bounds: tuple[tuple[Endpoint, int], ...]) -> int | None:
    return next((high for endpoint, high in bounds if endpoint.edge is Edge.END), None)
