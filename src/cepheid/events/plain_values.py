"""Objects of the outside world as values of events: lists as tuples, dates as ticks, decimals as floats."""

import reprlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Final
from uuid import UUID

from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic, shortened
from cepheid.events.event import Event, EventId, interval
from cepheid.events.foreign_values import python_own
from cepheid.events.ticks import MAX_TIME, MIN_TIME, digits_of
from cepheid.events.time_forms import time_reader
from cepheid.events.values import GREATEST_INTEGER, LEAST_INTEGER, Value, integer

Path = tuple[str | int, ...]

PLAIN: Final = frozenset({bool, float, str, type(None)})
"""The types of values that are what they are."""

MOST_NESTED: Final = 100
"""How deep lists and records may be nested in a value."""

_MOST_SHOWN = 10**1000
_read_date = time_reader("us")
_TICK = timedelta(microseconds=1)


def plain_value(value: object, path: Path = ()) -> Value:
    """Return `value` as fields of events hold it, or refuse it with the path to what is none.

    >>> plain_value([1, {"legs": [2.5]}])
    (1, {'legs': (2.5,)})
    """
    if value is None or type(value) is bool or type(value) is float:
        return value
    if type(value) is str:
        return value if is_text(value) else _no_text(value, path)
    if type(value) is int:
        return _whole_number(value, path)
    if len(path) > MOST_NESTED:
        raise _refusal(f"values are nested more than {MOST_NESTED} deep", path[:1], "take the inner ones apart")
    if isinstance(value, list | tuple):
        return tuple(plain_value(item, (*path, index)) for index, item in enumerate(value))
    if isinstance(value, Mapping):
        named = ((plain_name(name, path), item) for name, item in value.items())
        return {name: plain_value(item, (*path, name)) for name, item in named}
    return _scalar(value, path)


def is_text(text: str) -> bool:
    r"""Say whether a text can be written: half of a pair of surrogates is no character.

    >>> is_text("naïve"), is_text("\ud800")
    (True, False)
    """
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def plain_name(name: object, path: Path = ()) -> str:
    """Return the name of a field, or refuse it."""
    text = name if type(name) is str else digits_of(name) if isinstance(name, int) else str(name)
    return text if is_text(text) else _no_text(text, path)


def _no_text(text: str, path: Path) -> str:
    told = shortened(text).encode("ascii", "backslashreplace").decode()
    shown_path = tuple(step if isinstance(step, int) or is_text(step) else "?" for step in path)
    raise _refusal(f"`{told}` holds half of a character", shown_path, "write the other half of the surrogate pair")


def plain_event(event: Event) -> Event:
    """Return an event whose times, id and fields are what events hold, or refuse it."""
    if not is_text(event.type):
        _no_text(event.type, ("type",))
    is_own = type(event.start) is int and type(event.end) is int and _is_identity(event.id)
    is_own = is_own and MIN_TIME < event.start <= event.end < MAX_TIME
    if is_own and all(map(_is_plain, event.fields.values())):
        return event
    start, end = _whole(event.start, "start"), _whole(event.end, "end")
    interval(event.type, start, end, event.id)  # which refuses what lies outside of time
    fields = {name: plain_value(value, (name,)) for name, value in event.fields.items()}
    tie = tuple(plain_value(value, ("tie", index)) for index, value in enumerate(event.tie))
    return replace(event, start=start, end=end, id=_identity(event.id), fields=fields, tie=tie)


def _is_plain(value: object) -> bool:
    if type(value) is str:
        return is_text(value)
    return type(value) in PLAIN or (type(value) is int and LEAST_INTEGER <= value <= GREATEST_INTEGER)


def _is_identity(given: object) -> bool:
    return type(given) is int or (type(given) is str and is_text(given))


def _whole(ticks: object, name: str) -> int:
    own = python_own(ticks)
    if isinstance(own, int) and not isinstance(own, bool):
        return own
    message = f"expected ticks, got `{type(ticks).__name__}`"
    raise _refusal(message, (name,), "the times of an `Event` are whole microseconds")


def _identity(given: object) -> EventId:
    own = python_own(given)
    if isinstance(own, str):
        return own if is_text(own) else _no_text(own, ("id",))
    if isinstance(own, int) and not isinstance(own, bool):
        return own
    message = f"expected an id, got `{type(given).__name__}`"
    raise _refusal(message, ("id",), "an id is a whole number or a string")


def _whole_number(value: int, path: Path) -> int:
    if integer(value) is None:
        message = f"`{shortened(digits_of(value))}` does not fit into 64 bits"
        raise _refusal(message, path, "write it as a string, or as a decimal such as `1e20`")
    return value


def _scalar(value: object, path: Path) -> Value:
    """Return what is a number or a time under another name."""
    own = python_own(value)
    if isinstance(own, date | datetime) or (isinstance(own, str) and not isinstance(value, str)):
        return _read_date(own)
    if isinstance(own, timedelta):
        return _whole_number(own // _TICK, path)
    if isinstance(own, Decimal):
        return float("nan") if own.is_nan() else float(own)
    if isinstance(own, UUID):
        return str(own)
    if type(own) is not type(value):
        return plain_value(own, path)
    hint = "a value is a number, a string, a boolean, a date, null, a list or a mapping"
    raise _refusal(f"a `{type(value).__name__}` is no value of an event", path, hint)


def _refusal(message: str, path: Path, hint: str) -> CepheidError:
    return CepheidError(Diagnostic("bad-event", message, hints=(hint,), place=DataPlace(path=path)))


def plain_json(value: object) -> object:
    """Return `value` as JSON can say it; what it cannot is shown as Python shows it.

    >>> plain_json({"at": (1, b"x")})
    {'at': [1, "b'x'"]}
    """
    try:
        return _json(value, 0)
    except _TooDeepError:
        return _SHOWN.repr(value)


class _Shown(reprlib.Repr):
    """What is nested too deep, as Python shows it, and not too much of that."""

    def repr_int(self, number: int, level: int) -> str:
        return digits_of(number) if abs(number) > _MOST_SHOWN else super().repr_int(number, level)


_SHOWN = _Shown()


class _TooDeepError(Exception):
    """Values are nested too deep to be told."""


def _key(name: object) -> str:
    return digits_of(name) if isinstance(name, int) else str(name)


def _json(value: object, depth: int) -> object:
    if isinstance(value, int) and abs(value) > _MOST_SHOWN:
        return digits_of(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if depth > MOST_NESTED:
        raise _TooDeepError
    if isinstance(value, Mapping):
        return {_key(name): _json(item, depth + 1) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_json(item, depth + 1) for item in value]
    own = python_own(value)
    if type(own) is not type(value):
        return _json(own, depth + 1)
    return value.isoformat() if isinstance(value, date) else repr(value)
