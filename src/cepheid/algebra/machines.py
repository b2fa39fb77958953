"""Machines with states that give something: a fold whose total is the state and what the machine remembers.

After each value the machine is in a state, and what it gives is said by that state. States that say nothing give
nothing; then a filter follows the fold.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cepheid.algebra.expressions import NULL, TRUE, Call, Expr, Field, Literal, Variable
from cepheid.algebra.frozen import freeze
from cepheid.algebra.pipe_checks import one_of, sound
from cepheid.algebra.pipes import Fold, Gate, Map, Pipe
from cepheid.events import Value

STATE = "$state"


@dataclass(frozen=True, slots=True)
class Transition:
    """From state `source` to `target` where `guard` is true; `remembers` says what to remember from then on.

    Both read the value as `$0` and what is remembered as a field of `$total`.
    """

    source: str
    target: str
    guard: Expr = TRUE
    remembers: Mapping[str, Expr] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "remembers", freeze(self.remembers))


def machine(
    pipe: Pipe,
    first: str,
    transitions: Sequence[Transition],
    outputs: Mapping[str, Expr],
    memory: Mapping[str, Value] | None = None,
) -> Pipe:
    """Return the machine that starts in `first` with `memory`, takes the first transition that it can, else stays.

    >>> from cepheid.algebra.pipes import Source
    >>> from cepheid.algebra.text import show
    >>> on = Transition("off", "on", Call(">", (Variable("$0"), Literal(800))))
    >>> says = {"off": Literal(0), "on": Literal(1)}
    >>> show(machine(Source(), "off", [on], says).output)
    'if($total.$state == "off", 0, if($total.$state == "on", 1, null))'
    """
    remembered, states = memory or {}, _states(first, transitions)
    for state in outputs:
        one_of("a state of the machine", state, states)
    start = _record(Literal(first), {name: Literal(value) for name, value in remembered.items()})
    step: Expr = Variable("$total")
    for transition in reversed(transitions):
        reached = _record(Literal(transition.target), _after(transition, remembered))
        step = Call("if", (_taken(transition), reached, step))
    run = Fold((pipe,), step, start, _said(outputs))
    return sound(run) if outputs.keys() == states else _silent_at_times(run, outputs)


def _silent_at_times(run: Fold, outputs: Mapping[str, Expr]) -> Gate:
    states = sound(Fold(run.inputs, run.step, run.initial))
    speaks = Call("in", (Field("$0", STATE), Literal(tuple(outputs))))
    return sound(Gate((sound(run), sound(Map((states,), speaks)))))


def _states(first: str, transitions: Sequence[Transition]) -> set[str]:
    return {first, *(state for transition in transitions for state in (transition.source, transition.target))}


def _is_in(state: str) -> Expr:
    return Call("==", (Field("$total", STATE), Literal(state)))


def _taken(transition: Transition) -> Expr:
    return Call("and", (_is_in(transition.source), transition.guard))


def _after(transition: Transition, memory: Mapping[str, Value]) -> Mapping[str, Expr]:
    for name in transition.remembers:
        one_of("something the machine remembers", name, memory)
    return {name: transition.remembers.get(name, Field("$total", name)) for name in memory}


def _record(state: Expr, memory: Mapping[str, Expr]) -> Expr:
    parts = ((Literal(name), value) for name, value in memory.items())
    return Call("record", (Literal(STATE), state, *(part for pair in parts for part in pair)))


def _said(outputs: Mapping[str, Expr]) -> Expr:
    said: Expr = NULL
    for state, output in reversed(list(outputs.items())):
        said = Call("if", (_is_in(state), output, said))
    return said
