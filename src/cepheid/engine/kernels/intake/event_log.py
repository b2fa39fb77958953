"""The events that a rule may still need, in one growing table of columns; rows are what kernels speak of.

Rows before `done` have been seen by the kernel and are in order. Those from `done` to `top` wait for their instant to
be complete: the end of the log is the order buffer.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cepheid.engine.kernels.columns.batches import TIE, Batch
from cepheid.engine.kernels.columns.columns import Kind
from cepheid.engine.kernels.columns.exact_numbers import numbers_of
from cepheid.engine.kernels.columns.field_store import FieldStore
from cepheid.engine.kernels.columns.gathering import gather_ascending
from cepheid.engine.kernels.columns.log_column import LogColumn
from cepheid.engine.kernels.columns.packing import Kept
from cepheid.engine.kernels.columns.row_store import LEAST_ROOM, ByRow
from cepheid.engine.kernels.columns.state_bytes import Entry
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.typed_arrays import Data, Rows
from cepheid.events import id_key


class EventLog(FieldStore):
    """Times, membership, keys, ids, ties and the fields that somebody reads."""

    time: Data
    member: Data
    key: Data
    truth: Data
    numbers: Data

    def __init__(
        self,
        fields: Sequence[str],
        key_columns: int,
        compared: Sequence[str] = (),
        conditions: int = 0,
        room: int | None = None,
    ) -> None:
        # What a table of events does not have is not written.
        is_rule = key_columns > 0
        super().__init__(
            fields,
            room,
            time=ByRow(np.int64),
            member=ByRow(np.uint32),
            key=ByRow(np.int32, max(key_columns, 1), is_rule),
            # Where several rules look at an event: which of their conditions are true.
            truth=ByRow(np.bool_, conditions, is_rule),
            # Fields that kernels compare, as floats; a field that is nothing else has no column beside this one.
            numbers=ByRow(np.float64, len(compared), is_rule),
        )
        # Rows from the limit on are not used before others have made room: memory that has just been used is faster.
        self.done, self.limit, self.compared = 0, LEAST_ROOM, tuple(compared)
        self.ids = self.columns["ids"] = LogColumn(self.room)
        self.names_events = True  # without their ids, events of an instant are in any order
        self.ties: list[tuple[object, ...]] | None = None
        self.in_order = True
        self.numbered = False  # by themselves, as they come: their ids say nothing about their order
        # Where the window of a kernel begins and ends.
        self.cursors = np.zeros(2, np.int64)

    def append(self, batch: Batch, rows: Rows, member: Data, keys: Data, words: Words) -> None:
        """Add rows of a batch; there must be room for them."""
        first, last = self.top, self.top + len(rows)
        gather_ascending(batch.times, rows, self.time, first)
        self.member[first:last] = member
        self.key[:, first:last] = keys
        if isinstance(batch.ids, int) and self.ids.kind is Kind.INT and self.ids.valid is None:
            np.add(rows, batch.ids, out=self.ids.data[first:last], dtype=np.int64)
        elif self.names_events:
            self.ids.put(first, batch.ids_of(rows), words)
        if batch.ties is not None and self.ties is None:
            self.ties = [()] * (self.top - self.done)
        if self.ties is not None:
            self.ties += [batch.ties[row] if batch.ties is not None else () for row in rows.tolist()]
        self.put_fields(batch, rows, words)

    def plain_field(self, batch: Batch) -> tuple[str, Data, Data] | None:
        """Return the first field of a batch that can be copied as it is: its name, from where, and to where."""
        self._share_compared(batch)
        for name, column in self.fields.items():
            given = batch.column(name)
            if column.takes(given):
                return name, given.data.view(np.int64), column.data.view(np.int64)
        return None

    def put_fields(self, batch: Batch, rows: Rows, words: Words, written: str | None = None) -> None:
        """Write the fields of rows whose other columns are written already, and one of the fields too, perhaps."""
        first, last = self.top, self.top + len(rows)
        self.in_order = self.in_order and batch.in_order
        self.numbered = self.numbered or batch.numbered
        self._share_compared(batch)
        for name, column in self.fields.items():
            # Without ties there is nothing to write where there never was one.
            if name != written and (name != TIE or batch.ties is not None or column.kind is not Kind.NULL):
                column.put_rows(first, batch.column(name), rows, words)
        for numbers, name in zip(self.numbers, self.compared, strict=True):
            if not self.fields[name].shares(self.numbers):
                numbers[first:last] = numbers_of(self.fields[name].read(slice(first, last)))
        self.top = last

    def _share_compared(self, batch: Batch) -> None:
        for number, name in enumerate(() if self.top else self.compared):
            self.fields[name].share(self.numbers[number], batch.column(name))

    def takes_numbers_as_ids(self) -> bool:
        """Say whether all ids are whole numbers so far; where there are none yet, they will be."""
        if self.ids.kind is Kind.NULL and not self.top:
            self.ids.kind, self.ids.data = Kind.INT, np.zeros(self.room, np.int64)
        return self.ids.kind is Kind.INT and self.ids.valid is None

    def _own_columns(self) -> list[LogColumn]:
        return [one for one in self.columns.values() if not one.shares(self.numbers)]

    def sort(self) -> None:
        """Put the rows that wait in their order: by time, then by what orders simultaneous events, then by id."""
        if self.in_order:
            return
        waiting = slice(self.done, self.top)
        times = self.time[waiting]
        if not self.names_events or (self.numbered and self.ties is None):
            order, self.ties = np.argsort(times, kind="stable"), None
        elif self.ids.kind is Kind.INT and self.ties is None:
            order = np.lexsort((self.ids.data[waiting], times))
        else:
            ids = self.ids.data[waiting].tolist()
            ties = self.ties or [()] * len(ids)
            keys = [(time, tie, id_key(one)) for time, tie, one in zip(times.tolist(), ties, ids, strict=True)]
            order = np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int64)
            self.ties = None if self.ties is None else [ties[row] for row in order.tolist()]
        self.arrange(self.done, order)
        self.in_order = True

    def ready(self, frontier: int) -> int:
        """Return the row up to which all instants are complete; the rows that wait are in order."""
        return self.done + int(np.searchsorted(self.time[self.done : self.top], frontier, "left"))

    def finish(self, row: int) -> None:
        """Note that the kernel has seen all rows before this one."""
        if self.ties is not None:
            self.ties = self.ties[row - self.done :] or None
        self.done = row

    def keep(self, kept: Kept, room: int | None = None) -> None:
        """Keep some of the rows, which come first now, and make room."""
        top, own = self.top, self._own_columns()
        super().keep(kept, room)
        for number, name in enumerate(self.compared):
            if self.fields[name] not in own:
                self.fields[name].data = self.numbers[number]
        self.cursors -= kept.start if isinstance(kept, slice) else 0
        self.done, self.limit = self.done - (top - self.top), self.room

    def written(self) -> dict[str, Entry]:
        ties = None if self.ties is None else list(self.ties)
        return {**super().written(), "done": self.done, "ties": ties, "numbered": int(self.numbered)}

    def take_up(self, entries: Mapping[str, Any], keys: int = 1) -> None:
        super().take_up(entries, keys)
        self.limit, self.done, self.ties = self.room, entries["done"], entries["ties"]
        self.numbered = bool(entries["numbered"])
