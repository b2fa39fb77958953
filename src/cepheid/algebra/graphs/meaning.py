"""What every processor gives over finite traces, slow and plain; whatever runs them is held to this.

    window(cumulate(add), 3)        over   3 1 4 1 5        gives   8 6 10

A trace is the values that came so far, and whether it has ended. A longer trace only adds values at the end of what
comes out. The time of an output is the latest in the front that released it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final, TypeAlias, TypeVar

from cepheid.algebra.graphs.layout import INPUT, Graph, Node, laid_out
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Operation
from cepheid.algebra.graphs.operations import Source, TimeWindow
from cepheid.algebra.graphs.processors import Atom, Processor
from cepheid.algebra.graphs.times import time_of
from cepheid.algebra.remembering import ByIdentity

Kind = TypeVar("Kind", bound=Operation)


@dataclass(frozen=True, slots=True)
class Trace:
    """The values so far, and whether there will be more."""

    values: Sequence[Thing] = ()
    has_ended: bool = True
    times: Sequence[int | None] | None = None


@dataclass(frozen=True, slots=True)
class World:
    """What a processor sees beside its inputs: names in its context; whether it runs inside a window, where sums of
    floats are correctly rounded; and how much of an endless source is looked at.
    """

    names: Mapping[str, Thing] = field(default_factory=dict)
    is_exact: bool = False
    horizon: int = 1000

    def bound(self, **names: Thing) -> "World":
        return replace(self, names={**self.names, **names})

    def in_window(self) -> "World":
        return replace(self, is_exact=True)


Meaning: TypeAlias = Callable[[Kind, Sequence[Trace], World], Sequence[Trace]]

_meanings: Final[dict[type[Operation], Meaning[Operation]]] = {}


def means(kind: type[Kind]) -> Callable[[Meaning[Kind]], Meaning[Kind]]:
    """Say what an operation gives: a function of itself, of its inputs and of the world around it."""

    def known(meaning: Meaning[Kind]) -> Meaning[Kind]:
        _meanings[kind] = meaning  # type: ignore[assignment]  # it is asked for operations of its kind only
        return meaning

    return known


def traces_of(processor: Processor, inputs: Sequence[Trace], world: World) -> list[Trace]:
    """Return the outputs of a processor over some inputs."""
    graph = laid_out(processor)
    worlds = _worlds(graph, world)
    in_time = reads_times(processor)
    given: list[Sequence[Trace]] = []
    for node in graph.nodes:
        read = [inputs[wire.output] if wire.node == INPUT else given[wire.node][wire.output] for wire in node.inputs]
        outputs = _outputs(node, read, worlds[node.scope])
        given.append(_timed(node.operation, read, worlds[node.scope], outputs) if in_time and read else outputs)
    return [inputs[wire.output] if wire.node == INPUT else given[wire.node][wire.output] for wire in graph.outputs]


def trace_of(body: Processor, trace: Trace, world: World) -> Sequence[Thing]:
    """Return what a fresh body of one output gives over a trace."""
    return traces_of(body, [trace] * body.inputs, world)[0].values


def part(trace: Trace, first: int, last: int, *, has_ended: bool = False) -> Trace:
    """Return the values of a trace from one place to before another."""
    times = None if trace.times is None else trace.times[first:last]
    return Trace(trace.values[first:last], has_ended, times)


def fronts(traces: Sequence[Trace]) -> list[tuple[Thing, ...]]:
    """Return the values at the same position of every trace, while all have one."""
    return list(zip(*(trace.values for trace in traces), strict=False))


def ends(traces: Sequence[Trace]) -> bool:
    """Say whether there are no more fronts: the shortest trace has ended."""
    shortest = min(len(trace.values) for trace in traces)
    return any(trace.has_ended and len(trace.values) == shortest for trace in traces)


@ByIdentity
def reads_times(processor: Processor) -> bool:
    """Say whether a window of time is somewhere in a processor."""
    ahead, seen = [processor], {id(processor)}
    while ahead:
        one = ahead.pop()
        if isinstance(one, Atom) and isinstance(one.operation, TimeWindow):
            return True
        ahead += [child for child in one.children if id(child) not in seen]
        seen |= {id(child) for child in one.children}
    return False


def _worlds(graph: Graph, world: World) -> list[World]:
    worlds = [world]
    for scope in graph.scopes[1:]:
        worlds.append(replace(world, names={**worlds[scope.parent].names, **scope.names}))
    return worlds


def _outputs(node: Node, inputs: Sequence[Trace], world: World) -> Sequence[Trace]:
    operation = node.operation
    if isinstance(operation, Source):
        values = list(islice(operation.read(), world.horizon + 1))
        return [Trace(values[: world.horizon], has_ended=len(values) <= world.horizon)]
    return _meanings[type(operation)](operation, inputs, world)


def _timed(operation: Operation, inputs: Sequence[Trace], world: World, given: Sequence[Trace]) -> Sequence[Trace]:
    """Return outputs with the time of the front that released each of them."""
    times = [_time(front) for front in zip(*map(times_in, inputs), strict=False)]
    if not any(time is not None for time in times):
        return given
    released: list[list[int | None]] = [[] for _ in given]
    for count, time in enumerate(times, start=1):
        seen = [Trace(trace.values[:count], has_ended=False, times=times_in(trace)[:count]) for trace in inputs]
        for told, trace in zip(released, _meanings[type(operation)](operation, seen, world), strict=True):
            told += [time] * (len(trace.values) - len(told))
    last = times[-1]
    return [
        replace(trace, times=[*told, *[last] * (len(trace.values) - len(told))])
        for told, trace in zip(released, given, strict=True)
    ]


def times_in(trace: Trace) -> Sequence[int | None]:
    return [time_of(value) for value in trace.values] if trace.times is None else trace.times


def _time(front: Sequence[int | None]) -> int | None:
    return max((time for time in front if time is not None), default=None)
