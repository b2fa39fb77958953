"""Times in data: numbers in a unit, ISO 8601 or Python's datetimes come in as ticks and go out as they came.

    12 s      12.5 s      2024-05-17T08:30:00Z      datetime(2024, 5, 17, 8, 30)

A time that is finer than a microsecond is read as the nearest one where the caller keeps a note of that, and refused
where not; one between two ticks that were declared is refused. The short ways for whole numbers, floats and common
dates agree with `cepheid.events.parse_time`, which knows all the rest.
"""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from math import floor
from typing import Final, Literal, TypeAlias

from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic, close_match
from cepheid.events.foreign_values import python_own
from cepheid.events.rounding import Rounding
from cepheid.events.ticks import MAX_TIME, MIN_TIME, Number
from cepheid.events.time import TimeForm, format_time, parse_time

TimeUnit: TypeAlias = Literal["s", "ms", "us", "ns"]
Time: TypeAlias = int | float | str | datetime
ReadTime: TypeAlias = Callable[[object], int]

TICKS_PER_UNIT: Final[dict[TimeUnit, int]] = {"s": 10**6, "ms": 1000, "us": 1}
"""How many ticks a unit has; nanoseconds are finer than a tick."""
TIME_UNITS: Final = tuple(TICKS_PER_UNIT)
"""The units that a query and its events may share."""

_ISO = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)?", re.ASCII)
_DECIMAL = re.compile(r"(-?)(\d{1,18})(?:\.(\d{1,6}))?", re.ASCII)
_NUMBER = re.compile(r"\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*", re.ASCII | re.IGNORECASE)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PLACES = {10**6: 6, 1000: 3, 1: 0}  # digits that a fraction of so many ticks has at most
_TICK = timedelta(microseconds=1)
_TOLD_APART = 2**52  # up to here, two numbers of ticks are two floats in every unit


class Calendar(Enum):
    """The forms of time that have no unit: text, and Python's datetimes with or without a zone."""

    ISO = "iso"
    AWARE = "aware"
    NAIVE = "naive"


Form: TypeAlias = TimeUnit | Calendar


def checked_unit(unit: str) -> TimeUnit:
    """Return the unit of that name, or refuse what is none."""
    for known in TIME_UNITS:
        if unit == known:
            return known
    closest = close_match(unit, TIME_UNITS) or "s"
    message = f"times are not counted in `{unit}`; there is {', '.join(f'`{known}`' for known in TIME_UNITS)}"
    raise CepheidError(Diagnostic("unknown-unit", message, hints=(f'write `time_unit="{closest}"`',)))


def time_reader(unit: TimeUnit, tick: int = 1, rounding: Rounding | None = None) -> ReadTime:
    """Return the function that reads a time in ticks, and refuses what is none with a `CepheidError`.

    With `rounding`, which keeps count, a time that is finer than a microsecond is rounded, unless a tick was declared.

    >>> read = time_reader("s")
    >>> read(12), read(0.1), read("1970-01-01T00:00:01Z"), read("2.5")
    (12000000, 100000, 1000000, 2500000)
    """
    scale = TICKS_PER_UNIT.get(unit)
    noted = rounding if tick == 1 else None

    def read(value: object) -> int:
        ticks = None
        if type(value) is int:
            ticks = value * scale if scale is not None else _from_nanoseconds(value, noted)
        elif type(value) is float and scale is not None:
            ticks = _from_float(value, scale, noted)
        elif type(value) is str:
            ticks = _from_text(value, scale)
        elif isinstance(value, datetime):
            ticks = _from_datetime(value)
        if ticks is None or ticks % tick or not MIN_TIME < ticks < MAX_TIME:
            return _read_with_care(value, unit, tick, noted)
        return ticks

    return read


def form_of(value: object, unit: TimeUnit) -> Form:
    """Return the form in which a time was given, where its numbers are in `unit`."""
    value = python_own(value)
    if isinstance(value, datetime):
        return Calendar.NAIVE if value.tzinfo is None else Calendar.AWARE
    if isinstance(value, date):
        return Calendar.ISO
    return Calendar.ISO if isinstance(value, str) and not _NUMBER.fullmatch(value) else unit


