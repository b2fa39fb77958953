"""Points of time that a schedule makes.

at(t)                          one fixed point
every(period, offset)          offset, offset + period, ... both ways
daily("17:00", "Europe/Paris") each day of the years 1 to 9999 at that wall time of the zone
weekly("mon", "09:00", zone)   each week of them
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from cepheid.algebra.expressions import Call, Expr, Literal
from cepheid.events import Value

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_LONGEST = timedelta(days=9) // timedelta(microseconds=1)  # a week, and what clocks are put forward
_DAY = timedelta(days=1) // timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def points(schedule: Expr, first: int | None, last: int | None) -> list[int]:
    """Return the points of `schedule` from `first` to `last`; a fixed one always, recurring ones only between them."""
    fixed = fixed_point(schedule)
    if fixed is not None:
        return [fixed]
    return [] if first is None or last is None or last < first else _recurring(schedule, first, last)


def next_point(schedule: Expr, first: int) -> int | None:
    """Return the earliest point of `schedule` from `first` on.

    >>> next_point(Call("every", (Literal(5), Literal(1))), 7), next_point(Call("at", (Literal(5),)), 7) is None
    (11, True)
    """
    match schedule:
        case Call("every", (Literal(int() as period), Literal(int() as offset))) if period > 0:
            return first + (offset - first) % period
        case Call("daily" | "weekly", _):
            return min(points(schedule, first, first + _LONGEST), default=None)
        case _:
            fixed = fixed_point(schedule)
            return fixed if fixed is not None and fixed >= first else None


def fixed_point(schedule: Expr) -> int | None:
    """Return the one point of a schedule that has no other."""
    match schedule:
        case Call("at", (Literal(int() as moment),)):
            return moment
        case _:
            return None


def _recurring(schedule: Expr, first: int, last: int) -> list[int]:
    match schedule:
        case Call("every", (Literal(int() as period), Literal(int() as offset))) if period > 0:
            return list(range(first + (offset - first) % period, last + 1, period))
        case Call("daily" | "weekly", arguments):
            wanted = [argument.value for argument in arguments if isinstance(argument, Literal)]
            return [moment for moment in _calendar(wanted, first, last) if first <= moment <= last]
        case _:
            raise AssertionError(f"not a schedule: {schedule!r}")


def _calendar(arguments: list[Value], first: int, last: int) -> Iterator[int]:
    *day, clock, zone = (str(argument) for argument in arguments)
    at, where = time.fromisoformat(clock), ZoneInfo(zone)
    for number in range(_date(first, -2).toordinal(), _date(last, 2).toordinal() + 1):
        current = date.fromordinal(number)
        if not day or DAYS[current.weekday()] == day[0]:
            yield _ticks(datetime.combine(current, at, tzinfo=where))


def _date(moment: int, days: int) -> date:
    """Return the date so many days from that of a time; the calendar has the years 1 to 9999."""
    number = _EPOCH.toordinal() + moment // _DAY + days
    return date.fromordinal(min(max(number, date.min.toordinal()), date.max.toordinal()))


def _ticks(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(microseconds=1)
