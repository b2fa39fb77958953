"""What a detector does not take: the last events and rows of each kind, and what there is to say about all of them."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from cepheid.connectors import Refused
from cepheid.connectors.column_trials import RejectedRow
from cepheid.diagnostics import DataPlace, Diagnostic, Severity
from cepheid.events import Event

MOST = 10_000
"""So many events that were set aside are kept, the last ones."""


def _last() -> deque[Event]:
    return deque(maxlen=MOST)


@dataclass(slots=True)
class SetAside:
    """Events that came late or far ahead, and rows that said none; of each reason the first is kept, and the number."""

    late: deque[Event] = field(default_factory=_last)
    far_ahead: deque[Event] = field(default_factory=_last)
    rejected: deque[object] = field(default_factory=lambda: deque(maxlen=MOST))
    _reasons: dict[tuple[str, str], tuple[int, Diagnostic]] = field(default_factory=dict)

    def note(self, reason: Refused, source: str) -> None:
        """Count an event of a source that was not taken."""
        key = (reason.diagnostic.code, source)
        count, first = self._reasons.get(key, (0, replace(reason.diagnostic, severity=Severity.WARNING)))
        self._reasons[key] = (count + 1, first)

    def note_rows(self, part: Any, rejects: Iterable[RejectedRow], first: int) -> None:  # a pyarrow.RecordBatch
        """Keep rows of a batch that say no event; its first row has this number among all."""
        for reject in rejects:
            self.rejected.append(part.slice(reject.row, 1).to_pylist()[0])
            self.note(Refused(replace(reject.diagnostic, place=DataPlace(path=(first + reject.row,)))), "")

    def note_late(self, events: Iterable[Event], reason: Refused, source: str) -> None:
        """Keep events that came too late, or a duplicate that nobody keeps, for a reason."""
        self.late += events
        self.note(reason, source)

    @property
    def warnings(self) -> list[Diagnostic]:
        """Each reason once, with how many events were set aside for it."""
        return [_with_count(count, first) for count, first in self._reasons.values()]


def _with_count(count: int, first: Diagnostic) -> Diagnostic:
    return first if count == 1 else replace(first, notes=(*first.notes, f"{count:,} events were rejected like this"))
