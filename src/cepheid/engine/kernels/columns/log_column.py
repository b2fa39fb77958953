"""A column of values that grows with the rows of a log."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from cepheid.engine.kernels.columns.columns import DTYPES, Column, Kind, as_objects, column_of
from cepheid.engine.kernels.columns.gathering import gather_ascending, gathered
from cepheid.engine.kernels.columns.packing import Kept, blank_rest, count_of, packed
from cepheid.engine.kernels.columns.state_bytes import Coded, Entry
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.typed_arrays import Data, Rows
from cepheid.events import Value

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

    def arrange(self, rows: slice, order: Rows) -> None:
        """Put some rows into another order."""
        self.data[rows] = self.data[rows][order]
        if self.valid is not None:
            self.valid[rows] = self.valid[rows][order]

    def written(self, top: int) -> dict[str, Entry]:
        """Return all rows before one by name."""
        valid, data = None if self.valid is None else self.valid[:top], self.data[:top]
        coded = Coded(data, valid) if self.kind is Kind.TEXT else data
        return {"kind": [self.kind.value], "data": coded, "valid": valid}

    def take_up(self, entries: Mapping[str, Any], room: int) -> None:
        """Go on from a column that was written."""
        rows, valid = slice(0, len(entries["data"])), entries["valid"]
        self.kind, self.data = Kind(entries["kind"][0]), packed(entries["data"], rows, room)
        self.valid = None if valid is None else packed(valid, rows, room)

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
