"""How late a partner can come: reaches of joins, absences and collections, from the closure of what surrounds them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product

from cepheid.algebra.patterns import Collect, Either, Join, Pattern, Restrict, Unless
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import HULL
from cepheid.algebra.relations import Axis, Edge, Endpoint, Relation, length
from cepheid.analysis.closures.facts import Distance, Facts, facts_about
from cepheid.analysis.closures.sizes import Lengths
from cepheid.analysis.closures.tree import Path, at, name_of, positive
from cepheid.analysis.plans.plan import SELF, Distances, Reach

FREE = (Choice.ALL, Choice.STRICT)


def scope_root(root: Pattern, path: Path) -> Path:
    """Return the highest node whose constraints may be used to forget things at `path`.

    Constraints from above reach through filters and joins that take everything: what can be in no match may go. They
    must not reach through a choice, because there a candidate that fails later still keeps others from being chosen.
    """
    node = at(root, path)
    if isinstance(node, Join) and node.policy.choice not in FREE:
        return path
    scope: Path = ()
    for depth, number in enumerate(path):
        if not is_open(at(root, path[:depth]), number):
            scope = path[: depth + 1]
    return scope


def is_open(node: Pattern, number: int) -> bool:
    """Say whether what stands below a node, as its part of that number, matters only where the node itself does."""
    match node:
        case Join():
            return node.policy.choice in FREE
        case Restrict() | Either():
            return True
        case Unless() | Collect():
            return number == 0
        case _:
            return False


@dataclass(slots=True)
class Reaches:
    """Reaches between the inputs of the operators of one pattern."""

    root: Pattern
    lengths: Lengths
    _known: dict[tuple[Path, Axis, Path | None], Facts] = field(default_factory=dict)

    def facts(self, scope: Path, axis: Axis, beside: Path | None = None) -> Facts:
        key = (scope, axis, beside)
        if key not in self._known:
            relative = None if beside is None else beside[len(scope) :]
            self._known[key] = facts_about(at(self.root, scope), self.lengths, axis, relative)
        return self._known[key]

    def between(self, path: Path, one: int, other: int) -> Reach:
        """Return how late input `other` of the node at `path` can end, given an instance of input `one`."""
        node = at(self.root, path)
        beside = path if isinstance(node, Unless | Collect) else None
        views = [self._view(path, axis, beside) for axis in (Axis.TIME, Axis.POSITION)]
        first, last = (*path, one), (*path, other)
        times, places = (self._bounds(view, first, last) for view in views)
        ends, records = (view.after(last, Edge.END, [first], Edge.END) for view in views)
        return Reach(times, places, ends.high, records.high, ends.possible and records.possible)

    def apart(self, path: Path, later: Path, earlier: Path) -> int | None:
        """Return how far after one end below the node at `path` another can lie; None if nobody knows."""
        node = at(self.root, path)
        view = self._view(path, Axis.TIME, path if isinstance(node, Unless | Collect) else None)
        distance = view.after(later, Edge.END, [earlier], Edge.END)
        return distance.high if distance.possible else None

    def span(self, path: Path, part: int) -> int | None:
        """Return how long before the end of the node's hull one of its parts can have ended."""
        return self._view(path, Axis.TIME).after(path, Edge.END, [(*path, part)], Edge.END).high

    def limits(self, path: Path) -> Relation:
        """Return how long a run, from its first to its last, can be that is in a match of all that stands above it."""
        longest = {axis: self.longest(path, axis) for axis in Axis}
        return tuple(length("$first", "$last", high, axis) for axis, high in longest.items() if high is not None)

    def longest(self, path: Path, axis: Axis = Axis.TIME) -> int | None:
        """Return how long the hull of a node can be in a match of all that stands above it."""
        return self._view(path, axis).after(path, Edge.END, [path], Edge.START).high

    def headway(self, path: Path, part: int) -> int:
        """Return how much later than one of its parts a join ends at least."""
        ahead = self.facts(path, Axis.TIME).distance((part,), Edge.END, (), Edge.END).high
        return 0 if ahead is None else max(-ahead, 0)

    def distances(self, path: Path) -> Distances:
        """Return how far the ends of the two parts of a join can lie after each other, as far as that is limited."""
        facts, found = self.facts(path, Axis.TIME), {}
        for (later, earlier), last, first in product(((0, 1), (1, 0)), Edge, Edge):
            high = facts.distance((later,), last, (earlier,), first).high
            if high is not None:
                found[later, last, earlier, first] = high
        return found

    def behind(self, path: Path, endpoint: Endpoint) -> int | None:
        """Return how far before the end of a node an endpoint of it, or of a named part of it, can lie."""
        places = [path] if endpoint.part == HULL else self._readable(path).get(endpoint.part, [])
        distance = self._view(path, Axis.TIME).after(path, Edge.END, places, endpoint.edge)
        return distance.high if distance.possible else None

    def named_distance(self, endpoint: Endpoint) -> int | None:
        """Return how far the end of the whole pattern can lie after an endpoint of a named part, or of its hull."""
        facts = self.facts((), Axis.TIME)
        return _farthest(facts.distance((), Edge.END, place, endpoint.edge) for place in self._places(endpoint.part))

    def named_lead(self, endpoint: Endpoint) -> int | None:
        """Return how far an endpoint of a named part, or of its hull, can lie after the end of the whole pattern."""
        facts = self.facts((), Axis.TIME)
        return _farthest(facts.distance(place, endpoint.edge, (), Edge.END) for place in self._places(endpoint.part))

    def _places(self, name: str) -> list[Path]:
        """Return where a name is bound: in several branches perhaps, and nowhere that counts if it is unknown."""
        return [()] if name == HULL else [path for path, known in self._named((), self.root) if known == name]

    def _bounds(self, view: "_View", one: Path, other: Path) -> tuple[tuple[Endpoint, int], ...]:
        """Return how late `other` can end after each end of an instance at `one` that says something of its own."""
        found: dict[Endpoint, int] = {}
        places = self._readable(one)
        for name, edge in product(places, (Edge.END, Edge.START)):
            high = view.after(other, Edge.END, places[name], edge).high
            follows = any(
                view.entails(place, end.edge, bound, places[name], edge, high)
                for end, bound in found.items()
                for place in places[end.part]
            )
            if high is not None and not follows:
                found[Endpoint(name, edge, view.facts.axis)] = high
        return tuple(found.items())

    def _readable(self, path: Path) -> dict[str, list[Path]]:
        """Return the places whose times an instance of the node at `path` knows: its hull and its named parts.

        A name may be bound in several branches, of which an instance has taken one.
        """
        places = {SELF: [path]}
        for place, name in self._named(path, at(self.root, path)):
            places.setdefault(name, []).append(place)
        return places

    def _named(self, path: Path, node: Pattern) -> Iterator[tuple[Path, str]]:
        name = name_of(node)
        if name is not None and not isinstance(node, Collect):
            yield path, name
        for number, child in enumerate(positive(node)):
            yield from self._named((*path, number), child)

    def _view(self, path: Path, axis: Axis, beside: Path | None = None) -> "_View":
        scope = scope_root(self.root, path)
        return _View(self.facts(scope, axis, beside), len(scope))


@dataclass(frozen=True, slots=True)
class _View:
    """Facts about the highest node whose constraints count somewhere; paths are told from the root all the same."""

    facts: Facts
    depth: int

    def after(self, later: Path, later_edge: Edge, earlier: Iterable[Path], edge: Edge) -> Distance:
        """Return how far something can lie after a part that stands at one of several places."""
        cut = self.depth
        every = [self.facts.distance(later[cut:], later_edge, place[cut:], edge) for place in earlier]
        possible = [distance for distance in every if distance.possible]
        return Distance(_farthest(possible) if possible else 0, bool(possible))

    def entails(
        self, place: Path, place_edge: Edge, bound: int, earlier: Iterable[Path], edge: Edge, high: int | None
    ) -> bool:
        """Say whether a bound from one place leaves nothing to say to that from others."""
        apart = self.after(place, place_edge, earlier, edge)
        return high is not None and apart.possible and apart.high is not None and bound + apart.high <= high


def _farthest(distances: Iterable[Distance]) -> int | None:
    """Return the greatest of some distances, None if there is none or one has no bound."""
    highs = [distance.high for distance in distances]
    return None if None in highs else max((high for high in highs if high is not None), default=None)
