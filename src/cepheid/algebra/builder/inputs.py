"""Events as users have them: `Event` objects, or records such as `{"type": "login", "time": 12, "user": "ann"}`.

A record needs a `type` and a `time`: a number in ticks, or a text as in `2024-05-17T08:30:00Z`. With a `start` it is an
interval that ends at its `time`. Without an `id` it gets its place in the list, counted from 1. All else are fields.
"""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic
from cepheid.events import Event, EventId, Value, interval, parse_time

Record: TypeAlias = Mapping[str, object]
Input: TypeAlias = Event | Record

_RESERVED = ("type", "time", "start", "id")


def events_of(inputs: Iterable[Input]) -> list[Event]:
    """Return the events that the inputs say; no two may have one id.

    >>> events_of([{"type": "login", "time": 12, "user": "ann"}])[0].get("user")
    'ann'
    """
    events = [
        given if isinstance(given, Event) else _event(given, place) for place, given in enumerate(inputs, start=1)
    ]
    seen: set[EventId] = set()
    for place, event in enumerate(events):
        if event.id in seen:
            raise _refusal(f"two events have the id `{event.id}`", (place,), "leave out `id` to have them counted")
        seen.add(event.id)
    return events


def _event(record: Record, place: int) -> Event:
    index = place - 1
    if not isinstance(record, Mapping):
        raise _refusal(f"expected an event or a mapping, got `{type(record).__name__}`", (index,))
    name = record.get("type")
    if not isinstance(name, str):
        raise _refusal(f"expected `str`, got `{type(name).__name__}`", (index, "type"), '`"type"` names the type')
    end = _time(record, "time", index)
    start = _time(record, "start", index) if "start" in record else end
    fields = {key: _value(value, (index, key)) for key, value in record.items() if key not in _RESERVED}
    return interval(name, start, end, _identity(record, place), fields)


def _time(record: Record, key: str, index: int) -> int:
    time = record.get(key)
    if isinstance(time, str):
        return parse_time(time, place=DataPlace(path=(index, key)))
    if isinstance(time, int) and not isinstance(time, bool):
        return time
    hint = "write a number of ticks, or a text such as `2024-05-17T08:30:00Z`"
    raise _refusal(f"expected `int` or `str`, got `{type(time).__name__}`", (index, key), hint)


def _identity(record: Record, place: int) -> EventId:
    identity = record.get("id", place)
    if isinstance(identity, int | str) and not isinstance(identity, bool):
        return identity
    raise _refusal(f"expected `int` or `str`, got `{type(identity).__name__}`", (place - 1, "id"))


def _value(value: object, path: tuple[str | int, ...]) -> Value:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return tuple(_value(item, (*path, place)) for place, item in enumerate(value))
    if isinstance(value, Mapping):
        return {str(key): _value(item, (*path, str(key))) for key, item in value.items()}
    hint = "a value is a number, a string, a boolean, null, a list or a mapping"
    raise _refusal(f"a `{type(value).__name__}` is no value of an event", path, hint)


def _refusal(message: str, path: tuple[str | int, ...], *hints: str) -> CepheidError:
    return CepheidError(Diagnostic("bad-event", message, hints=hints, place=DataPlace(path=path)))
