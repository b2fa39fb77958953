"""The difference constraints that a pattern puts on the endpoints of its parts, in one case."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from cepheid.algebra.patterns import Atom, Chain, Collect, Either, Instant, Join, Pattern, Repeat, Restrict, Unless
from cepheid.algebra.policies import Choice
from cepheid.algebra.relations import Axis, Difference, Edge, Endpoint, Relation, end, start
from cepheid.algebra.traversal import named_parts, walk
from cepheid.analysis.closures.cases import Case, decision
from cepheid.analysis.closures.closure import Constraint
from cepheid.analysis.closures.part_order import in_order
from cepheid.analysis.closures.sizes import Lengths
from cepheid.analysis.closures.tree import Path, at, has_position, name_of, paths, positive
from cepheid.events import Duration

Variable = tuple[Path, Edge]
IMPOSSIBLE: Variable = ((-1,), Edge.START)


@dataclass
class Gathering:
    """The constraints of one axis in one case, as they are gathered.

    `beside` names an Unless or a Collect whose second pattern is taken in too: to learn how far its edges can lie from
    the rest. The rest learns nothing from it, because only those edges are then read.

    Where a case leaves open which branch is taken, the constraints of all branches are taken, each about its own parts:
    what lies in several of them is not told apart, so nothing is said about it. `vague`: nothing is taken from there.
    """

    root: Pattern
    axis: Axis
    case: Case
    lengths: Lengths
    beside: Path | None = None
    vague: bool = False
    found: list[Constraint[Variable]] = field(default_factory=list)
    names: dict[str, Path] = field(default_factory=dict)
    loose: set[str] = field(default_factory=set)
    _hulls: dict[Path, Path] = field(default_factory=dict)
    _attaining: dict[Variable, list[Variable]] = field(default_factory=dict)

    @cached_property
    def counts(self) -> bool:
        """Are these places, and do they matter, so that records are put in order before anybody looks at them?"""
        ends = (node for node in walk(self.root) if isinstance(node, Endpoint))
        return self.axis is Axis.POSITION and any(one.axis is Axis.POSITION for one in ends)

    def gather(self) -> list[Constraint[Variable]]:
        nodes = list(self._present((), self.root))
        self.names = {name: path for path, node in nodes if (name := name_of(node))}
        # The records of a chain and the items of a collection have no variables of their own: what is said about them
        # entails nothing here.
        self.loose = {name for _, node in nodes if isinstance(node, Chain) for name in named_parts(node)}
        self.loose |= {node.name for _, node in nodes if isinstance(node, Collect)}
        inside = self._undecided(nodes)
        for path, node in nodes:
            self._structure(path, node)
            if not (self.vague and path in inside):
                self._relations(path, node)
        return self.found

    def _undecided(self, nodes: list[tuple[Path, Pattern]]) -> frozenset[Path]:
        """Return the places in branches of which any may be taken, and let nothing be said about names that suffer."""
        opened = [path for path, node in nodes if isinstance(node, Either) and decision(self.case, path) is None]
        inside = [(path, node) for path, node in nodes if any(path[: len(one)] == one != path for one in opened)]
        names = Counter(name for _, node in inside if (name := name_of(node)))
        self.loose |= {name for name, count in names.items() if self.vague or count > 1}
        return frozenset(path for path, _ in inside)

    def variable(self, path: Path, edge: Edge) -> Variable:
        """Return the variable of a node's hull: that of the node below where the hull is the same."""
        place = self._hulls.get(path)
        if place is None:
            self._hulls[path] = place = self._hull_of(path)
        return (place, edge)

    def _hull_of(self, path: Path) -> Path:
        node = at(self.root, path)
        if isinstance(node, Either):
            branch = decision(self.case, path)
            return path if branch is None else self.variable((*path, branch), Edge.END)[0]
        if isinstance(node, Atom | Instant | Join | Repeat | Chain):
            return path
        return self.variable((*path, 0), Edge.END)[0]

    def attaining(self, path: Path, edge: Edge) -> list[Variable]:
        """Return the variables of which one attains the outer edge of a node's hull: those of the parts of a join."""
        place, _ = self.variable(path, edge)
        found = self._attaining.get((place, edge))
        if found is None:
            self._attaining[place, edge] = found = self._attaining_of(place, edge)
        return found

    def _attaining_of(self, place: Path, edge: Edge) -> list[Variable]:
        node = at(self.root, place)
        if not isinstance(node, Join):
            return [(place, edge)]
        # Points of time are no records, so no hull of positions reaches to one.
        placeless = Instant if self.axis is Axis.POSITION else ()
        parts = [number for number, part in enumerate(node.parts) if not isinstance(part, placeless)]
        if self.axis is Axis.TIME and in_order(node):
            parts = parts[-1:] if edge is Edge.END else parts[:1]
        return [one for number in parts for one in self.attaining((*place, number), edge)] or [(place, edge)]

    def _present(self, path: Path, node: Pattern) -> Iterator[tuple[Path, Pattern]]:
        yield path, node
        branch = decision(self.case, path) if isinstance(node, Either) else None
        for number, child in enumerate(positive(node)):
            if branch is None or branch == number:
                yield from self._present((*path, number), child)
        if path == self.beside and isinstance(node, Unless | Collect):
            other = node.absent if isinstance(node, Unless) else node.item
            yield from self._present((*path, 1), other)

    def _structure(self, path: Path, node: Pattern) -> None:
        if self.variable(path, Edge.START) != (path, Edge.START):
            return
        first, last = (path, Edge.START), (path, Edge.END)
        self._add(first, last, 0, "")
        if isinstance(node, Join):
            self._hull(path, node)
        else:
            self._extent(first, last, node)

    def _extent(self, first: Variable, last: Variable, node: Pattern) -> None:
        longest, why = self.lengths.longest(node, self.axis)
        shortest = self.lengths.shortest(node, self.axis)
        self._add(first, last, -shortest, why)
        if longest is not None:
            self._add(last, first, longest, why)

    def _hull(self, path: Path, join: Join) -> None:
        for number, below in enumerate(join.parts):
            if self.axis is Axis.POSITION and not has_position(below):
                continue
            part = (*path, number)
            self._add((path, Edge.START), self.variable(part, Edge.START), 0, "")
            self._add(self.variable(part, Edge.END), (path, Edge.END), 0, "")
        for edge in Edge:
            attained = decision(self.case, path, edge)
            if attained is not None:
                part_edge = self.variable((*path, attained), edge)
                self._add(part_edge, (path, edge), 0, "")
                self._add((path, edge), part_edge, 0, "")

    def _relations(self, path: Path, node: Pattern) -> None:
        match node:
            case Join():
                local = {f"${number}": (*path, number) for number in range(len(node.parts))}
                self._relation(node.relation, local)
                if node.policy.choice is Choice.STRICT:
                    ends = (start("$1", Axis.POSITION), end("$0", Axis.POSITION))
                    self._relation((Difference(*ends, 1, 1),), local)
            case Restrict():
                self._relation(node.relation, {"$pattern": (*path, 0)})
            case Unless() if path == self.beside:
                self._relation(node.relation, {"$pattern": (*path, 0), "$absent": (*path, 1)})
            case Collect() if path == self.beside:
                self._relation(node.relation, {"$anchor": (*path, 0), "$item": (*path, 1)})
            case _:
                pass

    def _relation(self, relation: Relation, local: dict[str, Path]) -> None:
        for difference in relation:
            axes = {difference.later.axis, difference.earlier.axis}
            if axes == {self.axis}:
                self._difference(difference, local)
            elif axes == {Axis.ARRIVAL} and self.axis is Axis.TIME:
                # What comes after something does not end before it.
                self._difference(replace(difference, low=0), local)
            elif self.counts and axes != {Axis.POSITION}:
                self._order(difference, local)

    def _difference(self, difference: Difference, local: dict[str, Path]) -> None:
        if self.loose & {difference.later.part, difference.earlier.part}:
            return
        later = self._resolved(difference.later, local)
        earlier = self._resolved(difference.earlier, local)
        if later is None or earlier is None:
            # A difference with an unbound end never holds, so this case has no match.
            self._add(IMPOSSIBLE, IMPOSSIBLE, -1, spoken(difference))
            return
        if difference.high is not None:
            self._add(later, earlier, difference.high, spoken(difference))
        if difference.low is not None:
            self._add(earlier, later, -difference.low, spoken(difference))

    def _order(self, difference: Difference, local: dict[str, Path]) -> None:
        """Take in what a distance in time says about places: records are in the order of their ends."""
        for later, earlier in after_each_other(difference):
            if self.loose & {later.part, earlier.part}:
                continue
            last, first = self._resolved(later, local), self._resolved(earlier, local)
            if last is not None and first is not None and self._is_told_by_records(last) and self._has_place(first):
                self._add(first, last, -1, spoken(difference))

    def _is_told_by_records(self, variable: Variable) -> bool:
        """Say whether all records are after what the hull is after; its end may be a point of time, which is none."""
        node = at(self.root, variable[0])
        points = any(isinstance(one, Instant) for one in walk(node))
        return self._has_place(variable) and (variable[1] is Edge.START or not points)

    def _has_place(self, variable: Variable) -> bool:
        return has_position(at(self.root, variable[0]))

    def _resolved(self, endpoint: Endpoint, local: dict[str, Path]) -> Variable | None:
        path = local.get(endpoint.part, self.names.get(endpoint.part))
        return None if path is None else self.variable(path, endpoint.edge)

    def _add(self, x: Variable, y: Variable, high: int, reason: str) -> None:
        self.found.append(Constraint(x, y, high, reason))


