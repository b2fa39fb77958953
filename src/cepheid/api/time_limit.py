"""A limit on the time that one record may take, by a clock that is handed in.

What a watchpoint compares is bounded, but a function of the user's may take as long as it likes. Python cannot stop it
in between without leaving half of a record behind, so a record is timed when it is done, and what took too long is
reported; whoever wants to go no further says so.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cepheid.api.detecting import QueryDetector
from cepheid.connectors import Report
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.events import Clock, Duration, Event

MOST_NOTED: Final = 1_000


@dataclass(frozen=True, slots=True)
class Overrun:
    """A record that took too long: how many were pushed before it, and how long it took."""

    position: int
    took: Duration


class TimeLimited:
    """A detector each of whose records may take so long.

    The alerts of a record that took longer are returned like others. With `stop`, nothing is taken after it: the next
    `push` is an error. `overruns` are the last of such records, and `warnings` counts all.
    """

    def __init__(self, detector: QueryDetector, limit: Duration | str, clock: Clock, *, stop: bool = False) -> None:
        self.detector, self.clock, self.stop = detector, clock, stop
        self.limit = Duration.parse(limit) if isinstance(limit, str) else limit
        self.overruns: deque[Overrun] = deque(maxlen=MOST_NOTED)
        self._count, self._longest = 0, Duration(0)

    def push(self, event: Event | Mapping[str, object], source: str = "", *, wait: bool = False) -> list[Report]:
        """Take in an event, and return the matches that are certain now, however long it took."""
        if self.stop and self._count:
            raise CepheidError(self._told())
        position, before = self.detector.position, self.clock.now()
        found = self.detector.push(event, source, wait=wait)
        took = Duration(self.clock.now() - before)
        if took.ticks > self.limit.ticks:
            self.overruns.append(Overrun(position, took))
            self._count, self._longest = self._count + 1, max(self._longest, took, key=lambda one: one.ticks)
        return found

    @property
    def warnings(self) -> list[Diagnostic]:
        """What the detector noticed, and how many records took too long."""
        return [*self.detector.warnings, *([self._told()] if self._count else [])]

    def _told(self) -> Diagnostic:
        many = "a record" if self._count == 1 else f"{self._count:,} records"
        message = f"{many} took longer than {self.limit}"
        first = f"record {self.overruns[0].position} took {self.overruns[0].took}"
        notes = (f"{first}, and the longest {self._longest}",) if self._count > 1 else (first,)
        return Diagnostic(
            "slow-record", message, notes=notes, hints=("look at your own functions, or allow more time",)
        )
