"""Sources and sinks made of lists."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from cepheid.events import MAX_TIME, MIN_TIME, Batch, Event

MatchType = TypeVar("MatchType")


@dataclass(frozen=True, slots=True)
class ListSource:
    """A source that hands out `events` as they stand, `size` at a time or all at once, and then ends."""

    events: Sequence[Event]
    size: int | None = None
    name: str = "list"

    def batches(self) -> Iterator[Batch]:
        """Yield the events in batches that promise nothing, then an empty one that says it was the end."""
        size = self.size or max(len(self.events), 1)
        for first in range(0, len(self.events), size):
            yield Batch(tuple(self.events[first : first + size]), MIN_TIME)
        yield Batch((), MAX_TIME)


@dataclass(slots=True)
class ListSink(Generic[MatchType]):
    """A sink that remembers what was written, in `matches`, and whether it was closed."""

    matches: list[MatchType] = field(default_factory=list)
    closed: bool = False

    def write(self, matches: Sequence[MatchType]) -> None:
        """Append the matches."""
        self.matches.extend(matches)

    def close(self) -> None:
        """Note that nothing more will come."""
        self.closed = True
