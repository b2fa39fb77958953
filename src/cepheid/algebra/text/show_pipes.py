"""Pipes as text: stage after stage, as values flow through them.

source Trade | map $0.price | window 3 { input | fold $total + $0 from 0 }
(source A, source B) | map $0 + $1
"""

from cepheid.algebra.pipes import (
    INPUT,
    Detect,
    Fold,
    Gate,
    Map,
    Pipe,
    Resample,
    Slice,
    Source,
    Verdict,
    Window,
)
from cepheid.algebra.text.layout import enclosed, joined
from cepheid.algebra.text.show_expressions import shown_expression
from cepheid.algebra.text.show_formulas import shown_formula
from cepheid.algebra.text.words import shown_member, shown_name, shown_ticks


def shown_pipe(pipe: Pipe) -> str:
    """Return a pipe with all that flows into it."""
    stages: list[str] = []
    while len(pipe.inputs) == 1:
        stages.append(_stage(pipe))
        [pipe] = pipe.inputs
    first = [enclosed("(", [shown_pipe(inner) for inner in pipe.inputs], ")")] if pipe.inputs else []
    line = [*first, _stage(pipe), *reversed(stages)]
    return joined(line[0], *(f"| {stage}" for stage in line[1:]))


def _stage(pipe: Pipe) -> str:
    match pipe:
        case Source(stream=stream):
            return {INPUT: "input", "": "events"}.get(stream) or f"source {shown_name(stream)}"
        case Detect(rule=rule):
            return f"detect {shown_name(rule)}"
        case Map(function=function):
            return f"map {shown_expression(function)}"
        case Fold():
            return _fold(pipe)
        case Resample():
            return _resample(pipe)
        case Gate():
            return "gate"
        case Window():
            return _window(pipe)
        case Slice(body=body, key=key, gather=gather):
            return _body(f"slice by {shown_expression(key)} into {shown_member(gather)}", body)
        case Verdict(formula=formula, three_valued=three_valued):
            return f"verdict {'three-valued ' * three_valued}{shown_formula(formula)}"
        case _:
            raise TypeError(f"`{type(pipe).__name__}` is not a pipe that can be shown")


def _fold(fold: Fold) -> str:
    shown = f"fold {shown_expression(fold.step)} from {shown_expression(fold.initial)}"
    return shown if fold.output is None else f"{shown} show {shown_expression(fold.output)}"


def _resample(resample: Resample) -> str:
    usual = Resample()
    changed = [
        f"{name} {getattr(resample, name)}"
        for name in ("skip", "every", "limit", "copies")
        if getattr(resample, name) != getattr(usual, name)
    ]
    return " ".join(["resample", *changed])


def _window(window: Window) -> str:
    count = [] if window.count is None else [str(window.count)]
    length = [] if window.length is None else [f"within {shown_ticks(window.length)}"]
    return _body(" ".join(["window", *count, *length]), window.body)


def _body(head: str, body: Pipe) -> str:
    return enclosed(f"{head} {{ ", [shown_pipe(body)], " }")
