"""Quantifiers over collections: one copy of any processor per element, which it finds in its context.

for_all("bid", field("bids"), apply(field("price") > context("bid")) | eventually())
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from cepheid.algebra.graphs.built_in import body_of
from cepheid.algebra.graphs.collections import elements
from cepheid.algebra.graphs.evaluation import value_of
from cepheid.algebra.graphs.functions import Function, Given, function_of_at_most
from cepheid.algebra.graphs.meaning import Trace, World, ends, means, part, trace_of
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Operation
from cepheid.algebra.graphs.processors import Atom, Processor
from cepheid.algebra.graphs.running import Around, Column, Inner, Stepwise, runs
from cepheid.algebra.graphs.slices import slice_key
from cepheid.analysis.graphs.costs import EACH, SOME, BodyCost, Cost, costs
from cepheid.events.values import and_, or_


@dataclass(frozen=True, slots=True, eq=False)
class Quantifier(Operation):
    """Of each position: do the first outputs of fresh bodies, fed from there on, hold for all elements, or for one?"""

    name: str
    domain: Function
    body: Processor
    for_all: bool = field(default=True, repr=False)

    def text(self, *bodies: str) -> str:
        return f"{'for_all' if self.for_all else 'exists'}({self.name!r}, {self.domain!r}, {bodies[0]})"


@dataclass(frozen=True, slots=True, eq=False)
class Running(Operation):
    """A body per element, begun when it is first seen; after each value what their last outputs say together."""

    name: str
    domain: Function
    body: Processor
    for_all: bool = field(default=True, repr=False)

    def text(self, *bodies: str) -> str:
        return f"{'every' if self.for_all else 'some'}({self.name!r}, {self.domain!r}, {bodies[0]})"


def for_all(name: str, f: Given, body: Processor) -> Processor:
    """Of each position: do the first outputs of the bodies of all elements of `f` hold?"""
    return Atom(Quantifier(name, function_of_at_most("a quantifier", 1, f), body_of("a quantifier", body), True))


def exists(name: str, f: Given, body: Processor) -> Processor:
    """Of each position: does the first output of the body of one element of `f` hold?"""
    return Atom(Quantifier(name, function_of_at_most("a quantifier", 1, f), body_of("a quantifier", body), False))


def every(name: str, f: Given, body: Processor) -> Processor:
    """After each value, whether the last outputs of the bodies of all elements that were seen hold."""
    return Atom(Running(name, function_of_at_most("a quantifier", 1, f), body_of("a quantifier", body), True))


def some(name: str, f: Given, body: Processor) -> Processor:
    """After each value, whether the last output of the body of one element that was seen holds."""
    return Atom(Running(name, function_of_at_most("a quantifier", 1, f), body_of("a quantifier", body), False))


def together(for_all: bool, truths: Iterable[Thing]) -> bool | None:
    """Return the three-valued and, or the or, of some truths."""
    join: Callable[[Thing, Thing], bool | None] = and_ if for_all else or_
    known: bool | None = for_all
    for truth in truths:
        known = join(known, truth)
    return known


@means(Quantifier)
def _quantified(operation: Quantifier, inputs: Sequence[Trace], world: World) -> list[Trace]:
    trace = inputs[0]
    verdicts: list[bool] = []
    for place, value in enumerate(trace.values):
        domain = elements(value_of(operation.domain, (value,), world.names))
        rest = part(trace, place, len(trace.values))
        bodies = [trace_of(operation.body, rest, world.bound(**{operation.name: element})) for element in domain]
        known = together(operation.for_all, (outputs[0] is True if outputs else None for outputs in bodies))
        if known is None:
            break
        verdicts.append(known)
    return [Trace(verdicts, ends(inputs))]


@means(Running)
def _running(operation: Running, inputs: Sequence[Trace], world: World) -> list[Trace]:
    trace, outputs = inputs[0], []
    first: dict[Thing, tuple[Thing, int]] = {}
    for place, value in enumerate(trace.values):
        for element in elements(value_of(operation.domain, (value,), world.names)):
            first.setdefault(slice_key(element), (element, place))
        bodies = [
            trace_of(operation.body, part(trace, begun, place + 1), world.bound(**{operation.name: element}))
            for element, begun in first.values()
        ]
        outputs.append(together(operation.for_all, (given[-1] if given else None for given in bodies)))
    return [Trace(outputs, ends(inputs))]


class _Position:
    """A position whose verdict is open: the bodies that have not told, and what is known; decided, it needs no more."""

    __slots__ = ("bodies", "known")

    def __init__(self, known: bool | None, bodies: list[tuple[Thing, Inner]]) -> None:
        self.known, self.bodies = known, bodies

    def push(self, value: Thing, time: int | None, for_all: bool) -> None:
        decisive = not for_all
        open_ones = []
        for element, body in self.bodies:
            outputs = body.push(value, time)
            if not outputs:
                open_ones.append((element, body))
            elif (outputs[0] is True) is decisive:
                self.known, self.bodies = decisive, []
                return
        self.bodies = open_ones
        self.known = None if open_ones else for_all


@runs(Quantifier)
class RunningQuantifier(Stepwise):
    """The positions from the first open one on."""

    def __init__(self, operation: Quantifier, around: Around) -> None:
        self.operation, self.around = operation, around
        self.domain = around.function(operation.domain)
        self.arity = operation.domain.arity
        self.open: list[_Position] = []
        self.now: int | None = None

    def take_at(self, time: int | None, *front: Thing) -> Column:
        """Take a value at its time, which the bodies are told."""
        self.now = time
        return self.step(*front)

    def step(self, *front: Thing) -> Column:
        value = front[0]
        found = list(elements(self.domain(*front[: self.arity])))
        bodies = [(element, self._body(element)) for element in found]
        self.open.append(_Position(None if bodies else self.operation.for_all, bodies))
        for position in self.open:
            if position.bodies:
                position.push(value, self.now, self.operation.for_all)
        known = next((place for place, one in enumerate(self.open) if one.known is None), len(self.open))
        told, self.open = self.open[:known], self.open[known:]
        return [one.known for one in told]

    def held(self) -> int:
        return sum(1 + sum(1 + body.held() for _, body in one.bodies) for one in self.open)

    def _body(self, element: Thing) -> Inner:
        return self.around.start(self.operation.body, {self.operation.name: element})

    def state(self) -> Thing:
        return [[one.known, [(element, body.state()) for element, body in one.bodies]] for one in self.open]

    def restore(self, state: Thing) -> None:
        self.open = []
        for known, bodies in state:
            started = [(element, self._body(element)) for element, _ in bodies]
            for (_, body), (_, kept) in zip(started, bodies, strict=True):
                body.restore(kept)
            self.open.append(_Position(known, started))


@runs(Running)
class RunningBodies(Stepwise):
    """A body for each element that was seen, and what it gave last."""

    def __init__(self, operation: Running, around: Around) -> None:
        self.operation, self.around = operation, around
        self.domain = around.function(operation.domain)
        self.arity = operation.domain.arity
        self.bodies: dict[Thing, tuple[Thing, Inner]] = {}
        self.last: dict[Thing, Thing] = {}
        self.now: int | None = None

    def take_at(self, time: int | None, *front: Thing) -> Column:
        """Take a value at its time, which the bodies are told."""
        self.now = time
        return self.step(*front)

    def step(self, *front: Thing) -> Column:
        for element in elements(self.domain(*front[: self.arity])):
            key = slice_key(element)
            if key not in self.bodies:
                self.bodies[key], self.last[key] = (element, self._body(element)), None
        for key, (_, body) in self.bodies.items():
            outputs = body.push(front[0], self.now)
            if outputs:
                self.last[key] = outputs[-1]
        return [together(self.operation.for_all, self.last.values())]

    def held(self) -> int:
        return sum(1 + body.held() for _, body in self.bodies.values())

    def _body(self, element: Thing) -> Inner:
        return self.around.start(self.operation.body, {self.operation.name: element})

    def state(self) -> Thing:
        return [(element, body.state(), self.last[key]) for key, (element, body) in self.bodies.items()]

    def restore(self, state: Thing) -> None:
        self.bodies, self.last = {}, {}
        for element, kept, last in state:
            key, body = slice_key(element), self._body(element)
            body.restore(kept)
            self.bodies[key], self.last[key] = (element, body), last


@costs(Quantifier)
def _cost_of_quantifier(operation: Quantifier, bodies: Sequence[BodyCost]) -> Cost:
    waits = bodies[0].takes_for_one()
    if waits is None:
        why, hint = "nobody knows when a body gives its first output", "let the body decide after some values"
        return Cost(SOME, None, why, hint)
    # A position is kept until its last body has told, with one body for each element.
    why = "there is a body for every element, and nobody says how many there are"
    return Cost(SOME, waits - 1, why, "", per_key=2 * (waits - 1))


@costs(Running)
def _cost_of_running(operation: Running, bodies: Sequence[BodyCost]) -> Cost:
    return Cost(EACH, 0, "there is a body for every element, and nobody says how many there are", "", per_key=1)
