"""A Moore machine as a processor.

    machine("off", [transition("off", "on", field("watts") > 800, count=context("count") + 1)],
            {"on": context("count")}, context={"count": 0})

A quantified machine reads what the quantifier binds as any other name of its context.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from cepheid.algebra.graphs.evaluation import value_of
from cepheid.algebra.graphs.functions import Function, Given, function_of_at_most
from cepheid.algebra.graphs.meaning import Trace, World, ends, means
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Operation
from cepheid.algebra.graphs.processors import Atom, Processor
from cepheid.algebra.graphs.refusals import refusal
from cepheid.algebra.graphs.running import Around, Column, Stepwise, runs
from cepheid.analysis.graphs.costs import EACH, SOME, BodyCost, Cost, costs


@dataclass(frozen=True, slots=True, eq=False)
class Transition:
    """From one state to another, where `when` is True of the value and the context; then names get new values."""

    source: Thing
    target: Thing
    when: Function | None
    assignments: Mapping[str, Function]


@dataclass(frozen=True, slots=True, eq=False)
class Moore(Operation):
    """States, by the transitions between them and what they say."""

    first: Thing
    transitions: tuple[Transition, ...]
    says: Mapping[Thing, Function]
    memory: Mapping[str, Thing]

    def text(self, *bodies: str) -> str:
        return f"machine({self.first!r}, {len(self.transitions)} transitions)"

    def leaving(self, state: Thing) -> list[Transition]:
        """Return the ways out of a state, in the order in which they are tried: the one without a guard last."""
        ways = [one for one in self.transitions if one.source == state]
        return [one for one in ways if one.when is not None] + [one for one in ways if one.when is None][:1]


def transition(source: Thing, target: Thing, when: Given = None, **assignments: Given) -> Transition:
    """From one state to another, where `when` is True; without `when`, where no other transition is taken."""
    guard = None if when is None else function_of_at_most("a guard", 1, when)
    made = {name: function_of_at_most("an assignment", 1, value) for name, value in assignments.items()}
    return Transition(source, target, guard, made)


def machine(
    first: Thing,
    transitions: Sequence[Transition],
    outputs: Mapping[Thing, Given],
    context: Mapping[str, Thing] | None = None,
) -> Processor:
    """After each value the output of the state that the machine is then in, if that has one."""
    if not all(isinstance(one, Transition) for one in transitions):
        raise refusal("a machine has something that is no transition", 'write `p.transition("off", "on", p.x > 3)`')
    known = {first, *(state for one in transitions for state in (one.source, one.target))}
    for state in outputs:
        if state not in known:
            raise refusal(f"no transition leads to the state `{state}`, which has an output", "give it a transition")
    says = {state: function_of_at_most("an output", 1, output) for state, output in outputs.items()}
    return Atom(Moore(first, tuple(transitions), says, dict(context or {})))


@means(Moore)
def _moore(operation: Moore, inputs: Sequence[Trace], world: World) -> list[Trace]:
    state, memory, outputs = operation.first, dict(operation.memory), []
    for value in inputs[0].values:
        names = {**world.names, **memory}
        for way in operation.leaving(state):
            if way.when is None or value_of(way.when, (value,), names) is True:
                memory |= {name: value_of(new, (value,), names) for name, new in way.assignments.items()}
                state = way.target
                break
        if state in operation.says:
            outputs.append(value_of(operation.says[state], (value,), {**world.names, **memory}))
    return [Trace(outputs, ends(inputs))]


Call = Callable[[Thing], Thing]


@runs(Moore)
class RunningMoore(Stepwise):
    """The state, and the context of the machine."""

    def __init__(self, operation: Moore, around: Around) -> None:
        self.inside = around.inside(operation.memory)
        self.current = operation.first
        self.memory = dict(operation.memory)
        states = {one.source for one in operation.transitions}
        self.ways = {state: [self._way(one) for one in operation.leaving(state)] for state in states}
        self.says = {state: self._call(output) for state, output in operation.says.items()}

    def step(self, *front: Thing) -> Column:
        value = front[0]
        for when, target, assignments in self.ways.get(self.current, ()):
            if when is None or when(value) is True:
                new = {name: call(value) for name, call in assignments.items()}
                self.memory |= new
                self.inside.assign(new)
                self.current = target
                break
        says = self.says.get(self.current)
        return [] if says is None else [says(value)]

    def held(self) -> int:
        return 1 + len(self.memory)

    def state(self) -> Thing:
        return [self.current, dict(self.memory)]

    def restore(self, state: Thing) -> None:
        self.current, memory = state
        self.memory = dict(memory)
        self.inside.assign(self.memory)

    def _way(self, one: Transition) -> tuple[Call | None, Thing, dict[str, Call]]:
        when = None if one.when is None else self._call(one.when)
        return when, one.target, {name: self._call(new) for name, new in one.assignments.items()}

    def _call(self, function: Function) -> Call:
        call = self.inside.function(function)
        return call if function.arity == 1 else lambda _: call()


@costs(Moore)
def _cost_of_moore(operation: Moore, bodies: Sequence[BodyCost]) -> Cost:
    states = {operation.first, *(state for one in operation.transitions for state in (one.source, one.target))}
    names = {*operation.memory, *(name for one in operation.transitions for name in one.assignments)}
    return Cost(EACH if states <= set(operation.says) else SOME, 1 + len(names))
