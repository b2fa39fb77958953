"""An instance: one way in which a pattern occurs, with its hull, its place in the order and what it binds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cepheid.algebra.evaluation import Scope
from cepheid.algebra.matches import Identity
from cepheid.algebra.programs import Table
from cepheid.events import Event, EventId, Value, order_key, values

OrderKey = tuple[object, ...]
Ground = tuple[OrderKey, EventId]


@dataclass(frozen=True, slots=True)
class Instance:
    """One occurrence of a pattern.

    `low` and `high` are the least and greatest position of its records. `order` holds the order keys of its events,
    latest first: instances compare by it. `identity` holds the event id of each part, in part order. `known` is the
    least frontier at which it is certain; the definition, which sees everything at once, leaves it alone.
    """

    start: int
    end: int
    low: int | None
    high: int | None
    order: tuple[OrderKey, ...]
    identity: Identity
    rests_on: frozenset[Ground]
    fields: Mapping[str, Value] = field(default_factory=dict)
    parts: Mapping[str, "Instance"] = field(default_factory=dict)
    variables: Mapping[str, Value] = field(default_factory=dict)
    known: int | None = None

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

        Where the events are the same, the parts decide in turn, then what they are called, then the variables; what is
        level after that cannot be told apart.
        """
        parts = tuple(part.order for part in self.parts.values())
        told = tuple((name, values.sort_key(value)) for name, value in self.variables.items())
        return (self.order, parts, tuple(self.parts), told)


def of_event(event: Event, position: int | None, rests_on: frozenset[Ground] | None = None) -> Instance:
    """Return the occurrence of one event; a derived one rests on what is given, an input event on itself."""
    key = order_key(event)
    grounds = frozenset(((key, event.id),)) if rests_on is None else rests_on
    return Instance(event.start, event.end, position, position, (key,), event.id, grounds, event.fields)


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
        frozenset().union(*(member.rests_on for member in members)),
        parts={name: part for member in members for name, part in member.parts.items()},
        variables={name: value for member in members for name, value in member.variables.items()},
        known=_latest(members),
    )


def _latest(members: Sequence[Instance]) -> int | None:
    times = [member.known for member in members]
    return None if None in times else max(time for time in times if time is not None)


def merged_order(members: Iterable[Instance]) -> tuple[OrderKey, ...]:
    return tuple(sorted({key for member in members for key in member.order}, reverse=True))


def scope_of(instance: Instance, tables: Mapping[str, Table], **more: Instance) -> Scope:
    """Return what an expression over `instance` can read; `more` are parts by their special names, without the $."""
    special = {f"${name}": part for name, part in more.items()}
    return Scope({**instance.parts, **special}, instance.variables, tables)
