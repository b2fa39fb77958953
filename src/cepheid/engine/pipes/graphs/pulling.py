"""Outputs that are pulled: each turn takes one value from every input."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

from cepheid.algebra.graphs.functions import NOTHING
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.processors import Processor
from cepheid.algebra.graphs.refusals import refusal
from cepheid.engine.pipes.graphs.machine import Machine
from cepheid.engine.pipes.graphs.schedules import schedule_of

Answer: TypeAlias = Literal["yes", "no", "maybe"]


class Crank:
    """A machine with traces to read, and what waits on each of its outputs."""

    def __init__(self, processor: Processor, traces: tuple[Iterable[Thing], ...]) -> None:
        check_traces(processor, traces)
        self.machine = Machine(schedule_of(processor))
        self.traces = [iter(trace) for trace in traces]
        self.waiting: list[deque[Thing]] = [deque() for _ in range(processor.outputs)]
        # One trace, and nothing that ends before it: then a turn needs no look at anything else.
        self._is_plain = len(traces) == 1 and not self.machine.schedule.ends_early
        self._has_ended = False

    @property
    def is_over(self) -> bool:
        """Will no turn give anything more?"""
        if self._is_plain:
            return self._has_ended
        machine = self.machine
        if machine.is_over:
            return True
        is_open = not all(machine.closed[: machine.schedule.inputs]) or machine.has_finite_sources
        return not is_open and not any(source.is_endless for source in machine.schedule.sources)

    def turn(self) -> None:
        """Take one value from every input and source."""
        machine = self.machine
        if self._is_plain:
            value = next(self.traces[0], NOTHING)
            self._has_ended = value is NOTHING
            self._keep(machine.turn([[]], [True]) if self._has_ended else machine.turn([[value]]))
            return
        columns, closing = [], []
        for place, trace in enumerate(self.traces):
            value = NOTHING if machine.closed[place] else next(trace, NOTHING)
            columns.append([] if value is NOTHING else [value])
            closing.append(value is NOTHING)
        had_any = any(columns) or machine.has_finite_sources
        outputs = machine.turn(columns, closing if any(closing) else None)
        self._keep(outputs)
        if machine.schedule.sources:
            self._keep(machine.draw(1) if had_any else machine.draw(1, endless=True))

    def _keep(self, outputs: list[list[Thing]]) -> None:
        for queue, column in zip(self.waiting, outputs, strict=True):
            if column:
                queue += column


class Pullable(Iterator[Thing]):
    """An iterator over some outputs of a crank: the values of one, or tuples of several."""

    def __init__(self, crank: Crank, outputs: range) -> None:
        self._crank = crank
        self._queues = [crank.waiting[place] for place in outputs]
        self._values = self._passed()

    def __iter__(self) -> Iterator[Thing]:
        return self if self._values is None else self._values

    def __next__(self) -> Thing:
        if self._values is not None:
            return next(self._values)
        if not self.has_next():
            raise StopIteration
        return self._take()

    def _passed(self) -> Iterator[Thing] | None:
        """Return the values of one output, where each value of the only trace needs no more than a pass.

        Whatever waits is in the queue and not here, so that all other ways to turn can be used in between.
        """
        machine = self._crank.machine
        if not machine.is_plain:
            return None
        fused = machine.fused()
        return self._several() if fused is None else fused.pulled(self._crank)

    def _several(self) -> Iterator[Thing]:
        """Yield the outputs of values that may have several."""
        crank, (queue,) = self._crank, self._queues
        run_pass = crank.machine.run_pass
        while True:
            while queue:
                yield queue.popleft()
            if crank.is_over:
                return
            for value in crank.traces[0]:
                (outputs,) = run_pass([value])
                if outputs:
                    queue += outputs[1:]
                    yield outputs[0]
                    if queue:
                        break
            else:
                crank.turn()

    def soft(self) -> Thing:
        """Return the next output that waits, else what one turn gives first, else `NOTHING`."""
        if not all(self._queues) and not self._crank.is_over:
            self._crank.turn()
        return self._take() if all(self._queues) else NOTHING

    def has_next(self) -> bool:
        """Turn until there is an output, and say whether there is one."""
        queues, crank = self._queues, self._crank
        while not all(queues):
            if crank.is_over:
                return False
            crank.turn()
        return True

    def has_next_soft(self) -> Answer:
        """Say whether there is an output after at most one turn; where there is none yet, there may be one later."""
        if not all(self._queues) and not self._crank.is_over:
            self._crank.turn()
        if all(self._queues):
            return "yes"
        return "no" if self._crank.is_over else "maybe"

    def _take(self) -> Thing:
        if len(self._queues) == 1:
            return self._queues[0].popleft()
        return tuple(queue.popleft() for queue in self._queues)


def check_traces(processor: Processor, traces: tuple[Iterable[Thing], ...]) -> None:
    """Refuse more or fewer traces than a processor has inputs."""
    if len(traces) != processor.inputs:
        message = f"`{processor!r}` has {processor.inputs} inputs, and there are {len(traces)} traces"
        raise refusal(message, "give one trace for each input")
