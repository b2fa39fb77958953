"""Events as users have them: `Event` objects, or records such as `{"type": "login", "time": 12, "user": "ann"}`.

A record needs a `type` and a `time`: a number of seconds, or of another unit that was named, or a text as in
`2024-05-17T08:30:00Z`. With a `start` it is an interval that ends at its `time`. Without an `id` it gets its place in
the list, counted from 1. All else are fields.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeAlias

from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic
from cepheid.events import (
    Event,
    EventId,
    ReadTime,
    Rounding,
    TimeUnit,
    checked_unit,
    interval,
    plain_event,
    plain_value,
    python_own,
    time_reader,
)

Record: TypeAlias = Mapping[str, object]
Input: TypeAlias = Event | Record

_RESERVED = ("type", "time", "start", "id")


def events_of(inputs: Iterable[Input], time_unit: TimeUnit = "s") -> list[Event]:
    """Return the events that the inputs say; no two may have one id.

    >>> event = events_of([{"type": "login", "time": 12, "user": "ann"}])[0]
    >>> event.get("user"), event.end
    ('ann', 12000000)
    """
    read_time = time_reader(checked_unit(time_unit), rounding=Rounding())
    events = [
        _checked(given, place) if isinstance(given, Event) else _event(given, place, read_time)
        for place, given in enumerate(inputs, start=1)
    ]
    seen: set[EventId] = set()
    for place, event in enumerate(events):
        if event.id in seen:
            raise _refusal(f"two events have the id `{event.id}`", (place,), "leave out `id` to have them counted")
        seen.add(event.id)
    return events


def _event(record: Record, place: int, read_time: ReadTime) -> Event:
    index = place - 1
    if not isinstance(record, Mapping):
        raise _refusal(f"expected an event or a mapping, got `{type(record).__name__}`", (index,))
    name = python_own(record.get("type"))
    if not isinstance(name, str):
        raise _refusal(f"expected `str`, got `{type(name).__name__}`", (index, "type"), '`"type"` names the type')
    end = _time(record, "time", index, read_time)
    start = _time(record, "start", index, read_time) if "start" in record else end
    with _placed(index):
        fields = {key: plain_value(value, (key,)) for key, value in record.items() if key not in _RESERVED}
    return interval(name, start, end, _identity(record, place), fields)


def _checked(event: Event, place: int) -> Event:
    with _placed(place - 1):
        return plain_event(event)


def _time(record: Record, key: str, index: int, read_time: ReadTime) -> int:
    with _placed(index, key):
        return read_time(record.get(key))


def _identity(record: Record, place: int) -> EventId:
    identity = python_own(record.get("id", place))
    if isinstance(identity, int | str) and not isinstance(identity, bool):
        return identity
    raise _refusal(f"expected `int` or `str`, got `{type(identity).__name__}`", (place - 1, "id"))


@contextmanager
def _placed(*path: str | int) -> Iterator[None]:
    """Put a path in front of the one in an error."""
    try:
        yield
    except CepheidError as error:
        found = error.diagnostics[0]
        inner = found.place.path if found.place is not None else None
        raise CepheidError(replace(found, place=DataPlace(path=(*path, *(inner or ()))))) from None


def _refusal(message: str, path: tuple[str | int, ...], *hints: str) -> CepheidError:
    return CepheidError(Diagnostic("bad-event", message, hints=hints, place=DataPlace(path=path)))
