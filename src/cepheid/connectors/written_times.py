"""Times that are written in a form of their own, such as `17/May/2024:08:30:00 +0200` or `May 17 08:30:00`.

A form is said as in `datetime.strptime`. A time without an offset is UTC. A time without a year gets one: the first of
an input that which was given, or else, in a file, the last year with which it is not after the day on which the file
was last written; every further one the year that brings it closest to the one before.
"""

import os
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic
from cepheid.events import ReadTime

ISO: Final = "iso"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)
_EXAMPLE = datetime(2024, 5, 17, 8, 30, tzinfo=UTC)
_LEAP = 2000
_YEARS = ("%Y", "%y", "%c", "%x", "%G")


@dataclass(slots=True)
class WrittenTimes:
    """The forms that times may have, the first that fits counts; the year `first` is that of the first time."""

    forms: tuple[str, ...]
    first: int | None = None
    _before: datetime | None = field(default=None, init=False)
    _written: datetime | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        for form in self.forms:
            _check(form)

    @property
    def lacks_year(self) -> bool:
        """Whether a time may come without a year."""
        return any(not _has_year(form) for form in self.forms)

    def begin(self) -> None:
        """Begin with an input, from its start."""
        self._before = self._written = None

    def begin_file(self, path: str) -> None:
        """Begin with a file; its first time is not after the day on which it was last written."""
        if self.first is None:
            self._before, self._written = None, datetime.fromtimestamp(os.stat(path).st_mtime, UTC)

    def demand_year(self) -> None:
        """Refuse an input of which nobody knows the year."""
        if self.lacks_year and self.first is None:
            message, hint = (
                "its times have no year",
                "say the year of the first: `--year 2024`, or in Python `year=2024`",
            )
            raise CepheidError(Diagnostic("missing-year", message, hints=(hint,)))

    def reader(self, otherwise: ReadTime) -> ReadTime:
        """Return the function that reads a time in ticks; what is no text is read as it always is."""

        def read(value: object) -> int:
            return otherwise(value) if not isinstance(value, str) else self._read(value.strip(), otherwise)

        return read

    def _read(self, text: str, otherwise: ReadTime) -> int:
        for form in self.forms:
            if form == ISO:
                try:
                    return otherwise(text)
                except CepheidError:
                    continue
            found = _parsed(text, form) if _has_year(form) else self._with_year(text, form)
            if found is not None:
                self._before = found
                return (found - _EPOCH) // _TICK
        raise _unlike(text, self.forms)

    def _with_year(self, text: str, form: str) -> datetime | None:
        """Return a time with the year that it probably has."""
        if _parsed(f"{_LEAP} {text}", f"%Y {form}") is None:
            return None
        near = self._near()
        years = range(near.year - 4, near.year + 5)  # the 29th of February comes every fourth year, almost
        found = [moment for year in years if (moment := _parsed(f"{year:04} {text}", f"%Y {form}")) is not None]
        if self._before is None and self._written is not None:
            found = [moment for moment in found if moment <= near + timedelta(days=1)]
            return max(found, default=None)
        if self._before is None:
            found = [moment for moment in found if moment.year == near.year] or found
        return min(found, key=lambda moment: abs(moment - near), default=None)

    def _near(self) -> datetime:
        """Return what the next time is close to."""
        if self._before is not None:
            return self._before
        return self._written or datetime(self.first or 1970, 7, 1, tzinfo=UTC)


def _has_year(form: str) -> bool:
    return form == ISO or any(sign in form.replace("%%", "") for sign in _YEARS)


def _parsed(text: str, form: str) -> datetime | None:
    try:
        found = datetime.strptime(text, form)  # what has no offset is UTC
    except (ValueError, OverflowError):
        return None
    return found.astimezone(UTC) if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _check(form: str) -> None:
    """Refuse what is no form of times."""
    if form == ISO:
        return
    hint = "write it as for `strptime`, for example `%d/%b/%Y:%H:%M:%S`"
    if "%" not in form.replace("%%", ""):
        raise CepheidError(Diagnostic("bad-time-format", f"`{form}` says no part of a time", hints=(hint,)))
    try:
        whole = form if _has_year(form) else f"%Y {form}"
        datetime.strptime(_EXAMPLE.strftime(whole), whole)  # whether it can be read at all
    except (ValueError, UnicodeError) as error:
        reason = "it ends with a `%`" if "stray" in str(error) else "a part of it is not known"
        message = f"`{form}` is not a form of times: {reason}"
        raise CepheidError(Diagnostic("bad-time-format", message, hints=(hint,))) from None


def _unlike(text: str, forms: tuple[str, ...]) -> CepheidError:
    said = " or ".join(f"`{form}`" for form in forms)
    form = next((form for form in forms if form != ISO), None)
    example = "2024-05-17T08:30:00Z" if form is None else _EXAMPLE.strftime(form)
    shown = text if len(text) <= 40 else f"{text[:40]}..."
    message = f"`{shown}` is not a time in the form {said}"
    return CepheidError(Diagnostic("bad-time", message, hints=(f"write it like `{example}`",), place=DataPlace()))
