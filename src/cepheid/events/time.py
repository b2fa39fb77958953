"""Points in time: ticks since 1970 in UTC, read and written as ISO 8601 or as a number in a unit.

    2024-05-17T08:30:00Z      2024-05-17 10:30:00.25+02:00      2024-05-17      1715934600.25 (in s)

Text without an offset is UTC. What a text says is kept exactly or refused, unless the nearest tick will do. Years
beyond four digits carry a sign and have six digits, so every time in 64 bits can be written.
"""

import re
from collections.abc import Callable
from datetime import date
from typing import Final, Literal, TypeAlias

from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic, Label, Source, Span, shortened
from cepheid.events.ticks import (
    MAX_TIME,
    Misfit,
    Number,
    decimal_text,
    digits_of,
    exact,
    is_time,
    nearest_ticks,
    ticks_of,
)

TimeForm: TypeAlias = Literal["iso", "s", "ms", "us", "ns"]
TIME_FORMS: Final[tuple[TimeForm, ...]] = ("iso", "s", "ms", "us", "ns")

_ISO = re.compile(
    r"(?P<year>[0-9]{4}|[+-][0-9]{6})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})"
    r"(?:[Tt ](?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:[.,](?P<fraction>[0-9]+))?)?"
    r"(?P<offset>[Zz]|(?P<sign>[+-])(?P<hours>[0-9]{2})(?::?(?P<minutes>[0-9]{2}))?)?)?"
)
_EXAMPLE = "2024-05-17T08:30:00Z"
_SECOND = 10**6
_DAY = 86400 * _SECOND
_CYCLE = 146097  # days in 400 years, after which the calendar repeats
_EPOCH = date(1970, 1, 1).toordinal()


def parse_time(
    value: Number,
    form: TimeForm = "iso",
    *,
    tick: int = 1,
    place: Span | DataPlace | None = None,
    nearest: bool = False,
) -> int:
    """Return the time that `value` says in `form`, in ticks; `place` is where it stands, for error messages.

    Where a coarser `tick` was declared, a time that is not a multiple of it is refused. A time that is finer than a
    microsecond is refused too, unless the `nearest` one will do.

    >>> parse_time("1970-01-01T00:00:01.5Z"), parse_time("1970-01-01 01:00+01:00"), parse_time(0.1, "s")
    (1500000, 0, 100000)
    """
    read = nearest_ticks if nearest else ticks_of
    ticks = _read_iso(str(value), read) if form == "iso" else read(value, form)
    if isinstance(ticks, int) and ticks % tick == 0:
        return ticks
    raise _refusal(value, form, tick, ticks, place)


def format_time(ticks: int, form: TimeForm = "iso") -> str:
    """Return the text that `parse_time` reads as `ticks`, as short as it can be.

    >>> format_time(1_715_934_600_250_000), format_time(1_715_934_600_250_000, "s")
    ('2024-05-17T08:30:00.25Z', '1715934600.25')
    """
    if form != "iso":
        return decimal_text(ticks, form) or str(ticks)
    days, rest = divmod(ticks, _DAY)
    minutes, ticks_of_minute = divmod(rest, 60 * _SECOND)
    seconds, fraction = divmod(ticks_of_minute, _SECOND)
    shown = f".{fraction:06}".rstrip("0") if fraction else ""
    return f"{_format_day(days)}T{minutes // 60:02}:{minutes % 60:02}:{seconds:02}{shown}Z"


def _read_iso(text: str, read: Callable[[Number, str], int | Misfit]) -> int | Misfit | None:
    """Return the ticks that `text` says; None where the calendar or the day has no such time."""
    found = _ISO.fullmatch(text.strip())
    if found is None:
        return Misfit.NOT_A_NUMBER
    days, time_of_day, offset = _read_day(found), _read_time_of_day(found), _read_offset(found)
    fraction = read(f"0.{found['fraction'] or 0}", "s")
    if days is None or time_of_day is None or offset is None or isinstance(fraction, Misfit):
        return fraction if isinstance(fraction, Misfit) else None
    ticks = days * _DAY + (time_of_day - offset) * _SECOND + fraction
    return ticks if is_time(ticks) else Misfit.TOO_LARGE


def _read_day(found: re.Match[str]) -> int | None:
    """Return the days since 1970. The year is moved to where `datetime` has a calendar."""
    cycles, year = divmod(int(found["year"]), 400)
    try:
        day = date(2000 + year, int(found["month"]), int(found["day"])).toordinal()
    except ValueError:
        return None
    return day + (cycles - 5) * _CYCLE - _EPOCH


def _format_day(days: int) -> str:
    cycles, day = divmod(days + _EPOCH - 1, _CYCLE)
    shown = date.fromordinal(day + 1)
    year = shown.year + cycles * 400
    written = f"{year:04}" if 0 <= year <= 9999 else f"{year:+07}"
    return f"{written}-{shown.month:02}-{shown.day:02}"


def _read_time_of_day(found: re.Match[str]) -> int | None:
    hour, minute, second = (int(found[part] or 0) for part in ("hour", "minute", "second"))
    return (hour * 60 + minute) * 60 + second if hour < 24 and minute < 60 and second < 60 else None


def _read_offset(found: re.Match[str]) -> int | None:
    hours, minutes = int(found["hours"] or 0), int(found["minutes"] or 0)
    seconds = (hours * 60 + minutes) * 60
    return (-seconds if found["sign"] == "-" else seconds) if hours < 24 and minutes < 60 else None


def _refusal(
    value: Number, form: TimeForm, tick: int, found: int | Misfit | None, place: Span | DataPlace | None
) -> CepheidError:
    text = digits_of(value)
    message, label, hint = _reason(shortened(text.strip()), form, tick, found)
    if isinstance(place, DataPlace):
        return CepheidError(Diagnostic("bad-time", message, hints=(hint,), place=place))
    span = place or Source("<time>", text).span(0, len(text))
    return CepheidError(Diagnostic("bad-time", message, (Label(span, label),), hints=(hint,)))


def _reason(text: str, form: TimeForm, tick: int, found: int | Misfit | None) -> tuple[str, str, str]:
    """Return what is wrong in a message, a label and a hint."""
    match found:
        case None:
            label = "not in the calendar or not on the clock"
            return f"there is no time `{text}`", label, f"write it like `{_EXAMPLE}`"
        case Misfit.TOO_FINE:
            hint = "leave out what is finer than a microsecond"
            return f"`{text}` is not a whole number of microseconds", "too fine", hint
        case Misfit.TOO_LARGE:
            hint = f"the last one is `{format_time(MAX_TIME - 1, form)}`"
            return f"`{text}` is outside the times that can be distinguished", "too far away", hint
        case int():
            label, near = f"not a multiple of the tick, {tick} us", format_time(found - found % tick, form)
            return f"`{text}` is between two ticks", label, f"write `{near}`"
        case _:
            return _not_understood(text, form)


def _not_understood(text: str, form: TimeForm) -> tuple[str, str, str]:
    if form == "iso" and isinstance(exact(text), Misfit):
        return f"`{text}` is not a time", "not a date as in ISO 8601", f"write it like `{_EXAMPLE}`"
    if form == "iso":
        return f"`{text}` is not a time", "a number without a unit", "name its unit: `s`, `ms`, `us` or `ns`"
    return f"`{text}` is not a time in `{form}`", "not a number", "write a number, for example `1715934600`"
