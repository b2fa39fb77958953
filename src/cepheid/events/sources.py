"""Where events come from and where matches go.

A source hands out batches. Each carries the source's promise about what is still to come: its frontier. An
empty batch is a heartbeat, which moves the frontier and nothing else; a source that is at its end says so
with `MAX_TIME`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from cepheid.events.event import Event
from cepheid.events.ticks import MIN_TIME

MatchType = TypeVar("MatchType", contravariant=True)


@dataclass(frozen=True, slots=True)
class Batch:
    """Some events as they arrived; all that come in later batches end at `frontier` or after it."""

    events: tuple[Event, ...]
    frontier: int = MIN_TIME


class Source(Protocol):
    """Something that hands out events in batches."""

    @property
    def name(self) -> str:
        """The name that messages and frontiers call the source by."""

    def batches(self) -> Iterator[Batch]:
        """Yield the batches in the order of arrival."""


class Sink(Protocol[MatchType]):
    """Something that takes matches in."""

    def write(self, matches: Sequence[MatchType]) -> None:
        """Take some matches; they have been delivered when this returns."""

    def close(self) -> None:
        """Let go of what the sink holds open; nothing is written afterwards."""
