"""PARTElang's event algebra EA: patterns over relations of point events, evaluated by set comprehension.

An assignment gives every variable its event. A comparison with a missing attribute holds for nobody.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne
from typing import TypeAlias

from cepheid.events import Event

Assignment: TypeAlias = Mapping[str, Event]
TIMESTAMP = "timestamp"
COMPARE = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


@dataclass(frozen=True, slots=True)
class Attribute:
    """`variable.name`; the name `timestamp` is the event's time."""

    variable: str
    name: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left operator right + plus`."""

    left: Attribute
    operator: str
    right: Attribute | int
    plus: int = 0


@dataclass(frozen=True, slots=True)
class Tuples:
    """`(relation as variable)`."""

    relation: str
    variable: str


@dataclass(frozen=True, slots=True)
class And:
    """`left AND right`."""

    left: "EventPattern"
    right: "EventPattern"


@dataclass(frozen=True, slots=True)
class Or:
    """`left OR right`."""

    left: "EventPattern"
    right: "EventPattern"


@dataclass(frozen=True, slots=True)
class Where:
    """`pattern WHERE condition`."""

    pattern: "EventPattern"
    condition: Comparison


@dataclass(frozen=True, slots=True)
class Without:
    """Filtered negation: no assignment of `absent` fulfils all conditions together with one of `pattern`."""

    pattern: "EventPattern"
    absent: "EventPattern"
    conditions: tuple[Comparison, ...]


EventPattern: TypeAlias = Tuples | And | Or | Where | Without


def assignments(pattern: EventPattern, stream: Iterable[Event]) -> list[Assignment]:
    """Return the value of a pattern over a stream."""
    events = list(stream)
    match pattern:
        case Tuples(relation, variable):
            return [{variable: event} for event in events if event.type == relation]
        case And(left, right):
            return [{**one, **two} for one in assignments(left, events) for two in assignments(right, events)]
        case Or(left, right):
            return [*assignments(left, events), *assignments(right, events)]
        case Where(inner, condition):
            return [found for found in assignments(inner, events) if fulfils(found, condition)]
        case Without(inner, absent, conditions):
            others = assignments(absent, events)
            return [
                found
                for found in assignments(inner, events)
                if not any(all(fulfils({**found, **other}, one) for one in conditions) for other in others)
            ]


def fulfils(assignment: Assignment, condition: Comparison) -> bool:
    """Does the assignment make the condition true?"""
    left, right = _value(condition.left, assignment), _value(condition.right, assignment)
    if left is None or right is None:
        return False
    return bool(COMPARE[condition.operator](left, right + condition.plus))


def _value(operand: Attribute | int, assignment: Assignment) -> int | None:
    if isinstance(operand, int):
        return operand
    event = assignment[operand.variable]
    found = event.end if operand.name == TIMESTAMP else event.fields.get(operand.name)
    return found if isinstance(found, int) else None
