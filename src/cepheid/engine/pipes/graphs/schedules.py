"""The order in which the nodes of a graph run, worked out once for all its runs.

Wires are numbered: first the inputs of the graph, then its sources, then the outputs of its nodes.
"""

from dataclasses import dataclass

from cepheid.algebra.graphs.layout import INPUT, Graph, Wire, laid_out
from cepheid.algebra.graphs.meaning import reads_times
from cepheid.algebra.graphs.operation import Operation
from cepheid.algebra.graphs.operations import Prefix, Source
from cepheid.algebra.graphs.processors import Processor
from cepheid.algebra.remembering import ByIdentity


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """An operation, the wires that it reads and writes, and the number of its scope."""

    operation: Operation
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    scope: int


@dataclass(frozen=True, slots=True, eq=False)
class Schedule:
    """What a run goes through for every value.

    `is_endless` says of each wire whether it never ends.
    """

    processor: Processor
    graph: Graph
    inputs: int
    sources: tuple[Source, ...]
    steps: tuple[Step, ...]
    outputs: tuple[int, ...]
    wires: int
    is_endless: tuple[bool, ...]
    ends_early: bool
    in_time: bool


@ByIdentity
def schedule_of(processor: Processor) -> Schedule:
    """Return the schedule of a processor."""
    graph = laid_out(processor)
    sources = [place for place, node in enumerate(graph.nodes) if isinstance(node.operation, Source)]
    numbers = _numbered(graph, sources)
    steps = tuple(
        Step(
            node.operation,
            tuple(numbers[wire] for wire in node.inputs),
            tuple(numbers[Wire(place, output)] for output in range(node.operation.outputs)),
            node.scope,
        )
        for place, node in enumerate(graph.nodes)
        if place not in sources
    )
    found = tuple(one for one in (graph.nodes[place].operation for place in sources) if isinstance(one, Source))
    endless = _endless(graph.inputs, found, steps)
    outputs = tuple(numbers[wire] for wire in graph.outputs)
    early = bool(sources) or any(isinstance(step.operation, Prefix) for step in steps)
    in_time = reads_times(processor)
    return Schedule(processor, graph, graph.inputs, found, steps, outputs, len(numbers), endless, early, in_time)


def _numbered(graph: Graph, sources: list[int]) -> dict[Wire, int]:
    wires = [Wire(INPUT, place) for place in range(graph.inputs)]
    wires += [Wire(place, 0) for place in sources]
    for place, node in enumerate(graph.nodes):
        if place not in sources:
            wires += [Wire(place, output) for output in range(node.operation.outputs)]
    return {wire: number for number, wire in enumerate(wires)}


def _endless(inputs: int, sources: tuple[Source, ...], steps: tuple[Step, ...]) -> tuple[bool, ...]:
    endless = [*[False] * inputs, *(source.is_endless for source in sources)]
    for step in steps:
        is_endless = all(endless[wire] for wire in step.inputs) and not isinstance(step.operation, Prefix)
        endless += [is_endless] * len(step.outputs)
    return tuple(endless)
