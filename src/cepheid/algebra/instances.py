"""An instance: one way in which a pattern occurs, with its hull, its place in the order and what it binds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cepheid.algebra.evaluation import Scope
from cepheid.algebra.match_ids import Identity
from cepheid.algebra.programs import Table
from cepheid.events import (
    Event,
    EventId,
    OrderKey,
    Value,
    arrival_of,
    before_arrivals,
    order_key,
    values,
)

Ground = tuple[OrderKey, EventId]


@dataclass(frozen=True, slots=True)
class Instance:
    """One occurrence of a pattern.

    `low` and `high` are the least and greatest position of its records. `order` holds the order keys of its events,
    latest first: instances compare by it. `first` and `last` are the arrivals that it begins and ends with. `identity`
    holds the event id of each part, in part order. `branches` are the numbers of the alternatives that were taken.
    `known` is the least frontier at which it is certain; the definition sees everything at once and leaves it alone.
    `type` is that of the event, where it is the occurrence of one.
    """

    start: int
    end: int
    low: int | None
    high: int | None
    order: tuple[OrderKey, ...]
    first: OrderKey
    last: OrderKey
    identity: Identity
    rests_on: frozenset[Ground]
    fields: Mapping[str, Value] = field(default_factory=dict)
    parts: Mapping[str, "Instance"] = field(default_factory=dict)
    variables: Mapping[str, Value] = field(default_factory=dict)
    branches: tuple[int, ...] = ()
    known: int | None = None
    type: str | None = None

    @property
    def support(self) -> frozenset[EventId]:
        """The input events it rests on, through all levels."""
        return frozenset(event_id for _, event_id in self.rests_on)

    @property
    def evidence(self) -> tuple[EventId, ...]:
        """The input events it rests on, in the total order."""
        return tuple(event_id for _, event_id in sorted(self.rests_on))

    @property
    def rank(self) -> tuple[object, ...]:
        """The place in the total order of instances.

        Where the events are the same, the parts decide in turn, then the alternatives, then the variables; what is
        level after that cannot be told apart.
        """
        parts = tuple(part.order for part in self.parts.values())
        told = tuple(values.sort_key(value) for value in self.variables.values())
        return (self.order, parts, self.branches, told)


def of_event(event: Event, position: int | None, rests_on: frozenset[Ground] | None = None) -> Instance:
    """Return the occurrence of one event; a derived one rests on what is given, an input event on itself."""
    key = order_key(event)
    if rests_on is None:
        first = key if event.start == event.end else before_arrivals(event.start)
        last, grounds = key, frozenset(((key, event.id),))
    else:
        first, last, grounds = event.began, arrival_of(event), rests_on
    return Instance(
        event.start,
        event.end,
        position,
        position,
        (key,),
        first,
        last,
        event.id,
        grounds,
        event.fields,
        type=event.type,
    )


def of_instant(time: int) -> Instance:
    """Return the occurrence of a point of time: before every event of its tick, without position or support."""
    key = before_arrivals(time)
    return Instance(time, time, None, None, (key,), key, key, f"@{time}", frozenset())


def named(name: str, instance: Instance) -> Instance:
    """Return `instance` bound to `name`."""
    return replace(instance, fields={}, parts={name: instance})


def combined(members: Sequence[Instance]) -> Instance:
    """Return the hull of some instances with everything they bind."""
    lows = [member.low for member in members if member.low is not None]
    highs = [member.high for member in members if member.high is not None]
    return Instance(
        min(member.start for member in members),
        max(member.end for member in members),
        min(lows, default=None),
        max(highs, default=None),
        merged_order(members),
        min(member.first for member in members),
        max(member.last for member in members),
        tuple(member.identity for member in members),
        frozenset().union(*(member.rests_on for member in members)),
        parts={name: part for member in members for name, part in member.parts.items()},
        variables={name: value for member in members for name, value in member.variables.items()},
        branches=tuple(number for member in members for number in member.branches),
        known=_latest(members),
    )


def branch(number: int, instance: Instance) -> Instance:
    """Return an instance of one of several alternatives."""
    return replace(instance, branches=(number, *instance.branches))


def _latest(members: Sequence[Instance]) -> int | None:
    times = [member.known for member in members]
    return None if None in times else max(time for time in times if time is not None)


def merged_order(members: Iterable[Instance]) -> tuple[OrderKey, ...]:
    return tuple(sorted({key for member in members for key in member.order}, reverse=True))


def scope_of(instance: Instance, tables: Mapping[str, Table], **more: Instance) -> Scope:
    """Return what an expression over `instance` can read; `more` are parts by their special names, without the $."""
    special = {f"${name}": part for name, part in more.items()}
    return Scope({**instance.parts, **special}, instance.variables, tables)
