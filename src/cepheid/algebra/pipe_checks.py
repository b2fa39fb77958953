"""What must hold of a pipe before it can run: its inputs, its sizes, and what its functions and its bodies read.

    Resample((p,), every=0)                            nothing is every 0th
    Window((p,), body=Source(stream="Q"), count=3)     a body reads the window, `*`, and nothing else

Whatever passes can be evaluated, over any history.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from cepheid.algebra.expressions import Expr, Field, Variable
from cepheid.algebra.formulas import Eventually, Formula, Globally
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
from cepheid.algebra.traversal import walk
from cepheid.diagnostics import CepheidError, Diagnostic, close_match

P = TypeVar("P", bound=Pipe)

GATHERS = ("map", "set")


@dataclass(frozen=True, slots=True)
class Kind:
    """What users call a kind of pipe, and how many inputs it reads (`most` None: any number)."""

    name: str
    least: int
    most: int | None


KINDS: dict[type[Pipe], Kind] = {
    Source: Kind("a stream", 0, 0),
    Detect: Kind("a detection", 0, 0),
    Map: Kind("a map", 1, None),
    Fold: Kind("a fold", 1, None),
    Resample: Kind("a resampling", 1, 1),
    Gate: Kind("a filter", 2, None),
    Window: Kind("a window", 1, 1),
    Slice: Kind("a slice", 1, 1),
    Verdict: Kind("a verdict", 1, 1),
}


def check_pipe(pipe: Pipe, program: Program) -> None:
    """Refuse a pipe that `program` cannot run, with every reason there is."""
    _refuse([*_problems(pipe), *_unread(pipe), *_unknown_rules(pipe, program)])


def sound(pipe: P) -> P:
    """Return `pipe`, or refuse it for what can be said without a look at its inputs, its body and a program."""
    _refuse(list(_own_problems(pipe)))
    return pipe


def at_least(what: str, size: int, least: int) -> None:
    """Refuse a size that is too small for a pipe."""
    _refuse(list(_too_small(what, size, least)))


def not_a_truth() -> CepheidError:
    """The error for a trace where Python asks for one truth."""
    hint = "write `&`, `|` and `~` for `and`, `or` and `not`, with parentheses: `(p > 1) & (p < 5)`"
    return CepheidError(_problem("a trace is not true or false as a whole, it has a value at every position", hint))


def one_of(what: str, name: str, known: Iterable[str]) -> None:
    """Refuse a name that is none of the known ones."""
    names = list(known)
    if name not in names:
        _refuse([_problem(f"`{name}` is not {what}", *_suggestion(name, names))])


def pipe_named(program: Program, name: str) -> Pipe:
    """Return a pipe of the program by its name."""
    if name not in program.pipes:
        _refuse([_problem(f"there is no pipe `{name}`", *_suggestion(name, program.pipes))])
    return program.pipes[name]


def _refuse(problems: list[Diagnostic]) -> None:
    if problems:
        raise CepheidError(*dict.fromkeys(problems))


def _problem(message: str, *hints: str) -> Diagnostic:
    return Diagnostic("bad-pipe", message, hints=hints)


def _suggestion(name: str, names: Iterable[str]) -> tuple[str, ...]:
    closest = close_match(name, names)
    return (f"did you mean `{closest}`?",) if closest else ()


def _problems(pipe: Pipe) -> Iterator[Diagnostic]:
    """Yield what is wrong with the pipe and the pipes in it, whatever they stand in."""
    for node in walk(pipe):
        if isinstance(node, Pipe):
            yield from _own_problems(node)


def _own_problems(pipe: Pipe) -> Iterator[Diagnostic]:
    if type(pipe) not in KINDS:
        yield _problem("a pipe is missing")
        return
    yield from _wrong_inputs(pipe)
    yield from _wrong_sizes(pipe)
    yield from _wrong_functions(pipe)
    yield from _wrong_reads(pipe)


def _wrong_inputs(pipe: Pipe) -> Iterator[Diagnostic]:
    kind, count = KINDS[type(pipe)], len(pipe.inputs)
    if count < kind.least:
        yield _problem(f"{kind.name} has {_inputs(count)} and needs at least {kind.least}")
    elif kind.most is not None and count > kind.most:
        hints = ("`collate` makes one pipe of several",) if kind.most else ()
        yield _problem(f"{kind.name} has {_inputs(count)} and reads {kind.most or 'none'}", *hints)


def _inputs(count: int) -> str:
    return f"{count} input" if count == 1 else f"{count or 'no'} inputs"


def _wrong_sizes(pipe: Pipe) -> Iterator[Diagnostic]:
    match pipe:
        case Resample(skip=skip, every=every, limit=limit, copies=copies):
            yield from _too_small("the number of values to drop", skip, 0)
            yield from _too_small("the step between values to keep", every, 1)
            yield from _too_small("the number of values to keep", limit, 0)
            yield from _too_small("the number of copies", copies, 1)
        case Window(count=None, length=None) | Window(count=int(), length=int()):
            yield _problem(
                "a window is measured in values or in time, and in one of them only", "give `count` or `length`"
            )
        case Window(count=count, length=length):
            yield from _too_small("the number of values in a window", count, 1)
            yield from _too_small("the length of a window", length, 0)
        case Slice(gather=gather) if gather not in GATHERS:
            yield _problem(f"slices are gathered as `{gather}`", "gather them as `map` or as `set`")


def _too_small(what: str, size: int | None, least: int) -> Iterator[Diagnostic]:
    if size is not None and size < least:
        yield _problem(f"{what} is {size}", f"write {least} or more")


def _wrong_functions(pipe: Pipe) -> Iterator[Diagnostic]:
    for node in walk(_functions(pipe)):
        if type(node) is Expr or type(node) is Formula:
            yield _problem(f"{KINDS[type(pipe)].name} lacks its function, its condition or its formula")
        if isinstance(node, Globally | Eventually):
            yield from _too_small("the number of values that a formula looks at", node.within, 1)


def _wrong_reads(pipe: Pipe) -> Iterator[Diagnostic]:
    """Yield the inputs `$0`, `$1`, ... that functions of the pipe read and that it does not have."""
    for name in dict.fromkeys(_read_by(pipe)):
        if name[:1] == "$" and name[1:].isdigit() and int(name[1:]) >= len(pipe.inputs):
            yield _problem(f"{KINDS[type(pipe)].name} of {_inputs(len(pipe.inputs))} reads `{name}`")


def _read_by(pipe: Pipe) -> Iterator[str]:
    for node in walk(_functions(pipe)):
        match node:
            case Variable(name) | Field(part=name):
                yield name


def _functions(pipe: Pipe) -> object:
    match pipe:
        case Map(function=function):
            return function
        case Fold(step=step, initial=initial, output=output):
            return (step, initial, output)
        case Slice(key=key):
            return key
        case Verdict(formula=formula):
            return formula
        case _:
            return ()


def _unread(pipe: Pipe, inside: bool = False) -> Iterator[Diagnostic]:
    """Yield every `*` outside a body and everything else that is read inside one."""
    match pipe:
        case Source(stream=stream) if stream == INPUT and not inside:
            yield _problem("`*` stands outside a window and outside a slice", "name a stream")
        case Source(stream=stream) if stream != INPUT and inside:
            yield _problem(f"the body of a window or a slice reads the stream `{stream}`", "read `*` instead")
        case Detect(rule=rule) if inside:
            yield _problem(f"the body of a window or a slice reads the rule `{rule}`", "read `*` instead")
        case Window(body=body) | Slice(body=body):
            yield from _unread(body, inside=True)
    for source in pipe.inputs:
        yield from _unread(source, inside)


def _unknown_rules(pipe: Pipe, program: Program) -> Iterator[Diagnostic]:
    rules = [rule.name for rule in program.rules]
    for node in walk(pipe):
        if isinstance(node, Detect) and node.rule not in rules:
            yield _problem(f"there is no rule `{node.rule}`", *_suggestion(node.rule, rules))
