"""What a step does with one value, as lines: expressions stand there, and what a step keeps are variables.

A step that leaves out the first values is `w4 = w3`, or `s3_ahead -= 1` and `w4 = nothing` as long as there are some.
"""

from dataclasses import dataclass, field
from typing import Final

from cepheid.algebra.graphs import operations as op
from cepheid.algebra.graphs.meaning import reads_times
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Apply
from cepheid.algebra.graphs.running import Running
from cepheid.analysis.graphs.aggregation import aggregation_of
from cepheid.engine.pipes.graphs.inlining import Inlined, Read, called, held, inlined
from cepheid.engine.pipes.graphs.schedules import Step
from cepheid.engine.pipes.graphs.window_texts import window_text

_ONE_FOR_EACH: Final = (
    Apply,
    op.Passthrough,
    op.Fork,
    op.TurnInto,
    op.Choose,
    op.Collate,
    op.Cumulate,
    op.Freeze,
)
"""Operations that give one value for each front."""


@dataclass(slots=True)
class StepText:
    """Lines that give the outputs of a step their values, from inputs that all have one.

    `cells` are the variables that the step shares, each with its key; `assigned` are those of them that are changed.
    """

    lines: list[str] = field(default_factory=list)
    used: dict[str, Thing] = field(default_factory=dict)
    cells: dict[str, str] = field(default_factory=dict)
    assigned: list[str] = field(default_factory=list)


def gives_one_for_each(step: Step) -> bool:
    """Say whether a step has an output for each front."""
    return isinstance(step.operation, _ONE_FOR_EACH)


def step_text(place: int, step: Step, running: Running, names: list[str], outputs: list[str]) -> StepText | None:
    """Return a step as lines over the variables that it reads; None where a front may have several outputs."""
    match step.operation:
        case op.Where(function):
            return _where(place, held(str(place), function, Read(names)), names, outputs)
        case op.Trim():
            return _trim(place, names, outputs)
        case op.Cumulate(function) if function.arity == 2:
            return _cumulate(place, step.operation, names, outputs)
        case op.Decimate(size, False):
            return _decimate(place, size, names, outputs)
        case op.Window(body, size) if not reads_times(body) and aggregation_of(body) is not None:
            return _window(place, step.operation, names, outputs)
        case _:
            found = inlined(str(place), step.operation, Read(names))
            return _given(place, running, names, outputs) if found is None else _expressions(found, outputs)


def _expressions(found: Inlined, outputs: list[str]) -> StepText:
    lines = [f"{output} = {text}" for output, text in zip(outputs, found.texts, strict=True)]
    return StepText(lines, found.used)


def _given(place: int, running: Running, names: list[str], outputs: list[str]) -> StepText | None:
    """Return a step that is called for each value, where it can be."""
    if getattr(running, "give", None) is None or len(outputs) != 1:
        return None
    name = f"s{place}_give"
    return StepText([f"{outputs[0]} = {name}({', '.join(names)})"], cells={name: "give"})


def test_text(place: int, step: Step, names: list[str]) -> Inlined | None:
    """Return the condition of a step that lets values pass or not, where it can be written."""
    match step.operation:
        case op.Where(function):
            return held(str(place), function, Read(names))
        case op.Filter(1):
            return Inlined((f"{names[1]} is True",), {})
        case _:
            return None


def _where(place: int, found: Inlined | None, names: list[str], outputs: list[str]) -> StepText:
    give = f"s{place}_give"
    holds = f"{give}({names[0]}) is True" if found is None else found.texts[0]
    text = StepText([f"{outputs[0]} = {names[0]} if {holds} else nothing"])
    if found is None:
        text.cells[give] = "give"
    else:
        text.used = found.used
    return text


def _trim(place: int, names: list[str], outputs: list[str]) -> StepText:
    ahead = f"s{place}_ahead"
    lines = [f"if {ahead}:", f"    {ahead} -= 1", f"    {outputs[0]} = nothing", f"else: {outputs[0]} = {names[0]}"]
    return StepText(lines, cells={ahead: "ahead"}, assigned=[ahead])


def _cumulate(place: int, operation: op.Cumulate, names: list[str], outputs: list[str]) -> StepText:
    total = f"s{place}_total"
    found = called(str(place), operation.function, Read([total, names[0]]))
    text = StepText(cells={total: "total"}, assigned=[total])
    if found is None:
        call = f"s{place}_call"
        text.cells[call] = "call"
        found = Inlined((f"{call}({total}, {names[0]})",), {})
    text.used |= found.used
    text.lines = [f"{outputs[0]} = {total} = {names[0]} if {total} is nothing else {found.texts[0]}"]
    return text


def _decimate(place: int, size: int, names: list[str], outputs: list[str]) -> StepText:
    ahead = f"s{place}_place"
    following = f"    {ahead} = {ahead} + 1 if {ahead} < {size - 1} else 0"
    lines = [f"if {ahead}:", following, f"    {outputs[0]} = nothing", "else:"]
    lines += [f"    {ahead} = {1 % size}", f"    {outputs[0]} = {names[0]}"]
    return StepText(lines, cells={ahead: "place"}, assigned=[ahead])


def _window(place: int, operation: op.Window, names: list[str], outputs: list[str]) -> StepText | None:
    aggregation = aggregation_of(operation.body)
    assert aggregation is not None
    text = window_text(aggregation, operation.size, names[0], str(place))
    lines = [*text.lines, f"if {text.told} is nothing: {outputs[0]} = nothing", "else:"]
    lines += [f"    {line}" for line in (*text.behind, f"{outputs[0]} = {text.output}")]
    return StepText(lines, text.used, text.cells, text.assigned)
