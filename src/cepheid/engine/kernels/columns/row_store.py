"""Rows and keys in arrays with names, and what is done to all of these: to make room, to keep some, to write them down.

What rows mean, when they can go and how they are linked is the business of the log that is made of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cepheid.engine.kernels.columns.packing import Kept, count_of, packed, roomy
from cepheid.engine.kernels.columns.state_bytes import Entry
from cepheid.engine.kernels.compiling.typed_arrays import Data, Rows

LEAST_ROOM = 1024


@dataclass(frozen=True, slots=True)
class ByRow:
    """An array whose last axis is rows, with so many `lines` before it; `written`: it is part of a snapshot.

    A new row has a `blank` there, where new rows are begun before they are written.
    """

    kind: type
    lines: int | None = None
    written: bool = True
    blank: int = 0

    def of(self, room: int) -> Data:
        """Return such an array; nobody has to rely on what it holds. Memory that is not written to costs nothing."""
        return np.zeros(room if self.lines is None else (self.lines, room), self.kind)


@dataclass(frozen=True, slots=True)
class ByKey:
    """An array whose first axis is keys, of which each has `width` places; a new key has a `blank` there."""

    kind: type = np.int32
    width: int | None = None
    blank: int = -1
    written: bool = False

    def of(self, count: int, known: Data | None = None) -> Data:
        """Return such an array for so many keys, at least one, that begins with what is known of the first ones."""
        shape = (max(count, 1),) if self.width is None else (max(count, 1), self.width)
        found: Data = np.full(shape, self.blank, self.kind)
        if known is not None:
            found[: len(known)] = known
        return found


class KeyStore:
    """Arrays by key; each is an attribute under its own name."""

    def __init__(self, **arrays: ByKey) -> None:
        self.by_key = arrays
        self.blank_keys(1)

    def blank_keys(self, count: int) -> None:
        """Know nothing of any key, and have room for so many."""
        for name, form in self.by_key.items():
            setattr(self, name, form.of(count))

    def make_room_for_keys(self, count: int) -> None:
        for name, form in self.by_key.items():
            array = getattr(self, name)
            if len(array) < count:
                setattr(self, name, form.of(2 * count, array))

    def keep_keys(self, numbers: Rows) -> None:
        """Drop all keys but some, which are numbered anew in this order: that of their numbers."""
        for name, form in self.by_key.items():
            array = getattr(self, name)
            setattr(self, name, form.of(len(numbers), array[numbers[numbers < len(array)]]))

    def written(self) -> dict[str, Entry]:
        """Return all that must be known to go on, by name."""
        return {name: getattr(self, name) for name, form in self.by_key.items() if form.written}

    def take_up(self, entries: Mapping[str, Any], keys: int = 1) -> None:
        """Go on from what `written` gave; what is not among it has yet to be found, for so many keys."""
        for name, form in self.by_key.items():
            setattr(self, name, entries[name].copy() if form.written else form.of(keys))


class RowStore(KeyStore):
    """Rows up to `top`, with room for `room`, in arrays by row; there may be arrays by key, such as where lists begin.

    Each array is an attribute under the name by which it is written down. Kernels take it as it is.
    """

    def __init__(self, room: int | None = None, **arrays: ByRow | ByKey) -> None:
        super().__init__(**{name: form for name, form in arrays.items() if isinstance(form, ByKey)})
        self.by_row = {name: form for name, form in arrays.items() if isinstance(form, ByRow)}
        self.top, self.room = 0, LEAST_ROOM if room is None else room
        for name, form in self.by_row.items():
            setattr(self, name, form.of(self.room))

    @property
    def bytes_of_a_row(self) -> int:
        """How much memory a row takes."""
        return sum(int(getattr(self, name).nbytes) for name in self.by_row) // self.room

    def added(self, count: int) -> slice:
        """Return so many new rows, which are to be written; there must be room for them."""
        first, self.top = self.top, self.top + count
        return slice(first, self.top)

    def begin(self, first: int, last: int) -> None:
        """Make new rows blank."""
        for name, form in self.by_row.items():
            getattr(self, name)[..., first:last] = form.blank
        self.top = last

    def room_for(self, count: int) -> int:
        """Return how much room to have where so many rows must fit; an eighth stays free, so that it is seldom made."""
        return self.room if count + count // 8 <= self.room else roomy(count)

    def make_room(self, more: int) -> None:
        """Let so many more rows fit."""
        if self.top + more > self.room:
            self.keep(slice(0, self.top), roomy(self.top + more))

    def keep(self, kept: Kept, room: int | None = None) -> None:
        """Keep some of the rows, in their order, as the first ones; `room`: so many shall fit, None: as many as now."""
        self.top, self.room = count_of(kept), self.room if room is None else max(LEAST_ROOM, room)
        for name in self.by_row:
            setattr(self, name, packed(getattr(self, name), kept, self.room))

    def arrange(self, first: int, order: Rows) -> None:
        """Put rows from one on into another order; what is not written of them is not known yet."""
        rows = slice(first, first + len(order))
        for name in self._names_written():
            data = getattr(self, name)
            data[..., rows] = data[..., rows][..., order]

    def written(self) -> dict[str, Entry]:
        return {name: getattr(self, name)[..., : self.top] for name in self._names_written()} | super().written()

    def take_up(self, entries: Mapping[str, Any], keys: int = 1) -> None:
        super().take_up(entries, keys)
        self.top = max((entries[name].shape[-1] for name in self._names_written()), default=0)
        self.room = max(LEAST_ROOM, 2 * self.top)
        for name, form in self.by_row.items():
            array = packed(entries[name], slice(0, self.top), self.room) if form.written else form.of(self.room)
            setattr(self, name, array)

    def _names_written(self) -> list[str]:
        return [name for name, form in self.by_row.items() if form.written]


class KeyedRows(RowStore):
    """Rows under keys, in lists that begin in `heads`, where a key may have several."""

    key: Data
    heads: Data

    def __init__(self, room: int | None = None, width: int | None = None, **arrays: ByRow | ByKey) -> None:
        super().__init__(room, key=ByRow(np.int32), heads=ByKey(width=width), **arrays)


class CountedRows(RowStore):
    """Rows that kernels add: how many there are stands at a place of an array of counters."""

    def __init__(self, control: Data, place: int, **arrays: ByRow) -> None:
        self.control, self.place = control, place
        super().__init__(None, **arrays)

    @property
    def top(self) -> int:
        return int(self.control[self.place])

    @top.setter
    def top(self, count: int) -> None:
        self.control[self.place] = count
