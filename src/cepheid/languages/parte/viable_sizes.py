"""Minimum viable sizes: how much PARTE has to hold at each node so that it never stops and never drops anything.

A node with two inputs that arrive at rates `l` and `r` and a window of `W` holds `l * W + 1` and `r * W + 1`; what it
joins leaves at most `l` times the one history plus `r` times the other. Rates are products, so they grow with every
pattern; the state bounds of a plan are mostly far smaller. The numbers are those of the dissertation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import Final

from cepheid.algebra.expressions import Call, Expr, Literal
from cepheid.algebra.patterns import Atom, Instant, Join, Pattern, Unless
from cepheid.algebra.programs import Program, Rule, Stream
from cepheid.algebra.strata import strata
from cepheid.algebra.traversal import event_types
from cepheid.analysis.closures.facts import facts_about
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.languages.parte.certainty import POINTS, between
from cepheid.languages.parte.join_graph import Edge, GraphNode, History, JoinGraph, NodeKind
from cepheid.languages.parte.layers import Around, Layers, layers_of
from cepheid.languages.parte.rule_printing import is_action, is_report

_HOUR: Final = 3_600_000_000
_SHORTEST: Final = {"daily": 23 * _HOUR, "weekly": 167 * _HOUR}
"""The least time between two points of a calendar: clocks are put forward by an hour."""


def minimum_viable_sizes(program: Program, *, one_sided_first_join: bool = False) -> JoinGraph:
    """Return the join graph of a program with the sizes of all its nodes.

    With `one_sided_first_join` the first join of a rule counts only what its right input finds, as one of the
    dissertation's tables does: where the right event never comes first, nothing need be held for it.

    >>> from cepheid.languages.parte import parse
    >>> graph = minimum_viable_sizes(parse('''
    ...     template A { k : Integer } template B { k : Integer }
    ...     source A 1 per s           source B 1 per s
    ...     rule R where a : A  no b : B { k = a.k } when no b in a [0 s, 4 s] then alarm(a.k)'''))
    >>> [(node.histories, node.outbox, node.inbox) for node in graph.of("R", NodeKind.NOT)]
    [((5, 5), 5, 3)]
    """
    building = _Building({stream.name: stream for stream in program.streams}, one_sided_first_join)
    for group in strata(program.rules):
        for rule in group:
            building.rule(rule)
    return JoinGraph(tuple(building.nodes), tuple(building.edges))


def has_all_rates(program: Program) -> bool:
    """Say whether every template that a rule reads has a rate, or is emitted by a rule."""
    known = {stream.name for stream in program.streams if stream.arrival is not None}
    return event_types(program.rules) <= known | {rule.emits for rule in program.rules}


@dataclass(slots=True)
class _Building:
    """A graph as it grows, rule by rule, each after those that feed it."""

    streams: Mapping[str, Stream]
    one_sided: bool
    nodes: list[GraphNode] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    entries: dict[str, GraphNode] = field(default_factory=dict)
    produced: dict[str, list[GraphNode]] = field(default_factory=dict)

    def rule(self, rule: Rule) -> None:
        """Add the nodes of a rule."""
        layers = layers_of(rule.pattern)
        node = self._alpha(layers.parts[0], rule)
        for place in range(1, len(layers.parts)):
            right, window = self._alpha(layers.parts[place], rule), _join_window(layers, place)
            node = self._two_input(NodeKind.JOIN, (node, right), window, rule, first=place == 1)
        for layer in layers.around:
            kind = NodeKind.NOT if isinstance(layer, Unless) else NodeKind.COLLECT
            right, window = self._alpha(_beside(layer), rule), _window_around(layer, layers)
            node = self._two_input(kind, (node, right), window, rule, first=False)
        self._reaction(node, rule)

    def _reaction(self, node: GraphNode, rule: Rule) -> None:
        is_match = is_action(rule) or is_report(rule)
        kind = NodeKind.TERMINAL if is_match else NodeKind.PRODUCTION
        made = self._add(GraphNode(len(self.nodes), kind, rule.emits, rule.name, node.rate, 0 if is_match else 1))
        self._join(node, made)
        if not is_match:
            self.produced.setdefault(rule.emits, []).append(made)

    def _entry(self, template: str) -> GraphNode:
        if template not in self.entries:
            stream, feeding = self.streams.get(template), self.produced.get(template, [])
            declared = None if stream is None else stream.arrival
            if declared is None and not feeding:
                raise _missing_rate(template)
            outside = Fraction(0) if declared is None else Fraction(declared.count, declared.per)
            rate = sum((node.rate for node in feeding), start=outside)
            entry = self._add(GraphNode(len(self.nodes), NodeKind.ENTRY, template, None, rate, 1))
            self.entries[template] = entry
            self.edges += [Edge(node.number, entry.number, node.rate, feeds=True) for node in feeding]
        return self.entries[template]

    def _alpha(self, part: Atom | Instant, rule: Rule) -> GraphNode:
        if isinstance(part, Instant):
            rate = _rate_of(part.schedule)
            return self._add(GraphNode(len(self.nodes), NodeKind.ALPHA, part.name, rule.name, rate, 1))
        [template] = part.types
        entry = self._entry(template)
        alpha = self._add(GraphNode(len(self.nodes), NodeKind.ALPHA, part.name, rule.name, entry.rate, 1))
        self._join(entry, alpha)
        return alpha

    def _two_input(
        self, kind: NodeKind, inputs: tuple[GraphNode, GraphNode], window: int, rule: Rule, *, first: bool
    ) -> GraphNode:
        left, right = (History(node.rate, floor(node.rate * window) + 1) for node in inputs)
        found_right = right.rate * left.size
        both = kind is NodeKind.JOIN and not (first and self.one_sided)
        rate = found_right + left.rate * right.size if both else found_right
        outbox = max(left.size, right.size) if kind is NodeKind.JOIN else left.size
        name = f"{kind.value} {inputs[1].name}"
        node = self._add(GraphNode(len(self.nodes), kind, name, rule.name, rate, outbox, window, left, right))
        for one in inputs:
            self._join(one, node)
        return node

    def _join(self, source: GraphNode, target: GraphNode) -> None:
        self.edges.append(Edge(source.number, target.number, source.rate))

    def _add(self, node: GraphNode) -> GraphNode:
        self.nodes.append(node)
        return node


def _join_window(layers: Layers, place: int) -> int:
    """Return the width of the narrowest window between a part and those before it."""
    facts = facts_about(layers.base, POINTS)
    return _narrowest([between(facts, (place,), (other,)) for other in range(place)])


def _window_around(layer: Around, layers: Layers) -> int:
    """Return the width of the narrowest window between what is absent or collected and what is there."""
    probe = Unless(layers.base, _beside(layer), layer.relation)
    facts = facts_about(probe, POINTS, beside=())
    inside = [(0, number) for number in range(len(layers.parts))] if isinstance(layers.base, Join) else [(0,)]
    return _narrowest([between(facts, (1,), place) for place in inside])


def _narrowest(distances: Sequence[tuple[int | None, int | None]]) -> int:
    return min((max(0, high - low) for low, high in distances if low is not None and high is not None), default=0)


def _beside(layer: Around) -> Atom:
    beside: Pattern = layer.absent if isinstance(layer, Unless) else layer.item
    assert isinstance(beside, Atom)
    return beside


def _rate_of(schedule: Expr) -> Fraction:
    """Return how often the points of a schedule come at most; a single one is no rate at all."""
    match schedule:
        case Call("every", (Literal(int() as period), _)):
            return Fraction(1, period)
        case Call("daily" | "weekly" as word, _):
            return Fraction(1, _SHORTEST[word])
        case _:
            return Fraction(0)


def _missing_rate(template: str) -> CepheidError:
    message = f"nobody said how often `{template}` comes, so its sizes are not known"
    return CepheidError(Diagnostic("missing-rate", message, hints=(f"declare it: `source {template} 10 per s`",)))
