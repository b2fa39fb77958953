"""A pass through all steps of a graph as one function, without a loop over them and without objects of its own.

    def run(w0):
        w1 = t0(w0) if w0 else none
        if q2[0] or q2[1] or len(w0) != len(w1): ...

The text is made once for each schedule; what the steps of a run keep is bound to it when the run begins.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

from cepheid.algebra.graphs.running import Column, Running
from cepheid.algebra.remembering import ByIdentity
from cepheid.engine.pipes.graphs.queues import Queues
from cepheid.engine.pipes.graphs.schedules import Schedule, Step

Pass: TypeAlias = Callable[..., list[Column]]
"""Takes the new values of each input, and gives those of each output."""

_NONE: Final[Column] = []
"""Nothing new; nobody adds to it."""


def pass_of(schedule: Schedule, running: Sequence[Running], queues: Sequence[Queues | None]) -> Pass:
    """Return a pass through the steps of a run in which nothing ends and nothing is read from outside."""
    takes = [one.take for one in running]
    waiting = [None if one is None else one.waiting for one in queues]
    fronts = [None if one is None else one.fronts for one in queues]
    made: Pass = _maker(schedule)(takes, waiting, fronts, _NONE)
    return made


@lru_cache(maxsize=512)
def _defined(lines: tuple[str, ...]) -> Callable[..., Any]:
    """Return the function `make` of a text, in which there are numbers of wires and steps alone."""
    names: dict[str, Callable[..., Any]] = {}
    exec(compile("\n".join(lines), "<pass>", "exec"), names)  # our own source
    return names["make"]


@ByIdentity
def _maker(schedule: Schedule) -> Callable[..., Pass]:
    """Return what binds a pass to the steps of a run."""
    places = range(len(schedule.steps))
    lines = ["def make(takes, waiting, fronts, none):"]
    for name, several in (("t", "takes"), ("q", "waiting"), ("f", "fronts")):
        lines += [f"    {name}{place} = {several}[{place}]" for place in places]
    lines.append(f"    def run({', '.join(f'w{wire}' for wire in range(schedule.inputs))}):")
    for place, step in enumerate(schedule.steps):
        lines += [f"        {line}" for line in _step(place, step)]
    lines.append(f"        return [{', '.join(f'w{wire}' for wire in schedule.outputs)}]")
    lines.append("    return run")
    return _defined(tuple(lines))


def _step(place: int, step: Step) -> list[str]:
    outputs = ", ".join(f"w{wire}" for wire in step.outputs)
    nothing = " = ".join([*(f"w{wire}" for wire in step.outputs), "none"])
    if not step.outputs:
        outputs = nothing = "_ = none"
    wires = [f"w{wire}" for wire in step.inputs]
    told = outputs if step.outputs else "_"
    if len(wires) == 1:
        return [f"if {wires[0]}: {told} = t{place}({wires[0]})", f"else: {nothing}"]
    waits = " or ".join(f"q{place}[{index}]" for index in range(len(wires)))
    uneven = " or ".join(f"len({wires[0]}) != len({wire})" for wire in wires[1:])
    listed = ", ".join(wires)
    return [
        f"if {waits} or {uneven}:",
        f"    columns = f{place}(({listed}))",
        f"    if columns[0]: {told} = t{place}(*columns)",
        f"    else: {nothing}",
        f"elif {wires[0]}: {told} = t{place}({listed})",
        f"else: {nothing}",
    ]
