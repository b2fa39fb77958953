"""What was set aside: rows that say no event, events that came late or twice.

A reject tells why, where it was found, and what stood there. It is counted by its code; `--strict` makes the first one
an error.
"""

from dataclasses import dataclass, replace
from typing import Final

from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic

LATE: Final = "late-event"
DUPLICATE: Final = "duplicate-event"
FAR_AHEAD: Final = "far-ahead"
MOVED_BACK: Final = "frontier-moved-back"


@dataclass(frozen=True, slots=True)
class Reject:
    """One row that was set aside; `lacks` names a column that it should have beside `names`, those it has."""

    diagnostic: Diagnostic
    raw: object
    lacks: str | None = None
    names: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        return self.diagnostic.code

    def to_dict(self) -> dict[str, object]:
        """Return the reject as it is written to a file of rejects.

        >>> place = DataPlace("trades.jsonl", 7, ("time",))
        >>> Reject(Diagnostic("bad-event", "there is no time", place=place), "{}").to_dict()["place"]
        'trades.jsonl:7'
        """
        place = self.diagnostic.place or DataPlace()
        path = str(DataPlace(path=place.path)).removeprefix("at ").strip("`")
        return {
            "code": self.code,
            "reason": self.diagnostic.message,
            "place": str(replace(place, path=None)).strip("()"),
            "path": path or None,
            "raw": self.raw,
        }


class Refused(Exception):  # noqa: N818  # a reason that rows carry along, raised only sometimes
    """A row says no event, for this reason; the place it stands in is found out later."""

    def __init__(self, diagnostic: Diagnostic, lacks: str | None = None, names: tuple[str, ...] = ()) -> None:
        super().__init__(diagnostic)
        self.diagnostic = diagnostic
        self.lacks = lacks
        self.names = names

    def at(self, place: DataPlace, raw: object) -> Reject:
        """Return the reject, with the row's place before what is known of the path inside it."""
        inner = self.diagnostic.place.path if self.diagnostic.place else None
        path = None if inner is None and place.path is None else (*(place.path or ()), *(inner or ()))
        found = _placed(self.diagnostic, DataPlace(place.source, place.line, path))
        return Reject(found, raw, self.lacks, self.names)


def refused(error: CepheidError, *path: str | int) -> Refused:
    """Return the first finding of an error as the reason to refuse a row, with a path in front of its own."""
    diagnostic = error.diagnostics[0]
    inner = diagnostic.place.path if diagnostic.place else None
    return Refused(_placed(diagnostic, DataPlace(path=(*path, *(inner or ())) or None)))


def _placed(found: Diagnostic, place: DataPlace) -> Diagnostic:
    """Return a finding at a place, in a tenth of the time that `replace` takes: there may be very many."""
    return Diagnostic(found.code, found.message, found.labels, found.hints, found.notes, place, found.severity)
