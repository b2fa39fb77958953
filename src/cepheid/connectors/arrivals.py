"""Events that are set aside although they say something: those that came too late, and those that came twice.

Finite input is put in order, so nothing in it is late. Ids are compared only where the input has them.
"""

from collections import OrderedDict
from dataclasses import dataclass, field

from cepheid.connectors.chunks import Chunk
from cepheid.connectors.rejects import DUPLICATE, LATE, Refused
from cepheid.diagnostics import Diagnostic
from cepheid.events import Duration, Event, EventId, Form, show_time


@dataclass(slots=True)
class KnownIds:
    """The ids of the last `window` events."""

    window: int
    _seen: OrderedDict[EventId, None] = field(default_factory=OrderedDict)

    def is_new(self, event: Event) -> bool:
        """Say whether no event among the last ones has the id of this one, and remember it."""
        if event.id in self._seen:
            return False
        self._seen[event.id] = None
        if len(self._seen) > self.window:
            self._seen.popitem(last=False)
        return True


def without_duplicates(chunk: Chunk, known: KnownIds, form: Form) -> Chunk:
    """Return the chunk with the events whose id is known already among its rejects."""
    repeated = {index for index, event in enumerate(chunk.events) if not known.is_new(event)}
    if not repeated:
        return chunk
    kept = [index for index in range(len(chunk.events)) if index not in repeated]
    rejects = [chunk.reject(index, duplicate(chunk.events[index], form)) for index in sorted(repeated)]
    events, rows = [chunk.events[index] for index in kept], [chunk.rows[index] for index in kept]
    return Chunk(events, rows, [*chunk.rejects, *rejects], chunk.origin)


def late(event: Event, latest: int, form: Form) -> Refused:
    """Return the reason to set aside an event that came too long after one that ended at `latest`."""
    behind = Duration(latest - event.end)
    message = f"`{event.type}` of {show_time(event.end, form)} came {behind} after a later event"
    return Refused(Diagnostic(LATE, message, hints=(f"allow for it: `--disorder '{behind}'`",)))


def duplicate(event: Event, form: Form) -> Refused:
    """Return the reason to set aside an event whose id came before."""
    message = f"`{event.type}` of {show_time(event.end, form)} has the id `{event.id}` of an event before it"
    return Refused(Diagnostic(DUPLICATE, message, hints=("leave out `--id-column` to take both",)))
