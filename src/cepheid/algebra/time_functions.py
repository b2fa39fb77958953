"""Functions of points in time: ticks since 1970, as `end(a)` is, or a text in ISO 8601; in UTC, or in a named zone."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cepheid.diagnostics import CepheidError, DataPlace
from cepheid.events import parse_time

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def part_of_time(part: Callable[[datetime], object]) -> Callable[..., object]:
    """Return the function that reads a part of a time, which may name a zone after it."""

    def read(time: object, zone: object = None) -> object:
        return part(_moment(time, zone))

    return read


PARTS: dict[str, Callable[[datetime], object]] = {
    "year": lambda moment: moment.year,
    "month": lambda moment: moment.month,
    "day": lambda moment: moment.day,
    "hour": lambda moment: moment.hour,
    "minute": lambda moment: moment.minute,
    "second": lambda moment: moment.second,
    "weekday": datetime.isoweekday,
    "date": lambda moment: moment.date().isoformat(),
}


def timestamp(text: object) -> int:
    """Return the ticks since 1970 that a text in ISO 8601 says."""
    if not isinstance(text, str):
        raise TypeError
    return _ticks(text)


def _moment(time: object, zone: object) -> datetime:
    if isinstance(time, bool) or not isinstance(time, int | str):
        raise TypeError
    ticks = _ticks(time) if isinstance(time, str) else time
    return (_EPOCH + timedelta(microseconds=ticks)).astimezone(_zone(zone))


@lru_cache(maxsize=4096)
def _ticks(text: str) -> int:
    try:
        return parse_time(text, "iso", place=DataPlace())
    except CepheidError:
        raise ValueError from None


def _zone(name: object) -> tzinfo:
    if name is None:
        return UTC
    if not isinstance(name, str):
        raise TypeError
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError):
        raise ValueError from None
