"""Windows over known aggregates: functions of single values are run once for each, cumulations slide, and functions of
those are run once for each window. Every other body is run anew over each window.
"""

from collections import deque
from collections.abc import Callable
from typing import TypeAlias

from cepheid.algebra.graphs import operations as op
from cepheid.algebra.graphs.functions import NOTHING
from cepheid.algebra.graphs.layout import INPUT, Wire
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.running import Around, Column, Outputs, Stepwise, started
from cepheid.analysis.graphs.aggregation import Aggregation
from cepheid.engine.pipes.graphs.passes import defined
from cepheid.engine.pipes.graphs.sliding_extremes import SlidingExtreme
from cepheid.engine.pipes.graphs.sliding_sums import ConstantSum, SlidingSum

_Step: TypeAlias = tuple[Callable[..., Outputs], tuple[int, ...], tuple[int, ...]]
Sliding: TypeAlias = ConstantSum | SlidingSum | SlidingExtreme


class SlidingWindow(Stepwise):
    """The values of the window, as each cumulation needs them.

    Wires are numbered in the order of the nodes; the input of the body is wire 0.
    """

    def __init__(self, aggregation: Aggregation, size: int, around: Around) -> None:
        self.aggregation, self.size = aggregation, size
        self.numbers = {Wire(INPUT, 0): 0}
        for place, node in enumerate(aggregation.graph.nodes):
            for output in range(node.operation.outputs):
                self.numbers[Wire(place, output)] = len(self.numbers)
        self.calls: dict[int, tuple[Callable[..., Thing], tuple[int, ...], int]] = {}
        self.gives_singly = True
        self.before = [self._step(place, around) for place in aggregation.before]
        self.behind = [self._step(place, around) for place in aggregation.behind]
        self.result = self.numbers[aggregation.graph.outputs[0]]
        self.recent: deque[Thing]
        self.give: Callable[[Thing], Thing]
        self._begin()

    def take(self, *columns: Column) -> Outputs:
        column = columns[0]
        if not self._is_shared:
            self.recent += column
        wires: list[Column] = [column] * len(self.numbers)
        for step in self.before:
            _run(step, wires)
        for sliding, wire, output in self.slides:
            wires[output] = sliding.slide(wires[wire], self.size)
        count = len(wires[self.slides[0][2]])
        if count != len(column):
            wires = [values[len(values) - count :] if values else values for values in wires]
        for step in self.behind if count else ():
            _run(step, wires)
        return wires[self.result] if count else []

    def _step(self, place: int, around: Around) -> _Step:
        node = self.aggregation.graph.nodes[place]
        inputs = tuple(self.numbers[wire] for wire in node.inputs)
        outputs = tuple(self.numbers[Wire(place, output)] for output in range(node.operation.outputs))
        running = started(node.operation, around)
        if getattr(running, "give", None) is None or len(outputs) != 1 or getattr(running, "tests", False):
            self.gives_singly = False
        else:
            self.calls[place] = running.give, inputs, outputs[0]  # type: ignore[attr-defined]  # it is there
        return running.take, inputs, outputs

    def _begin(self) -> None:
        nodes = self.aggregation.graph.nodes
        self.slides: list[tuple[Sliding, int, int]] = [
            (self._fresh(place), self.numbers[nodes[place].inputs[0]], self.numbers[Wire(place, 0)])
            for place in self.aggregation.cumulations
        ]
        # Where a cumulation keeps the values themselves, nobody else needs to.
        kept = [one.window for one, wire, _ in self.slides if wire == 0 and not isinstance(one, ConstantSum)]
        self._is_shared = bool(kept)
        self.recent = kept[0] if kept else deque(maxlen=self.size)
        if self.gives_singly:
            self.give = self._giver()

    def _giver(self) -> Callable[[Thing], Thing]:
        """Return what takes one value, and gives what the body does where the window is complete."""
        aggregation = self.aggregation
        slides = [
            (sliding.giver(self.size), (0 if isinstance(sliding, ConstantSum) else wire,), output)
            for sliding, wire, output in self.slides
        ]
        used = {wire for sliding, wire, _ in self.slides if not isinstance(sliding, ConstantSum)}
        used |= {wire for place in (*aggregation.before, *aggregation.behind) for wire in self.calls[place][1]}
        before = [self.calls[place] for place in aggregation.before if self.calls[place][2] in used]
        behind = [self.calls[place] for place in aggregation.behind]
        steps = [*before, *slides, *behind]
        lines = ["def make(calls, add, nothing):"]
        lines += [f"    c{place} = calls[{place}]" for place in range(len(steps))]
        lines += ["    def give(w0):", *(() if self._is_shared else ("        add(w0)",))]
        for place, (_, inputs, output) in enumerate(steps):
            lines.append(f"        w{output} = c{place}({', '.join(f'w{wire}' for wire in inputs)})")
            if place == len(before) + len(slides) - 1:
                lines.append(f"        if w{output} is nothing: return nothing")
        make = defined((*lines, f"        return w{self.result}", "    return give"))
        made: Callable[[Thing], Thing] = make([call for call, _, _ in steps], self.recent.append, NOTHING)
        return made

    def _fresh(self, place: int) -> Sliding:
        operation = self.aggregation.graph.nodes[place].operation
        assert isinstance(operation, op.Cumulate)
        if operation.known == "+":
            constant = self._constant(place)
            if constant is not None and type(operation.initial) is int:
                return ConstantSum(operation.initial, constant)
            return SlidingSum(operation.initial)
        return SlidingExtreme(str(operation.known), operation.initial)

    def _constant(self, place: int) -> int | None:
        """Return the whole number that a cumulation sums up, where it is the same for all values."""
        nodes = self.aggregation.graph.nodes
        wire = nodes[place].inputs[0]
        giver = None if wire.node == INPUT else nodes[wire.node].operation
        return giver.value if isinstance(giver, op.TurnInto) and type(giver.value) is int else None

    def held(self) -> int:
        return len(self.recent)

    def state(self) -> Thing:
        return list(self.recent)

    def restore(self, state: Thing) -> None:
        self._begin()
        if state:
            self.take(list(state))


class SlidingParts:
    """Cumulations to which values are added and from which the oldest are dropped, however many there are."""

    def __init__(self, aggregation: Aggregation, around: Around) -> None:
        self.window = SlidingWindow(aggregation, 1, around)
        self.wires: list[Column] = []

    def add(self, value: Thing) -> None:
        """Take the next value."""
        self.wires = [[value]] * len(self.window.numbers)
        for step in self.window.before:
            _run(step, self.wires)
        for sliding, wire, _ in self.window.slides:
            sliding.add(self.wires[wire][0])

    def drop(self) -> None:
        """Let go of the oldest value."""
        for sliding, _, _ in self.window.slides:
            sliding.drop()

    def told(self) -> Thing:
        """Return what the body gives over the values that are left."""
        for sliding, _, output in self.window.slides:
            self.wires[output] = [sliding.told()]
        for step in self.window.behind:
            _run(step, self.wires)
        return self.wires[self.window.result][0]


def _run(step: _Step, wires: list[Column]) -> None:
    take, inputs, outputs = step
    made = take(wires[inputs[0]]) if len(inputs) == 1 else take(*(wires[wire] for wire in inputs))
    if isinstance(made, list):
        wires[outputs[0]] = made
    else:
        for wire, values in zip(outputs, made, strict=True):
            wires[wire] = values
