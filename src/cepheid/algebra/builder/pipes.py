"""Traces of values, with Python's own operators: what is done to one value is done at every position.

    prices = stream("Trade")["price"]
    prices.window(3, lambda window: window.sum() / 3)
    prices.where(prices > 50).every(5)

Traces that stand beside each other are read in step, the first value with the first and so on.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cepheid.algebra import processors
from cepheid.algebra.builder.formulas import Claim, Item, formula_of, here
from cepheid.algebra.builder.inputs import Input, events_of
from cepheid.algebra.builder.lifting import Pointwise
from cepheid.algebra.builder.names import readable
from cepheid.algebra.builder.terms import Operand, Term, expression_of
from cepheid.algebra.builder.times import ticks
from cepheid.algebra.expressions import TRUE, Expr, Variable
from cepheid.algebra.machines import Transition, machine
from cepheid.algebra.pipe_checks import not_a_truth, sound
from cepheid.algebra.pipe_semantics import trace_of
from cepheid.algebra.pipes import Detect, Fold, Slice, Source, Verdict, Window
from cepheid.algebra.programs import Program
from cepheid.events import Duration, TimeUnit, Value

Body: TypeAlias = Callable[["Trace"], "Trace"]
Function: TypeAlias = Callable[[Item], Operand] | Operand

total = Item(Variable("$total"))
"""What a fold has made of the values so far, and what a machine remembers: `total.count`."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Trace(Pointwise):
    """Values one after the other; `pipe` is the node that gives them.

    >>> stream("P").map(here.price * 2).window(3, lambda window: window.count())
    Trace(source P | map $0.price * 2 | window 3 { input | fold $total + 1 from 0 })
    """

    def run(self, events: Iterable[Input], *, time_unit: TimeUnit = "s") -> list[Value]:
        """Return the values over some events, whose times are in `time_unit` where they are numbers.

        >>> stream("P")["x"].sum().run([{"type": "P", "time": 1, "x": 3}, {"type": "P", "time": 2, "x": 4}])
        [3, 7]
        """
        return trace_of(Program(pipes={"trace": self.pipe}), "trace", events_of(events, time_unit))

    def map(self, function: Function) -> "Trace":
        """A function of each value: a term over `here`, or a function that makes one."""
        return Trace(processors.apply(_expression(function), self.pipe))

    def turn_into(self, value: Value) -> "Trace":
        """The same value, as often as there are values."""
        return Trace(processors.turn_into(self.pipe, value))

    def where(self, condition: "Trace | Claim | Function") -> "Trace":
        """Only the values where the condition is true; a claim about the future holds values back until it is known."""
        return Trace(processors.filtered(self._beside(condition).pipe, self.pipe))

    def fold(self, step: Operand, initial: Operand, output: Operand | None = None) -> "Trace":
        """Accumulate: `total` is `initial` at first, and `step` over `total` and `here` after each value."""
        shown = None if output is None else expression_of(output)
        return Trace(sound(Fold((self.pipe,), expression_of(step), expression_of(initial), shown)))

    def cumulate(self, function: str, initial: Value) -> "Trace":
        """A function of two arguments, by its name, of what it gave before and of each value."""
        return Trace(processors.cumulate(self.pipe, function, initial))

    def freeze(self) -> "Trace":
        """The first value, as often as there are values."""
        return Trace(processors.freeze(self.pipe))

    def trim(self, count: int) -> "Trace":
        """All but the first `count` values."""
        return Trace(processors.trim(self.pipe, count))

    def first(self, count: int) -> "Trace":
        """The first `count` values."""
        return Trace(processors.prefix(self.pipe, count))

    def every(self, step: int) -> "Trace":
        """The first value and every `step`-th after it."""
        return Trace(processors.decimate(self.pipe, step))

    def stutter(self, copies: int) -> "Trace":
        """Each value so many times."""
        return Trace(processors.stutter(self.pipe, copies))

    def count(self) -> "Trace":
        """The number of values so far."""
        return Trace(processors.count(self.pipe))

    def sum(self) -> "Trace":
        """The sum so far; null adds nothing."""
        return Trace(processors.total(self.pipe))

    def avg(self) -> "Trace":
        """The mean so far; null does not count."""
        return Trace(processors.average(self.pipe))

    def minimum(self) -> "Trace":
        """The least value so far."""
        return Trace(processors.minimum(self.pipe))

    def maximum(self) -> "Trace":
        """The greatest value so far."""
        return Trace(processors.maximum(self.pipe))

    def peaks(self) -> "Trace":
        """The height of each rise or fall, at the value that turns the other way; else 0."""
        return Trace(processors.peaks(self.pipe))

    def window(self, size: int | str | Duration, body: Body) -> "Trace":
        """What a fresh body gives over each window: of `size` values, or of a length of time such as `5 s`."""
        inside = body(Trace(Source())).pipe
        if isinstance(size, int):
            return Trace(sound(Window((self.pipe,), inside, count=size)))
        return Trace(sound(Window((self.pipe,), inside, length=ticks(size))))

    def slice(self, key: Function, body: Body, gather: str = "map") -> "Trace":
        """One body per value of the key; after each value the last outputs of all bodies, as a `map` or a `set`."""
        return Trace(sound(Slice((self.pipe,), body(Trace(Source())).pipe, _expression(key), gather)))

    def verdict(self, claim: Claim | Term) -> "Trace":
        """At each position, is the claim true there? It comes as soon as it is known."""
        return Trace(sound(Verdict((self.pipe,), formula_of(claim))))

    def knowledge(self, claim: Claim | Term) -> "Trace":
        """After each value, what is known about the claim at the first position: true, false or null."""
        return Trace(sound(Verdict((self.pipe,), formula_of(claim), three_valued=True)))

    def machine(
        self,
        first: str,
        transitions: Sequence[Transition],
        outputs: Mapping[str, Operand],
        memory: Mapping[str, Value] | None = None,
    ) -> "Trace":
        """After each value, what the state says that a machine is then in; see `transition`."""
        says = {state: expression_of(output) for state, output in outputs.items()}
        return Trace(machine(self.pipe, first, transitions, says, memory))

    def _beside(self, condition: "Trace | Claim | Function") -> "Trace":
        if isinstance(condition, Trace):
            return condition
        return self.verdict(condition) if isinstance(condition, Claim) else self.map(condition)

    def __bool__(self) -> bool:
        raise not_a_truth()

    def __repr__(self) -> str:
        return f"Trace({readable(self.pipe)})"


