"""Partial matches as tuples: where they lie, when they are certain, and their events in the order of the parts.

The interpreter has instances for the same, which say much more. Each can be made of the other.
"""

from collections.abc import Sequence
from typing import TypeAlias

from cepheid.algebra.instances import Instance, combined, of_event
from cepheid.algebra.patterns import Atom
from cepheid.analysis.plan import Kind, Operator
from cepheid.events import Event

Partial: TypeAlias = tuple[int, int, int, tuple[Event, ...]]
"""Start, end, the frontier at which it is certain, and the events."""
Arrival: TypeAlias = tuple[int, int]


def arrival(event: Event) -> Arrival:
    """Return the place of an event in the total order, where events come in order and are counted."""
    number = event.number if event.number is not None else event.id
    assert isinstance(number, int)
    return event.end, number


def is_counted(event: Event) -> bool:
    """Say whether the place of an event in the total order is that of its arrival."""
    return not event.tie and (event.number is not None or type(event.id) is int)


class Uncounted(Exception):  # noqa: N818  # nothing is wrong with the state
    """A state has an event that has no place by its number, so the interpreter must keep it."""


class Parts:
    """The operators of a rule, with the names of the events that each of them binds, from left to right."""

    def __init__(self, operators: Sequence[Operator]) -> None:
        self.operators = operators
        self.names: list[tuple[str, ...]] = []
        for operator in operators:
            below = tuple(name for number in operator.inputs for name in self.names[number])
            atom = operator.pattern
            self.names.append((atom.name,) if isinstance(atom, Atom) else below)

    def instance(self, number: int, partial: Partial) -> Instance:
        """Return a partial match of an operator as the interpreter has it."""
        return self._whole(number, partial[3]).certain_at(partial[2])

    def partial(self, number: int, instance: Instance) -> Partial:
        """Return what the interpreter has of an operator as a partial match."""
        assert instance.known is not None
        events = tuple(_event(instance.parts[name]) for name in self.names[number])
        if not all(map(is_counted, events)):
            raise Uncounted
        return instance.start, instance.end, instance.known, events

    def _whole(self, number: int, events: tuple[Event, ...]) -> Instance:
        operator = self.operators[number]
        if operator.kind is Kind.SCAN:
            (event,), (name,) = events, self.names[number]
            return of_event(event, None, None, event.end).called(name)
        if len(operator.inputs) == 1:
            return self._whole(operator.inputs[0], events)
        members, first = [], 0
        for child in operator.inputs:
            last = first + len(self.names[child])
            members.append(self._whole(child, events[first:last]))
            first = last
        return combined(members)


def _event(instance: Instance) -> Event:
    """Return the event that an instance is the occurrence of; one that was written down says all of it."""
    if isinstance(instance.made_of, tuple):
        return instance.made_of[0]
    if isinstance(instance.made_of, Instance):
        return _event(instance.made_of)
    ((*_, (kind, number)),) = instance.order
    identity = instance.identity
    assert instance.type is not None
    assert not isinstance(identity, tuple)
    counted = number if kind == -1 else None
    return Event(instance.type, instance.start, instance.end, identity, instance.fields, number=counted)
