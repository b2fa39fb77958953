"""How operations run that have a body: windows, slices, and runs over a collection."""

from cepheid.algebra.graphs import operations as op
from cepheid.algebra.graphs.collections import elements
from cepheid.algebra.graphs.meaning import reads_times
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.running import Around, Column, Inner, Outputs, Stepwise, runs
from cepheid.algebra.graphs.slices import gathered, slice_key
from cepheid.analysis.graphs.aggregation import aggregation_of
from cepheid.engine.pipes.graphs.aggregates import SlidingWindow


@runs(op.Window)
def _window(operation: op.Window, around: Around) -> Stepwise:
    if reads_times(operation.body):
        return TimedReplay(operation, around)
    aggregation = aggregation_of(operation.body)
    if aggregation is not None:
        return SlidingWindow(aggregation, operation.size, around)
    return Replay(operation, around)


class Replay(Stepwise):
    """The values that the next window begins with; a fresh body runs over each window."""

    kept = ("before",)

    def __init__(self, operation: op.Window, around: Around) -> None:
        self.size = operation.size
        self.body = around.start(operation.body, in_window=True)
        self.before: Column = []

    def take(self, *columns: Column) -> Outputs:
        values, size = [*self.before, *columns[0]], self.size
        outputs: Column = []
        for first in range(len(values) - size + 1):
            self.body.begin()
            outputs += self.body.take(values[first : first + size])[size - 1 : size]
        self.before = values[max(0, len(values) - size + 1) :]
        return outputs


class TimedReplay(Stepwise):
    """The same, where the body has windows of time: values are kept with their times."""

    kept = ("before",)

    def __init__(self, operation: op.Window, around: Around) -> None:
        self.size = operation.size
        self.body = around.start(operation.body, in_window=True)
        self.before: Column = []

    def take_at(self, time: int | None, value: Thing) -> Column:
        """Take a value at its time."""
        self.before.append((time, value))
        if len(self.before) < self.size:
            return []
        self.body.begin()
        times, values = zip(*self.before, strict=True)
        del self.before[0]
        return self.body.take(list(values), times)[self.size - 1 : self.size]


@runs(op.RunOn)
class CollectionRun(Stepwise):
    """Keeps nothing; a fresh body runs over each collection, which then ends."""

    def __init__(self, operation: op.RunOn, around: Around) -> None:
        self.body = around.start(operation.body)

    def step(self, *front: Thing) -> Column:
        self.body.begin()
        outputs = [*self.body.take(list(elements(front[0]))), *self.body.end()]
        return outputs[-1:]


@runs(op.Slice)
class Slicing(Stepwise):
    """A body for each key, and the last output of each that gave one."""

    def __init__(self, operation: op.Slice, around: Around) -> None:
        self.operation, self.around = operation, around
        self.key = around.function(operation.function)
        self.arity = operation.function.arity
        self.bodies: dict[Thing, Inner] = {}
        self.last: dict[Thing, Thing] = {}
        self.now: int | None = None

    def take_at(self, time: int | None, *front: Thing) -> Column:
        """Take a value at its time, which the bodies are told."""
        self.now = time
        return self.step(*front)

    def step(self, *front: Thing) -> Column:
        key = slice_key(self.key(*front[: self.arity]))
        if key == op.EVERY_SLICE:
            for one in self.bodies:
                self._push(one, front[0])
        elif key is not None:
            if key not in self.bodies:
                self.bodies[key] = self.around.start(self.operation.body)
            self._push(key, front[0])
        return [gathered(self.operation.gather, self.last.items())]

    def held(self) -> int:
        return len(self.bodies) + sum(body.held() for body in self.bodies.values())

    def _push(self, key: Thing, value: Thing) -> None:
        outputs = self.bodies[key].push(value, self.now)
        if outputs:
            self.last[key] = outputs[-1]

    def state(self) -> Thing:
        return {"bodies": {key: body.state() for key, body in self.bodies.items()}, "last": dict(self.last)}

    def restore(self, state: Thing) -> None:
        self.bodies = {key: self.around.start(self.operation.body) for key in state["bodies"]}
        for key, kept in state["bodies"].items():
            self.bodies[key].restore(kept)
        self.last = dict(state["last"])
