"""Tables of what is made of events: the matches of a rule that others read, and groups of items that are one part.

Each row says where it lies, what it says, what it is made of, and which given events it rests on.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from cepheid.engine.kernels.columns.columns import Column, nulls
from cepheid.engine.kernels.columns.field_store import FieldStore
from cepheid.engine.kernels.columns.gathering import gathered
from cepheid.engine.kernels.columns.list_log import ListLog
from cepheid.engine.kernels.columns.packing import count_of
from cepheid.engine.kernels.columns.ragged import Ragged
from cepheid.engine.kernels.columns.row_store import ByRow
from cepheid.engine.kernels.columns.state_bytes import Entry, named, under
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.typed_arrays import Data, Rows
from cepheid.engine.kernels.plans.pattern_stages import StagedShape, names_of


class MadeTable(FieldStore, ABC):
    """Rows with times, fields and what they rest on; serial numbers stay when older rows are forgotten."""

    lasts = True

    times: Data

    def __init__(self, fields: Iterable[str], **arrays: ByRow) -> None:
        super().__init__(fields, None, times=ByRow(np.int64, 3), **arrays)
        self.base, self.grounds = 0, ListLog()

    def _add(self, times: Sequence[Data], values: Mapping[str, Column], grounds: Ragged | None, words: Words) -> slice:
        """Add rows, and return where they are."""
        self.make_room(len(times[0]))
        rows = self.added(len(times[0]))
        for line, some in enumerate(times):
            self.times[line, rows] = some
        if grounds is not None:
            self.grounds.append(grounds)
        for name, column in self.fields.items():
            column.put(rows.start, values[name], words)
        return rows

    def _serials(self, rows: slice) -> tuple[int, int]:
        return self.base + rows.start, self.base + rows.stop

    def drop(self, serial: int) -> None:
        """Forget what comes before a serial number."""
        rows = min(max(serial - self.base, 0), self.top)
        if rows:
            self.keep(slice(rows, self.top))
            self.grounds.drop(min(rows, self.grounds.top))
            self._dropped(rows)
            self.base += rows

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

    def written(self) -> dict[str, Entry]:
        return {"base": self.base, **super().written(), **named("grounds", self.grounds.written())}

    def take_up(self, entries: Mapping[str, Any], keys: int = 1) -> None:
        super().take_up(entries, keys)
        self.base = entries["base"]
        self.grounds.take_up(under("grounds", entries))


class DerivedTable(MadeTable):
    """The events that the matches of one rule are; `ordinal` counts those that are alike in everything.

    `placed`: where they lie in the stream of given events is kept, so that the order of arrival can be asked for.
    """

    refs: Data
    ordinal: Data
    places: Data

    def __init__(self, shape: StagedShape, *, placed: bool = False) -> None:
        arrays = {"refs": ByRow(np.int64, len(names_of(shape.root))), "ordinal": ByRow(np.int32)}
        super().__init__(shape.plan.rule.fields, **arrays, places=ByRow(np.int64, 2 if placed else 0, placed))
        self.placed, self.names = placed, dict[int, str]()
        self.version, self.number, self.emits = shape.plan.version, shape.plan.number, shape.plan.rule.emits

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
        rows = self._add(times, values, grounds, words)
        self.refs[:, rows], self.ordinal[rows] = refs, 0
        if places is not None:
            self.places[:, rows] = places
        return self._serials(rows)

    def made_of(self, row: int) -> list[int]:
        return [ref for ref in self.refs[:, row].tolist() if ref >= 0]

    def references(self, serial: int = 0) -> Data:
        return self.refs[:, max(serial - self.base, 0) : self.top].reshape(-1)

    def _dropped(self, rows: int) -> None:
        self.names = {one: name for one, name in self.names.items() if one >= self.base + rows}


class PointTable(MadeTable):
    """Points of time of one name: they are no events, come before all that end with them, and rest on nothing."""

    def __init__(self, name: str) -> None:
        super().__init__(())
        self.name = name

    def append(self, times: Data, known: Data, words: Words) -> tuple[int, int]:
        """Add points, and return their serial numbers."""
        nothing = Ragged(np.zeros(0, np.int64), np.zeros(len(times) + 1, np.int64))
        return self._serials(self._add((times, times, known), {}, nothing, words))

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

    places: Data

    def __init__(self, fields: Iterable[str], *, lines: int = 2, beside: bool = False) -> None:
        super().__init__(fields, places=ByRow(np.int64, lines))
        self.items, self.beside = ListLog(), beside

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
        rows = self._add(times, values, grounds, words)
        self.items.append(items)
        self.places[:, rows] = places
        return self._serials(rows)

    def made_of(self, row: int) -> list[int]:
        found: list[int] = self.items.row(row).tolist()
        return found

    def references(self, serial: int = 0) -> Data:
        return self.items.all(min(max(serial - self.base, 0), self.top))

    def _dropped(self, rows: int) -> None:
        self.items.drop(rows)

    def written(self) -> dict[str, Entry]:
        return {**super().written(), **named("items", self.items.written())}

    def take_up(self, entries: Mapping[str, Any], keys: int = 1) -> None:
        super().take_up(entries, keys)
        self.items.take_up(under("items", entries))


def taken(data: Data, rows: Rows | slice) -> Data:
    """Return some rows of an array."""
    return data[rows] if isinstance(rows, slice) else gathered(data, rows)
