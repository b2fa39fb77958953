"""What a graph of processors keeps: every queue, window, slice and verdict, bounded or not, with its place.

A queue before a front holds as much as one input can be ahead of another. Values come to the inputs in any order, so
between two inputs nothing limits it, unless their `lead` is declared.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from cepheid.algebra.graphs.layout import INPUT, Graph, Node, Wire, laid_out
from cepheid.algebra.graphs.operations import Slice, TimeWindow
from cepheid.algebra.graphs.processors import Processor
from cepheid.algebra.programs import Arrival
from cepheid.analysis.bounds.arrivals import most_events
from cepheid.analysis.graphs import built_in_costs as built_in_costs  # which says what the built-in ones cost
from cepheid.analysis.graphs.costs import BodyCost, Cost, cost_of
from cepheid.analysis.graphs.paces import Flow, ahead_of, flows_of, on_demand, per_input
from cepheid.diagnostics import CepheidError, Diagnostic

Keys: TypeAlias = int | Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Holding:
    """What one place keeps: so many entries at most, or without end for a reason."""

    place: str
    kind: str
    entries: int | None
    why: str = ""
    hint: str = ""

    def __str__(self) -> str:
        amount = "without end" if self.entries is None else f"at most {self.entries:,}"
        return f"{self.kind} of {self.place}: {amount}{f', {self.why}' if self.entries is None else ''}"


@dataclass(frozen=True, slots=True)
class GraphCertificate:
    """All that a processor keeps, place by place."""

    holdings: tuple[Holding, ...]

    @property
    def bounded(self) -> bool:
        """Does nothing grow without end?"""
        return all(one.entries is not None for one in self.holdings)

    @property
    def entries(self) -> int | None:
        """How many entries there are at most, all in all; None without end."""
        return sum(one.entries or 0 for one in self.holdings) if self.bounded else None

    def demand_bounded(self) -> None:
        """Complain about everything that is kept for ever."""
        endless = [one for one in self.holdings if one.entries is None]
        if endless:
            raise CepheidError(*map(_complaint, endless))

    def to_dict(self) -> dict[str, object]:
        """Return the certificate as plain data."""
        held = [{"place": one.place, "kind": one.kind, "entries": one.entries, "why": one.why} for one in self.holdings]
        return {"bounded": self.bounded, "entries": self.entries, "holdings": held}

    def __str__(self) -> str:
        total = "without end" if self.entries is None else f"at most {self.entries:,}"
        return "\n".join([f"state: {total}", *(f"  {one}" for one in self.holdings if one.entries != 0)])


@dataclass(frozen=True, slots=True)
class Declared:
    """What a user says about the input: keys of slices and quantifiers, values per second, and how far inputs lead."""

    keys: Keys | None = None
    rate: Arrival | None = None
    lead: int | None = None

    def keys_of(self, function: str) -> int | None:
        return self.keys if isinstance(self.keys, int) or self.keys is None else self.keys.get(function)


_LONGEST: Final = 60


def certify_graph(processor: Processor, declared: Declared | None = None) -> GraphCertificate:
    """Return what a processor keeps."""
    return GraphCertificate(tuple(_Certifying(declared or Declared()).holdings(laid_out(processor))))


@dataclass(frozen=True, slots=True)
class _Certifying:
    declared: Declared
    bodies: dict[int, BodyCost] = field(default_factory=dict)

    def holdings(self, graph: Graph) -> Iterator[Holding]:
        costs = [self._cost(node) for node in graph.nodes]
        flows = flows_of(graph, costs)
        for node, cost in zip(graph.nodes, costs, strict=True):
            yield from self._queues(node, flows)
            yield from self._own(node, cost, flows)

    def _cost(self, node: Node) -> Cost:
        return cost_of(node.operation, [self._body(body) for body in node.operation.bodies])

    def _body(self, body: Processor) -> BodyCost:
        if id(body) not in self.bodies:
            self.bodies[id(body)] = self._cost_of_body(laid_out(body))
        return self.bodies[id(body)]

    def _cost_of_body(self, graph: Graph) -> BodyCost:
        flows = flows_of(graph, [self._cost(node) for node in graph.nodes])
        flow = flows[graph.outputs[0]]
        pace = flow.paces.get(Wire(INPUT, 0))
        kept = [one.entries for one in self.holdings(graph)]
        known = [entries for entries in kept if entries is not None]
        keeps = sum(known) if len(known) == len(kept) else None
        return BodyCost((lambda count: 0) if pace is None else pace.low.at, keeps)

    def _queues(self, node: Node, flows: Mapping[Wire, Flow]) -> Iterator[Holding]:
        wires = list(node.inputs)
        if len(set(wires)) < 2:
            return
        entries = [self._most_waiting(wire, wires, flows) for wire in wires]
        known = [one for one in entries if one is not None]
        most = sum(known) if len(known) == len(entries) else None
        why, hint = "one of its inputs may run ahead of another", "let both count by the same input, or `p.trim` one"
        yield Holding(_place(node), "queues", most, why, hint)

    def _most_waiting(self, wire: Wire, wires: Sequence[Wire], flows: Mapping[Wire, Flow]) -> int | None:
        leads = [self._lead(wire, other, flows) for other in dict.fromkeys(wires) if other != wire]
        return None if None in leads else max((lead for lead in leads if lead is not None), default=0)

    def _lead(self, one: Wire, other: Wire, flows: Mapping[Wire, Flow]) -> int | None:
        """Return how far one wire can be ahead of another; two inputs by what was declared."""
        known = ahead_of(flows[one], flows[other])
        if known is None and flows[other].is_on_demand:
            return 0
        if known is None and flows[one].is_on_demand:
            return on_demand(flows[one])
        if known is None and one.node == INPUT and other.node == INPUT:
            return self.declared.lead
        return known

    def _own(self, node: Node, cost: Cost, flows: Mapping[Wire, Flow]) -> Iterator[Holding]:
        place, kind = _place(node), _kind(node)
        if cost.per_key is not None:
            yield self._keyed(node, cost)
        elif cost.keeps is None and isinstance(node.operation, TimeWindow) and self.declared.rate is not None:
            factor = per_input(flows[node.inputs[0]])
            most = most_events(self.declared.rate, node.operation.ticks)
            yield Holding(place, kind, None if factor is None else most * factor + 2, cost.why, cost.hint)
        elif cost.keeps != 0:
            yield Holding(place, kind, cost.keeps, cost.why, cost.hint)

    def _keyed(self, node: Node, cost: Cost) -> Holding:
        function = _function(node)
        keys = self.declared.keys_of(function)
        bodies = [self._body(body).keeps for body in node.operation.bodies]
        if keys is None:
            return Holding(_place(node), _kind(node), None, cost.why, f"declare them: `keys={{{function!r}: 100}}`")
        if None in bodies:
            why = "what runs for each key keeps something without end"
            return Holding(_place(node), _kind(node), None, why, "look at the certificate of the inner processor")
        inner = sum(one for one in bodies if one is not None)
        return Holding(_place(node), _kind(node), keys * (inner + (cost.per_key or 0)) + (cost.keeps or 0))


def _function(node: Node) -> str:
    operation = node.operation
    return repr(operation.function if isinstance(operation, Slice) else getattr(operation, "domain", ""))


def _place(node: Node) -> str:
    text = node.operation.text(*("..." for _ in node.operation.bodies))
    return f"`{text if len(text) <= _LONGEST else text[: _LONGEST - 3] + '...'}`"


def _kind(node: Node) -> str:
    name = type(node.operation).__name__
    return {"Window": "window", "TimeWindow": "window", "Slice": "slices", "Verdict": "verdicts"}.get(name, "state")


def _complaint(one: Holding) -> Diagnostic:
    message = f"{one.place} keeps something for ever: {one.why}"
    allowed = "write `allow_unbounded=True` to run it all the same"
    return Diagnostic("unbounded-state", message, hints=(one.hint, allowed) if one.hint else (allowed,))
