"""An instance: one way in which a pattern occurs, with its hull, its place in the order and what it binds."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

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
_NOTHING: Mapping[str, Any] = MappingProxyType({})
FIELDS = (
    "start",
    "end",
    "low",
    "high",
    "order",
    "first",
    "last",
    "identity",
    "rests_on",
    "fields",
    "parts",
    "variables",
    "branches",
    "known",
    "type",
)
"""What an instance is made with, in this order."""
_WORKED_OUT = frozenset(("order", "first", "last", "identity", "rests_on"))


class Instance:
    """One occurrence of a pattern. Nobody changes it.

    `low` and `high` are the least and greatest position of its records. `order` holds the order keys of its events,
    latest first: instances compare by it. `first` and `last` are the arrivals that it begins and ends with. `identity`
    holds the event id of each part, in part order. `branches` are the numbers of the alternatives that were taken.
    `known` is the least frontier at which it is certain; the definition sees everything at once and leaves it alone.
    `type` is that of the event, where it is the occurrence of one.

    Most partial matches come to nothing, so that `order`, `first`, `last`, `identity` and `rests_on` are worked out
    when somebody asks for one of them: from the event, the instance or the members that it is `made_of`.
    """

    __slots__ = (*FIELDS, "made_of")

    start: int
    end: int
    low: int | None
    high: int | None
    order: tuple[OrderKey, ...]
    first: OrderKey
    last: OrderKey
    identity: Identity
    rests_on: frozenset[Ground]
    fields: Mapping[str, Value]
    parts: Mapping[str, "Instance"]
    variables: Mapping[str, Value]
    branches: tuple[int, ...]
    known: int | None
    type: str | None
    made_of: "tuple[Event, frozenset[Ground] | None] | Instance | list[Instance] | None"

    def __init__(
        self,
        start: int,
        end: int,
        low: int | None,
        high: int | None,
        order: tuple[OrderKey, ...],
        first: OrderKey,
        last: OrderKey,
        identity: Identity,
        rests_on: frozenset[Ground],
        fields: Mapping[str, Value] = _NOTHING,
        parts: Mapping[str, "Instance"] = _NOTHING,
        variables: Mapping[str, Value] = _NOTHING,
        branches: tuple[int, ...] = (),
        known: int | None = None,
        type: str | None = None,  # noqa: A002  # as it is called
    ) -> None:
        self.start, self.end, self.low, self.high = start, end, low, high
        self.order, self.first, self.last, self.identity, self.rests_on = order, first, last, identity, rests_on
        self.fields, self.parts, self.variables, self.branches = fields, parts, variables, branches
        self.known, self.type, self.made_of = known, type, None

    def __getattr__(self, name: str) -> Any:  # as the name says
        # Python asks here only for what was not set yet.
        if name not in _WORKED_OUT:
            raise AttributeError(name)
        made_of = self.made_of
        if isinstance(made_of, tuple):
            self._see_event(*made_of)
        elif isinstance(made_of, list):
            self._see_members(made_of)
            self.made_of = None  # the members need not be kept for that any more
        else:
            assert made_of is not None
            self.order, self.first, self.last = made_of.order, made_of.first, made_of.last
            self.identity, self.rests_on = made_of.identity, made_of.rests_on
        return getattr(self, name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Instance):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in FIELDS)

    __hash__ = None  # type: ignore[assignment]  # what it says may be a record

    def __repr__(self) -> str:
        return f"Instance({', '.join(f'{name}={getattr(self, name)!r}' for name in FIELDS)})"

    def certain_at(self, known: int | None) -> "Instance":
        """Return it as certain from a frontier on."""
        return self if known == self.known else self._like(self.parts, self.fields, known)

    def changed(self, **changes: Any) -> "Instance":  # what fields hold
        """Return it with some fields changed."""
        made = self._like(self.parts, self.fields, self.known)
        if not _WORKED_OUT.isdisjoint(changes):
            made.__getattr__("order")  # all of them at once, and only then some are changed
        for name, value in changes.items():
            setattr(made, name, value)
        return made

    def called(self, name: str) -> "Instance":
        """Return it bound to a name."""
        return self._like({name: self}, _NOTHING, self.known)

    def _like(self, parts: Mapping[str, "Instance"], fields: Mapping[str, Value], known: int | None) -> "Instance":
        made = Instance.__new__(Instance)
        made.start, made.end, made.low, made.high = self.start, self.end, self.low, self.high
        made.fields, made.parts, made.variables, made.branches = fields, parts, self.variables, self.branches
        made.known, made.type, made.made_of = known, self.type, self
        return made

    def _see_event(self, event: Event, rests_on: frozenset[Ground] | None) -> None:
        key = order_key(event)
        self.order, self.identity = (key,), event.id
        if rests_on is None:
            self.first = key if event.start == event.end else before_arrivals(event.start)
            self.last, self.rests_on = key, frozenset(((key, event.id),))
        else:
            self.first, self.last, self.rests_on = event.began, arrival_of(event), rests_on

    def _see_members(self, members: Sequence["Instance"]) -> None:
        self.order = merged_order(members)
        self.first, self.last = min(one.first for one in members), max(one.last for one in members)
        self.identity = tuple(one.identity for one in members)
        self.rests_on = frozenset().union(*(one.rests_on for one in members))

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


def of_event(
    event: Event, position: int | None, rests_on: frozenset[Ground] | None = None, known: int | None = None
) -> Instance:
    """Return the occurrence of one event; a derived one rests on what is given, an input event on itself."""
    made = Instance.__new__(Instance)
    made.start, made.end, made.low, made.high = event.start, event.end, position, position
    made.fields, made.parts, made.variables, made.branches = event.fields, _NOTHING, _NOTHING, ()
    made.known, made.type, made.made_of = known, event.type, (event, rests_on)
    return made


def of_instant(time: int) -> Instance:
    """Return the occurrence of a point of time: before every event of its tick, without position or support."""
    key = before_arrivals(time)
    return Instance(time, time, None, None, (key,), key, key, f"@{time}", frozenset())


def named(name: str, instance: Instance) -> Instance:
    """Return `instance` bound to `name`."""
    return instance.called(name)


def combined(members: Sequence[Instance]) -> Instance:
    """Return the hull of some instances with everything they bind."""
    return hull(members, _merged([one.parts for one in members]), _merged([one.variables for one in members]))


def hull(
    members: Sequence[Instance],
    parts: Mapping[str, Instance],
    variables: Mapping[str, Value],
    branches: tuple[int, ...] | None = None,
) -> Instance:
    """Return the hull of some instances that binds these parts and variables."""
    made = Instance.__new__(Instance)
    made.start, made.end = min([one.start for one in members]), max([one.end for one in members])
    made.low = min([one.low for one in members if one.low is not None], default=None)
    made.high = max([one.high for one in members if one.high is not None], default=None)
    made.fields, made.parts, made.variables = _NOTHING, parts, variables
    if branches is None:
        branches = tuple([number for one in members for number in one.branches])
    times = [one.known for one in members]
    made.known = None if None in times else max(times)  # type: ignore[type-var]  # none of them is None
    made.branches, made.type, made.made_of = branches, None, list(members)
    return made


def branch(number: int, instance: Instance) -> Instance:
    """Return an instance of one of several alternatives."""
    return instance.changed(branches=(number, *instance.branches))


def _merged(some: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return what several mappings say together, one after the other."""
    told = [one for one in some if one]
    if len(told) < 2:
        return told[0] if told else _NOTHING
    return {name: value for one in told for name, value in one.items()}


def merged_order(members: Iterable[Instance]) -> tuple[OrderKey, ...]:
    return tuple(sorted({key for member in members for key in member.order}, reverse=True))


def scope_of(instance: Instance, tables: Mapping[str, Table], **more: Instance) -> Scope:
    """Return what an expression over `instance` can read; `more` are parts by their special names, without the $."""
    special = {f"${name}": part for name, part in more.items()}
    return Scope({**instance.parts, **special}, instance.variables, tables)