def after_each_other(difference: Difference) -> Iterator[tuple[Endpoint, Endpoint]]:
    """Yield the ends of which one comes after another because it lies after the end of the other."""
    ends = []
    if difference.low is not None and difference.low >= 1:
        ends.append((difference.later, difference.earlier))
    if difference.high is not None and difference.high <= -1:
        ends.append((difference.earlier, difference.later))
    return ((later, earlier) for later, earlier in ends if earlier.edge is Edge.END)


def asked_edges(root: Pattern, axis: Axis) -> frozenset[Variable]:
    """Return the hull edges of joins that a relation above pulls inward: only for those it matters who attains them."""
    asked: set[Variable] = set()
    known: dict[Path, frozenset[Path]] = {}
    # What comes after something in the order of arrival does so in time.
    axes = (Axis.TIME, Axis.ARRIVAL) if axis is Axis.TIME else (axis,)
    for path, node in paths(root):
        for endpoint in (pulled for difference in _above(node) for pulled in _pulled(difference)):
            if endpoint.axis in axes and endpoint.part.startswith("$"):
                asked |= {(place, endpoint.edge) for place in _joins_at(root, _child(path, endpoint.part), known)}
    return frozenset(asked)


def _pulled(difference: Difference) -> Iterator[Endpoint]:
    """Yield the starts that must not lie too late and the ends that must not lie too early."""
    outer = (difference.later, difference.earlier) if difference.high is not None else (None, None)
    inner = (difference.earlier, difference.later) if difference.low is not None else (None, None)
    for first, last in (outer, inner):
        if first is not None and first.edge is Edge.START:
            yield first
        if last is not None and last.edge is Edge.END:
            yield last


