"""Ticks: times and lengths as whole microseconds in 64 bits, read from numbers exactly as they were written.

    0.1 s is 100000 ticks, whether it came as text, as a decimal or as a float

A number that is finer than a tick or that 64 bits do not hold is a misfit. Only who asks for the nearest tick gets it.
"""

import re
from decimal import Decimal, InvalidOperation
from enum import Enum, auto
from fractions import Fraction
from math import floor
from typing import Final, TypeAlias

from cepheid.events.values import GREATEST_INTEGER, LEAST_INTEGER

Number: TypeAlias = int | float | Decimal | str

MIN_TIME: Final = LEAST_INTEGER
"""Minus infinity: before every time."""
MAX_TIME: Final = GREATEST_INTEGER
"""Infinity: after every time."""

NANOSECONDS_PER_TICK: Final = 1000
NANOSECONDS: Final[dict[str, int]] = {
    "ns": 1,
    "us": 1000,
    "ms": 10**6,
    "s": 10**9,
    "min": 60 * 10**9,
    "h": 3600 * 10**9,
    "d": 86400 * 10**9,
    "w": 7 * 86400 * 10**9,
}
"""How many nanoseconds each unit has."""

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)
_MOST_DIGITS = 40  # more would leave 64 bits, or be finer than a tick, in any unit


class Misfit(Enum):
    """Why a number is no number of ticks."""

    NOT_A_NUMBER = auto()
    TOO_FINE = auto()
    TOO_LARGE = auto()


def digits_of(number: Number) -> str:
    """Return a number as text; one with more digits than Python writes is told by how many it has in binary."""
    try:
        return str(number)
    except ValueError:
        return f"a number of {int(number).bit_length()} bits"


def is_time(ticks: int) -> bool:
    """Say whether an event can happen at `ticks`: strictly between the two infinities."""
    return MIN_TIME < ticks < MAX_TIME


def are_times(start: int, end: int) -> bool:
    """Say whether an event can last from `start` to `end`: both are times, and the end is not before the start."""
    return MIN_TIME < start <= end < MAX_TIME


def ticks_of(number: Number, unit: str) -> int | Misfit:
    """Return how many ticks `number` of `unit` are.

    >>> ticks_of("0.1", "s"), ticks_of(0.1, "s"), ticks_of(250, "ns")
    (100000, 100000, <Misfit.TOO_FINE: 2>)
    """
    amount = exact(number)
    return amount if isinstance(amount, Misfit) else whole_ticks(amount * NANOSECONDS[unit])


def nearest_ticks(number: Number, unit: str) -> int | Misfit:
    """Return the ticks next to `number` of `unit`, the later ones where two are as near.

    >>> nearest_ticks("0.3333333", "s"), nearest_ticks(1500, "ns"), nearest_ticks("1e-99", "s")
    (333333, 2, 0)
    """
    amount = exact(number)
    if isinstance(amount, Misfit):
        return 0 if amount is Misfit.TOO_FINE else amount
    ticks = floor(amount * NANOSECONDS[unit] / NANOSECONDS_PER_TICK + Fraction(1, 2))
    return ticks if is_time(ticks) else Misfit.TOO_LARGE


def whole_ticks(nanoseconds: Fraction) -> int | Misfit:
    """Return the ticks that `nanoseconds` are exactly."""
    ticks = nanoseconds / NANOSECONDS_PER_TICK
    if not is_time(int(ticks)):
        return Misfit.TOO_LARGE
    return int(ticks) if ticks.denominator == 1 else Misfit.TOO_FINE


def exact(number: Number) -> Fraction | Misfit:
    """Return the value of `number` as written; a float stands for its shortest text, so `0.1` is a tenth.

    >>> exact(0.1), exact("1e3"), exact("five"), exact("1e999999999")
    (Fraction(1, 10), Fraction(1000, 1), <Misfit.NOT_A_NUMBER: 1>, <Misfit.TOO_LARGE: 3>)
    >>> exact("1e99999999999999999999"), exact("1e-99999999999999999999"), exact("0e99999999999999999999")
    (<Misfit.TOO_LARGE: 3>, <Misfit.TOO_FINE: 2>, Fraction(0, 1))
    """
    if isinstance(number, int) and abs(number) > 10**_MOST_DIGITS:
        return Misfit.TOO_LARGE
    text = str(number).strip()
    if isinstance(number, bool) or not _NUMBER.fullmatch(text):
        return Misfit.NOT_A_NUMBER
    try:
        value = Decimal(text)
    except InvalidOperation:
        return _beyond_decimals(text)
    if value and abs(value.adjusted()) > _MOST_DIGITS:
        return Misfit.TOO_LARGE if value.adjusted() > 0 else Misfit.TOO_FINE
    return Fraction(value)


def _beyond_decimals(text: str) -> Fraction | Misfit:
    """Return what a number is whose exponent is longer than any decimal has it."""
    digits, _, exponent = text.lower().partition("e")
    if not digits.strip("+-.0"):
        return Fraction(0)
    return Misfit.TOO_FINE if exponent.startswith("-") else Misfit.TOO_LARGE


def decimal_text(ticks: int, unit: str) -> str | None:
    """Return `ticks` as a decimal number of `unit`, where one of finite length says it exactly.

    >>> decimal_text(1500000, "s"), decimal_text(90_000_000, "min"), decimal_text(1_000_000, "min") is None
    ('1.5', '1.5', True)
    """
    amount = Fraction(ticks * NANOSECONDS_PER_TICK, NANOSECONDS[unit])
    digits = _decimal_places(amount.denominator)
    if digits is None:
        return None
    sign, whole = "-" * (ticks < 0), abs(int(amount * 10**digits))
    return sign + (str(whole) if digits == 0 else f"{whole // 10**digits}.{whole % 10**digits:0{digits}}")


def _decimal_places(denominator: int) -> int | None:
    """Return how many digits after the point a fraction in lowest terms needs; none where they never end."""
    places = 0
    while 10**places % denominator:
        places += 1
        if places > denominator.bit_length():
            return None
    return places
