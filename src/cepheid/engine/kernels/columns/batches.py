"""A batch of events as columns: what arrived together, whether it came as Arrow, as events or as one event."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from cepheid.algebra.expressions import TYPE
from cepheid.connectors import EventColumns
from cepheid.engine.kernels.columns.arrow_columns import as_type, column_from_arrow, type_codes
from cepheid.engine.kernels.columns.columns import Column, Kind, column_of, nulls
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows
from cepheid.events import Event, number_key, sort_key

Times = npt.NDArray[np.int64]
ReadField = Callable[[str], Column | None]

START, TIE = "$start", "$tie"
"""What is kept of events as if it were a field: when they started, and what orders simultaneous ones."""


@dataclass(slots=True)
class Batch:
    """Events in the order of their arrival: codes of types with their names, times, ids, and fields read on demand.

    Without ids of their own events are called by their positions, of which `ids` is then the first. `ties` order
    simultaneous events before their ids do, None where nothing was asked for. `in_order`: they are in the total order.
    `times` are their ends; where some of them last, `starts` says since when. `numbered`: simultaneous events are in
    the order in which they come, whatever their ids are.
    """

    codes: Data
    types: Sequence[str | None]
    times: Times
    ids: Column | int
    read: ReadField
    ties: Sequence[tuple[object, ...]] | None = None
    in_order: bool = False
    starts: Times | None = None
    numbered: bool = False
    _fields: dict[str, Column] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.times)

    def column(self, name: str) -> Column:
        """Return a field; where there is none, nulls."""
        if name not in self._fields:
            self._fields[name] = self._special(name) or self.read(name) or nulls(len(self))
        return self._fields[name]

    def _special(self, name: str) -> Column | None:
        """Return what is no field of an event, but kept like one."""
        if name == START:
            return Column(Kind.INT, self.times if self.starts is None else self.starts)
        if name != TIE or self.ties is None:
            return None
        ties = np.empty(len(self), object)
        ties[:] = self.ties
        return Column(Kind.OBJECT, ties)

    def ids_of(self, rows: Rows) -> Column:
        """Return the ids of some events."""
        if isinstance(self.ids, Column):
            return self.ids.take(rows)
        return Column(Kind.INT, rows.astype(np.int64) + self.ids)

    def only(self, rows: Mask) -> "Batch":
        """Return some of the events."""
        picked = np.flatnonzero(rows)
        ties = None if self.ties is None else [self.ties[row] for row in picked.tolist()]
        own = self.column
        return Batch(
            self.codes[picked],
            self.types,
            self.times[picked],
            self.ids_of(picked),
            lambda name: own(name).take(picked),
            ties,
            starts=None if self.starts is None else self.starts[picked],
            numbered=self.numbered,
        )


def batch_of_events(events: Sequence[Event], words: Words) -> Batch:
    """Return events as a batch."""
    names: dict[str, int] = {}
    codes = np.fromiter((names.setdefault(one.type, len(names)) for one in events), np.int32, len(events))
    times = np.fromiter((one.end for one in events), np.int64, len(events))
    numbered, tied = _are_numbered(events), any(one.tie for one in events)
    ordered = tied or (not numbered and any(one.number is not None for one in events))
    ties = [(sort_key(one.tie), number_key(one)) for one in events] if ordered else None

    def read(name: str) -> Column:
        return column_of([one.type if name == TYPE else one.fields.get(name) for one in events], words)

    starts = np.fromiter((one.start for one in events), np.int64, len(events))
    found = Batch(codes, list(names), times, _ids([one.id for one in events]), read, ties, starts=starts)
    found.numbered = numbered and not tied
    return found


def _are_numbered(events: Sequence[Event]) -> bool:
    """Say whether events have numbers that grow as they come."""
    numbers = [one.number for one in events if one.number is not None]
    return len(numbers) == len(events) and all(one < other for one, other in pairwise(numbers))


def batch_of_arrow(batch: Any, columns: "ArrowNames", words: Words, position: int) -> Batch:  # a pyarrow.RecordBatch
    """Return the rows of a record batch as events; without an id column they are numbered from `position`."""
    codes, types = type_codes(batch.column(columns.type))
    times = column_from_arrow(as_type(batch.column(columns.time), pa.int64()), words).data
    names = set(batch.schema.names)
    if columns.id is None:
        ids: Column | int = position
    else:
        ids = _arrow_ids(batch.column(columns.id), words)

    def read(name: str) -> Column | None:
        if name == TYPE:
            return column_of([types[code] for code in codes.tolist()], words)
        return column_from_arrow(batch.column(name), words) if name in names else None

    found = Batch(np.ascontiguousarray(codes, np.int32), types, times, ids, read)
    if columns.start is not None:
        found.starts = column_from_arrow(as_type(batch.column(columns.start), pa.int64()), words).data
    return found


def batch_of_columns(events: EventColumns, words: Words) -> Batch:
    """Return events that were read by column as a batch; they are called by their positions."""
    codes, types = type_codes(events.types)
    ids = events.numbers if isinstance(events.numbers, int) else Column(Kind.INT, events.numbers)

    def read(name: str) -> Column | None:
        if name == TYPE:
            return column_from_arrow(events.types, words)
        found = events.fields.get(name)
        if isinstance(found, np.ndarray):
            return column_of(found.tolist(), words)
        return None if found is None else column_from_arrow(found, words)

    return Batch(np.ascontiguousarray(codes, np.int32), types, events.ends, ids, read, starts=events.starts)


@dataclass(frozen=True, slots=True)
class ArrowNames:
    """Which columns of a record batch say what an event is; times are whole ticks, or timestamps in microseconds.

    `time` is when an event ended; without a column for its `start` it is a point in time.
    """

    type: str = "type"
    time: str = "time"
    id: str | None = None
    start: str | None = None


def _ids(found: list[int | str]) -> Column:
    # Ids of text are never used again, so they have no place in a dictionary that is kept.
    if all(type(one) is int and abs(one) < 2**63 for one in found):
        return Column(Kind.INT, np.array(found, np.int64))
    data = np.empty(len(found), object)
    data[:] = found
    return Column(Kind.OBJECT, data)


def _arrow_ids(array: Any, words: Words) -> Column:  # pyarrow has no types
    return column_from_arrow(array, words) if pa.types.is_integer(array.type) else _ids(array.to_pylist())
