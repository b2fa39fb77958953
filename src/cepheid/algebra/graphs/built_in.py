"""How the built-in processors are asked for."""

from itertools import repeat
from typing import Final

from cepheid.algebra.builder.times import ticks
from cepheid.algebra.graphs import kind_checks as kind_checks  # which checks what is joined
from cepheid.algebra.graphs import operations as op
from cepheid.algebra.graphs.functions import NOTHING, Given, TwoPlace, function_of, function_of_at_most
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Apply
from cepheid.algebra.graphs.processors import Atom, Processor
from cepheid.algebra.graphs.refusals import at_least, refusal

GATHERS: Final = ("map", "set")


def passthrough(n: int = 1) -> Processor:
    """The inputs."""
    return Atom(op.Passthrough(at_least("the number of inputs", n, 1)))


def apply(*functions: Given) -> Processor:
    """The functions of each front, one output for each."""
    if not functions:
        raise refusal("nothing is applied", "write a function, as in `p.apply(p.x + 1)`")
    return Atom(Apply(tuple(map(function_of, functions))))


def constant(value: Thing) -> Processor:
    """The value for ever."""
    return Atom(op.Source(f"constant({value!r})", lambda: repeat(value), is_endless=True))


def turn_into(value: Thing, inputs: int = 1) -> Processor:
    """The value, once for each front."""
    return Atom(op.TurnInto(value, at_least("the number of inputs", inputs, 1)))


def fork(n: int) -> Processor:
    """So many copies of the input."""
    return Atom(op.Fork(at_least("the number of copies", n, 1)))


def cumulate(f: Given, initial: Thing = NOTHING) -> Processor:
    """`f` of what it gave before and of each value."""
    function = function_of_at_most("a cumulation", 2, f)
    if isinstance(f, TwoPlace):
        return Atom(op.Cumulate(function, f.initial if initial is NOTHING else initial, f.function))
    if initial is NOTHING:
        raise refusal(
            f"a cumulation of `{function!r}` starts with nothing", "write what it starts with: `p.cumulate(f, 0)`"
        )
    return Atom(op.Cumulate(function, initial))


def decimate(n: int, last: bool = False) -> Processor:
    """The first value and every n-th after it; with `last` also the final one when the input ends."""
    return Atom(op.Decimate(at_least("the step between values to keep", n, 1), last))


def freeze() -> Processor:
    """The first value, once for each."""
    return Atom(op.Freeze())


def trim(n: int) -> Processor:
    """All but the first n values."""
    return Atom(op.Trim(at_least("the number of values to leave out", n, 0)))


def prefix(n: int) -> Processor:
    """The first n values."""
    return Atom(op.Prefix(at_least("the number of values to keep", n, 0)))


def stutter(n: int) -> Processor:
    """Each value n times."""
    return Atom(op.Stutter(at_least("the number of copies", n, 0)))


def insert(n: int, value: Thing) -> Processor:
    """A value n times in front of the first one."""
    return Atom(op.Insert(at_least("the number of values to insert", n, 0), value))


def keep_last() -> Processor:
    """The last value, when the input ends."""
    return Atom(op.KeepLast())


def filter(n: int = 1) -> Processor:  # noqa: A001  # users write `p.filter`
    """The first n inputs where the last one is True."""
    return Atom(op.Filter(at_least("the number of inputs to filter", n, 1)))


def where(f: Given) -> Processor:
    """The values for which `f` is True."""
    return Atom(op.Where(function_of_at_most("`where`", 1, f)))


def window(body: Processor, size: int | str | Thing) -> Processor:
    """For each n successive values the n-th output of a fresh body; for `"5 s"` the last over what is that new."""
    inside = body_of("a window", body)
    if isinstance(size, int):
        return Atom(op.Window(inside, at_least("the size of a window", size, 1)))
    return Atom(op.TimeWindow(inside, ticks(size)))


def successive(f: Given) -> Processor:
    """`f` of each m successive values, where `f` has m parameters."""
    return Atom(op.Successive(function_of(f)))


def slice(f: Given, body: Processor, gather: str = "map") -> Processor:  # noqa: A001  # users write `p.slice`
    """One body per value of `f`; after each value the last outputs of all, as a `map` or a `set`."""
    if gather not in GATHERS:
        raise refusal(f"slices are not gathered in `{gather}`", 'write `"map"` or `"set"`')
    return Atom(op.Slice(function_of_at_most("a slice", 1, f), body_of("a slice", body), gather))


def choose() -> Processor:
    """The second input where the first is True, else the third."""
    return Atom(op.Choose())


def yield_(n: int) -> Processor:
    """As `choose`, but the second input at most once in n successive values."""
    return Atom(op.Yield(at_least("the number of values", n, 1)))


def collate(*parts: int | str) -> Processor:
    """A tuple of each front of n inputs, or a record of inputs with these names."""
    names = tuple(part for part in parts if isinstance(part, str))
    if names and len(names) == len(parts) == len(set(names)):
        return Atom(op.Collate(len(names), names))
    if len(parts) != 1 or names:
        raise refusal(
            "a front is collated by a number or by different names", 'write `p.collate(2)` or `p.collate("a", "b")`'
        )
    return Atom(op.Collate(at_least("the number of inputs", parts[0], 1)))


def pack() -> Processor:
    """Lists: where the second input is True, what came before it since the last time."""
    return Atom(op.Pack())


def unpack() -> Processor:
    """The elements of each collection."""
    return Atom(op.Unpack())


def run_on(body: Processor) -> Processor:
    """The last output of a fresh body over each collection."""
    return Atom(op.RunOn(body_of("`run_on`", body)))


def body_of(what: str, body: Processor) -> Processor:
    """Return a processor that can run inside another: of one input and one output."""
    if not isinstance(body, Processor):
        raise refusal(f"{what} runs a processor, and `{body!r}` is none", "write one, as in `p.cumulate(p.add)`")
    if body.inputs != 1 or body.outputs != 1:
        message = (
            f"{what} runs a processor of 1 input and 1 output, and `{body!r}` has {body.inputs} and {body.outputs}"
        )
        raise refusal(message, "collate the outputs, and take a front apart with `p.apply(p.x[0], p.x[1])`")
    return body
