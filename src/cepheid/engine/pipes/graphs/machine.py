"""A graph that runs: columns of new values go through its steps in order, fronts wait in queues.

A pass takes what is new on the inputs and sources and hands it from step to step. A step of one input takes all of it;
one of several takes as many fronts as are complete, and the rest waits.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from cepheid.algebra.graphs.functions import Function
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.processors import Processor
from cepheid.algebra.graphs.running import Column, Inner, Outputs, Running, started
from cepheid.engine.pipes.graphs.closures import Call, call_of, kept, mapped
from cepheid.engine.pipes.graphs.fusing import Fused, fused
from cepheid.engine.pipes.graphs.passes import pass_of
from cepheid.engine.pipes.graphs.queues import Queues
from cepheid.engine.pipes.graphs.schedules import Schedule, Step, schedule_of
from cepheid.engine.pipes.graphs.scopes import Scope
from cepheid.engine.pipes.graphs.timing import InTime, alone, paired

_NONE: Final[Column] = []
"""Nothing new; nobody adds to it."""


class Surroundings:
    """What an operation finds around it in a run."""

    __slots__ = ("is_exact", "scope")

    def __init__(self, scope: Scope, is_exact: bool) -> None:
        self.scope, self.is_exact = scope, is_exact

    def name(self, name: str) -> Thing:
        return self.scope.name(name)

    def names(self) -> Mapping[str, Thing]:
        return self.scope.all_names()

    def inside(self, names: Mapping[str, Thing]) -> "Surroundings":
        return Surroundings(Scope(names, self.scope), self.is_exact)

    def assign(self, names: Mapping[str, Thing]) -> None:
        self.scope.names.update(names)

    def function(self, function: Function) -> Call:
        return call_of(function, self.scope)

    def mapped(self, function: Function) -> Callable[..., Column]:
        return mapped(function, self.scope)

    def kept(self, function: Function) -> Callable[[Column], Column]:
        return kept(function, self.scope)

    def start(self, body: Processor, names: Mapping[str, Thing] | None = None, *, in_window: bool = False) -> Inner:
        return InnerMachine(body, Scope(names, self.scope), self.is_exact or in_window)


class Machine:
    """A run of a processor. Values come in by `turn`; what it gave is the new values of each output."""

    def __init__(self, schedule: Schedule, scope: Scope | None = None, is_exact: bool = False) -> None:
        self.schedule = schedule
        self.root = Scope() if scope is None else scope
        self.is_exact = is_exact
        self.begin()

    def begin(self) -> None:
        """Forget everything but the context that was handed in."""
        schedule = self.schedule
        self.scopes = [self.root]
        for scope in schedule.graph.scopes[1:]:
            self.scopes.append(Scope(scope.names, self.scopes[scope.parent]))
        around = [Surroundings(scope, self.is_exact) for scope in self.scopes]
        self.running: list[Running] = [started(step.operation, around[step.scope]) for step in schedule.steps]
        if schedule.in_time:
            self.running = [InTime(running) for running in self.running]
        self.queues = [Queues(len(step.inputs)) if len(step.inputs) > 1 else None for step in schedule.steps]
        self.closed = [False] * schedule.wires
        self.done = [False] * len(schedule.steps)
        self.taken = [0] * len(schedule.sources)
        self._readers: list[Iterator[Thing] | None] = [None] * len(schedule.sources)
        self.run_pass = pass_of(schedule, self.running, self.queues)

    def turn(
        self,
        given: Sequence[Column],
        closing: Sequence[bool] | None = None,
        times: Sequence[int | None] | None = None,
    ) -> list[Column]:
        """Take new values of every input, and perhaps the end of some; return the new values of every output.

        `times` are those of the new values, where they do not tell them.
        """
        if self.schedule.in_time:
            pairs = [paired(column, times if column else None) for column in given]
            return [alone(column) for column in self._turned(pairs, closing)]
        return self._turned(given, closing)

    def _turned(self, given: Sequence[Column], closing: Sequence[bool] | None) -> list[Column]:
        if closing is None and not self.schedule.ends_early:
            return self.run_pass(*given)
        outputs = self._pass(given, [_NONE] * len(self.taken), closing)
        while self.taken and (wanted := self._wanted()):
            sources = [self._read(place, wanted.get(place, 0)) for place in range(len(self.taken))]
            more = self._pass([_NONE] * self.schedule.inputs, sources, None)
            outputs = [[*one, *other] for one, other in zip(outputs, more, strict=True)]
        return outputs

    def draw(self, count: int, *, endless: bool = False) -> list[Column]:
        """Take so many values of every source that ends, or of those that do not, and return what that gives."""
        kinds = [source.is_endless for source in self.schedule.sources]
        sources = [self._read(place, count if kind == endless else 0) for place, kind in enumerate(kinds)]
        outputs = self._pass([_NONE] * self.schedule.inputs, sources, None)
        more = self._turned([_NONE] * self.schedule.inputs, None)
        both = [[*one, *other] for one, other in zip(outputs, more, strict=True)]
        return list(map(alone, both)) if self.schedule.in_time else both

    @property
    def is_plain(self) -> bool:
        """Whether a value of the only input needs no more than a pass, which gives values of the only output."""
        schedule = self.schedule
        return schedule.inputs == len(schedule.outputs) == 1 and not schedule.ends_early and not schedule.in_time

    def fused(self) -> Fused | None:
        """Return what takes one value at a time, where each has one output at most."""
        return fused(self.schedule, self.running, self.queues)

    @property
    def is_over(self) -> bool:
        """Has every output ended? Where there is none, has every step?"""
        outputs = self.schedule.outputs
        return all(self.closed[wire] for wire in outputs) if outputs else all(self.done)

    @property
    def has_finite_sources(self) -> bool:
        """Is there a source that may still give something, and that ends?"""
        first = self.schedule.inputs
        sources = self.schedule.sources
        return any(not source.is_endless and not self.closed[first + place] for place, source in enumerate(sources))

    def _read(self, place: int, count: int) -> Column:
        """Return the next values of a source; one that has no more is closed."""
        number = self.schedule.inputs + place
        if not count or self.closed[number]:
            return _NONE
        reader = self._readers[place]
        if reader is None:
            reader = self._readers[place] = islice(self.schedule.sources[place].read(), self.taken[place], None)
        values = list(islice(reader, count))
        self.taken[place] += len(values)
        self.closed[number] = len(values) < count
        return paired(values) if self.schedule.in_time else values

    def _wanted(self) -> dict[int, int]:
        """Return the sources that values wait for and that can help them, and how many of theirs."""
        schedule, wanted = self.schedule, dict[int, int]()
        # What each wire needs before something can come of it: sources, or None where only an input can help.
        needs: list[frozenset[int] | None] = [None] * schedule.inputs
        open_ones = [not self.closed[schedule.inputs + place] for place in range(len(schedule.sources))]
        needs += [frozenset({place}) if is_open else None for place, is_open in enumerate(open_ones)]
        for queues, step, is_done in zip(self.queues, schedule.steps, self.done, strict=True):
            waiting = [_NONE] if queues is None else queues.waiting
            empty = [needs[wire] for queue, wire in zip(waiting, step.inputs, strict=True) if not queue]
            helpful = _united(empty)
            needs += [None if is_done else helpful] * len(step.outputs)
            longest = max(map(len, waiting))
            if longest and helpful and not is_done:
                wanted |= {one: max(longest, wanted.get(one, 0)) for one in helpful}
        return wanted

    def _pass(self, given: Sequence[Column], sources: Sequence[Column], closing: Sequence[bool] | None) -> list[Column]:
        wires: list[Column] = [*given, *sources]
        wires += [_NONE] * (self.schedule.wires - len(wires))
        if closing is not None:
            for place, closes in enumerate(closing):
                self.closed[place] = self.closed[place] or closes
        for place, step in enumerate(self.schedule.steps):
            self._step_with_end(place, step, wires)
        return [wires[wire] for wire in self.schedule.outputs]

    def _step(self, place: int, step: Step, wires: list[Column]) -> None:
        """Hand a step what is new on its inputs, and put what it gives on its outputs."""
        queues = self.queues[place]
        if queues is None:
            column = wires[step.inputs[0]]
            if column:
                _put(wires, step, self.running[place].take(column))
        elif any(wires[wire] for wire in step.inputs):
            columns = queues.fronts([wires[wire] for wire in step.inputs])
            if columns[0]:
                _put(wires, step, self.running[place].take(*columns))

    def _step_with_end(self, place: int, step: Step, wires: list[Column]) -> None:
        """Do the same, and end the step when there can be no more fronts."""
        if self.done[place]:
            return
        self._step(place, step, wires)
        running, queues = self.running[place], self.queues[place]
        over = any(
            self.closed[wire] and (queues is None or not queues.waiting[index])
            for index, wire in enumerate(step.inputs)
        )
        if over:
            _add(wires, step, running.end())
        if over or getattr(running, "is_full", False):
            self.done[place] = True
            for wire in step.outputs:
                self.closed[wire] = True

    def held(self) -> int:
        """Return how many entries this keeps: in queues, and in the operations."""
        waiting = sum(len(queue) for queues in self.queues if queues is not None for queue in queues.waiting)
        return waiting + sum(running.held() for running in self.running)

    def state(self) -> Thing:
        """Return all that this keeps, in containers of its own."""
        return {
            "scopes": [dict(scope.names) for scope in self.scopes],
            "running": [running.state() for running in self.running],
            "queues": [None if queues is None else [list(queue) for queue in queues.waiting] for queues in self.queues],
            "closed": list(self.closed),
            "done": list(self.done),
            "taken": list(self.taken),
        }

    def restore(self, state: Thing) -> None:
        """Go on from a state that `state` told."""
        self.begin()
        for scope, names in zip(self.scopes, state["scopes"], strict=True):
            scope.names = dict(names)
        for running, own in zip(self.running, state["running"], strict=True):
            running.restore(own)
        for queues, waiting in zip(self.queues, state["queues"], strict=True):
            if queues is not None:
                for queue, values in zip(queues.waiting, waiting, strict=True):
                    queue[:] = values
        self.closed, self.done, self.taken = list(state["closed"]), list(state["done"]), list(state["taken"])

    def set_name(self, name: str, value: Thing) -> None:
        """Change a name of the context, wherever it is bound; elsewhere bind it for all."""
        bound = [scope for scope in self.scopes if name in scope.names] or [self.root]
        for scope in bound:
            scope.names[name] = value


class InnerMachine:
    """A running copy of a body inside another processor: of one output, and of one input or none."""

    __slots__ = ("machine",)

    def __init__(self, body: Processor, scope: Scope, is_exact: bool) -> None:
        self.machine = Machine(schedule_of(body), scope, is_exact)

    def push(self, value: Thing, time: int | None = None) -> Column:
        return self.machine.turn([[value]], None, [time])[0]

    def take(self, values: Column, times: Sequence[int | None] | None = None) -> Column:
        """Return the new outputs of several values at once."""
        return self.machine.turn([values], None, times)[0]

    def end(self) -> Column:
        return self.machine.turn([_NONE], [True])[0]

    def begin(self) -> None:
        self.machine.begin()

    def held(self) -> int:
        return self.machine.held()

    def state(self) -> Thing:
        return self.machine.state()

    def restore(self, state: Thing) -> None:
        self.machine.restore(state)


def _put(wires: list[Column], step: Step, outputs: Outputs) -> None:
    if isinstance(outputs, list):
        wires[step.outputs[0]] = outputs
    else:
        for wire, column in zip(step.outputs, outputs, strict=True):
            wires[wire] = column


def _add(wires: list[Column], step: Step, outputs: Outputs) -> None:
    columns = (outputs,) if isinstance(outputs, list) else outputs
    for wire, column in zip(step.outputs, columns, strict=True):
        if column:
            wires[wire] = [*wires[wire], *column]


def _united(needs: Sequence[frozenset[int] | None]) -> frozenset[int] | None:
    """Return all that some wires need; None where one of them cannot be helped."""
    found = frozenset[int]()
    for one in needs:
        if one is None:
            return None
        found |= one
    return found
