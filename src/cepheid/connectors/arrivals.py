"""Events that are set aside although they say something: those of no template, that came too late, or that came twice.

Finite input is put in order, so nothing in it is late. Ids are compared only where the input has them.
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field

from cepheid.connectors.chunks import Chunk
from cepheid.connectors.rejects import DUPLICATE, FAR_AHEAD, LATE, MOVED_BACK, Refused
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.events import MAX_TIME, Duration, Event, EventId, Form, Templates, show_time


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
    return _without(
        chunk,
        {index: duplicate(event, form) for index, event in enumerate(chunk.events) if not known.is_new(event)},
    )


def of_templates(chunk: Chunk, templates: Templates, heartbeat: str | None) -> Chunk:
    """Return the chunk with the events that are of no template among its rejects; heartbeats are of none."""
    problems = {
        index: Refused(problem)
        for index, event in enumerate(chunk.events)
        if event.type != heartbeat and (problem := templates.problem(event)) is not None
    }
    return _without(chunk, problems)


def _without(chunk: Chunk, refused: Mapping[int, Refused]) -> Chunk:
    """Return the chunk with some events among its rejects."""
    if not refused:
        return chunk
    kept = [index for index in range(len(chunk.events)) if index not in refused]
    rejects = [chunk.reject(index, reason) for index, reason in sorted(refused.items())]
    events, rows = [chunk.events[index] for index in kept], [chunk.rows[index] for index in kept]
    return Chunk(events, rows, [*chunk.rejects, *rejects], chunk.origin)


def late(event: Event, latest: int, form: Form) -> Refused:
    """Return the reason to set aside an event that came too long after one that ended at `latest`."""
    behind = _length(latest - event.end)
    message = f"`{event.type}` of {show_time(event.end, form)} came {behind} after a later event"
    return Refused(Diagnostic(LATE, message, hints=(f"allow for it: `--disorder '{behind}'`",)))


def far_ahead(event: Event, latest: int | None, form: Form) -> Refused:
    """Return the reason to set aside an event that is dated far after all before it; `latest` is None for a first."""
    ahead = None if latest is None else _length(event.end - latest)
    since = "beyond all likely times" if ahead is None else f"{ahead} after all before it"
    message = f"`{event.type}` of {show_time(event.end, form)} is {since}"
    hint = f"allow for it: `--max-jump '{ahead or 'none'}'`"
    return Refused(Diagnostic(FAR_AHEAD, message, hints=(hint,)))


def _length(ticks: int) -> Duration:
    """Return a length of time, or the longest there is."""
    return Duration(min(ticks, MAX_TIME - 1))


def moved_back(source: str, bound: int, lowered: int, form: Form) -> CepheidError:
    """Return the error for a source that promised nothing before `bound`, and takes it back."""
    whose = f"`{source}`" if source else "the input"
    before, now = show_time(bound, form), show_time(lowered, form)
    message = f"{whose} promised nothing before {before}, and takes it back to {now}"
    note, hint = "what was emitted depends on that promise", f"promise {before} or later"
    return CepheidError(Diagnostic(MOVED_BACK, message, notes=(note,), hints=(hint,)))


def duplicate(event: Event, form: Form) -> Refused:
    """Return the reason to set aside an event whose id came before."""
    message = f"`{event.type}` of {show_time(event.end, form)} has the id `{event.id}` of an event before it"
    return Refused(Diagnostic(DUPLICATE, message, hints=("leave out `--id-column` to take both",)))
