"""Partial matches as tuples: where they lie, when they are certain, and their events in the order of the parts.

The interpreter has instances for the same, which say much more. Each can be made of the other.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

from cepheid.algebra.instances import Ground, Instance, combined, of_event
from cepheid.algebra.matches import Match
from cepheid.algebra.patterns import Atom
from cepheid.analysis.plans.plan import Kind, Operator, RulePlan
from cepheid.events import Event, OrderKey, derived_order, first_arrival, last_arrival, order_key

Partial: TypeAlias = tuple[int, int, int, tuple[Event, ...], tuple[int, ...]]
"""Start, end, the frontier at which it is certain, the events, and their positions where records are counted."""
Arrival: TypeAlias = tuple[int, int]
_WORKED_OUT = frozenset(("began", "id", "order", "rests_on", "support"))
_OF_INPUT = 4
"""How much the place of an input event in the total order says; that of a derived one says more."""


def arrival(event: Event) -> Arrival:
    """Return the place of an event in the total order, where events come in order and are counted."""
    number = event.number if event.number is not None else event.id
    assert isinstance(number, int)
    return event.end, number


class Emitted(Event):
    """The event that a match of a rule is, on its way into other rules: with what it rests on, and when it is certain.

    `inputs` are the input events that it rests on. What it is called, and where it stands in the total order, is worked
    out for who asks for it.
    """

    __slots__ = ("inputs", "known", "made_of", "rests_on")

    inputs: tuple[Event, ...]
    known: int
    rests_on: frozenset[Ground]
    made_of: tuple[RulePlan, Match, Partial]

    __hash__ = object.__hash__

    def __getattr__(self, name: str) -> Any:  # as the name says
        # Python asks here only for what was not set yet.
        if name not in _WORKED_OUT:
            raise AttributeError(name)
        self._work_out(*self.made_of)
        return getattr(self, name)

    def _work_out(self, rule: RulePlan, match: Match, partial: Partial) -> None:
        """Find what `emitted` says."""
        begin, end, _, events, _ = partial
        keys = [order_key(one) for one in self.inputs]
        spans = [_arrivals(one) for one in events]
        self.began = min([one for one, _ in spans]) if match.start == begin else first_arrival(match.start, keys)
        last = max([one for _, one in spans]) if match.end == end else last_arrival(match.end, keys)
        self.order = derived_order(rule.number, last, (match.start, match.id), match.values.values(), keys)
        self.id, self.support = match.id, match.evidence
        self.rests_on = frozenset([(key, one.id) for key, one in zip(keys, self.inputs, strict=True)])


def emitted_event(rule: RulePlan, match: Match, partial: Partial, inputs: tuple[Event, ...]) -> Emitted:
    """Return the event that a match is; `inputs` are the input events that it rests on."""
    assert match.known is not None
    made = Emitted.__new__(Emitted)
    made.type, made.start, made.end, made.fields = rule.rule.emits, match.start, match.end, match.values
    made.tie, made.derived, made.number = (), True, None
    made.inputs, made.known, made.made_of = inputs, match.known, (rule, match, partial)
    return made


def _arrivals(event: Event) -> tuple[OrderKey, OrderKey]:
    """Return the arrivals that a part begins and ends with."""
    key = order_key(event)
    return (event.began, key[:4]) if isinstance(event, Emitted) else (key, key)


def inputs_of(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return the input events that some events rest on, each once, in their order."""
    below = [one for event in events for one in (event.inputs if isinstance(event, Emitted) else (event,))]
    return tuple(sorted({arrival(event): event for event in below}.values(), key=arrival))


def is_counted(event: Event) -> bool:
    """Say whether the place of an event in the total order is that of its arrival."""
    if isinstance(event, Emitted):
        return True
    return not event.tie and (event.number is not None or type(event.id) is int)


class Uncounted(Exception):  # noqa: N818  # nothing is wrong with the state
    """A state has an event that has no place by its number, so the interpreter must keep it."""


class Parts:
    """The operators of a rule, with the names of the events that each of them binds, from left to right.

    Where records are counted, an event has a position, which is certain so long after its end as the `delay` says.
    """

    def __init__(self, operators: Sequence[Operator], *, counts: bool = False, delay: int = 0) -> None:
        self.operators, self.counts, self.delay = operators, counts, delay
        self.names: list[tuple[str, ...]] = []
        for operator in operators:
            below = tuple(name for number in operator.inputs for name in self.names[number])
            atom = operator.pattern
            self.names.append((atom.name,) if isinstance(atom, Atom) else below)

    def instance(self, number: int, partial: Partial) -> Instance:
        """Return a partial match of an operator as the interpreter has it."""
        positions = partial[4] if self.counts else (None,) * len(partial[3])
        return self._whole(number, partial[3], positions).certain_at(partial[2])

    def partial(self, number: int, instance: Instance) -> Partial:
        """Return what the interpreter has of an operator as a partial match."""
        assert instance.known is not None
        parts = [instance.parts[name] for name in self.names[number]]
        events = tuple(map(_event, parts))
        if not all(map(is_counted, events)):
            raise Uncounted
        positions = tuple([one.low for one in parts if one.low is not None]) if self.counts else ()
        return instance.start, instance.end, instance.known, events, positions

    def _whole(self, number: int, events: tuple[Event, ...], positions: tuple[int | None, ...]) -> Instance:
        operator = self.operators[number]
        if operator.kind is Kind.SCAN:
            (event,), (name,), (position,) = events, self.names[number], positions
            if isinstance(event, Emitted):
                return of_event(event, None, event.rests_on, event.known).called(name)
            return of_event(event, position, None, event.end + self.delay).called(name)
        if len(operator.inputs) == 1:
            return self._whole(operator.inputs[0], events, positions)
        members, first = [], 0
        for child in operator.inputs:
            last = first + len(self.names[child])
            members.append(self._whole(child, events[first:last], positions[first:last]))
            first = last
        return combined(members)


def _event(instance: Instance) -> Event:
    """Return the event that an instance is the occurrence of; one that was written down says all of it."""
    if isinstance(instance.made_of, Instance):
        return _event(instance.made_of)
    event = None if instance.made_of is None else _made_of(instance)
    if isinstance(event, Emitted) or (event is not None and not event.derived):
        return event
    assert instance.type is not None
    assert not isinstance(instance.identity, tuple)
    lies = (instance.type, instance.start, instance.end, instance.identity, instance.fields)
    (order,) = instance.order
    if len(order) == _OF_INPUT:
        return Event(*lies, number=_number(order))
    made = Emitted(*lies, (), True, instance.evidence, None, order, instance.first)
    made.known, made.rests_on, made.inputs = instance.known or instance.end, instance.rests_on, _inputs(instance)
    return made


def _made_of(instance: Instance) -> Event:
    assert isinstance(instance.made_of, tuple)
    return instance.made_of[0]


def _number(order: OrderKey) -> int | None:
    kind, number = order[-1]
    return number if kind == -1 else None


def _inputs(instance: Instance) -> tuple[Event, ...]:
    """Return what stands for the input events that a derived one rests on: their places and their names."""
    found = []
    for key, name in sorted(instance.rests_on):
        end, _, tie, _ = key
        if tie:
            raise Uncounted
        found.append(Event("", end, end, name, number=_number(key)))
    if not all(map(is_counted, found)):
        raise Uncounted
    return tuple(found)
