"""A processor as a flat graph: its operations in an order in which each comes after what it reads.

A part that is used twice over the same inputs is one node.
"""

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Operation
from cepheid.algebra.graphs.processors import Atom, Beside, Chain, InContext, OfKinds, Pick, Processor

INPUT = -1
"""The node of a wire that is an input of the graph."""


class Wire(NamedTuple):
    """The output of a node, or an input of the graph, by its number."""

    node: int
    output: int


Wires: TypeAlias = tuple[Wire, ...]


class Node(NamedTuple):
    """An operation, what it reads, and the number of the scope whose names it sees."""

    operation: Operation
    inputs: Wires
    scope: int


class ScopeOf(NamedTuple):
    """Names in a context, over those of another scope."""

    parent: int
    names: Mapping[str, Thing]


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """Nodes, each behind those that it reads; scope 0 is the context that a run is handed."""

    inputs: int
    nodes: tuple[Node, ...]
    outputs: Wires
    scopes: tuple[ScopeOf, ...]


_Asked: TypeAlias = tuple[Processor, Wires, int]
_Laying: TypeAlias = Generator[_Asked, Wires, Wires]


def laid_out(processor: Processor) -> Graph:
    """Return the graph of a processor, in time that grows with its parts and not with the ways through them."""
    layout = _Layout()
    outputs = layout.wires(processor, tuple(Wire(INPUT, place) for place in range(processor.inputs)))
    return Graph(processor.inputs, tuple(layout.nodes), outputs, tuple(layout.scopes))


class _Layout:
    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.scopes: list[ScopeOf] = [ScopeOf(0, {})]
        # The wires of every processor that was laid out over some inputs in some scope.
        self._known: dict[tuple[int, Wires, int], Wires] = {}
        self._scope_of: dict[tuple[int, int], int] = {}

    def wires(self, processor: Processor, inputs: Wires) -> Wires:
        """Return the outputs of a processor over some inputs, on a stack of its own, so that no depth is too deep."""
        asked: _Asked = (processor, inputs, 0)
        stack = [(asked, self._laying(*asked))]
        found: Wires | None = None
        while True:
            asked, laying = stack[-1]
            try:
                wanted = laying.send(found)  # type: ignore[arg-type]  # a generator that begins is sent None
            except StopIteration as done:
                found = self._known[_key(asked)] = done.value
                stack.pop()
                if not stack:
                    return found
                continue
            found = self._known.get(_key(wanted))
            if found is None:
                stack.append((wanted, self._laying(*wanted)))

    def _laying(self, processor: Processor, inputs: Wires, scope: int) -> _Laying:
        """Ask for the wires of what a processor is made of, and return its own."""
        match processor:
            case Atom(operation):
                self.nodes.append(Node(operation, inputs, scope))
                return tuple(Wire(len(self.nodes) - 1, place) for place in range(operation.outputs))
            case Chain(first, second):
                between = yield first, inputs, scope
                return (yield second, between, scope)
            case Pick(place=place):
                return (inputs[place],)
            case InContext(inner, names):
                return (yield inner, inputs, self._scope(processor, scope, names))
            case OfKinds(inner):
                return (yield inner, inputs, scope)
            case _:
                return (yield from _side_by_side(processor, inputs, scope))

    def _scope(self, processor: Processor, parent: int, names: Mapping[str, Thing]) -> int:
        key = (id(processor), parent)
        if key not in self._scope_of:
            self._scope_of[key] = len(self.scopes)
            self.scopes.append(ScopeOf(parent, names))
        return self._scope_of[key]


def _side_by_side(processor: Processor, inputs: Wires, scope: int) -> _Laying:
    outputs: Wires = ()
    taken = 0
    for part in processor.children:
        first = taken if isinstance(processor, Beside) else 0
        outputs += yield part, inputs[first : first + part.inputs], scope
        taken += part.inputs
    return outputs


def _key(asked: _Asked) -> tuple[int, Wires, int]:
    return id(asked[0]), asked[1], asked[2]
