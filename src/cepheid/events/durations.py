"""A length of time that is written the way people write it.

    5 s      250 ms      1.5 h      1 h 30 min      14 days      -2 minutes

A duration is a whole number of ticks. What its text says is kept exactly or refused; months and years are
refused too, since they have no fixed length.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from cepheid.diagnostics import CepheidError, Diagnostic, Label, Source, Span, close_match
from cepheid.events.ticks import (
    MAX_TIME,
    NANOSECONDS,
    Misfit,
    Number,
    decimal_text,
    exact,
    is_time,
    ticks_of,
    whole_ticks,
)

_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "ns": ("ns", "nanosecond", "nanoseconds"),
    "us": ("us", "µs", "μs", "microsecond", "microseconds"),
    "ms": ("ms", "millisecond", "milliseconds"),
    "s": ("s", "sec", "secs", "second", "seconds"),
    "min": ("min", "m", "mins", "minute", "minutes"),
    "h": ("h", "hr", "hrs", "hour", "hours"),
    "d": ("d", "day", "days"),
    "w": ("w", "week", "weeks"),
}
_UNIT_OF: Final = {name: unit for unit, names in _NAMES.items() for name in names}
_PRINTED: Final = ("d", "h", "min", "s", "ms", "us")
_VAGUE: Final = ("month", "months", "year", "years", "mo", "y", "yr")
_SIGN = re.compile(r"\s*([+-]?)\s*")
_PART = re.compile(r"(?P<number>[0-9]+(?:\.[0-9]+)?)\s*(?P<unit>[^\W\d_]*)\s*")


@dataclass(frozen=True, slots=True, order=True)
class Duration:
    """A signed length of time in ticks.

    >>> Duration.parse("1 h 30 min") == Duration.minutes(90), str(Duration.seconds(1.5))
    (True, '1.5 s')
    """

    ticks: int

    def __post_init__(self) -> None:
        if not is_time(self.ticks):
            raise _misfit(Misfit.TOO_LARGE, f"{self.ticks} us")

    @classmethod
    def microseconds(cls, amount: Number) -> "Duration":
        return cls._of(amount, "us")

    @classmethod
    def milliseconds(cls, amount: Number) -> "Duration":
        return cls._of(amount, "ms")

    @classmethod
    def seconds(cls, amount: Number) -> "Duration":
        return cls._of(amount, "s")

    @classmethod
    def minutes(cls, amount: Number) -> "Duration":
        return cls._of(amount, "min")

    @classmethod
    def hours(cls, amount: Number) -> "Duration":
        return cls._of(amount, "h")

    @classmethod
    def days(cls, amount: Number) -> "Duration":
        return cls._of(amount, "d")

    @classmethod
    def parse(cls, text: str, span: Span | None = None) -> "Duration":
        """Return the duration that `text` says; `span` is where it stands in a larger text, for errors.

        >>> [Duration.parse(text).ticks for text in ("250 ms", "2 minutes", "-1.5s", "3000 ns")]
        [250000, 120000000, -1500000, 3]
        """
        place = span or Source("<duration>", text).span(0, len(text))
        nanoseconds = _read(text, place)
        ticks = whole_ticks(nanoseconds)
        if isinstance(ticks, Misfit):
            raise _misfit(ticks, text.strip(), Label(place))
        return cls(ticks)

    @classmethod
    def _of(cls, amount: Number, unit: str) -> "Duration":
        ticks = ticks_of(amount, unit)
        if isinstance(ticks, Misfit):
            raise _misfit(ticks, f"{amount} {unit}")
        return cls(ticks)

    def __str__(self) -> str:
        """Return the text with the fewest digits that says the duration exactly; between equals, no fraction.

        >>> [str(Duration(ticks)) for ticks in (0, 5_000_000, 90_000_000, 250_000, 86_400_000_000)]
        ['0 s', '5 s', '90 s', '250 ms', '1 day']
        """
        if self.ticks == 0:
            return "0 s"
        written = [(decimal_text(self.ticks, unit), unit) for unit in _PRINTED]
        candidates = [(text, unit) for text, unit in written if text is not None]
        number, unit = min(candidates, key=lambda candidate: (len(candidate[0]), "." in candidate[0]))
        return f"{number} {_printed_unit(number, unit)}"


def _printed_unit(number: str, unit: str) -> str:
    if unit != "d":
        return unit
    return "day" if number in ("1", "-1") else "days"


def _read(text: str, place: Span) -> Fraction:
    """Return the nanoseconds that `text` says."""
    sign = _SIGN.match(text)
    start = sign.end() if sign else 0
    total = sum(_parts(text, start, place), start=Fraction(0))
    return -total if text[:start].strip() == "-" else total


def _parts(text: str, start: int, place: Span) -> Iterator[Fraction]:
    """Yield the nanoseconds of each number with its unit; there is at least one."""
    while True:
        part = _PART.match(text, start)
        if part is None:
            raise _no_number(text, start, place)
        yield _part(part, text, place)
        start = part.end()
        if start == len(text):
            return


def _part(part: re.Match[str], text: str, place: Span) -> Fraction:
    unit = _UNIT_OF.get(part["unit"]) or _UNIT_OF.get(part["unit"].lower())
    if unit is None:
        raise _no_unit(part, text, place)
    amount = exact(part["number"])
    if isinstance(amount, Misfit):
        raise _misfit(amount, text.strip(), Label(place))
    return amount * NANOSECONDS[unit]


def _no_number(text: str, start: int, place: Span) -> CepheidError:
    label = Label(_inside(place, start, len(text)), "a number is missing here")
    return _refusal(text, label, "write a number and a unit, for example `5 s`")


def _no_unit(part: re.Match[str], text: str, place: Span) -> CepheidError:
    number, unit = part["number"], part["unit"]
    if not unit:
        label = Label(_inside(place, *part.span("number")), "this number has no unit")
        return _refusal(text, label, f"write the unit, for example `{number} s`")
    where = _inside(place, *part.span("unit"))
    if unit.lower() in _VAGUE:
        return _refusal(text, Label(where, "its length is not fixed"), "count in days: `30 days`")
    closest = close_match(unit, _UNIT_OF)
    hint = f"did you mean `{number} {closest}`?" if closest else "use `us`, `ms`, `s`, `min`, `h` or `days`"
    return _refusal(text, Label(where, f"no unit is called `{unit}`"), hint)


def _inside(place: Span, start: int, end: int) -> Span:
    """Return the part of `place` that the offsets into its own text name."""
    first = min(place.start + start, place.end)
    return Span(place.source, first, max(first, min(place.start + end, place.end)))


def _refusal(text: str, label: Label, hint: str) -> CepheidError:
    message = f"`{text.strip()}` is not a duration" if text.strip() else "a duration is missing"
    return CepheidError(Diagnostic("bad-duration", message, (label,), hints=(hint,)))


def _misfit(misfit: Misfit, text: str, *labels: Label) -> CepheidError:
    longest = f"{MAX_TIME // 86_400_000_000} days"
    message, hint = {
        Misfit.NOT_A_NUMBER: (f"`{text}` is not a duration", "write a number, for example `5`"),
        Misfit.TOO_FINE: (f"`{text}` is not a whole number of microseconds", "the shortest step is `1 us`"),
        Misfit.TOO_LARGE: (f"`{text}` is too long", f"the longest duration is about `{longest}`"),
    }[misfit]
    return CepheidError(Diagnostic("bad-duration", message, labels, hints=(hint,)))
