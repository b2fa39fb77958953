"""Tables of what is made of events: the matches of a rule that others read, and groups of items that are one part.

Each row says where it lies, what it says, what it is made of, and which given events it rests on.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from cepheid.engine.kernels.columns.columns import Column, nulls
from cepheid.engine.kernels.columns.gathering import gathered
from cepheid.engine.kernels.columns.list_log import ListLog
from cepheid.engine.kernels.columns.packing import packed, roomy
from cepheid.engine.kernels.columns.ragged import Ragged
from cepheid.engine.kernels.columns.row_store import LEAST_ROOM
from cepheid.engine.kernels.columns.state_bytes import Entry
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.typed_arrays import Data, Rows
from cepheid.engine.kernels.intake.event_log import LogColumn
from cepheid.engine.kernels.plans.pattern_stages import StagedShape, names_of
from cepheid.engine.kernels.sequences.written_state import roomy as with_room
from cepheid.engine.kernels.sequences.written_state import take_up_column, written_column


class MadeTable(ABC):
    """Rows with times, fields and what they rest on; serial numbers stay when older rows are forgotten."""

    lasts = True

    def __init__(self, fields: Iterable[str]) -> None:
        self.base, self.top, self.room = 0, 0, LEAST_ROOM
        self.times = np.zeros((3, self.room), np.int64)
        self.fields = {name: LogColumn(self.room) for name in fields}
        self.grounds = ListLog()

    def _add(
        self, times: Sequence[Data], values: Mapping[str, Column], grounds: Ragged | None, words: Words
    ) -> tuple[int, int]:
        """Add rows, and return where they are."""
        first, last = self.top, self.top + len(times[0])
        if last > self.room:
            self._resize(slice(0, self.top), roomy(last))
        for number, some in enumerate(times):
            self.times[number, first:last] = some
        if grounds is not None:
            self.grounds.append(grounds)
        for name, column in self.fields.items():
            column.put(first, values[name], words)
        self.top = last
        return first, last

    def drop(self, serial: int) -> None:
        """Forget what comes before a serial number."""
        rows = min(max(serial - self.base, 0), self.top)
        if rows:
            self._resize(slice(rows, self.top), self.room)
            self.grounds.drop(min(rows, self.grounds.top))
            self._dropped(rows)
            self.base, self.top = self.base + rows, self.top - rows

    def read(self, name: str, rows: Rows | slice) -> Column:
        found = self.fields.get(name)
        return nulls(count_of(rows)) if found is None else found.read(rows)

    def starts(self, rows: Rows | slice) -> Data:
        return taken(self.times[0], rows)

    def ends(self, rows: Rows | slice) -> Data:
        return taken(self.times[1], rows)

    def known(self, rows: Rows | slice) -> Data:
        return taken(self.times[2], rows)

    @abstractmethod
    def made_of(self, row: int) -> list[int]:
        """Return the references of what a row is made of, in order."""

    @abstractmethod
    def references(self, serial: int = 0) -> Data:
        """Return all references that rows from a serial number on hold."""

    @abstractmethod
    def _dropped(self, rows: int) -> None:
        """Forget the first rows of what only this kind of table has."""

    def _resize(self, kept: slice, room: int) -> None:
        self.times = packed(self.times, kept, room)
        for column in self.fields.values():
            column.resize(kept, room)
        self.room = room

    def written(self) -> dict[str, Entry]:
        """Return the rows by name."""
        entries: dict[str, Entry] = {"base": self.base, "times": self.times[:, : self.top]}
        entries |= {f"grounds {name}": entry for name, entry in self.grounds.written().items()}
        for name, column in self.fields.items():
            entries |= {f"field {name} {one}": entry for one, entry in written_column(column, self.top).items()}
        return entries

    def take_up(self, entries: Mapping[str, Any]) -> None:
        """Go on from a state that `written` gave."""
        self.base, self.top = entries["base"], entries["times"].shape[1]
        self.room = max(LEAST_ROOM, 2 * self.top)
        self.times = with_room(entries["times"], self.room, 0)
        self.grounds.take_up({name: entries[f"grounds {name}"] for name in ("flat", "starts")})
        for name, column in self.fields.items():
            own = {one: entries[f"field {name} {one}"] for one in ("kind", "data", "valid")}
            take_up_column(column, own, self.room)


class DerivedTable(MadeTable):
    """The events that the matches of one rule are; `ordinal` counts those that are alike in everything.

    `placed`: where they lie in the stream of given events is kept, so that the order of arrival can be asked for.
    """

    def __init__(self, shape: StagedShape, *, placed: bool = False) -> None:
        super().__init__(shape.plan.rule.fields)
        self.placed, self.places = placed, np.zeros((2 if placed else 0, self.room), np.int64)
        self.version, self.number, self.emits = shape.plan.version, shape.plan.number, shape.plan.rule.emits
        self.refs = np.zeros((len(names_of(shape.root)), self.room), np.int64)
        self.ordinal = np.zeros(self.room, np.int32)
        self.names: dict[int, str] = {}

    def append(
        self,
        times: Sequence[Data],
        refs: Data,
        values: Mapping[str, Column],
        grounds: Ragged | None,
        places: Data | None,
        words: Words,
    ) -> tuple[int, int]:
        """Add matches, and return their serial numbers."""
        first, last = self._add(times, values, grounds, words)
        self.refs[:, first:last] = refs
        if places is not None:
            self.places[:, first:last] = places
        self.ordinal[first:last] = 0
        return self.base + first, self.base + last

    def made_of(self, row: int) -> list[int]:
        return [ref for ref in self.refs[:, row].tolist() if ref >= 0]

    def references(self, serial: int = 0) -> Data:
        return self.refs[:, max(serial - self.base, 0) : self.top].reshape(-1)

    def _dropped(self, rows: int) -> None:
        self.names = {one: name for one, name in self.names.items() if one >= self.base + rows}

    def _resize(self, kept: slice, room: int) -> None:
        super()._resize(kept, room)
        self.refs, self.ordinal = packed(self.refs, kept, room), packed(self.ordinal, kept, room)
        self.places = packed(self.places, kept, room)

    def written(self) -> dict[str, Entry]:
        rows: dict[str, Entry] = {"refs": self.refs[:, : self.top], "ordinal": self.ordinal[: self.top]}
        rows |= {"places": self.places[:, : self.top]} if self.placed else {}
        return {**super().written(), **rows}

    def take_up(self, entries: Mapping[str, Any]) -> None:
        super().take_up(entries)
        self.refs, self.ordinal = (with_room(entries[name], self.room, 0) for name in ("refs", "ordinal"))
        places = entries["places"] if self.placed else np.zeros((0, self.top), np.int64)
        self.places = with_room(places, self.room, 0)


class PointTable(MadeTable):
    """Points of time of one name: they are no events, come before all that end with them, and rest on nothing."""

    def __init__(self, name: str) -> None:
        super().__init__(())
        self.name = name

    def append(self, times: Data, known: Data, words: Words) -> tuple[int, int]:
        """Add points, and return their serial numbers."""
        nothing = Ragged(np.zeros(0, np.int64), np.zeros(len(times) + 1, np.int64))
        first, last = self._add((times, times, known), {}, nothing, words)
        return self.base + first, self.base + last

    def made_of(self, _: int) -> list[int]:
        return []

    def references(self, _: int = 0) -> Data:
        return np.zeros(0, np.int64)

    def _dropped(self, rows: int) -> None:
        pass


class GroupTable(MadeTable):
    """Groups of items that are one part of an occurrence: what all items are made of, one after the other.

    A group that stands `beside` other parts has no say in the order of occurrences; where it has no items, it lies
    where these do. `places` have so many lines as is said.
    """

    def __init__(self, fields: Iterable[str], *, lines: int = 2, beside: bool = False) -> None:
        super().__init__(fields)
        self.items, self.beside = ListLog(), beside
        self.places = np.zeros((lines, self.room), np.int64)

    def append(
        self,
        times: Sequence[Data],
        items: Ragged,
        values: Mapping[str, Column],
        grounds: Ragged | None,
        places: Data,
        words: Words,
    ) -> tuple[int, int]:
        """Add groups, and return their serial numbers; `places` are the first and the last one of each."""
        first, last = self._add(times, values, grounds, words)
        self.items.append(items)
        self.places[:, first:last] = places
        return self.base + first, self.base + last

    def _resize(self, kept: slice, room: int) -> None:
        super()._resize(kept, room)
        self.places = packed(self.places, kept, room)

    def made_of(self, row: int) -> list[int]:
        found: list[int] = self.items.row(row).tolist()
        return found

    def references(self, serial: int = 0) -> Data:
        return self.items.all(min(max(serial - self.base, 0), self.top))

    def _dropped(self, rows: int) -> None:
        self.items.drop(rows)

    def written(self) -> dict[str, Entry]:
        items = {f"items {name}": entry for name, entry in self.items.written().items()}
        return {**super().written(), **items, "places": self.places[:, : self.top]}

    def take_up(self, entries: Mapping[str, Any]) -> None:
        super().take_up(entries)
        self.items.take_up({name: entries[f"items {name}"] for name in ("flat", "starts")})
        self.places = with_room(entries["places"], self.room, 0)


def taken(data: Data, rows: Rows | slice) -> Data:
    """Return some rows of an array."""
    return data[rows] if isinstance(rows, slice) else gathered(data, rows)


def count_of(rows: Rows | slice) -> int:
    """Return how many rows these are."""
    return rows.stop - rows.start if isinstance(rows, slice) else len(rows)
