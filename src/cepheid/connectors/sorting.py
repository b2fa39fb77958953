"""Finite input is put in order on its way, through a buffer that holds a limited number of events.

An event may stand up to that many events behind its position. Input that is in order runs through; one that is further
out of order is refused with the place where that shows, rather than answered wrongly.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from cepheid.connectors.chunks import Chunk
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.events import SORT_BUFFER, Event, Form, order_key, show_time


@dataclass(slots=True)
class SortBuffer:
    """Events that wait for others that may still belong before them.

    Where events are `numbered` as they come, events of one end are in order already.
    """

    limit: int = SORT_BUFFER
    numbered: bool = True
    _held: list[Event] = field(default_factory=list)
    _last: Event | None = None

    def add(self, chunk: Chunk, form: Form) -> Sequence[Event]:
        """Take the events of a chunk, and return those that nothing can come before any more.

        The buffer is sorted whenever it has twice its limit, so what is refused does not depend on the chunks.
        """
        released: list[Event] = []
        first = 0
        while first < len(chunk.events):
            last = first + 2 * self.limit - len(self._held)
            self._refuse_stragglers(chunk, first, last, form)
            self._held.extend(chunk.events[first:last])
            if len(self._held) == 2 * self.limit:
                released += self._release(self.limit)
            first = last
        return released

    def finish(self) -> Sequence[Event]:
        """Return all that is left; the input has ended."""
        return self._release(len(self._held))

    @property
    def _key(self) -> Callable[[Event], Any]:  # whatever Python can compare
        return attrgetter("end") if self.numbered else order_key

    def _release(self, count: int) -> Sequence[Event]:
        self._held.sort(key=self._key)
        released, self._held = self._held[:count], self._held[count:]
        self._last = released[-1] if released else self._last
        return released

    def _refuse_stragglers(self, chunk: Chunk, first: int, last: int, form: Form) -> None:
        """Refuse an event that belongs before one that was handed on already."""
        if self._last is None:
            return
        key, bound = self._key, self._key(self._last)
        some = chunk.events[first:last]
        if min(map(key, some)) < bound:
            index = next(index for index, event in enumerate(some) if key(event) < bound)
            raise too_far(chunk, first + index, self.limit, form)


def too_far(chunk: Chunk, index: int, limit: int, form: Form) -> CepheidError:
    """Return the error about an event that stands further behind its place than events are held."""
    event = chunk.events[index]
    message = f"`{event.type}` of {show_time(event.end, form)} stands more than {limit} events behind its position"
    hints = (
        "sort the input by its time",
        f"hold more events to sort them: `--sort-buffer {limit * 10}`",
        "take the input for a stream, and reject what is late: `--disorder '1 min'`",
    )
    place = chunk.origin.place(chunk.rows[index])
    return CepheidError(Diagnostic("out-of-order", message, hints=hints, place=place))
