"""How far a stream is settled: every event still to come ends at its frontier or after it.

A frontier starts at minus infinity and only ever moves forward. Several sources of one stream each have
their own, and the stream's is the least of them. An instant is complete once the frontier is past it; an
event that ends before the frontier is late.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cepheid.diagnostics import CepheidError, Diagnostic, internal_error
from cepheid.events.event import Event
from cepheid.events.ticks import MAX_TIME, MIN_TIME
from cepheid.events.time import format_time


@dataclass(frozen=True, slots=True, order=True)
class Frontier:
    """A bound on the future of one stream.

    >>> frontier = Frontier().advance(5)
    >>> frontier.complete(4), frontier.complete(5)
    (True, False)
    """

    bound: int = MIN_TIME

    def advance(self, bound: int, source: str = "stream") -> "Frontier":
        """Return the frontier moved forward to `bound`, or complain that `source` moves it back."""
        if bound < self.bound:
            raise _moved_back(source, self.bound, bound)
        return Frontier(bound)

    def is_late(self, event: Event) -> bool:
        """Say whether `event` comes too late: it ends before the frontier."""
        return event.end < self.bound

    def complete(self, time: int) -> bool:
        """Say whether nothing that ends at `time` or before it can still come."""
        return self.bound > time or self.at_end

    @property
    def at_end(self) -> bool:
        """Whether nothing at all can still come."""
        return self.bound == MAX_TIME


@dataclass(frozen=True, slots=True)
class Frontiers:
    """The frontiers of all sources of one stream.

    >>> both = Frontiers.of(["left", "right"]).advance("left", 9).advance("right", 4)
    >>> both.minimum
    Frontier(bound=4)
    """

    by_source: Mapping[str, Frontier]

    @classmethod
    def of(cls, sources: Iterable[str]) -> "Frontiers":
        """Return the frontiers of `sources` before any of them has said anything."""
        return cls({source: Frontier() for source in sources})

    def advance(self, source: str, bound: int) -> "Frontiers":
        """Return the frontiers with the one of `source` moved forward to `bound`."""
        if source not in self.by_source:
            raise internal_error(f"the source `{source}` has no frontier")
        return Frontiers({**self.by_source, source: self.by_source[source].advance(bound, source)})

    @property
    def minimum(self) -> Frontier:
        """The frontier of the stream; where there is no source nothing can come."""
        return min(self.by_source.values(), default=Frontier(MAX_TIME))


def _moved_back(source: str, bound: int, lowered: int) -> CepheidError:
    message = f"`{source}` moved its frontier back from {_shown(bound)} to {_shown(lowered)}"
    note = "a frontier promises that nothing earlier will come, and results depend on that promise"
    hint = f"keep the bound at {_shown(bound)}"
    return CepheidError(Diagnostic("frontier-moved-back", message, hints=(hint,), notes=(note,)))


def _shown(bound: int) -> str:
    infinities = {MIN_TIME: "minus infinity", MAX_TIME: "infinity"}
    return infinities.get(bound) or f"`{format_time(bound)}`"
