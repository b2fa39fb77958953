"""A chunk of the input: its events, the rows that say none, and where each of them came from."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from cepheid.connectors.rejects import Refused, Reject
from cepheid.diagnostics import DataPlace
from cepheid.events import Event


class Origin(Protocol):
    """The rows of a chunk as they were read, counted from 0."""

    def place(self, row: int) -> DataPlace:
        """Return where the row stands."""

    def raw(self, row: int) -> object:
        """Return what stands there, as something that JSON can say."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some rows of the input; `rows[i]` is the row that the event `i` was read from."""

    events: Sequence[Event]
    rows: Sequence[int]
    rejects: Sequence[Reject]
    origin: Origin

    def reject(self, index: int, reason: Refused) -> Reject:
        """Return the reject for an event of this chunk that cannot be taken after all."""
        row = self.rows[index]
        return reason.at(self.origin.place(row), self.origin.raw(row))


@dataclass(slots=True)
class Gathering:
    """Events and rejects of a chunk that is being read."""

    origin: Origin
    events: list[Event] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)

    def take(self, event: Event, row: int) -> None:
        self.events.append(event)
        self.rows.append(row)

    def refuse(self, reason: Refused, row: int) -> None:
        self.rejects.append(reason.at(self.origin.place(row), self.origin.raw(row)))

    def chunk(self) -> Chunk:
        return Chunk(self.events, self.rows, self.rejects, self.origin)
