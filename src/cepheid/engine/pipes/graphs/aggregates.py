"""Windows over known aggregates: functions of single values are run once for each, cumulations slide, and functions of
those are run once for each window. Every other body is run anew over each window.
"""

from collections import deque
from typing import TypeAlias

from cepheid.algebra.graphs import operations as op
from cepheid.algebra.graphs.layout import INPUT, Wire
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.running import Around, Column, Outputs, Running, Stepwise, started
from cepheid.analysis.graphs.aggregation import Aggregation
from cepheid.engine.pipes.graphs.sliding_extremes import SlidingExtreme
from cepheid.engine.pipes.graphs.sliding_sums import ConstantSum, SlidingSum

Sliding: TypeAlias = ConstantSum | SlidingSum | SlidingExtreme


class SlidingWindow(Stepwise):
    """The values of the window, as each cumulation needs them."""

    def __init__(self, aggregation: Aggregation, size: int, around: Around) -> None:
        self.aggregation, self.size, self.around = aggregation, size, around
        nodes = aggregation.graph.nodes
        places = (*aggregation.before, *aggregation.behind)
        self.running: dict[int, Running] = {place: started(nodes[place].operation, around) for place in places}
        self.recent: deque[Thing] = deque(maxlen=size)
        self._begin()

    def take(self, *columns: Column) -> Outputs:
        column = columns[0]
        self.recent += column
        wires = {Wire(INPUT, 0): column}
        for place in self.aggregation.before:
            self._run(place, wires)
        slid = {place: self._slide(place, wires) for place in self.aggregation.cumulations}
        count = len(next(iter(slid.values())))
        wires = {wire: values[len(values) - count :] for wire, values in wires.items()}
        wires |= {Wire(place, 0): values for place, values in slid.items()}
        if count:
            for place in self.aggregation.behind:
                self._run(place, wires)
        return wires.get(self.aggregation.graph.outputs[0], [])

    def _run(self, place: int, wires: dict[Wire, Column]) -> None:
        node = self.aggregation.graph.nodes[place]
        outputs = self.running[place].take(*(wires[wire] for wire in node.inputs))
        columns = (outputs,) if isinstance(outputs, list) else outputs
        wires |= {Wire(place, output): values for output, values in enumerate(columns)}

    def _slide(self, place: int, wires: dict[Wire, Column]) -> Column:
        (wire,) = self.aggregation.graph.nodes[place].inputs
        return self.sliding[place].slide(wires[wire], self.size)

    def _begin(self) -> None:
        self.sliding: dict[int, Sliding] = {place: self._fresh(place) for place in self.aggregation.cumulations}

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
        self.recent.clear()
        if state:
            self.take(list(state))
