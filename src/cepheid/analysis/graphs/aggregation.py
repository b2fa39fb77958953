"""Bodies of windows that can slide: sums, counts, means, least and greatest values, moments.

Such a body is made of three parts, each behind the other: functions of single values, cumulations of known functions,
and functions of those.

    (x * x | cumulate(add)) / (turn_into(1) | cumulate(add))
"""

from dataclasses import dataclass
from typing import Final

from cepheid.algebra.graphs import operations as op
from cepheid.algebra.graphs.layout import INPUT, Graph, Node, Wire, laid_out
from cepheid.algebra.graphs.operation import Apply
from cepheid.algebra.graphs.processors import Processor
from cepheid.algebra.remembering import ByIdentity

_POINTWISE: Final = (Apply, op.TurnInto, op.Passthrough, op.Fork, op.Collate, op.Choose)
_SLIDING: Final = ("+", "min", "max")


@dataclass(frozen=True, slots=True, eq=False)
class Aggregation:
    """A body that can slide: the places of its nodes before, in and behind the cumulations."""

    graph: Graph
    before: tuple[int, ...]
    cumulations: tuple[int, ...]
    behind: tuple[int, ...]


@ByIdentity
def aggregation_of(body: Processor) -> Aggregation | None:
    """Return how a body slides; None where it does not."""
    graph = laid_out(body)
    each = {Wire(INPUT, 0)}
    parts: tuple[list[int], list[int], list[int]] = ([], [], [])
    for place, node in enumerate(graph.nodes):
        part = _part(node, each)
        if part is None or len(graph.scopes) > 1:
            return None
        parts[part].append(place)
        if part == 0:
            each |= {Wire(place, output) for output in range(node.operation.outputs)}
    before, cumulations, behind = map(tuple, parts)
    return Aggregation(graph, before, cumulations, behind) if cumulations else None


def _part(node: Node, each: set[Wire]) -> int | None:
    is_first = all(wire in each for wire in node.inputs)
    operation = node.operation
    if isinstance(operation, op.Cumulate):
        return 1 if is_first and operation.known in _SLIDING else None
    if isinstance(operation, _POINTWISE):
        return 0 if is_first else 2
    return None
