"""The one total order of events: by end, then the order-by columns, then the number of arrival.

Events that have no number of arrival are ordered by their ids: integers before strings. Values of columns stand as
`sort_key` puts them. A derived event stands after the input event that completes it and before the next one; among
several of these the order of the rules decides, then that of the events they rest on, then what they say. Where a
derived event ends when nothing ends that it rests on, it comes after all input that ends with it. A name, a shift
of all times or a hash never decides what is found.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from cepheid.events.event import Event, EventId
from cepheid.events.values import Value, sort_key

OrderKey = tuple[Any, ...]  # numbers, texts and tuples of them, which Python can compare
SORT_BUFFER = 100_000
"""How many events of finite input are held back to put them in order, unless somebody says otherwise."""
POINTS, ARRIVALS, OTHERS = -1, 0, 1
"""What comes first in an instant: points of time, then what arrives and what that completes, then all others."""


def order_columns(names: str | Sequence[str]) -> tuple[str, ...]:
    """Return the columns that order events of one time; one of them may be given alone.

    >>> order_columns("offset"), order_columns(["day", "offset"])
    (('offset',), ('day', 'offset'))
    """
    return (names,) if isinstance(names, str) else tuple(names)


def order_key(event: Event) -> OrderKey:
    """Return the event's place in the total order, as something Python can compare.

    >>> from cepheid.events import point
    >>> early, late = point("a", 1, "x"), point("a", 2, 0)
    >>> order_key(early) < order_key(late)
    True
    """
    if event.derived:
        return event.order or (event.end, OTHERS, (), id_key(event.id))
    return (event.end, ARRIVALS, sort_key(event.tie), number_key(event))


def number_key(event: Event) -> tuple[object, ...]:
    """Return a key that orders simultaneous events as they arrived; without numbers, by their ids."""
    return id_key(event.id) if event.number is None else (-1, event.number)


def derived_order(
    rule: int, last: OrderKey, event: tuple[int, EventId], said: Iterable[Value], rests_on: Iterable[OrderKey]
) -> OrderKey:
    """Return where a derived event stands in the total order.

    `rule` is the number of its rule, `last` the arrival that it ends with, `event` its start and its id, `said` the
    values of its fields, and `rests_on` the places of the input events that it rests on. The id only tells apart what
    is alike in all else.
    """
    start, name = event
    evidence = tuple(sorted(rests_on, reverse=True))
    return (*last, rule, evidence, start, tuple(map(sort_key, said)), name)


def arrival_of(event: Event) -> OrderKey:
    """Return the arrival that an event ends with: its own, or for a derived event that of what completes it."""
    return order_key(event)[:4]


def last_arrival(end: int, rests_on: Iterable[OrderKey]) -> OrderKey:
    """Return the last of the arrivals that something rests on and that ends with it; where none does, after all."""
    return max((key for key in rests_on if key[0] == end), default=(end, OTHERS, (), ()))


def first_arrival(start: int, rests_on: Iterable[OrderKey]) -> OrderKey:
    """Return the first of the arrivals that something rests on at its start; where there is none, before all."""
    return min((key for key in rests_on if key[0] == start), default=before_arrivals(start))


def before_arrivals(time: int) -> OrderKey:
    """Return what stands in the total order before every event of an instant."""
    return (time, POINTS, (), ())


def id_key(event_id: EventId) -> tuple[object, ...]:
    """Return a key that orders ids: integers by value, then strings by code point."""
    return (1, event_id) if isinstance(event_id, str) else (0, event_id)


def sort_events(events: Iterable[Event]) -> list[Event]:
    """Return the events in the total order."""
    return sorted(events, key=order_key)


def positions(events: Iterable[Event]) -> dict[EventId, int]:
    """Return each event's index in the total order, by its id.

    >>> from cepheid.events import point
    >>> positions([point("b", 5, "b"), point("a", 3, "a")])
    {'a': 0, 'b': 1}
    """
    return {event.id: position for position, event in enumerate(sort_events(events))}
