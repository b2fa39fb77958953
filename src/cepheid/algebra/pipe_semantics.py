"""What every pipe gives over a finite history, slow and plain; engines are held to this.

    GET (COMBINE * WITH ADDITION) FROM P ON A WINDOW OF 3        P: 3 1 4 1 5    gives    8 6 10

A pipe gives a list of values, each with a time: of the event it came from, of a front the latest, of a window its last
value's, of a verdict its position's. Only positions and values decide what comes out (and times, in windows of time). A
longer history only adds values at the end, where it takes back no match that a pipe reads.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from cepheid.algebra import formula_semantics, semantics
from cepheid.algebra.evaluation import Scope, evaluate
from cepheid.algebra.expressions import Expr
from cepheid.algebra.matches import told_order
from cepheid.algebra.pipe_checks import check_pipe, pipe_named
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
from cepheid.algebra.programs import Program
from cepheid.algebra.slice_labels import label
from cepheid.events import Event, Value, sort_events, values

EVERY_SLICE = "#"


class Timed(NamedTuple):
    """A value and the time it carries."""

    time: int
    value: Value


@dataclass(frozen=True, slots=True)
class Context:
    """What a pipe reads: a program, its history, and the input `*` of the body it stands in."""

    program: Program = field(default_factory=Program)
    events: tuple[Event, ...] = ()
    input: tuple[Timed, ...] = ()


def trace_of(program: Program, name: str, events: Iterable[Event]) -> list[Value]:
    """Return the values that the pipe `name` of `program` gives.

    >>> from cepheid.algebra.expressions import Field
    >>> from cepheid.events import point
    >>> program = Program(pipes={"prices": Map((Source(stream="P"),), Field("$0", "price"))})
    >>> trace_of(program, "prices", [point("P", 2, 1, {"price": 7}), point("P", 1, 2, {"price": 5})])
    [5, 7]
    """
    pipe = pipe_named(program, name)
    check_pipe(pipe, program)
    return [timed.value for timed in outputs(pipe, Context(program, tuple(events)))]


def outputs(pipe: Pipe, context: Context) -> list[Timed]:
    """Return what `pipe` gives, in order, with the times it carries."""
    match pipe:
        case Source(stream=stream):
            return list(context.input) if stream == INPUT else _records(stream, context)
        case Detect(rule=rule):
            return _detected(rule, context)
        case Map(function=function):
            return [Timed(time, _value(function, context, front)) for time, front in _fronts(pipe, context)]
        case Fold():
            return list(_folded(pipe, context))
        case Gate():
            return [Timed(time, _passed(front)) for time, front in _fronts(pipe, context) if front[-1] is True]
        case _:
            trace = outputs(pipe.inputs[0], context)
            return list(_of_one(pipe, trace, context))


def _of_one(pipe: Pipe, trace: Sequence[Timed], context: Context) -> Iterator[Timed]:
    """Return what a pipe of exactly one input gives over `trace`."""
    match pipe:
        case Resample():
            return _resampled(pipe, trace)
        case Window(count=None):
            return _time_windows(pipe, trace, context)
        case Window():
            return _count_windows(pipe, trace, context)
        case Slice():
            return _sliced(pipe, trace, context)
        case Verdict(three_valued=True):
            return _knowledge(pipe, trace, context)
        case Verdict():
            return _verdicts(pipe, trace, context)
        case _:
            raise AssertionError(f"not a pipe: {pipe!r}")


def _records(stream: str, context: Context) -> list[Timed]:
    """Return the events of a type, input or derived, as records of their fields.

    The empty name stands for every input event; `type` then says which it is.
    """
    if not stream:
        every = sort_events(context.events)
        return [Timed(event.end, {**event.fields, "type": event.type}) for event in every]
    given = (event for event in context.events if event.type == stream)
    return [Timed(event.end, dict(event.fields)) for event in sort_events([*given, *_derived(stream, context)])]


def _derived(stream: str, context: Context) -> Iterator[Event]:
    if any(rule.emits == stream for rule in context.program.rules):
        yield from (event for event in semantics.derived(context.program, context.events) if event.type == stream)


def _detected(rule: str, context: Context) -> list[Timed]:
    found = [match for match in semantics.matches(context.program, context.events) if match.name == rule]
    found.sort(key=told_order)
    return [Timed(match.end, {**match.values, "start": match.start, "end": match.end}) for match in found]


def _fronts(pipe: Pipe, context: Context) -> Iterator[tuple[int, tuple[Value, ...]]]:
    """Yield the values at the same position of every input, while all have one, and the latest of their times."""
    for front in zip(*(outputs(source, context) for source in pipe.inputs), strict=False):
        yield max(timed.time for timed in front), tuple(timed.value for timed in front)


def _value(function: Expr, context: Context, front: Sequence[Value], **more: Value) -> Value:
    inputs = {f"${index}": value for index, value in enumerate(front)}
    return evaluate(function, Scope(variables={**inputs, **more}, tables=context.program.tables))


def _folded(pipe: Fold, context: Context) -> Iterator[Timed]:
    total = _value(pipe.initial, context, ())
    for time, front in _fronts(pipe, context):
        total = _value(pipe.step, context, front, **{"$total": total})
        shown = total if pipe.output is None else _value(pipe.output, context, front, **{"$total": total})
        yield Timed(time, shown)


def _passed(front: tuple[Value, ...]) -> Value:
    return front[0] if len(front) == 2 else front[:-1]


def _resampled(pipe: Resample, trace: Sequence[Timed]) -> Iterator[Timed]:
    kept = trace[pipe.skip :: pipe.every][: pipe.limit]
    return (timed for timed in kept for _ in range(pipe.copies))


def _body(pipe: Window | Slice, values_in: Sequence[Timed], context: Context) -> list[Timed]:
    """Return what a fresh body gives over its own part of the trace."""
    return outputs(pipe.body, replace(context, input=tuple(values_in)))


def _count_windows(pipe: Window, trace: Sequence[Timed], context: Context) -> Iterator[Timed]:
    count = pipe.count or 1
    for first in range(len(trace) - count + 1):
        window = trace[first : first + count]
        given = _body(pipe, window, context)
        if len(given) >= count:
            yield Timed(window[-1].time, given[count - 1].value)


def _time_windows(pipe: Window, trace: Sequence[Timed], context: Context) -> Iterator[Timed]:
    length = pipe.length or 0
    for position, last in enumerate(trace):
        window = [timed for timed in trace[: position + 1] if last.time - timed.time <= length]
        given = _body(pipe, window, context)
        if given:
            yield Timed(last.time, given[-1].value)


def _sliced(pipe: Slice, trace: Sequence[Timed], context: Context) -> Iterator[Timed]:
    """Yield, after each value, the last output of every slice that has given one."""
    keys: dict[object, Value] = {}
    parts: dict[object, list[Timed]] = {}
    for timed in trace:
        key = _value(pipe.key, context, (timed.value,))
        for place in _places(key, keys):
            parts.setdefault(place, []).append(timed)
        last = [(keys[place], given[-1].value) for place in keys if (given := _body(pipe, parts[place], context))]
        yield Timed(timed.time, _gathered(pipe.gather, last))


def _places(key: Value, keys: dict[object, Value]) -> list[object]:
    """Return the slices that a value with this key goes to; a key that is new becomes one."""
    if key is None:
        return []
    if key == EVERY_SLICE:
        return list(keys)
    keys.setdefault(values.key_of(key), key)
    return [values.key_of(key)]


def _gathered(gather: str, last: Sequence[tuple[Value, Value]]) -> Value:
    if gather == "set":
        return tuple(value for _, value in last)
    return {label(key): value for key, value in last}


def _knowledge(pipe: Verdict, trace: Sequence[Timed], context: Context) -> Iterator[Timed]:
    """Yield, after each value, what is then known about the first position."""
    judge = _judge(pipe, context)
    seen = [timed.value for timed in trace]
    return (Timed(timed.time, judge(seen[: index + 1], 0)) for index, timed in enumerate(trace))


def _verdicts(pipe: Verdict, trace: Sequence[Timed], context: Context) -> Iterator[Timed]:
    """Yield the verdict of every position up to the first that still depends on what comes."""
    judge = _judge(pipe, context)
    seen = [timed.value for timed in trace]
    for position, timed in enumerate(trace):
        known = judge(seen, position)
        if known is None:
            return
        yield Timed(timed.time, known)


def _judge(pipe: Verdict, context: Context) -> Callable[[Sequence[Value], int], bool | None]:
    scope = Scope(tables=context.program.tables)
    return lambda seen, position: formula_semantics.verdict(pipe.formula, seen, position, scope)
