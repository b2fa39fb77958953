"""A record batch is read by column: types, times and fields are checked and converted without looking at single rows.

A row that may say no event is read for itself, by the reader of rows, which knows the reason. Where that finds that the
row says an event after all, all of the batch is read so.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from cepheid.connectors.arrow_columns import may_be_refused, plain_column, read_values
from cepheid.connectors.chunks import Origin
from cepheid.connectors.columns import Columns
from cepheid.connectors.event_columns import EventColumns, Rows
from cepheid.connectors.records import Reading
from cepheid.connectors.time_columns import Mask, Ticks, Times, ticks_of_column
from cepheid.diagnostics import DataPlace

Column = Any  # pyarrow has no types: an Array
TicksOf = Callable[[Column, Reading], Ticks | None]


@dataclass(frozen=True, slots=True)
class SomeRows:
    """Some rows of others, in a chunk of their own."""

    all: Origin
    rows: Sequence[int]

    def place(self, row: int) -> DataPlace:
        return self.all.place(self.rows[row])

    def raw(self, row: int) -> object:
        return self.all.raw(self.rows[row])


@dataclass(frozen=True, slots=True)
class Doubtful:
    """What the columns of a batch say, and the rows that have to be looked at."""

    events: EventColumns
    rows: Rows

    def sound(self) -> EventColumns:
        """Return the events without the rows that were found to say none."""
        if not len(self.rows):
            return self.events
        kept = np.ones(len(self.events), np.bool_)
        kept[self.rows] = False
        return self.events.take(np.flatnonzero(kept))


def can_be_columns(reading: Reading) -> bool:
    """Say whether columns tell events: ids, sources, orders and forms of time of their own are read by row."""
    columns = reading.columns
    return columns.id is None and columns.source is None and not columns.order_by and reading.times is None


def read_columns(
    read: Mapping[str, Column],
    reading: Reading,
    unfit: Sequence[int] | Rows,
    before: int,
    ticks_of: TicksOf = ticks_of_column,
) -> Doubtful | None:
    """Return what some columns say, of which some rows are `unfit`; None where they can only be read by row."""
    own = reading.columns
    ends = ticks_of(plain_column(read[own.time]), reading)
    starts = None if own.start is None else ticks_of(plain_column(read[own.start]), reading)
    named = _types(read, own, len(read[own.time]))
    if ends is None or named is None or (own.start is not None and starts is None):
        return None
    doubtful = _reversed(ends, starts)
    doubtful[np.asarray(unfit, np.int64)] = True
    if named.null_count:
        doubtful |= np.asarray(pc.is_null(named))
    fields = {name: column for name, column in read.items() if name not in own.own}
    for name, column in fields.items():
        for row in refused_rows(column, name):
            doubtful[row] = True
    events = EventColumns(named, ends[0], None if starts is None else starts[0], before + 1, fields)
    return Doubtful(events, np.flatnonzero(doubtful))


def _types(read: Mapping[str, Column], own: Columns, count: int) -> Column | None:
    """Return the types of all rows, which are that of rows without one where no column says them."""
    if own.type in read:
        # Some rows may have none, which the reader of rows fills in.
        return None if own.otherwise is not None and read[own.type].null_count else types_of_column(read[own.type])
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(count, np.int32)), pa.array([own.otherwise], pa.string()))


def types_of_column(column: Column) -> Column | None:
    """Return a column of types as texts, or a dictionary of them; None where it holds anything else."""
    kind = column.type
    if types.is_dictionary(kind):
        known = types.is_string(kind.value_type) or types.is_large_string(kind.value_type)
        return column if known and not column.dictionary.null_count else None
    return column if types.is_string(kind) or types.is_large_string(kind) else None


def refused_rows(column: Column, name: str) -> list[int]:
    """Return the rows whose values no event can hold; of Python's own values there are none."""
    if isinstance(column, np.ndarray):
        return []
    plain = column.type.value_type if types.is_dictionary(column.type) else column.type
    if not (may_be_refused(plain) or isinstance(plain, pa.BaseExtensionType)):
        return []
    return list(read_values(plain_column(column), name)[1])


def _reversed(ends: tuple[Times, Mask], starts: tuple[Times, Mask] | None) -> Mask:
    """Return the rows whose times are in doubt: one of them cannot be read, or they are the wrong way round."""
    if starts is None:
        return ends[1]
    found: Mask = ends[1] | starts[1] | (starts[0] > ends[0])
    return found


def unnoted(reading: Reading) -> Reading:
    """Return the reading for rows that are looked at a second time: nothing is noted twice."""
    return replace(reading, rounding=type(reading.rounding)())
