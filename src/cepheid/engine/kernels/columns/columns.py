"""Columns: the values of one expression for many events at once, each column of one kind, or of plain objects.

A column is as exact as Python's own values: whole numbers and floats are never mixed in one array, and what fits into
no array, such as a column with numbers and text, is a column of objects.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from cepheid.engine.kernels.columns.gathering import gathered
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows
from cepheid.events import Value
from cepheid.events.values import GREATEST_INTEGER, LEAST_INTEGER


class Kind(Enum):
    """What the array of a column holds; TEXT holds codes of words."""

    NULL = "null"
    BOOL = "bool"
    INT = "int"
    FLOAT = "float"
    TEXT = "text"
    OBJECT = "object"

    __hash__ = object.__hash__  # each is one object, and that of an enum is worked out in Python


DTYPES: dict[Kind, type] = {
    Kind.NULL: np.bool_,
    Kind.BOOL: np.bool_,
    Kind.INT: np.int64,
    Kind.FLOAT: np.float64,
    Kind.TEXT: np.int64,
    Kind.OBJECT: object,
}
_KINDS = {bool: Kind.BOOL, int: Kind.INT, float: Kind.FLOAT, str: Kind.TEXT}


@dataclass(frozen=True, slots=True)
class Column:
    """Values of one kind; those that are not `valid` are null, and without that mask none is."""

    kind: Kind
    data: Data
    valid: Mask | None = None

    def __len__(self) -> int:
        return len(self.data)

    def take(self, rows: Rows) -> "Column":
        return Column(self.kind, gathered(self.data, rows), None if self.valid is None else self.valid[rows])

    def take_ascending(self, rows: Rows) -> "Column":
        """Do so for rows that ascend: as many of them as there are entries are all of these."""
        return self if len(rows) == len(self.data) else self.take(rows)

    def slice(self, first: int, last: int) -> "Column":
        return Column(self.kind, self.data[first:last], None if self.valid is None else self.valid[first:last])

    @property
    def present(self) -> Mask:
        """Where there is a value."""
        if self.kind is Kind.NULL:
            return np.zeros(len(self.data), np.bool_)
        if self.kind is Kind.OBJECT:
            return np.fromiter((value is not None for value in self.data), np.bool_, len(self.data))
        return np.ones(len(self.data), np.bool_) if self.valid is None else self.valid


def nulls(count: int) -> Column:
    return Column(Kind.NULL, np.zeros(count, np.bool_))


def constant(value: Value, count: int, words: Words) -> Column:
    """Return a column that says the same everywhere."""
    kind = _kind_of(value)
    if kind is Kind.NULL:
        return nulls(count)
    if kind is Kind.OBJECT:
        data = np.empty(count, object)
        data[:] = [value] * count
        return Column(kind, data)
    stored: Any = words.code(value) if isinstance(value, str) else value
    return Column(kind, np.broadcast_to(np.asarray(stored, DTYPES[kind]), (count,)))


def column_of(values: Sequence[Value], words: Words) -> Column:
    """Return a column of some values; where they are of several kinds, of objects.

    >>> column_of([1, None, 2], Words()).kind, column_of([1, 2.5], Words()).kind
    (<Kind.INT: 'int'>, <Kind.OBJECT: 'object'>)
    """
    kind = _common_kind(values)
    if kind is Kind.NULL:
        return nulls(len(values))
    if kind is Kind.OBJECT:
        data = np.empty(len(values), object)
        data[:] = values
        return Column(kind, data)
    valid = None if None not in values else np.fromiter((one is not None for one in values), np.bool_, len(values))
    stored = [words.code(one) if isinstance(one, str) else 0 if one is None else one for one in values]
    return Column(kind, np.array(stored, DTYPES[kind]), valid)


def values_of(column: Column, words: Words) -> list[Value]:
    """Return the values as Python has them."""
    match column.kind:
        case Kind.NULL:
            return [None] * len(column)
        case Kind.OBJECT:
            return list(column.data)
        case Kind.TEXT:
            # The code of a null is the code of nothing, and perhaps there are no words at all.
            known = words.all() or [""]
            plain: list[Value] = [known[code] for code in column.data.tolist()]
        case _:
            plain = column.data.tolist()
    if column.valid is None:
        return plain
    return [value if there else None for value, there in zip(plain, column.valid.tolist(), strict=True)]


def as_objects(column: Column, words: Words) -> Column:
    """Return the same values as objects."""
    if column.kind is Kind.OBJECT:
        return column
    data = np.empty(len(column), object)
    data[:] = values_of(column, words)
    return Column(Kind.OBJECT, data)


def _common_kind(values: Sequence[Value]) -> Kind:
    """Return the kind of some values, which is that of objects where they are of several."""
    kinds = {_KINDS.get(one, Kind.OBJECT) for one in set(map(type, values)) - {type(None)}}
    if len(kinds) != 1:
        return Kind.OBJECT if kinds else Kind.NULL
    if kinds == {Kind.INT}:
        numbers: list[int] = [value for value in values if value is not None]  # type: ignore[misc]  # as they all are
        return Kind.INT if min(numbers) >= LEAST_INTEGER and max(numbers) <= GREATEST_INTEGER else Kind.OBJECT
    return kinds.pop()


def _kind_of(value: Value) -> Kind:
    if value is None:
        return Kind.NULL
    kind = _KINDS.get(type(value), Kind.OBJECT)
    if kind is Kind.INT and not LEAST_INTEGER <= value <= GREATEST_INTEGER:  # type: ignore[operator]  # it is an int
        return Kind.OBJECT
    return kind