def stream(name: str = "") -> Trace:
    """The events of a type, as records of their fields; without a name, all events, with their `type`."""
    return Trace(Source(stream=name))


def detections(rule: str) -> Trace:
    """The matches of a rule, as records of their values, `start` and `end`."""
    return Trace(Detect(rule=rule))


def choose(condition: Trace, yes: Trace, no: Trace) -> Trace:
    """At each position `yes` where the condition is true, else `no`."""
    return Trace(processors.choose(condition.pipe, yes.pipe, no.pipe))


def yield_(count: int, condition: Trace, yes: Trace, no: Trace) -> Trace:
    """As `choose`, but `yes` comes at most once in any `count` successive values."""
    return Trace(processors.yield_(count, condition.pipe, yes.pipe, no.pipe))


def collate(*traces: Trace, **named: Trace) -> Trace:
    """Several traces as one: of tuples, or of records where the traces are named."""
    pipes = [trace.pipe for trace in (*traces, *named.values())]
    names = (*(str(place) for place in range(len(traces))), *named) if named else ()
    return Trace(processors.collate(*pipes, names=names))


def transition(source: str, target: str, when: Term | None = None, **remembers: Operand) -> Transition:
    """From one state of a machine to another, where `when` is true of `here` and `total`; then remember something.

    >>> transition("off", "on", here.watts > 800, count=total.count + 1).remembers["count"]
    Call(function='+', arguments=(Field(part='$total', name='count'), Literal(value=1)))
    """
    kept = {name: expression_of(value) for name, value in remembers.items()}
    return Transition(source, target, TRUE if when is None else when.expression, kept)


def _expression(function: Function) -> Expr:
    return expression_of(function(here) if callable(function) else function)
