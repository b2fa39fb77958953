"""Columns of matches as arrays of Arrow; values of several kinds become JSON."""

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from cepheid.engine.kernels.columns.columns import Column, Kind, values_of
from cepheid.engine.kernels.columns.ragged import Ragged
from cepheid.engine.kernels.columns.words import Words, texts_as_arrow
from cepheid.engine.kernels.compiling.typed_arrays import Data
from cepheid.events import Value, plain_json

Array = Any  # pyarrow has no types
TYPES = {
    Kind.NULL: pa.null(),
    Kind.BOOL: pa.bool_(),
    Kind.INT: pa.int64(),
    Kind.FLOAT: pa.float64(),
    Kind.TEXT: pa.string(),
    Kind.OBJECT: pa.string(),
}
_EXACT = 2**53
_KINDS: dict[frozenset[type], Kind] = {
    frozenset(): Kind.NULL,
    frozenset((bool,)): Kind.BOOL,
    frozenset((int,)): Kind.INT,
    frozenset((float,)): Kind.FLOAT,
    frozenset((int, float)): Kind.FLOAT,
    frozenset((str,)): Kind.TEXT,
}


def common_kind(columns: Iterable[Column]) -> Kind:
    """Return the kind that says all values of some columns; whole numbers may be floats, if exact.

    >>> some = [Column(Kind.INT, np.array([1])), Column(Kind.FLOAT, np.array([0.5]))]
    >>> common_kind(some), common_kind([*some, Column(Kind.TEXT, np.array([0]))])
    (<Kind.FLOAT: 'float'>, <Kind.OBJECT: 'object'>)
    """
    kinds = {_kind_said(column) for column in columns if len(column)} - {Kind.NULL}
    if not kinds:
        return Kind.NULL
    if kinds == {Kind.INT, Kind.FLOAT} and all(_is_exact(column) for column in columns):
        return Kind.FLOAT
    return kinds.pop() if len(kinds) == 1 else Kind.OBJECT


def says_json(kind: Kind) -> bool:
    """Say whether values of a kind are texts of JSON in Arrow."""
    return kind is Kind.OBJECT


def array_of(column: Column, kind: Kind, words: Words) -> Array:
    """Return a column as Arrow has values of a kind that says all of them."""
    absent = None if column.valid is None else ~column.valid
    if column.kind is Kind.NULL:
        return pa.nulls(len(column), TYPES[kind])
    if column.kind is Kind.OBJECT and kind is not Kind.OBJECT:
        plain = column.data.tolist()
        return texts_as_arrow(plain) if kind is Kind.TEXT else pa.array(plain, TYPES[kind])
    if kind is Kind.OBJECT:
        return texts_as_arrow([_json(value) for value in values_of(column, words)])
    if kind is Kind.TEXT:
        return words.as_arrow().take(pa.array(column.data, mask=absent))
    data = column.data.astype(np.float64) if kind is Kind.FLOAT and column.kind is Kind.INT else column.data
    if kind in (Kind.INT, Kind.FLOAT) and absent is None and data.strides == (8,):
        return pa.Array.from_buffers(TYPES[kind], len(data), [None, pa.py_buffer(data)])
    return pa.array(np.ascontiguousarray(data), TYPES[kind], mask=absent)


def plain_array(column: Column, words: Words) -> Array | list[Value]:
    """Return a column as Arrow has values of its kind; values of several kinds are a list of them."""
    several = column.kind in (Kind.NULL, Kind.OBJECT)
    return values_of(column, words) if several else array_of(column, column.kind, words)


def whole_or_listed(column: Column, words: Words) -> Array | list[Value]:
    """Return a column of whole numbers as Arrow has them, and any other as a list."""
    return array_of(column, Kind.INT, words) if column.kind is Kind.INT else values_of(column, words)


def lists_as_arrow(lists: Ragged) -> Array:
    """Return lists of ids as Arrow has them."""
    offsets = pa.array(lists.offsets.astype(np.int32, copy=False))
    return pa.ListArray.from_arrays(offsets, ids_as_arrow(lists.flat))


def ids_as_arrow(ids: Data) -> Array:
    """Return ids as Arrow has them: as numbers, or all as text."""
    return whole_numbers(ids) if ids.dtype == np.int64 else texts_as_arrow([str(one) for one in ids])


def whole_numbers(data: Data) -> Array:
    """Return whole numbers as Arrow has them, in the memory that they are in."""
    return pa.Array.from_buffers(pa.int64(), len(data), [None, pa.py_buffer(np.ascontiguousarray(data))])


def times_as_arrow(ticks: Any, absent: Any = None) -> Array:  # arrays of NumPy
    """Return times in ticks, in the memory that they are in where there is one for each."""
    return whole_numbers(ticks) if absent is None else pa.array(ticks, mask=absent)


def _json(value: Value) -> str | None:
    return None if value is None else json.dumps(plain_json(value), ensure_ascii=False)


def _kind_said(column: Column) -> Kind:
    """Return the kind of what a column says; floats and whole numbers are floats, if exact."""
    if column.kind is not Kind.OBJECT:
        return column.kind
    types = frozenset(map(type, column.data)) - {type(None)}
    exact = all(-_EXACT <= value <= _EXACT for value in column.data if type(value) is int)
    return _KINDS.get(types, Kind.OBJECT) if exact else Kind.OBJECT


def _is_exact(column: Column) -> bool:
    """Say whether floats can say all whole numbers of a column."""
    if column.kind is not Kind.INT or not len(column):
        return True
    return bool(column.data.max() <= _EXACT and column.data.min() >= -_EXACT)
