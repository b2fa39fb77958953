"""Processors as values: what they do, and how they are joined. Making one runs nothing.

    average = cumulate(add) / (turn_into(1) | cumulate(add))
    window(average, 5) | decimate(5)

A processor has inputs and outputs and no source. A part that is used twice is one object in two places, so it is laid
out, shown, certified and run once.
"""

from collections.abc import Iterable, Mapping, Sized
from dataclasses import dataclass, field
from typing import Any

from cepheid.algebra.graphs import doors
from cepheid.algebra.graphs.functions import function_of
from cepheid.algebra.graphs.lifting import Lifting
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Apply, Operation
from cepheid.algebra.graphs.refusals import refusal
from cepheid.algebra.graphs.showing import shown
from cepheid.algebra.graphs.terms import function as term_function
from cepheid.algebra.graphs.terms import x, y


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Processor(Lifting):
    """Something with inputs and outputs; `Processor` itself is only the common name of the kinds below."""

    inputs: int = field(init=False)
    outputs: int = field(init=False)
    kinds: tuple[str, ...] | None = field(init=False, default=None)

    def __or__(self, other: "Processor") -> "Processor":
        return joined(self, other)

    def run(self, *traces: Iterable[Thing], allow_unbounded: bool = False) -> Thing:
        """Return what comes out of these traces, one for each input; the inputs then end.

        With several outputs, a tuple of lists. Where there are no inputs and a source may have no end, what would keep
        something for ever is refused, unless that is allowed.
        """
        if not (traces or allow_unbounded) and self._may_go_on(()):
            self.certificate(lead=1).demand_bounded()
        return doors.runner().run(self, traces)

    def start(
        self,
        snapshot: bytes | None = None,
        *,
        keys: "int | Mapping[str, int] | None" = None,
        rates: str | None = None,
        lead: int | None = None,
        allow_unbounded: bool = False,
    ) -> doors.Running:
        """Return a running copy, to push values into; with a snapshot, one that goes on where that was taken.

        What would keep something for ever is refused, unless that is allowed, or declarations as for `certificate` make
        it bounded.
        """
        if not allow_unbounded:
            self.certificate(keys=keys, rates=rates, lead=lead).demand_bounded()
        return doors.runner().start(self, snapshot)

    def pull(
        self,
        *traces: Iterable[Thing],
        output: int | None = None,
        keys: "int | Mapping[str, int] | None" = None,
        rates: str | None = None,
        allow_unbounded: bool = False,
    ) -> doors.Pulled:
        """Return an iterator over the outputs; with several of them over tuples, or over one by its number.

        Where traces or sources may have no end, it is refused as by `start`; all traces are read in step.
        """
        if not allow_unbounded and self._may_go_on(traces):
            self.certificate(keys=keys, rates=rates, lead=1).demand_bounded()
        return doors.runner().pull(self, traces, output)

    def pulls(self, *traces: Iterable[Thing], allow_unbounded: bool = False) -> tuple[doors.Pulled, ...]:
        """Return an iterator for each output; what one of them needs waits for the others."""
        if not allow_unbounded and self._may_go_on(traces):
            self.certificate(lead=1).demand_bounded()
        return doors.runner().pulls(self, traces)

    def _may_go_on(self, traces: tuple[Iterable[Thing], ...]) -> bool:
        """Say whether there may be no end of values: of traces, or of sources where there are none."""
        is_endless = not traces and doors.runner().may_go_on(self)
        return is_endless or not all(isinstance(trace, Sized) for trace in traces)

    def certificate(
        self, *, keys: "int | Mapping[str, int] | None" = None, rates: str | None = None, lead: int | None = None
    ) -> Any:  # the analysis's, which this room does not know
        """Return what this keeps in queues, windows, slices and verdicts, bounded or not, and where.

        `keys` says how many keys slices and quantifiers have, all of them or each by its function; `rates` how many
        values come in a time, as in `"100/s"`; `lead` how far one input may be ahead of another.
        """
        return doors.runner().certificate(self, keys, rates, lead)

    def draw(self) -> str:
        """Return a picture of boxes and pipes, coloured by the kinds of values, as SVG."""
        return doors.runner().draw(self)

    def context(self, **values: Thing) -> "Processor":
        """Return this with names in its context, which terms read as `context("name")`."""
        return InContext(self, values)

    def of(self, *kinds: "str | type") -> "Processor":
        """Return this with the kinds of its inputs declared: number, text, truth, record, list, set, any or a class."""
        return OfKinds(self, doors.checked_kinds(kinds, self.inputs))

    def __repr__(self) -> str:
        return shown(self)

    @property
    def children(self) -> "tuple[Processor, ...]":
        """The processors that this one is made of."""
        return ()

    def text(self, *children: str) -> str:
        """Return how this is written, where its children are written like this."""
        raise AssertionError("every kind of processor can be written")

    def _lifted(self, function: str, *operands: Thing) -> "Processor":
        return lifted(function, *operands)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Atom(Processor):
    """One operation."""

    operation: Operation

    def __post_init__(self) -> None:
        _sized(self, self.operation.inputs, self.operation.outputs)

    @property
    def children(self) -> tuple[Processor, ...]:
        return self.operation.bodies

    def text(self, *children: str) -> str:
        return self.operation.text(*children)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Chain(Processor):
    """The outputs of the first into the inputs of the second."""

    first: Processor
    second: Processor

    def __post_init__(self) -> None:
        _sized(self, self.first.inputs, self.second.outputs)

    @property
    def children(self) -> tuple[Processor, ...]:
        return (self.first, self.second)

    def text(self, *children: str) -> str:
        return " | ".join(children)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Fan(Processor):
    """All get the same inputs; their outputs side by side."""

    parts: tuple[Processor, ...]

    def __post_init__(self) -> None:
        _sized(self, max((part.inputs for part in self.parts), default=0), sum(part.outputs for part in self.parts))

    @property
    def children(self) -> tuple[Processor, ...]:
        return self.parts

    def text(self, *children: str) -> str:
        return f"fan({', '.join(children)})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Beside(Processor):
    """Inputs side by side, outputs side by side."""

    parts: tuple[Processor, ...]

    def __post_init__(self) -> None:
        _sized(self, sum(part.inputs for part in self.parts), sum(part.outputs for part in self.parts))

    @property
    def children(self) -> tuple[Processor, ...]:
        return self.parts

    def text(self, *children: str) -> str:
        return f"beside({', '.join(children)})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Pick(Processor):
    """One of several inputs as it is; the others go elsewhere."""

    count: int
    place: int

    def __post_init__(self) -> None:
        _sized(self, self.count, 1)

    def text(self, *children: str) -> str:
        return f"pick({self.place})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class InContext(Processor):
    """A processor with names in its context."""

    inner: Processor
    names: Mapping[str, Thing]

    def __post_init__(self) -> None:
        _sized(self, self.inner.inputs, self.inner.outputs)

    @property
    def children(self) -> tuple[Processor, ...]:
        return (self.inner,)

    def text(self, *children: str) -> str:
        names = ", ".join(f"{name}={value!r}" for name, value in self.names.items())
        return f"({children[0]}).context({names})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OfKinds(Processor):
    """A processor whose inputs are of these kinds."""

    inner: Processor
    declared: tuple[str, ...]

    def __post_init__(self) -> None:
        _sized(self, self.inner.inputs, self.inner.outputs)

    @property
    def children(self) -> tuple[Processor, ...]:
        return (self.inner,)

    def text(self, *children: str) -> str:
        return f"({children[0]}).of({', '.join(map(repr, self.declared))})"


