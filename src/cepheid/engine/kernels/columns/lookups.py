"""Look up many rows in a table at once, where keys are whole numbers and words: by their places in sorted columns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cepheid.algebra.evaluation import rows_by_key
from cepheid.algebra.programs import Row, Table
from cepheid.algebra.remembering import ByIdentity
from cepheid.engine.kernels.columns.columns import Column, Kind, column_of
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask

_MOST_INDEXES = 8
_CODED = {Kind.INT: int, Kind.TEXT: str}


@dataclass(frozen=True, slots=True)
class _Index:
    """Rows of a table in the order of one number, which is made of the places of their keys among all keys."""

    values: list[Data]
    numbers: Data
    rows: list[Row]


def looked_up(table: Table, keys: Sequence[Column], column: str | None, words: Words) -> Column | None:
    """Return what a table says for every row of keys, None where that has to be found out one by one."""
    if not keys or len(keys) != table.key_count or not all(key.kind in _CODED for key in keys):
        return None
    index = _known_index(table, keys, words)
    if index is None:
        return None
    place, hit = _places(index, keys)
    there = np.logical_and.reduce([key.present for key in keys])
    if column is None:
        return Column(Kind.BOOL, hit & there, None if there.all() else there)
    cells = column_of([row[table.columns.index(column)] for row in index.rows] or [None], words).take(place)
    found: Mask = hit & there & cells.present
    if cells.kind is not Kind.OBJECT:
        return replace(cells, valid=found)
    cells.data[~found] = None
    return cells


def _known_index(table: Table, keys: Sequence[Column], words: Words) -> _Index | None:
    """Return the index of a table, which is made once for the words of an engine and the kinds of the keys."""
    kinds, made = tuple(key.kind for key in keys), _indexes(table)
    for whose, what, index in made:
        if whose is words and what == kinds:
            return index
    found = _index(table, keys, words)
    made.append((words, kinds, found))
    del made[:-_MOST_INDEXES]
    return found


@ByIdentity
def _indexes(_: Table) -> list[tuple[Words, tuple[Kind, ...], _Index | None]]:
    return []


def _places(index: _Index, keys: Sequence[Column]) -> tuple[Data, Mask]:
    """Return for every row of keys the place of its row in the index, and whether there is one."""
    count = len(keys[0])
    hit, number = np.ones(count, np.bool_), np.zeros(count, np.int64)
    for values, key in zip(index.values, keys, strict=True):
        place, known = _place(values, key.data)
        hit, number = hit & known, number * max(len(values), 1) + place
    place, known = _place(index.numbers, number)
    return place, hit & known


def _place(values: Data, wanted: Data) -> tuple[Data, Mask]:
    """Return where each wanted value is among sorted ones, and whether it is there."""
    if not len(values):
        return np.zeros(len(wanted), np.int64), np.zeros(len(wanted), np.bool_)
    place = np.minimum(np.searchsorted(values, wanted), len(values) - 1)
    return place, values[place] == wanted


def _index(table: Table, keys: Sequence[Column], words: Words) -> _Index | None:
    """Return an index of the rows whose keys can be equal to these, None where numbers would be too large."""
    wanted = [_CODED[key.kind] for key in keys]
    reached = [
        (key, row)
        for key, row in rows_by_key(table).items()
        if all(type(cell) is kind for cell, kind in zip(key, wanted, strict=True))
    ]
    coded = [[_code(cell, words) for cell in column] for column in zip(*(key for key, _ in reached), strict=True)]
    if not reached or any(abs(code) >= 2**63 for column in coded for code in column):
        return None if reached else _Index([np.zeros(0, np.int64) for _ in keys], np.zeros(0, np.int64), [])
    values = [np.unique(np.array(column, np.int64)) for column in coded]
    if np.prod([float(len(one)) for one in values]) >= 2.0**62:
        return None
    numbers = np.zeros(len(reached), np.int64)
    for one, column in zip(values, coded, strict=True):
        numbers = numbers * len(one) + np.searchsorted(one, np.array(column, np.int64))
    order = np.argsort(numbers)
    return _Index(values, numbers[order], [reached[place][1] for place in order.tolist()])


def _code(cell: object, words: Words) -> int:
    return words.code(cell) if isinstance(cell, str) else int(cell)  # type: ignore[call-overload]  # it is an int
