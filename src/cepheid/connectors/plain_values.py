"""Objects of the outside world as values of events: lists as tuples, dates as ticks, decimals as floats."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal

from cepheid.connectors.times import time_reader
from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic
from cepheid.events import Value, integer

Path = tuple[str | int, ...]

_read_date = time_reader("us")
_TICK = timedelta(microseconds=1)


def plain_value(value: object, path: Path = ()) -> Value:
    """Return `value` as fields of events hold it, or refuse it with the path to what is none.

    >>> plain_value([1, {"legs": [2.5]}])
    (1, {'legs': (2.5,)})
    """
    if value is None or isinstance(value, bool | float | str):
        return value
    if isinstance(value, int):
        return _whole_number(value, path)
    if isinstance(value, list | tuple):
        return tuple(plain_value(item, (*path, index)) for index, item in enumerate(value))
    if isinstance(value, Mapping):
        return {str(name): plain_value(item, (*path, str(name))) for name, item in value.items()}
    return _scalar(value, path)


def _whole_number(value: int, path: Path) -> int:
    if integer(value) is None:
        message = f"`{value}` does not fit into 64 bits"
        raise _refusal(message, path, "write it as a string, or as a decimal such as `1e20`")
    return value


def _scalar(value: object, path: Path) -> Value:
    """Return what is a number or a time under another name; NumPy's scalars know which."""
    if isinstance(value, date | datetime):
        return _read_date(value)
    if isinstance(value, timedelta):
        return value // _TICK
    if isinstance(value, Decimal):
        return float(value)
    item = getattr(value, "item", None)
    if callable(item) and not isinstance(inner := item(), type(value)):
        return plain_value(inner, path)
    hint = "a value is a number, a string, a boolean, a date, null, a list or a mapping"
    raise _refusal(f"a `{type(value).__name__}` is no value of an event", path, hint)


def _refusal(message: str, path: Path, hint: str) -> CepheidError:
    return CepheidError(Diagnostic("bad-event", message, hints=(hint,), place=DataPlace(path=path)))


def plain_json(value: object) -> object:
    """Return `value` as JSON can say it; what it cannot is shown as Python shows it.

    >>> plain_json({"at": (1, b"x")})
    {'at': [1, "b'x'"]}
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(name): plain_json(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_json(item) for item in value]
    return value.isoformat() if isinstance(value, date) else repr(value)
