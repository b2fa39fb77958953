"""What other libraries have for Python's values: the scalars and arrays of NumPy, the timestamps of pandas.

They are known by what they can do, so that no such library is needed here.
"""

from datetime import date, datetime, timedelta
from typing import Any

_TICK = "[us]"


def python_own(value: Any) -> object:  # whatever a user has
    """Return a scalar of NumPy as Python has it, an array as a list, and a missing moment as null.

    What Python has itself comes back as it is, only without the subclass: a `numpy.float64` is a float too. A moment
    that is finer than Python's becomes the text that says it.
    """
    kind = getattr(getattr(value, "dtype", None), "kind", None)
    if kind is None:
        return _without_subclass(value)
    if getattr(value, "shape", ()) != ():
        return list(value)
    if kind in "Mm":
        return _moment(value) if kind == "M" else _length(value)
    return value.item() if hasattr(value, "item") else value


def is_missing(value: object) -> bool:
    """Say whether a moment or a length of time is the one that NumPy and pandas write for none."""
    return isinstance(value, date | timedelta) and value != value


def _without_subclass(value: object) -> object:
    if is_missing(value):
        return None
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value)
    return float(value) if isinstance(value, float) else value


def _moment(value: Any) -> object:  # a `numpy.datetime64`
    if value != value:
        return None
    whole = value.astype(f"datetime64{_TICK}")
    inside = isinstance(moment := whole.item(), datetime)
    return moment if inside and whole == value else str(value)


def _length(value: Any) -> timedelta | int | None:  # a `numpy.timedelta64`
    if value != value:
        return None
    length = value.astype(f"timedelta64{_TICK}").item()
    return length if isinstance(length, timedelta | int) else None
