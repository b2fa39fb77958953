"""Finite input in columns is put in order on its way, as `sorting` does it with events: by a limited buffer.

Columns that are in order already, as most are, run through without being copied.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np

from cepheid.connectors.chunks import Chunk
from cepheid.connectors.event_columns import ColumnChunk, EventColumns, Times, joined
from cepheid.connectors.sorting import too_far
from cepheid.diagnostics import unreadable
from cepheid.events import SORT_BUFFER, Form


@dataclass(frozen=True, slots=True)
class _Some:
    """Events of a chunk, from one place to another."""

    chunk: EventColumns
    first: int
    last: int

    def __len__(self) -> int:
        return self.last - self.first

    @property
    def ends(self) -> Times:
        """When they end."""
        return self.chunk.ends[self.first : self.last]

    def events(self) -> EventColumns:
        whole = len(self) == len(self.chunk)
        return self.chunk if whole else self.chunk.slice(self.first, len(self))

    def divided(self, count: int) -> tuple["_Some", "_Some"]:
        """Return the first so many, and the rest."""
        middle = self.first + min(count, len(self))
        return _Some(self.chunk, self.first, middle), _Some(self.chunk, middle, self.last)

    def goes_on_in(self, other: "_Some") -> bool:
        """Say whether others are the next in the same chunk."""
        return self.chunk is other.chunk and self.last == other.first


@dataclass(slots=True)
class ColumnBuffer:
    """Events in columns that wait for others that may still belong before them; their positions order equal ends.

    What may be handed on waits for the rest of its chunk: each chunk that is in order comes out as one.
    """

    limit: int = SORT_BUFFER
    _held: list[_Some] = field(default_factory=list)
    _last: int | None = None
    _waiting: list[_Some] = field(default_factory=list)  # for the rest of their chunk

    def add(self, chunk: ColumnChunk, form: Form) -> list[EventColumns]:
        """Take the events of a chunk, and return some of those that nothing can come before any more.

        The buffer is sorted whenever it has twice its limit, so what is refused does not depend on the chunks.
        """
        released: list[EventColumns] = []
        rest = _Some(chunk.events, 0, len(chunk.events))
        while len(rest):
            some, rest = rest.divided(2 * self.limit - self._count)
            if self._last is not None and (some.ends < self._last).any():
                raise _straggler(chunk, some.events(), self._last, self.limit, form)
            self._held.append(some)
            if self._count == 2 * self.limit:
                released += self._release(self.limit)
        return released

    def finish(self) -> list[EventColumns]:
        """Return all that is left; the input has ended."""
        return [*self._release(self._count), *self.let_go()]

    def let_go(self) -> list[EventColumns]:
        """Return what waits for the rest of its chunk only."""
        waiting, self._waiting = self._waiting, []
        return [one.events() for one in waiting]

    @property
    def _count(self) -> int:
        return sum(map(len, self._held))

    def _release(self, count: int) -> list[EventColumns]:
        if not are_in_order(self._held):
            whole = in_order_of_time([some.events() for some in self._held])
            self._held = [_Some(whole, 0, len(whole))]
        released, self._held = _divided(self._held, count)
        if released:
            self._last = int(released[-1].ends[-1])
        free = _together([*self._waiting, *released])
        waits = bool(self._held and free and free[-1].goes_on_in(self._held[0]))
        self._waiting = [free.pop()] if waits else []
        return [some.events() for some in free]


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


def are_in_order(pieces: Sequence[EventColumns | _Some]) -> bool:
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


def _divided(held: Sequence[_Some], count: int) -> tuple[list[_Some], list[_Some]]:
    """Return the first so many events, and the rest."""
    first: list[_Some] = []
    rest: list[_Some] = []
    for some in held:
        own, other = some.divided(count)
        first += [own] if len(own) else []
        rest += [other] if len(other) else []
        count -= len(own)
    return first, rest


def _together(held: Sequence[_Some]) -> list[_Some]:
    """Return the same events, those of one chunk in one."""
    found: list[_Some] = []
    for some in held:
        if found and found[-1].goes_on_in(some):
            found[-1] = _Some(some.chunk, found[-1].first, some.last)
        else:
            found.append(some)
    return found


def _straggler(chunk: ColumnChunk, some: EventColumns, last: int, limit: int, form: Form) -> Exception:
    """Return the error about the first event that belongs before one that was handed on already."""
    position = int(some.positions[np.flatnonzero(some.ends < last)[0]])
    rows: Chunk = chunk.as_rows()
    index = next(index for index, event in enumerate(rows.events) if event.id == position)
    return too_far(rows, index, limit, form)
