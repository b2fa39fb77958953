"""The events that a rule may still need, in one growing table of columns; rows are what kernels speak of.

Rows before `done` have been seen by the kernel and are in order. Those from `done` to `top` wait for their instant to
be complete: the end of the log is the order buffer.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from cepheid.engine.kernels.columns.batches import TIE, Batch
from cepheid.engine.kernels.columns.columns import DTYPES, Column, Kind, as_objects, column_of
from cepheid.engine.kernels.columns.exact_numbers import numbers_of
from cepheid.engine.kernels.columns.gathering import gather_ascending, gathered
from cepheid.engine.kernels.columns.packing import Kept, blank_rest, count_of, packed
from cepheid.engine.kernels.columns.row_store import LEAST_ROOM
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.typed_arrays import Data, Rows
from cepheid.events import Value, id_key

_TYPES = {Kind.BOOL: bool, Kind.INT: int, Kind.FLOAT: float, Kind.TEXT: str}


class LogColumn:
    """A growing column; where values of several kinds meet it becomes one of objects."""

    __slots__ = ("data", "kind", "valid")

    def __init__(self, room: int) -> None:
        self.kind = Kind.NULL
        self.data: Data = np.zeros(room, np.bool_)
        self.valid: npt.NDArray[np.bool_] | None = None

    def put(self, first: int, column: Column, words: Words) -> None:
        """Write a column from row `first` on."""
        last = first + len(column)
        if column.kind is Kind.NULL:
            self._blank(first, last)
            return
        column = self._agreed(column, first, words)
        if column.valid is not None:
            self._allow_nulls()
        self.data[first:last] = column.data
        if self.valid is not None:
            self.valid[first:last] = True if column.valid is None else column.valid

    def share(self, numbers: Data, column: Column) -> None:
        """Hold values where a kernel compares them, if these are all floats."""
        if self.kind is Kind.NULL and column.kind is Kind.FLOAT and column.valid is None:
            self.kind, self.data = Kind.FLOAT, numbers

    def shares(self, numbers: Data) -> bool:
        """Say whether the values are in one of the rows of an array."""
        return np.may_share_memory(self.data, numbers)

    def put_rows(self, first: int, column: Column, rows: Rows, words: Words) -> None:
        """Write some rows of a column from row `first` on."""
        if self.takes(column):
            gather_ascending(column.data, rows, self.data, first)
        else:
            self.put(first, column.take_ascending(rows), words)

    def takes(self, column: Column) -> bool:
        """Say whether entries of a column can be copied as they are: numbers of the same kind, without nulls."""
        alike = column.kind is self.kind and column.valid is None and self.valid is None
        return alike and column.kind in (Kind.INT, Kind.FLOAT) and column.data.strides == (8,)

    def put_one(self, row: int, value: Value, words: Words) -> None:
        """Write one value."""
        if self.valid is None and type(value) is _TYPES.get(self.kind):
            self.data[row] = words.code(value) if isinstance(value, str) else value
        else:
            self.put(row, column_of([value], words), words)

    def one(self, row: int, words: Words) -> Value:
        """Return one value."""
        if self.kind is Kind.OBJECT:
            found: Value = self.data[row]
            return found
        if self.kind is Kind.NULL or (self.valid is not None and not self.valid[row]):
            return None
        value: Value = self.data[row].item()
        return words.text(value) if self.kind is Kind.TEXT and isinstance(value, int) else value

    def read(self, rows: Rows | slice) -> Column:
        """Return some rows."""
        data = self.data[rows] if isinstance(rows, slice) else gathered(self.data, rows)
        valid = None if self.valid is None or self.kind is Kind.NULL else self.valid[rows]
        return Column(self.kind, data, valid)

    def is_plainly(self, kind: Kind) -> bool:
        """Say whether all values are numbers of one kind, side by side in memory."""
        return self.kind is kind and self.valid is None and self.data.strides == (8,)

    def resize(self, kept: Kept, room: int) -> None:
        """Keep some rows, which come first now, and make room."""
        self.data = packed(self.data, kept, room)
        if self.kind is Kind.OBJECT:
            blank_rest(self.data, count_of(kept), None)
        if self.valid is not None:
            self.valid = packed(self.valid, kept, room)

    def _blank(self, first: int, last: int) -> None:
        if self.kind is Kind.OBJECT:
            self.data[first:last] = None
        elif self.kind is not Kind.NULL:
            self._allow_nulls()
            assert self.valid is not None
            self.data[first:last], self.valid[first:last] = 0, False

    def _allow_nulls(self) -> None:
        """Have a mask from now on; what kernels compare has none, so that values must be held apart then."""
        if self.valid is None:
            self.valid = np.ones(len(self.data), np.bool_)
            self.data = self.data.copy() if self.data.base is not None else self.data

    def _agreed(self, column: Column, first: int, words: Words) -> Column:
        """Return the column in the kind of the log, after that of the log was changed to hold both."""
        if self.kind is column.kind:
            return column
        if self.kind is Kind.NULL:
            self.kind = column.kind
            self.data = np.zeros(len(self.data), DTYPES[column.kind])
            if column.kind is Kind.OBJECT:
                self.data[:] = None
            elif first:
                self.valid = np.ones(len(self.data), np.bool_)
                self.valid[:first] = False
            return column
        if self.kind is not Kind.OBJECT:
            older = as_objects(self.read(slice(0, first)), words).data
            self.kind, self.valid = Kind.OBJECT, None
            self.data = np.full(len(self.data), None, object)
            self.data[:first] = older
        return as_objects(column, words)


class EventLog:
    """Times, membership, keys, ids, ties and the fields that somebody reads."""

    def __init__(
        self,
        fields: Sequence[str],
        key_columns: int,
        compared: Sequence[str] = (),
        conditions: int = 0,
        room: int | None = None,
    ) -> None:
        self.room, self.done, self.top = LEAST_ROOM if room is None else room, 0, 0
        # Rows from here on are not used before others have made room: memory that has just been used is faster.
        self.limit = LEAST_ROOM
        self.time = np.zeros(self.room, np.int64)
        self.member = np.zeros(self.room, np.uint32)
        self.key = np.zeros((max(key_columns, 1), self.room), np.int32)
        # Where several rules look at an event: which of their conditions are true.
        self.truth = np.zeros((conditions, self.room), np.bool_)
        # Fields that kernels compare, as floats; a field that is nothing else has no column beside this one.
        self.compared = tuple(compared)
        self.numbers = np.zeros((len(compared), self.room), np.float64)
        self.ids = LogColumn(self.room)
        self.names_events = True  # without their ids, events of an instant are in any order
        self.fields = {name: LogColumn(self.room) for name in fields}
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

    @property
    def bytes_of_a_row(self) -> int:
        """How much memory a row takes; what objects take is not known."""
        arrays: list[Data] = [self.time, self.member, self.key, self.truth, self.numbers]
        arrays += [column.data for column in self._own_columns()]
        return sum(one.nbytes for one in arrays) // self.room

    def _own_columns(self) -> list[LogColumn]:
        """Return the columns whose values are nowhere else."""
        return [one for one in (self.ids, *self.fields.values()) if not one.shares(self.numbers)]

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
        self._arrange(waiting, order)
        self.in_order = True

    def ready(self, frontier: int) -> int:
        """Return the row up to which all instants are complete; the rows that wait are in order."""
        return self.done + int(np.searchsorted(self.time[self.done : self.top], frontier, "left"))

    def finish(self, row: int) -> None:
        """Note that the kernel has seen all rows before this one."""
        if self.ties is not None:
            self.ties = self.ties[row - self.done :] or None
        self.done = row

    def resize(self, kept: Kept, room: int) -> None:
        """Keep some of the rows, which come first now, and make room."""
        top, count, own = self.top, count_of(kept), self._own_columns()
        for name in ("time", "member", "key", "truth", "numbers"):
            setattr(self, name, packed(getattr(self, name), kept, room))
        for column in own:
            column.resize(kept, room)
        for number, name in enumerate(self.compared):
            if self.fields[name] not in own:
                self.fields[name].data = self.numbers[number]
        self.cursors -= kept.start if isinstance(kept, slice) else 0
        self.done, self.top, self.room, self.limit = self.done - (top - count), count, room, room

    def _arrange(self, waiting: slice, order: Rows) -> None:
        self.time[waiting] = self.time[waiting][order]
        self.member[waiting] = self.member[waiting][order]
        self.key[:, waiting] = self.key[:, waiting][:, order]
        self.truth[:, waiting] = self.truth[:, waiting][:, order]
        self.numbers[:, waiting] = self.numbers[:, waiting][:, order]
        for column in self._own_columns():
            column.data[waiting] = column.data[waiting][order]
            if column.valid is not None:
                column.valid[waiting] = column.valid[waiting][order]
