"""The one total order of events: by end, then input before derived, then the order-by columns, then id.

Events of one `end` are simultaneous, and nothing that speaks of time may tell them apart; what counts
positions reads this order. It exists for any mixture of ids and column values: integer ids come before
string ids, and values stand as `sort_key` puts them.
"""

from collections.abc import Iterable

from cepheid.events.event import Event, EventId
from cepheid.events.values import sort_key


def order_key(event: Event) -> tuple[object, ...]:
    """Return the event's place in the total order, as something Python can compare.

    >>> from cepheid.events import point
    >>> early, late = point("a", 1, "x"), point("a", 2, 0)
    >>> order_key(early) < order_key(late)
    True
    """
    return (event.end, event.derived, sort_key(event.tie), id_key(event.id))


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