def show_time(ticks: int, form: Form) -> Time:
    """Return the time in a form: a number of units, ISO 8601 in UTC, or a datetime.

    >>> show_time(12_000_000, "s"), show_time(12_500_000, "s"), show_time(0, Calendar.ISO)
    (12, 12.5, '1970-01-01T00:00:00Z')
    """
    scale = TICKS_PER_UNIT.get(form)  # type: ignore[arg-type]  # a calendar has none
    if scale is not None:
        return ticks / scale if ticks % scale else ticks // scale
    if form == "ns":
        return ticks * 1000
    return format_time(ticks) if form is Calendar.ISO else _to_datetime(ticks, form)


def show_times(ticks: Sequence[int], form: Form) -> list[Time]:
    """Return many times in a form, as `show_time` shows them.

    >>> show_times([12_000_000, 12_500_000], "s")
    [12, 12.5]
    """
    if isinstance(form, Calendar) or form == "ns":
        return [show_time(one, form) for one in ticks]
    scale = TICKS_PER_UNIT[form]
    return list(ticks) if scale == 1 else [one / scale if one % scale else one // scale for one in ticks]


def exact_ticks(value: float, scale: int) -> int | None:
    """Return the ticks that the shortest text of `value` says, where the arithmetic of floats finds them.

    >>> exact_ticks(2.5, 10**6), exact_ticks(1e-7, 10**6) is None
    (2500000, True)
    """
    scaled = value * scale
    if not -_TOLD_APART < scaled < _TOLD_APART:  # also for NaN
        return None
    ticks = round(scaled)
    return ticks if ticks / scale == value else None


def _from_nanoseconds(value: int, rounding: Rounding | None) -> int | None:
    ticks, rest = divmod(value, 1000)
    if rest and rounding is not None:
        rounding.note(value, "ns")
        return ticks + (rest >= 500)
    return None if rest else ticks


def _from_float(value: float, scale: int, rounding: Rounding | None) -> int | None:
    """Return the ticks that the shortest text of `value` says, or the nearest ones where somebody notes that."""
    ticks = exact_ticks(value, scale)
    if ticks is not None or rounding is None or not -_TOLD_APART < value * scale < _TOLD_APART:
        return ticks
    rounding.note(value)
    return floor(value * scale + 0.5)


def _from_text(text: str, scale: int | None) -> int | None:
    if scale is not None and (decimal := _DECIMAL.fullmatch(text)):
        return _from_decimal(decimal[1], decimal[2], decimal[3] or "", scale)
    if not _ISO.fullmatch(text):
        return None
    try:
        return _from_datetime(datetime.fromisoformat(text))
    except ValueError:
        return None


def _from_decimal(sign: str, whole: str, fraction: str, scale: int) -> int | None:
    places = _PLACES[scale]
    digits = fraction.rstrip("0")
    ticks = int(whole + digits.ljust(places, "0"))
    return None if len(digits) > places else -ticks if sign else ticks


def _to_datetime(ticks: int, form: Form) -> datetime | str:
    try:
        return (_EPOCH + ticks * _TICK).replace(tzinfo=None if form is Calendar.NAIVE else UTC)
    except OverflowError:  # a year that datetimes do not have
        return format_time(ticks)


def _from_datetime(moment: datetime) -> int | None:
    if getattr(moment, "nanosecond", 0) or moment != moment:  # pandas' are finer than a tick, or none at all
        return None
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return (aware - _EPOCH) // _TICK


def _read_with_care(given: object, unit: TimeUnit, tick: int, rounding: Rounding | None) -> int:
    value = python_own(given)
    if isinstance(value, date):
        return _parsed(value.isoformat(), "iso", tick, rounding)
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return _parsed(value, unit, tick, rounding)
    if isinstance(value, str):
        return _parsed(value, unit if _NUMBER.fullmatch(value) else "iso", tick, rounding)
    kind = "null" if value is None else type(value).__name__
    hint = "a time is a number, or a text such as `2024-05-17T08:30:00Z`"
    raise CepheidError(Diagnostic("bad-event", f"expected a time, got `{kind}`", hints=(hint,)))


def _parsed(value: Number, form: TimeForm, tick: int, rounding: Rounding | None) -> int:
    try:
        return parse_time(value, form, tick=tick, place=DataPlace())
    except CepheidError as error:
        if rounding is None:
            raise
        try:
            ticks = parse_time(value, form, place=DataPlace(), nearest=True)
        except CepheidError:
            raise error from None
        rounding.note(value)
        return ticks
