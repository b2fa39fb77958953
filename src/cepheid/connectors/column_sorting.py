"""Finite input in columns is put in order on its way, as `sorting` does it with events: by a limited buffer.

Columns that are in order already, as most are, run through without being copied.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np

from cepheid.connectors.chunks import Chunk
from cepheid.connectors.event_columns import ColumnChunk, EventColumns, joined
from cepheid.connectors.sorting import too_far
from cepheid.diagnostics import unreadable
from cepheid.events import SORT_BUFFER, Form


@dataclass(slots=True)
class ColumnBuffer:
    """Events in columns that wait for others that may still belong before them; their positions order equal ends."""

    limit: int = SORT_BUFFER
    _held: list[EventColumns] = field(default_factory=list)
    _last: int | None = None

    def add(self, chunk: ColumnChunk, form: Form) -> list[EventColumns]:
        """Take the events of a chunk, and return those that nothing can come before any more.

        The buffer is sorted whenever it has twice its limit, so what is refused does not depend on the chunks.
        """
        released: list[EventColumns] = []
        first = 0
        while first < len(chunk.events):
            some = chunk.events.slice(first, 2 * self.limit - self._count)
            if self._last is not None and (some.ends < self._last).any():
                raise _straggler(chunk, some, self._last, self.limit, form)
            self._held.append(some)
            if self._count == 2 * self.limit:
                released += self._release(self.limit)
            first += len(some)
        return released

    def finish(self) -> list[EventColumns]:
        """Return all that is left; the input has ended."""
        return self._release(self._count)

    @property
    def _count(self) -> int:
        return sum(map(len, self._held))

    def _release(self, count: int) -> list[EventColumns]:
        pieces = self._held if are_in_order(self._held) else [in_order_of_time(self._held)]
        released, self._held = _divided(pieces, count)
        if released:
            self._last = int(released[-1].ends[-1])
        return released


class PartBuffer:
    """Events of input whose parts follow each other in time; each part, of so many rows, is sorted for itself."""

    def __init__(self, rows: Sequence[int], name: str) -> None:
        self._name = name
        self._bounds = list(accumulate(rows))[::-1]
        self._held: list[EventColumns] = []
        self._last: int | None = None

    def add(self, events: EventColumns) -> list[EventColumns]:
        """Take some events, and return those of parts that are complete."""
        released: list[EventColumns] = []
        while len(events):
            inside = _up_to(events, self._bounds[-1])
            self._held += [events.slice(0, inside)] if inside else []
            if inside < len(events):
                released += self.finish()
                self._bounds.pop()
            events = events.slice(inside, len(events) - inside)
        return released

    def finish(self) -> list[EventColumns]:
        """Return what is left of the part that was read last."""
        held, self._held = self._held, []
        pieces = held if are_in_order(held) else [in_order_of_time(held)]
        if pieces and self._last is not None and pieces[0].ends[0] < self._last:
            raise not_in_order(self._name)
        self._last = int(pieces[-1].ends[-1]) if pieces else self._last
        return pieces


def not_in_order(name: str) -> Exception:
    """Return the error about a file whose statistics are wrong."""
    reason = "its statistics say that its parts follow each other in time, and they do not"
    return unreadable(name, reason, "write it again with statistics that are true")


def _up_to(events: EventColumns, position: int) -> int:
    """Return how many events have a position up to this one."""
    if isinstance(events.numbers, int):
        return min(max(position - events.numbers + 1, 0), len(events))
    return int(np.searchsorted(events.numbers, position, "right"))


def are_in_order(pieces: Sequence[EventColumns]) -> bool:
    """Say whether the ends of events never decrease, from piece to piece too."""
    last: int | None = None
    for piece in pieces:
        ends = piece.ends
        if not len(ends):
            continue
        if (last is not None and ends[0] < last) or (ends[1:] < ends[:-1]).any():
            return False
        last = int(ends[-1])
    return True


def in_order_of_time(pieces: Sequence[EventColumns]) -> EventColumns:
    """Return the events of some pieces as one, by their ends and then by their positions."""
    whole = joined(pieces)
    positions = whole.positions
    if (positions[1:] > positions[:-1]).all():
        return whole.take(np.argsort(whole.ends, kind="stable"))
    return whole.take(np.lexsort((positions, whole.ends)))


def _divided(pieces: Sequence[EventColumns], count: int) -> tuple[list[EventColumns], list[EventColumns]]:
    """Return the first so many events, and the rest."""
    first: list[EventColumns] = []
    rest: list[EventColumns] = []
    for piece in pieces:
        own = min(count, len(piece))
        first += [piece.slice(0, own)] if own else []
        rest += [piece.slice(own, len(piece) - own)] if own < len(piece) else []
        count -= own
    return first, rest


def _straggler(chunk: ColumnChunk, some: EventColumns, last: int, limit: int, form: Form) -> Exception:
    """Return the error about the first event that belongs before one that was handed on already."""
    position = int(some.positions[np.flatnonzero(some.ends < last)[0]])
    rows: Chunk = chunk.as_rows()
    index = next(index for index, event in enumerate(rows.events) if event.id == position)
    return too_far(rows, index, limit, form)