def _above(node: Pattern) -> Relation:
    return node.relation if isinstance(node, Join | Restrict | Unless | Collect) else ()


def _child(path: Path, part: str) -> Path:
    numbers = {"$pattern": 0, "$absent": 1, "$anchor": 0, "$item": 1}
    return (*path, numbers[part] if part in numbers else int(part[1:]))


def _joins_at(root: Pattern, path: Path, known: dict[Path, frozenset[Path]]) -> frozenset[Path]:
    """Return the joins whose hull is the hull of the node at `path`: through filters, and every branch of Either."""
    if path not in known:
        node = at(root, path)
        if isinstance(node, Join):
            known[path] = frozenset((path,))
        elif isinstance(node, Atom | Instant | Repeat | Chain):
            known[path] = frozenset()
        else:
            branches = range(len(node.branches)) if isinstance(node, Either) else (0,)
            known[path] = frozenset().union(*(_joins_at(root, (*path, number), known) for number in branches))
    return known[path]


def spoken(difference: Difference) -> str:
    """Return a difference as a person would say it."""
    distance = f"{_place(difference.later)} - {_place(difference.earlier)}"
    low = None if difference.low is None else _amount(difference.low, difference.later.axis)
    high = None if difference.high is None else _amount(difference.high, difference.later.axis)
    if low == high:
        return f"{distance} = {low}"
    if low is None:
        return f"{distance} <= {high}"
    return f"{distance} >= {low}" if high is None else f"{low} <= {distance} <= {high}"


def _place(endpoint: Endpoint) -> str:
    part = endpoint.part
    plain = f"part {int(part[1:]) + 1}" if part.startswith("$") and part[1:].isdigit() else part.lstrip("$")
    return f"{endpoint.edge.value} of {plain}"


def _amount(ticks: int, axis: Axis) -> str:
    return f"{ticks} records" if axis is Axis.POSITION else str(Duration(ticks))
