"""Points of time: one that is fixed, or those of a clock or a calendar."""

from cepheid.algebra.builder.events import InstantPart
from cepheid.algebra.builder.names import new_name
from cepheid.algebra.builder.times import Length, ticks
from cepheid.algebra.expressions import Call, Literal
from cepheid.algebra.patterns import Instant
from cepheid.events import Value, parse_time


def instant(*, at: str | int, name: str | None = None) -> InstantPart:
    """One point of time: a number of ticks, or a text as in `2024-05-17T08:30:00Z`."""
    return _instant("at", (parse_time(at) if isinstance(at, str) else at,), name)


def every(period: Length, *, offset: Length = 0, name: str | None = None) -> InstantPart:
    """Points that are `period` apart; `offset` after 1970 in UTC is one of them."""
    return _instant("every", (ticks(period), ticks(offset)), name)


def daily(clock: str, *, zone: str = "UTC", name: str | None = None) -> InstantPart:
    """Each day at the time `clock` that the clocks of the zone show, as in `daily("17:00", zone="Europe/Brussels")`."""
    return _instant("daily", (clock, zone), name)


def weekly(day: str, clock: str, *, zone: str = "UTC", name: str | None = None) -> InstantPart:
    """Each week on `day` (`mon`, `tue`, ...) at the time `clock` of the zone."""
    return _instant("weekly", (day, clock, zone), name)


def _instant(schedule: str, arguments: tuple[Value, ...], name: str | None) -> InstantPart:
    own = new_name(name, "moment")
    call = Call(schedule, tuple(Literal(argument) for argument in arguments))
    return InstantPart(Instant(own, call), _name=own)
