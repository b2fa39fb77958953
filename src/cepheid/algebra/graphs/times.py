"""The time that a value carries: an event its end, a record what it has as its `time`."""

from collections.abc import Mapping

from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.refusals import refusal
from cepheid.diagnostics import CepheidError
from cepheid.events import Event, time_reader

_read = time_reader("s")


def time_of(value: Thing) -> int | None:
    """Return the time of a value in ticks; None where it carries none.

    >>> time_of({"time": 2}), time_of({"time": "1970-01-01T00:00:01Z"}), time_of(3) is None
    (2000000, 1000000, True)
    """
    if isinstance(value, Event):
        return value.end
    told = value.get("time") if isinstance(value, Mapping) else None
    if told is None:
        return None
    try:
        return _read(told)
    except CepheidError:
        return None


def ticks_of(time: Thing) -> int:
    """Return a time that was handed in, in ticks: a number of seconds, a text or a date."""
    return _read(time)


def known_time(time: int | None) -> int:
    """Return the time of a value in a window of time, or refuse a value that carries none."""
    if time is None:
        hint = "put a `time` into the records, or hand it in: `push(value, time=3)`"
        raise refusal("a value in a window of time carries no time", hint)
    return time
