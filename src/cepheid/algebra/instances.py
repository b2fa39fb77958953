"""An instance: one way in which a pattern occurs, with its hull, its place in the order and what it binds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cepheid.algebra.evaluation import Scope
from cepheid.algebra.matches import Identity
from cepheid.algebra.programs import Table
from cepheid.events import Event, EventId, Value, order_key

OrderKey = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Instance:
    """One occurrence of a pattern.

    `low` and `high` are the least and greatest position of its records. `order` holds the order keys of its events,
    latest first: instances compare by it. `identity` holds the event id of each part, in part order.
    """

    start: int
    end: int
    low: int | None
    high: int | None
    order: tuple[OrderKey, ...]
    identity: Identity
    support: frozenset[EventId]
    fields: Mapping[str, Value] = field(default_factory=dict)
    parts: Mapping[str, "Instance"] = field(default_factory=dict)
    variables: Mapping[str, Value] = field(default_factory=dict)

    @property
    def rank(self) -> tuple[object, ...]:
        """The place in the total order of instances; the assignment decides where the events are the same."""
        return (self.order, repr(self.identity))


def of_event(event: Event, position: int) -> Instance:
    """Return the occurrence of one event."""
    return Instance(
        event.start,
        event.end,
        position,
        position,
        (order_key(event),),
        event.id,
        frozenset(event.support),
        event.fields,
    )


def of_instant(name: str, time: int) -> Instance:
    """Return the occurrence of a point of time: before every event of its tick, without position or support."""
    return Instance(time, time, None, None, ((time, -1, (), (1, name)),), f"@{time}", frozenset())


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
        tuple(member.identity for member in members),
        frozenset().union(*(member.support for member in members)),
        parts={name: part for member in members for name, part in member.parts.items()},
        variables={name: value for member in members for name, value in member.variables.items()},
    )


def merged_order(members: Iterable[Instance]) -> tuple[OrderKey, ...]:
    return tuple(sorted({key for member in members for key in member.order}, reverse=True))


def scope_of(instance: Instance, tables: Mapping[str, Table], **more: Instance) -> Scope:
    """Return what an expression over `instance` can read; `more` are parts by their special names, without the $."""
    special = {f"${name}": part for name, part in more.items()}
    return Scope({**instance.parts, **special}, instance.variables, tables)
