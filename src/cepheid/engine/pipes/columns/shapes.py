"""What stands for a trace in columns: a table, an array, or several of them that make records, slices or gaps."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Column: TypeAlias = Any
"""A table of records, an array of NumPy or of Arrow, or one of the kinds below."""


class NotInColumnsError(Exception):
    """Something cannot be done in columns with the same answer."""


@dataclass(frozen=True, slots=True)
class Records:
    """A record for each row, or a tuple where the keys are places: a column for each key."""

    columns: dict[str | int, Column]


@dataclass(frozen=True, slots=True)
class Partial:
    """Values that some rows do not have: where `known` is False, there is None."""

    values: NDArray[Any]  # of numbers or truths
    known: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Slices:
    """The last outputs of all slices after each row, from row `first` on: by key the rows that have one, and which."""

    outputs: dict[int | str, tuple[NDArray[np.intp], NDArray[Any]]]
    rows: NDArray[np.intp]

    def of(self, key: int | str) -> Partial:
        """Return the last output of one slice for each row; before the first there is none."""
        if key not in self.outputs:
            return Partial(np.zeros(len(self.rows)), np.zeros(len(self.rows), dtype=np.bool_))
        places, values = self.outputs[key]
        latest = np.searchsorted(places, self.rows, side="right") - 1
        known = latest >= 0
        filled = values[np.maximum(latest, 0)] if len(values) else np.zeros(len(self.rows))
        return Partial(filled, known)


def length(column: Column) -> int:
    """Return how many rows a column has."""
    match column:
        case pa.Table():
            return int(column.num_rows)
        case Records(columns):
            return min(map(length, columns.values()))
        case Partial(values, _):
            return len(values)
        case Slices(_, rows):
            return len(rows)
        case _:
            return len(column)


def part(column: Column, first: int, last: int) -> Column:
    """Return the rows from one place to before another."""
    match column:
        case np.ndarray():
            return column[first:last]
        case Records(columns):
            return Records({key: part(one, first, last) for key, one in columns.items()})
        case Partial(values, known):
            return Partial(values[first:last], known[first:last])
        case Slices(outputs, rows):
            return Slices(outputs, rows[first:last])
        case _:
            return column.slice(first, max(0, min(last, length(column)) - first))


def chosen(column: Column, mask: NDArray[np.bool_]) -> Column:
    """Return the rows at which a mask is True."""
    match column:
        case np.ndarray():
            return column[mask]
        case Records(columns):
            return Records({key: chosen(one, mask) for key, one in columns.items()})
        case Partial(values, known):
            return Partial(values[mask], known[mask])
        case Slices(outputs, rows):
            return Slices(outputs, rows[mask])
        case _:
            return column.filter(pa.array(mask))


def taken(column: Column, places: NDArray[np.intp]) -> Column:
    """Return the rows at some places."""
    match column:
        case np.ndarray():
            return column[places]
        case Records(columns):
            return Records({key: taken(one, places) for key, one in columns.items()})
        case Partial(values, known):
            return Partial(values[places], known[places])
        case Slices(outputs, rows):
            return Slices(outputs, rows[places])
        case _:
            return column.take(places)


def as_arrow(column: Column) -> Column:
    """Return a column as a table or an array of Arrow."""
    match column:
        case pa.Table() | pa.Array() | pa.ChunkedArray():
            return column
        case Records(columns) if columns and all(isinstance(key, str) for key in columns):
            return pa.table({str(key): _nested(one) for key, one in columns.items()})
        case Partial(values, known):
            return pa.array(values, mask=~known)
        case np.ndarray():
            return pa.array(column)
        case _:
            raise NotInColumnsError


def _nested(column: Column) -> Column:
    found = as_arrow(column)
    if not isinstance(found, pa.Table):
        return found
    return found.to_struct_array() if found.num_columns else _refuse()


def _refuse() -> Column:
    raise NotInColumnsError
