"""An event: something of a type that held from `start` to `end`.

    point("login", 7, 1, {"user": "ann"})      interval("call", 2, 5, 2)

Most events are points, where `start` and `end` are one tick. A derived event is made by a rule and is an
event like any other; its `support` names the input events it rests on, through all levels. An input event
rests on itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.events.ticks import MAX_TIME, MIN_TIME, is_time
from cepheid.events.values import Value, key_of

EventId: TypeAlias = int | str


@dataclass(slots=True, eq=False)  # to freeze it would take three times as long as to make it
class Event:
    """One event; two are equal when all they say is, where NaN equals NaN and a null field is no field.

    `tie` holds the values of the columns that order simultaneous events, and `number` says as the how manieth it
    arrived; without one, its id is used instead. `order` is where a derived event stands in the total order,
    and `began` the arrival that it begins with, as the rule that made it says. None of these says anything about the
    event. Nobody changes it, or its `fields`, afterwards.
    """

    type: str
    start: int
    end: int
    id: EventId
    fields: Mapping[str, Value] = field(default_factory=dict)
    tie: tuple[Value, ...] = ()
    derived: bool = False
    support: tuple[EventId, ...] = ()
    number: int | None = None
    order: tuple[object, ...] = ()
    began: tuple[object, ...] = ()

    def __post_init__(self) -> None:
        if not self.support and not self.derived:
            self.support = (self.id,)

    def get(self, name: str) -> Value:
        """Return the field `name`; a missing field is null."""
        return self.fields.get(name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Event):
            return NotImplemented
        return _head(self) == _head(other) and _content(self) == _content(other)

    def __hash__(self) -> int:
        return hash(self.id)


def point(
    event_type: str,
    time: int,
    event_id: EventId,
    fields: Mapping[str, Value] | None = None,
    tie: tuple[Value, ...] = (),
) -> Event:
    """Return the input event that happened at the one tick `time`.

    >>> point("login", 7, 1, {"user": "ann"}).get("user")
    'ann'
    """
    return interval(event_type, time, time, event_id, fields, tie)


def plain_point(kind: str, time: int, name: EventId, fields: Mapping[str, Value], number: int | None = None) -> Event:
    """Return the input event of a tick with its id, and with the number of its arrival; fields are kept as given.

    It says what `point` says, and is made in half the time.

    >>> plain_point("login", 7, 1, {"user": "ann"}) == point("login", 7, 1, {"user": "ann"})
    True
    """
    made = Event.__new__(Event)
    made.type, made.start, made.end, made.id, made.fields = kind, time, time, name, fields
    made.tie, made.derived, made.support, made.number, made.order, made.began = (), False, (name,), number, (), ()
    return made


def interval(
    event_type: str,
    start: int,
    end: int,
    event_id: EventId,
    fields: Mapping[str, Value] | None = None,
    tie: tuple[Value, ...] = (),
) -> Event:
    """Return the input event that held from `start` to `end`, both included."""
    if not MIN_TIME < start <= end < MAX_TIME:
        raise _no_interval(event_type, start, end)
    return Event(event_type, start, end, event_id, dict(fields or {}), tie)


def _head(event: Event) -> tuple[object, ...]:
    return (event.type, event.start, event.end, event.id, event.derived, event.support)


def _content(event: Event) -> tuple[object, ...]:
    return (key_of(event.fields), key_of(event.tie))


def _no_interval(event_type: str, start: int, end: int) -> CepheidError:
    if is_time(start) and is_time(end):
        message = f"`{event_type}` ends at {end}, before it starts at {start}"
        return CepheidError(Diagnostic("bad-interval", message, hints=(f"swap them: `{end}-{start}`",)))
    time = end if is_time(start) else start
    message = f"`{event_type}` at {time} is outside the times that can be distinguished"
    hint = f"times are ticks from `{MIN_TIME + 1}` to `{MAX_TIME - 1}`"
    return CepheidError(Diagnostic("bad-interval", message, hints=(hint,)))
