"""What all processors have in common: they take what is new on their inputs and give what is new on their output."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping, Sequence

from cepheid.algebra.evaluation import Scope, evaluate
from cepheid.algebra.expressions import Expr
from cepheid.algebra.pipe_semantics import Timed
from cepheid.algebra.programs import Table
from cepheid.events import Value


class Feed:
    """What is new to a whole pipe: values by source, and by rule."""

    def __init__(
        self,
        records: Mapping[str, Sequence[Timed]] | None = None,
        matches: Mapping[str, Sequence[Timed]] | None = None,
        tables: Mapping[str, Table] | None = None,
    ) -> None:
        self.records = records or {}
        self.matches = matches or {}
        self.tables = tables or {}

    def value(self, function: Expr, front: Sequence[Value], **more: Value) -> Value:
        inputs = {f"${index}": value for index, value in enumerate(front)}
        return evaluate(function, Scope(variables={**inputs, **more}, tables=self.tables))


class Processor(ABC):
    """A pipe at work; `inputs` are what flows into it."""

    def __init__(self, inputs: Sequence["Processor"] = ()) -> None:
        self.inputs = inputs

    @abstractmethod
    def turn(self, feed: Feed) -> list[Timed]:
        """Take in what is new, and return what comes out by that."""

    def held(self) -> int:
        """Return how much is kept here, inputs and bodies not counted."""
        return 0

    def sizes(self) -> list[int]:
        """Return how much is kept here, in every input and in all bodies, in the order of `analysis.processors`."""
        return [self.held(), *(size for each in self.inputs for size in each.sizes()), *self.body_sizes()]

    def body_sizes(self) -> Sequence[int]:
        """Return how much the processors of a body keep, over all its copies."""
        return ()

    def state(self) -> object:
        """Return the state as plain data, None if there is none."""
        return None

    def restore(self, state: object) -> None:  # noqa: B027  # a processor without state has nothing to do
        """Take up a state that `state` gave."""


class Fronts:
    """The queues in front of a processor with several inputs: a front is complete when each has a value."""

    def __init__(self, inputs: Sequence[Processor]) -> None:
        self.inputs = inputs
        self.queues: list[deque[Timed]] = [deque() for _ in inputs]

    def turn(self, feed: Feed) -> list[tuple[int, tuple[Value, ...]]]:
        for queue, processor in zip(self.queues, self.inputs, strict=True):
            queue.extend(processor.turn(feed))
        complete = []
        while all(self.queues):
            front = [queue.popleft() for queue in self.queues]
            complete.append((max(timed.time for timed in front), tuple(timed.value for timed in front)))
        return complete

    def held(self) -> int:
        return sum(len(queue) for queue in self.queues)

    def state(self) -> object:
        return [[[tuple(timed) for timed in queue] for queue in self.queues], [each.state() for each in self.inputs]]

    def restore(self, state: object) -> None:
        assert isinstance(state, list)
        waiting, below = state
        self.queues = [deque(Timed(*timed) for timed in queue) for queue in waiting]
        for each, its in zip(self.inputs, below, strict=True):
            each.restore(its)
