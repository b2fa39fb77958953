"""All that a run notices, put together: each thing is said once, when the run is over."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from cepheid.algebra.programs import Program
from cepheid.api.intake import Summary
from cepheid.api.noticing.attributes import Attributes
from cepheid.api.noticing.ties import SharedTimes, orders_of
from cepheid.api.noticing.wanted import wanted_of
from cepheid.connectors import TICKS_PER_UNIT, AnyChunk, Chunk, Columns, EventColumns, Form, Reject
from cepheid.connectors.notes import InputNotes
from cepheid.diagnostics import Diagnostic, Severity, close_match
from cepheid.events import Event

_EARLIEST, _LATEST = 10**9, 4 * 10**9  # seconds from 1970: 2001 to 2096
_MANY, _PER_EVENT = 10_000, 20


@dataclass(slots=True)
class Watch:
    """Looks at the input of a run as it comes, no longer than there is something to find out."""

    attributes: Attributes
    ties: SharedTimes
    first: int | None = None
    rejected: Reject | None = None
    _rules: tuple[str, ...] = field(default=())

    @classmethod
    def over(cls, program: Program) -> "Watch":
        """Return the watch over a run of a program."""
        names = tuple(rule.name for rule in program.rules)
        return cls(Attributes(wanted_of(program)), SharedTimes(orders_of(program)), _rules=names)

    def take(self, chunk: AnyChunk, shared: Any = None) -> None:  # as `shared` returns them
        """Look at a portion of the input; somebody may have looked for shared times."""
        if isinstance(chunk, Chunk):
            self.look_at_rows(chunk.events)
        else:
            self.look_at_columns(chunk.events, shared)

    def shared(self, chunk: AnyChunk) -> Any:  # an array of NumPy
        """Return the rows of a portion in columns whose time is that of the next; any thread may ask."""
        return None if isinstance(chunk, Chunk) else self.ties.shared(chunk.events)

    def look_at_rows(self, events: Sequence[Event]) -> None:
        """Look at some events."""
        self.attributes.take_rows(events)
        self.ties.take_rows(events)
        if self.first is None and events:
            self.first = events[0].end

    def look_at_columns(self, events: EventColumns, shared: Any = None) -> None:
        """Look at columns of events."""
        self.attributes.take_columns(events)
        self.ties.take_columns(events, shared)
        if self.first is None and len(events):
            self.first = int(events.ends[0])

    @property
    def is_looking(self) -> bool:
        """Whether there is still something to find out about attributes."""
        return self.attributes.is_looking

    def warnings(self, summary: Summary, form: Form, notes: InputNotes, columns: Columns) -> Iterator[Diagnostic]:
        """Yield what looks like a mistake."""
        yield from self._rejected(summary)
        yield from self._unit(form)
        yield from self.attributes.warnings(summary.types, [one for one in notes.names if one not in columns.own])
        yield from _unordered(columns.order_by, notes.names) if summary.events else ()
        yield from self.ties.warnings(form)
        yield from self._many(summary)
        yield from _ignored(tuple(notes.ignored))

    def warnings_of_first(
        self, seen: dict[str, int], of_first: Set[str], form: Form, columns: Sequence[str]
    ) -> Iterator[Diagnostic]:
        """Yield what looks like a mistake in the events that were looked at, only the first ones of some types."""
        yield from self._unit(form)
        yield from self.attributes.warnings(seen, columns, of_first)

    def _rejected(self, summary: Summary) -> Iterator[Diagnostic]:
        if self.rejected is None:
            return
        rows = summary.events + summary.rejected
        reason = self.rejected.diagnostic
        said = "row was" if rows == 1 else "rows was" if summary.rejected == 1 else "rows were"
        message = f"{summary.rejected} of {rows} {said} rejected; the first: {reason.message}"
        yield Diagnostic(
            "rejected-rows",
            message,
            hints=reason.hints,
            notes=reason.notes,
            place=reason.place,
            severity=Severity.WARNING,
        )

    def _unit(self, form: Form) -> Iterator[Diagnostic]:
        """Say that times are probably counted in another unit than they are read in."""
        if self.first is None or form not in TICKS_PER_UNIT:
            return
        number = self.first // TICKS_PER_UNIT[form]
        others = {"ms": 1000, "us": 10**6, "ns": 10**9, "s": 1}
        if _EARLIEST <= number // others.get(str(form), 1) <= _LATEST:
            return
        for unit, scale in others.items():
            if unit != form and unit != "ns" and _EARLIEST <= number // scale <= _LATEST:
                message = (
                    f"the time {number} looks like a number of `{unit}` since 1970, and is read as one of `{form}`"
                )
                hint = f'say the unit: `--time-unit {unit}`, or in Python `time_unit="{unit}"`'
                yield Diagnostic("doubtful-unit", message, hints=(hint,), severity=Severity.WARNING)

    def _many(self, summary: Summary) -> Iterator[Diagnostic]:
        """Say that there are far more matches than events."""
        matches, events = summary.matches, summary.events
        if matches < _MANY or matches < _PER_EVENT * max(events, 1):
            return
        rule = f"the rule `{self._rules[0]}` has" if len(self._rules) == 1 else "the rules have"
        message = f"{rule} {matches} matches over {events} events"
        hints = (
            "make the parts agree on a key, shorten the window, or choose among the matches",
            "stop where one event completes too many: `--max-matches 1000`",
        )
        yield Diagnostic("many-matches", message, hints=hints, severity=Severity.WARNING)


def _unordered(order_by: Sequence[str], names: Mapping[str, None]) -> Iterator[Diagnostic]:
    """Yield a warning for every column that should order events and that nothing has."""
    for name in order_by:
        if names and name not in names:
            close = close_match(name, names)
            hints = (f"did you mean `{close}`?",) if close else (f"there is {', '.join(f'`{one}`' for one in names)}",)
            message = f"no row has the column `{name}`, which should order events of one time"
            yield Diagnostic("missing-column", message, hints=hints, severity=Severity.WARNING)


def _ignored(files: Sequence[str]) -> Iterator[Diagnostic]:
    if not files:
        return
    shown = ", ".join(f"`{name}`" for name in files[:4]) + (f" and {len(files) - 4} more" if len(files) > 4 else "")
    was = "file was" if len(files) == 1 else "files were"
    message = f"{len(files)} {was} not read, because the name does not say what is inside: {shown}"
    hint = "say how it is read: `--input-format csv`, or `--pattern '%{GREEDYDATA:line}'`"
    yield Diagnostic("ignored-files", message, hints=(hint,), severity=Severity.WARNING)
