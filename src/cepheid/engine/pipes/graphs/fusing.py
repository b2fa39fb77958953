"""A graph whose steps each give one value or none for a front, as two functions: one to push, one to pull.

    def push(w0, at=None, time=None):
        if at is not None and at != 0: check_input(at, 1)
        if not (t1 == 1 if type(t1 := w0.get("symbol") ...) is int else ...): return []
        ...
        return [w5]

The text is made once for each schedule; what the steps of a run keep stands in cells, which are bound when it begins.
Nothing else is bound to a run: its functions share the objects that they name, so that what Python learns of the text
in one of them is known to all.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import CellType, CodeType, FunctionType
from typing import Final, Protocol

from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operations import Fork, Passthrough
from cepheid.algebra.graphs.refusals import refusal
from cepheid.algebra.graphs.running import Running
from cepheid.algebra.remembering import ByIdentity
from cepheid.engine.pipes.graphs.cells import bound, codes
from cepheid.engine.pipes.graphs.inlining import EVERYWHERE
from cepheid.engine.pipes.graphs.queues import Queues
from cepheid.engine.pipes.graphs.schedules import Schedule, Step
from cepheid.engine.pipes.graphs.step_texts import StepText, gives_one_for_each, step_text, test_text

_LONGEST: Final = 500
"""How many steps are made into one function at most."""

_EXIT: Final = "\0"
"""Stands in a text where it is known that a value has no output."""


def check_input(at: int, inputs: int) -> None:
    """Refuse an input that a processor does not have."""
    if at not in range(inputs):
        raise refusal(f"there is no input {at}", f"this processor has {inputs}, counted from 0")


_OBJECTS: Final[Mapping[str, Thing]] = {**EVERYWHERE, "check_input": check_input}


@dataclass(frozen=True, slots=True, eq=False)
class Fusion:
    """The code of both functions, the objects that they name, and what each of their free variables is.

    That is a key of the cells of a step, a queue of a step, or what makes its fronts.
    """

    code: Mapping[str, CodeType]
    objects: dict[str, Thing]
    free: Mapping[str, tuple[int, str | int | None]]


class Crank(Protocol):
    """What turns when somebody pulls: it has one trace and one queue of outputs that wait."""

    @property
    def traces(self) -> Sequence[Iterator[Thing]]: ...
    @property
    def waiting(self) -> Sequence[deque[Thing]]: ...
    @property
    def is_over(self) -> bool: ...
    def turn(self) -> None: ...


class Fused:
    """Both functions, bound to the steps of a run."""

    def __init__(self, fusion: Fusion, running: Sequence[Running], queues: Sequence[Queues | None]) -> None:
        self.fusion = fusion
        self.cells = {name: _cell(running[place], queues[place], key) for name, (place, key) in fusion.free.items()}

    def push(self) -> FunctionType:
        """Return what takes a value of the only input, and returns its outputs."""
        return self._bound("push", (None, None))

    def pulled(self, crank: Crank) -> Iterator[Thing]:
        """Yield what waits, then the outputs of a trace until something waits again, and so on."""
        made: Iterator[Thing] = self._bound("pulled")(crank, crank.traces[0], crank.waiting[0])
        return made

    def _bound(self, name: str, defaults: tuple[Thing, ...] = ()) -> FunctionType:
        return bound(self.fusion.code[name], self.fusion.objects, self.cells, defaults)


def fused(schedule: Schedule, running: Sequence[Running], queues: Sequence[Queues | None]) -> Fused | None:
    """Return the functions of a run of one input and one output; None where a value may have several outputs."""
    known = _known(schedule)
    if not known:
        known.append(_fusion(schedule, running))
    return None if known[0] is None else Fused(known[0], running, queues)


@ByIdentity
def _known(schedule: Schedule) -> list[Fusion | None]:
    """Return where the fusion of a schedule is remembered."""
    return []


def _fusion(schedule: Schedule, running: Sequence[Running]) -> Fusion | None:
    is_plain = schedule.inputs == len(schedule.outputs) == 1 and not schedule.ends_early and not schedule.in_time
    if not is_plain or len(schedule.steps) > _LONGEST:
        return None
    writer = _Writer(schedule)
    for place, (step, one) in enumerate(zip(schedule.steps, running, strict=True)):
        if not writer.step(place, step, one):
            return None
    output = writer.names[schedule.outputs[0]]
    nonlocals = [f"    nonlocal {', '.join(writer.assigned)}"] if writer.assigned else []
    lines = [*_push(writer.lines, output, nonlocals), *_pulled(writer.lines, output, nonlocals)]
    return Fusion(codes(lines, list(writer.free)), {**_OBJECTS, **writer.used}, writer.free)


def _push(steps: list[str], output: str, nonlocals: list[str]) -> list[str]:
    # A default of None is the cheapest to ask for; `docs/decisions/0070`.
    lines = ["def push(w0, at=None, time=None):", *nonlocals, "    if at is not None and at != 0: check_input(at, 1)"]
    lines += [f"    {line.replace(_EXIT, 'return []')}" for line in steps]
    return [*lines, f"    return [{output}]"]


def _pulled(steps: list[str], output: str, nonlocals: list[str]) -> list[str]:
    lines = ["def pulled(crank, trace, waiting):", *nonlocals, "    while True:"]
    lines += ["        while waiting: yield waiting.popleft()", "        if crank.is_over: return"]
    lines += ["        for w0 in trace:", *(f"            {line.replace(_EXIT, 'continue')}" for line in steps)]
    lines += [f"            yield {output}", "            if waiting: break"]
    return [*lines, "        else: crank.turn()"]


class _Writer:
    """Writes the steps of a schedule one behind the other; `names` are the variables of wires.

    Wires that are `sure` have a value wherever the text gets to.
    """

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.names = {0: "w0"}
        self.sure = {0}
        self.lines: list[str] = []
        self.used: dict[str, Thing] = {}
        self.free: dict[str, tuple[int, str | int | None]] = {}
        self.assigned: list[str] = []

    def step(self, place: int, step: Step, running: Running) -> bool:
        """Write a step, and say whether that can be done."""
        names = [self.names[wire] for wire in step.inputs]
        outputs = [f"w{wire}" for wire in step.outputs]
        is_sure = self.sure.issuperset(step.inputs)
        if is_sure and (self._same(step, names) or self._tested(place, step, names)):
            return True
        fronts = names if is_sure or len(names) == 1 else [f"i{place}_{index}" for index in range(len(names))]
        text = step_text(place, step, running, fronts, outputs)
        if text is None:
            return False
        self._note(place, text)
        self.lines += [] if fronts is names else self._front(place, names, fronts)
        self.lines += text.lines if is_sure else _guarded(fronts[0], outputs, text.lines)
        self.names |= dict(zip(step.outputs, outputs, strict=True))
        if is_sure and gives_one_for_each(step):
            self.sure |= set(step.outputs)
        elif self._is_all(place, step):
            self.lines.append(f"if {outputs[0]} is nothing: {_EXIT}")
            self.sure |= set(step.outputs)
        return True

    def _same(self, step: Step, names: list[str]) -> bool:
        """Let the outputs of a step that changes nothing be its inputs."""
        match step.operation:
            case Passthrough():
                self.names |= dict(zip(step.outputs, names, strict=True))
            case Fork():
                self.names |= dict.fromkeys(step.outputs, names[0])
            case _:
                return False
        self.sure |= set(step.outputs)
        return True

    def _tested(self, place: int, step: Step, names: list[str]) -> bool:
        """Write a step that lets its first input pass or not, where nothing else goes on."""
        found = test_text(place, step, names)
        if found is None or not self._is_all(place, step):
            return False
        self.used |= found.used
        self.lines.append(f"if not {found.texts[0]}: {_EXIT}")
        self.names[step.outputs[0]] = names[0]
        self.sure.add(step.outputs[0])
        return True

    def _is_all(self, place: int, step: Step) -> bool:
        """Say whether all that comes behind a step reads nothing but its only output."""
        behind = self.schedule.steps[place + 1 :]
        made = {wire for one in behind for wire in one.outputs}
        read = {*self.schedule.outputs, *(wire for one in behind for wire in one.inputs)} - made
        return read == set(step.outputs) and len(read) == 1

    def _front(self, place: int, names: list[str], fronts: list[str]) -> list[str]:
        """Write how values make a front that may have to wait for each other."""
        queues = [f"q{place}_{index}" for index in range(len(names))]
        self.free |= {queue: (place, index) for index, queue in enumerate(queues)}
        self.free[f"f{place}"] = (place, None)
        waits = " or ".join([*(f"{name} is nothing" for name in dict.fromkeys(names)), *queues])
        return [
            f"if {waits}: {', '.join(fronts)} = f{place}({', '.join(names)})",
            f"else: {', '.join(fronts)} = {', '.join(names)}",
        ]

    def _note(self, place: int, text: StepText) -> None:
        self.used |= text.used
        self.free |= {name: (place, key) for name, key in text.cells.items()}
        self.assigned += text.assigned


def _guarded(name: str, outputs: list[str], lines: list[str]) -> list[str]:
    nothing = " = ".join([*outputs, "nothing"])
    return [f"if {name} is nothing: {nothing}", "else:", *(f"    {line}" for line in lines)]


def _cell(running: Running, queues: Queues | None, key: str | int | None) -> CellType:
    if key is None or isinstance(key, int):
        assert queues is not None
        return CellType(queues.front if key is None else queues.waiting[key])
    cells: Mapping[str, CellType] = getattr(running, "cells", {})
    return cells[key] if key in cells else CellType(getattr(running, key))
