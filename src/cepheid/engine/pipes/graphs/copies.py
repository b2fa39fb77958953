"""A running copy of a processor, as users hold it: values are pushed into it."""

from collections.abc import Callable
from types import FunctionType
from typing import Final

from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.processors import Processor
from cepheid.algebra.graphs.refusals import refusal
from cepheid.algebra.graphs.times import ticks_of
from cepheid.engine.pipes.graphs.cells import hand_on
from cepheid.engine.pipes.graphs.fusing import check_input
from cepheid.engine.pipes.graphs.machine import Machine
from cepheid.engine.pipes.graphs.schedules import schedule_of
from cepheid.engine.pipes.graphs.snapshots import read_snapshot, written_snapshot

Column = list[Thing]
_NONE: Final[Column] = []
_MOST_AT_ONCE: Final = 1024


class RunningCopy:
    """A processor that runs: `push` gives the new outputs, `end` what the end of the inputs releases."""

    def __init__(self, processor: Processor, snapshot: bytes | None = None) -> None:
        self.processor = processor
        self.machine = Machine(schedule_of(processor))
        self._has_ended = False
        self.push: Callable[..., Thing] = self._pushed
        """Give a value to an input, and return the new outputs; a tuple of lists where there are several outputs."""
        if snapshot is not None:
            self._has_ended, state = read_snapshot(processor, snapshot)
            self.machine.restore(state)
        self._ready()

    def _ready(self) -> None:
        """Find the shortest way for a value. Who still holds that of before is sent on by it to `_pushed`."""
        machine, is_open = self.machine, not self._has_ended
        if isinstance(self.push, FunctionType):
            hand_on(self.push, self._pushed)
        fused = machine.fused() if is_open else None
        self._pass = machine.run_pass if is_open and machine.is_plain else None
        self.push = self._pushed if fused is None else fused.push()

    def _pushed(self, value: Thing, at: int | None = None, time: Thing = None) -> Thing:
        place = 0 if at is None else at
        if self._pass is not None and place == 0:
            return [*self._pass([value])[0]]
        inputs = self.machine.schedule.inputs
        check_input(place, inputs)
        if self._has_ended:
            raise refusal("the inputs of this running copy have ended", "start another one, or `reset()` this one")
        given = [_NONE] * inputs
        given[place] = [value]
        return self._told(self.machine.turn(given, None, None if time is None else [ticks_of(time)]))

    def end(self) -> Thing:
        """End the inputs, and return what that releases."""
        if self._has_ended:
            return self._told([[] for _ in self.machine.schedule.outputs])
        self._has_ended = True
        self._ready()
        inputs = self.machine.schedule.inputs
        return self._told(rest(self.machine, self.machine.turn([_NONE] * inputs, [True] * inputs)))

    def copy(self, state: bool = True) -> "RunningCopy":
        """Return another running copy, which goes on from here or, without the state, starts anew."""
        other = RunningCopy(self.processor)
        if state:
            other.machine.restore(self.machine.state())
            other._has_ended = self._has_ended
            other._ready()
        else:
            for own, names in zip(other.machine.scopes, self.machine.scopes, strict=True):
                own.names = dict(names.names)
        return other

    def reset(self) -> None:
        """Start anew; what was set in the context stays."""
        names = [scope.names for scope in self.machine.scopes]
        self.machine.begin()
        for scope, own in zip(self.machine.scopes, names, strict=True):
            scope.names = own
        self._has_ended = False
        self._ready()

    def set(self, name: str, value: Thing) -> None:
        """Change a name of the context while it runs."""
        self.machine.set_name(name, value)

    def snapshot(self) -> bytes:
        """Return the state as bytes, for `P.start(snapshot)`."""
        return written_snapshot(self.processor, self._has_ended, self.machine.state())

    def _told(self, outputs: list[Column]) -> Thing:
        return list(outputs[0]) if len(outputs) == 1 else tuple(map(list, outputs))


def rest(machine: Machine, outputs: list[Column]) -> list[Column]:
    """Return outputs with all that the sources of a machine still give, when its inputs have ended."""
    while not machine.is_over and machine.has_finite_sources:
        outputs = _with(outputs, machine.draw(_MOST_AT_ONCE))
    endless = machine.schedule.is_endless
    while any(not machine.closed[wire] and not endless[wire] for wire in machine.schedule.outputs):
        if not any(source.is_endless for source in machine.schedule.sources):
            break
        outputs = _with(outputs, machine.draw(1, endless=True))
    return outputs


def _with(outputs: list[Column], more: list[Column]) -> list[Column]:
    return [[*one, *other] if other else one for one, other in zip(outputs, more, strict=True)]
