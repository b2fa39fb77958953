"""What events can be read from."""

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from cepheid.connectors.event_columns import AnyChunk
from cepheid.connectors.outlook import Outlook
from cepheid.events import Form


class EventSource(Protocol):
    """Something that events can be read from."""

    @property
    def name(self) -> str:
        """The name that messages call it by."""

    @property
    def identified(self) -> bool:
        """Whether the events have ids of their own; otherwise they are numbered as they come."""

    @property
    def form(self) -> Form:
        """The form in which the times came that were read first; before anything was read, the unit."""

    def chunks(self) -> Iterator[AnyChunk]:
        """Yield the input in the order in which it stands there, in columns where it has some."""

    def outlook(self, threads: int = 1) -> Outlook | None:
        """Return what can be known of all times without reading the events; None where that is nothing.

        So many threads may look at once.
        """


class UnreadPart(Protocol):
    """Some of an input that nobody has looked at."""

    def __len__(self) -> int:
        """Return how many rows it has."""

    def chunks(self) -> Iterator[AnyChunk]:
        """Yield what stands there."""

    def need_not_be_first(self, rows: int) -> bool:
        """Say whether nothing is learned by reading it before all other parts, so many rows together.

        That is where it is of the one file that there is, whose times have a form that is known without reading any.
        """

    def apart(self) -> "UnreadPart":
        """Return the same for a thread of its own; then `settle` notes what was met."""

    def settle(self) -> None:
        """Note what was met, after all parts before this one."""


@runtime_checkable
class SourceInParts(Protocol):
    """A source whose parts can be read by several threads at once."""

    def parts(self, rows: int, wanted: frozenset[str] | None = None) -> Iterator[UnreadPart]:
        """Yield the parts, one after the other, each of about so many rows where they can be cut anywhere.

        Of events that are not of the `wanted` types nobody needs more than how many there are.
        """
