"""A pass through all steps of a graph as one function, without a loop over them and without objects of its own.

    def run(w0):
        w1 = t0(w0) if w0 else none
        if q2[0] or q2[1] or len(w0) != len(w1): ...

The text is made once for each schedule; what the steps of a run keep is bound to it when the run begins.
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any, Final, TypeAlias

from cepheid.algebra.graphs.functions import NOTHING
from cepheid.algebra.graphs.objects import Thing, get
from cepheid.algebra.graphs.running import Column, Running
from cepheid.algebra.remembering import ByIdentity
from cepheid.engine.pipes.graphs.inlining import Inlined, inlined
from cepheid.engine.pipes.graphs.queues import Queues
from cepheid.engine.pipes.graphs.schedules import Schedule, Step

__all__ = ["Pass", "Single", "defined", "pass_of", "single_of"]

Pass: TypeAlias = Callable[..., list[Column]]
"""Takes the new values of each input, and gives those of each output."""

Single: TypeAlias = Callable[[Thing], Thing]
"""Takes one value, and gives the output that it has or `NOTHING`."""

_NONE: Final[Column] = []
"""Nothing new; nobody adds to it."""


def pass_of(schedule: Schedule, running: Sequence[Running], queues: Sequence[Queues | None]) -> Pass:
    """Return a pass through the steps of a run in which nothing ends and nothing is read from outside."""
    takes = [one.take for one in running]
    waiting = [None if one is None else one.waiting for one in queues]
    fronts = [None if one is None else one.fronts for one in queues]
    made: Pass = _maker(schedule)(takes, waiting, fronts, _NONE)
    return made


def single_of(schedule: Schedule, running: Sequence[Running], queues: Sequence[Queues | None]) -> Single | None:
    """Return what takes one value of the only input through steps that each give one or none, or None."""
    if schedule.inputs != 1 or len(schedule.outputs) != 1 or schedule.ends_early or schedule.in_time:
        return None
    gives = [_give_of(one) for one in running]
    if None in gives or any(len(step.outputs) != 1 for step in schedule.steps):
        return None
    tests = tuple(bool(getattr(one, "tests", False)) for one in running)
    waiting = [None if one is None else one.waiting for one in queues]
    fronts = [None if one is None else one.fronts for one in queues]
    maker, objects = _single_maker(schedule)(tests)
    made: Single = maker(gives, waiting, fronts, NOTHING, objects)
    return made


def _give_of(running: Running) -> Callable[..., Thing] | None:
    give: Callable[..., Thing] | None = getattr(running, "give", None)
    return give if getattr(running, "gives_singly", True) else None


@ByIdentity
def _single_maker(schedule: Schedule) -> Callable[[tuple[bool, ...]], tuple[Callable[..., Single], dict[str, Thing]]]:
    @cache
    def maker(tests: tuple[bool, ...]) -> tuple[Callable[..., Single], dict[str, Thing]]:
        places = range(len(schedule.steps))
        texts = [inlined(place, step) for place, step in enumerate(schedule.steps)]
        objects: dict[str, Thing] = {"get": get}
        for text in texts:
            objects |= text.used if text is not None else {}
        lines = ["def make(gives, waiting, fronts, nothing, objects):"]
        for name, several in (("g", "gives"), ("q", "waiting"), ("f", "fronts")):
            lines += [f"    {name}{place} = {several}[{place}]" for place in places]
        lines += [f"    {name} = objects[{name!r}]" for name in objects]
        lines.append("    def run(w0):")
        for place, (step, text) in enumerate(zip(schedule.steps, texts, strict=True)):
            lines += [f"        {line}" for line in _single_step(place, step, tests[place], text)]
        lines.append(f"        return w{schedule.outputs[0]}")
        return defined((*lines, "    return run")), objects

    return maker


def _single_step(place: int, step: Step, is_test: bool, text: Inlined | None) -> list[str]:
    wires, output = [f"w{wire}" for wire in step.inputs], f"w{step.outputs[0]}"
    given = f"g{place}({', '.join(wires)})" if text is None else text.text
    if len(wires) == 1:
        (wire,) = wires
        some = "" if wire == "w0" else f"{wire} is not nothing and "
        if is_test:
            return [f"{output} = {wire} if {some}{given} is True else nothing"]
        return [f"{output} = {given}" if not some else f"{output} = nothing if {wire} is nothing else {given}"]
    waits = " or ".join(
        [*(f"q{place}[{index}]" for index in range(len(wires))), *(f"{one} is nothing" for one in wires)]
    )
    columns = ", ".join(f"[] if {wire} is nothing else [{wire}]" for wire in wires)
    return [
        f"if {waits}:",
        f"    columns = f{place}(({columns}))",
        f"    {output} = g{place}(*[one[0] for one in columns]) if columns[0] else nothing",
        f"else: {output} = {given}",
    ]


@lru_cache(maxsize=512)
def defined(lines: tuple[str, ...]) -> Callable[..., Any]:
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
    return defined(tuple(lines))


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
