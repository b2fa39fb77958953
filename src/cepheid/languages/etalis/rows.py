"""Rows of background knowledge, each once, found by any of their cells."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cepheid.algebra.programs import Row
from cepheid.events import Value, values


@dataclass(slots=True)
class Relation:
    """Rows without repetition, in the order in which they were found."""

    known: dict[object, Row] = field(default_factory=dict)
    indices: dict[tuple[int, ...], dict[object, list[Row]]] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Iterable[Row]) -> "Relation":
        return cls({key_of(row): row for row in rows})

    @property
    def rows(self) -> tuple[Row, ...]:
        return tuple(self.known.values())

    def add(self, row: Row) -> bool:
        """Take in a row; say whether it is new."""
        key = key_of(row)
        if key in self.known:
            return False
        self.known[key] = row
        for places, index in self.indices.items():
            index.setdefault(_cells(row, places), []).append(row)
        return True

    def with_cells(self, cells: Sequence[tuple[int, Value]]) -> Sequence[Row]:
        """Return the rows that have these cells at these places."""
        places = tuple(place for place, _ in cells)
        if places not in self.indices:
            index: dict[object, list[Row]] = {}
            for row in self.known.values():
                index.setdefault(_cells(row, places), []).append(row)
            self.indices[places] = index
        return tuple(self.indices[places].get(key_of([cell for _, cell in cells]), ()))


def key_of(row: Iterable[Value]) -> object:
    """Return what rows are the same by: numbers by their value, whatever their kind."""
    return tuple(values.key_of(cell) for cell in row)


def _cells(row: Row, places: Iterable[int]) -> object:
    return key_of([row[place] for place in places])
