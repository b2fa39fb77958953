"""Sources that are read only as fast as there is room: an event that has to wait stays with its source.

The source that is behind is read next. Its event is in step with all others, so it is taken, and then others can go on.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Generic, Protocol, TypeVar

from cepheid.engine.limits.premises import Wait

E = TypeVar("E")
R = TypeVar("R")
Given = TypeVar("Given", contravariant=True)


class Fed(Protocol[Given, R]):
    """A detector with several sources."""

    def push(self, event: Given, source: str = ...) -> list[R]: ...

    def end(self, source: str = ...) -> list[R]: ...

    def behind(self, sources: Iterable[str]) -> str:
        """Return that of some sources which has come the least far."""


@dataclass(slots=True)
class _Queue(Generic[E]):
    """What is left of a source: an event that was read, if there is one, and those after it."""

    events: Iterator[E]
    head: list[E] = field(default_factory=list)
    refused: bool = False

    def has_more(self) -> bool:
        self.head = self.head or list(islice(self.events, 1))
        return bool(self.head)


def fed(detector: Fed[E, R], sources: Mapping[str, Iterable[E]]) -> Iterator[R]:
    """Yield what a detector finds in the events of several sources, each of which comes to an end.

    No source is read further than it must be: of each, at most one event is held that has to wait.
    """
    queues = {name: _Queue(iter(events)) for name, events in sources.items()}
    while queues:
        source = detector.behind(queues)
        if queues[source].has_more():
            yield from _pushed(detector, source, queues[source])
        else:
            del queues[source]
            yield from detector.end(source)


def _pushed(detector: Fed[E, R], source: str, queue: _Queue[E]) -> list[R]:
    try:
        found = detector.push(queue.head[0], source)
    except Wait:
        if queue.refused:  # nobody is further behind, so nobody else could make room
            raise
        queue.refused = True
        return []
    queue.head, queue.refused = [], False
    return found