def joined(first: Processor, second: Thing) -> Processor:
    """Return the outputs of the first into the inputs of the second, in order; the counts must agree."""
    if not isinstance(second, Processor):
        raise refusal(f"`{second!r}` is no processor", "apply a function to each value with `p.apply(f)`")
    if first.outputs != second.inputs:
        counts = _count(first.outputs, "output"), _count(second.inputs, "input")
        message = f"`{short(first)}` has {counts[0]}, `{short(second)}` has {counts[1]}"
        raise refusal(message, "join processors whose counts agree, or put several side by side with `p.fan`")
    chain = Chain(first, second)
    doors.check_join(chain)
    return chain


def fan(*parts: Processor) -> Processor:
    """All get the same inputs; their outputs side by side. What reads nothing goes with everything."""
    counts = sorted({part.inputs for part in parts if part.inputs})
    if len(counts) > 1:
        told = ", ".join(f"`{short(part)}` {part.inputs}" for part in parts)
        raise refusal(f"the parts of a fan read different numbers of inputs: {told}", "put them `p.beside` each other")
    if not parts:
        raise refusal("a fan has no parts", "write `p.fan(P, Q)`")
    return Fan(parts)


def beside(*parts: Processor) -> Processor:
    """Inputs side by side, outputs side by side."""
    if not parts:
        raise refusal("nothing is beside nothing", "write `p.beside(P, Q)`")
    return Beside(parts)


def lifted(function: str, *operands: Thing) -> Processor:
    """Return a function at every position; a constant stands for itself."""
    processors = [operand for operand in operands if isinstance(operand, Processor)]
    for operand in processors:
        if operand.outputs != 1:
            hint = "join the outputs first, with `p.apply` or `p.collate`"
            raise refusal(f"`{short(operand)}` has {_count(operand.outputs, 'output')}, and `{function}` needs 1", hint)
    places = iter((x, y))
    terms = [next(places) if isinstance(operand, Processor) else operand for operand in operands]
    first = processors[0] if len(processors) == 1 else fan(*processors)
    return joined(first, Atom(Apply((function_of(term_function(function)(*terms)),))))


def _sized(processor: Processor, inputs: int, outputs: int) -> None:
    object.__setattr__(processor, "inputs", inputs)
    object.__setattr__(processor, "outputs", outputs)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def short(processor: Processor) -> str:
    """Return a processor as text for a line of an error."""
    text = repr(processor)
    return text if len(text) <= 60 else f"{text[:57]}..."
