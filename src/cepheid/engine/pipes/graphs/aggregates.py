"""Windows over known aggregates: functions of single values are run once for each, cumulations slide, and functions of
those are run once for each window. Every other body is run anew over each window.
"""

from collections import deque
from collections.abc import Callable
from types import CellType
from typing import TypeAlias

from cepheid.algebra.graphs import operations as op
from cepheid.algebra.graphs.layout import INPUT, Wire
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.running import Around, Column, Outputs, Running, Stepwise, started
from cepheid.analysis.graphs.aggregation import Aggregation
from cepheid.engine.pipes.graphs.cells import cells_of
from cepheid.engine.pipes.graphs.sliding_extremes import SlidingExtreme
from cepheid.engine.pipes.graphs.sliding_sums import ConstantSum, SlidingSum
from cepheid.engine.pipes.graphs.window_texts import counted_by

_Step: TypeAlias = tuple[Callable[..., Outputs], tuple[int, ...], tuple[int, ...]]
Sliding: TypeAlias = ConstantSum | SlidingSum | SlidingExtreme


class SlidingWindow(Stepwise):
    """The values of the window, as each cumulation needs them.

    Wires are numbered in the order of the nodes; the input of the body is wire 0. `cells` is what the text of this
    window names; see `window_texts`.
    """

    def __init__(self, aggregation: Aggregation, size: int, around: Around) -> None:
        self.aggregation, self.size = aggregation, size
        self.numbers = {Wire(INPUT, 0): 0}
        for place, node in enumerate(aggregation.graph.nodes):
            for output in range(node.operation.outputs):
                self.numbers[Wire(place, output)] = len(self.numbers)
        self.calls: dict[str, CellType] = {}
        self.before = [self._step(place, around) for place in aggregation.before]
        self.behind = [self._step(place, around) for place in aggregation.behind]
        self.result = self.numbers[aggregation.graph.outputs[0]]
        self.recent: deque[Thing]
        self.cells: dict[str, CellType]
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

    def shorten(self) -> None:
        """Let all sums go their short way from now on, where the values of the window allow that."""
        first, size = self.sums[0], self.size
        kind = float if first.usual else int
        if all(one.can_shorten(kind, size) for one in self.sums):
            for one in self.sums:
                one.shorten(kind)

    def _step(self, place: int, around: Around) -> _Step:
        node = self.aggregation.graph.nodes[place]
        inputs = tuple(self.numbers[wire] for wire in node.inputs)
        outputs = tuple(self.numbers[Wire(place, output)] for output in range(node.operation.outputs))
        running = started(node.operation, around)
        give = getattr(running, "give", None) or _Giver(running).give
        self.calls[f"call{place}"] = CellType(give)
        return running.take, inputs, outputs

    def _begin(self) -> None:
        nodes = self.aggregation.graph.nodes
        self.slides: list[tuple[Sliding, int, int]] = [
            (self._fresh(place), self.numbers[nodes[place].inputs[0]], self.numbers[Wire(place, 0)])
            for place in self.aggregation.cumulations
        ]
        self.sums = [one for one, _, _ in self.slides if isinstance(one, SlidingSum)]
        # Where a cumulation keeps the values themselves, nobody else needs to.
        kept = [one.window for one, wire, _ in self.slides if wire == 0 and not isinstance(one, ConstantSum)]
        self._is_shared = bool(kept)
        self.recent = kept[0] if kept else deque(maxlen=self.size)
        remember = {} if self._is_shared else {"remember": CellType(self.recent.append)}
        self.cells = {**self.calls, "shorten": CellType(self.shorten), **remember}
        for number, (one, _, _) in enumerate(self.slides):
            self.cells |= {f"{number}_{key}": cell for key, cell in _cells(one).items()}

    def _fresh(self, place: int) -> Sliding:
        operation = self.aggregation.graph.nodes[place].operation
        assert isinstance(operation, op.Cumulate)
        if operation.known == "+":
            counted = counted_by(self.aggregation, place)
            initial = operation.initial
            return SlidingSum(initial, self.size) if counted is None else ConstantSum(initial, counted, self.size)
        return SlidingExtreme(str(operation.known), operation.initial)

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


class _Giver:
    """Takes a front of an operation that gives a value on each output, and returns these."""

    def __init__(self, running: Running) -> None:
        self.take = running.take

    def give(self, *front: Thing) -> Thing:
        told = self.take(*([value] for value in front))
        return told[0] if isinstance(told, list) else tuple(column[0] for column in told)


def _cells(sliding: Sliding) -> dict[str, CellType]:
    one = {"one": CellType(sliding.slide_one)}
    if not isinstance(sliding, SlidingSum):
        return one
    window = sliding.window
    return {**one, **cells_of(sliding), "add": CellType(window.append), "drop": CellType(window.popleft)}


def _run(step: _Step, wires: list[Column]) -> None:
    take, inputs, outputs = step
    made = take(wires[inputs[0]]) if len(inputs) == 1 else take(*(wires[wire] for wire in inputs))
    if isinstance(made, list):
        wires[outputs[0]] = made
    else:
        for wire, values in zip(outputs, made, strict=True):
            wires[wire] = values
