"""Events as columns: a chunk of the input that nobody has made objects of."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from cepheid.connectors.arrow_columns import values_of
from cepheid.connectors.chunks import Chunk
from cepheid.connectors.rejects import Reject
from cepheid.events import Event

Array = Any  # pyarrow has no types; or an array of Python's values
Times = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int64]
_TYPES = pa.dictionary(pa.int32(), pa.string())


@dataclass(frozen=True, slots=True)
class EventColumns:
    """Events in the order in which they stand: their types, ends and starts in ticks, positions and fields.

    `types` are texts of Arrow, or a dictionary of them, none of which is null. Without `starts` events are points in
    time. `numbers` are their positions in the input, counted from 1, or the first of these where they follow each
    other. A field that no column of Arrow can say is an array of Python's values.
    """

    types: Array
    ends: Times
    starts: Times | None
    numbers: int | Times
    fields: Mapping[str, Array]

    def __len__(self) -> int:
        return len(self.ends)

    @property
    def positions(self) -> Times:
        """The position of each event."""
        if isinstance(self.numbers, int):
            return np.arange(self.numbers, self.numbers + len(self), dtype=np.int64)
        return self.numbers

    def take(self, rows: Rows) -> "EventColumns":
        """Return some of the events, in the order of `rows`."""
        picked = pa.array(rows)
        return EventColumns(
            self.types.take(picked),
            self.ends[rows],
            None if self.starts is None else self.starts[rows],
            self.positions[rows],
            {name: column[rows] if _is_plain(column) else column.take(picked) for name, column in self.fields.items()},
        )

    def slice(self, first: int, count: int) -> "EventColumns":
        """Return `count` events from `first` on."""
        last = min(first + count, len(self))
        return replace(
            self,
            types=self.types.slice(first, count),
            ends=self.ends[first:last],
            starts=None if self.starts is None else self.starts[first:last],
            numbers=self.numbers + first if isinstance(self.numbers, int) else self.numbers[first:last],
            fields={
                name: column[first:last] if _is_plain(column) else column.slice(first, count)
                for name, column in self.fields.items()
            },
        )

    def objects(self) -> list[Event]:
        """Return the events one by one."""
        values = [column.tolist() if _is_plain(column) else values_of(column) for column in self.fields.values()]
        rows = zip(*values, strict=True) if values else iter([()] * len(self))
        starts = self.ends if self.starts is None else self.starts
        own = zip(values_of(self.types), starts.tolist(), self.ends.tolist(), self.positions.tolist(), strict=True)
        names = list(self.fields)
        return [
            Event(str(kind), start, end, position, dict(zip(names, said, strict=True)))
            for (kind, start, end, position), said in zip(own, rows, strict=True)
        ]

    def is_within(self, reach: int) -> bool:
        """Say whether all times are less than so many ticks from 1970."""
        ends, starts = self.ends, self.ends if self.starts is None else self.starts
        return not len(ends) or bool(ends.max() < reach and starts.min() > -reach)


@dataclass(frozen=True, slots=True)
class ColumnChunk:
    """Some rows of the input in columns, and those that say no event; `as_rows` reads all of them as objects.

    `in_portions` does so some at a time, where they are many. Where `events` has only those that are wanted, `types`
    has those of all rows.
    """

    events: EventColumns
    rejects: Sequence[Reject]
    as_rows: Callable[[], Chunk]
    in_portions: Callable[[], Iterable[Chunk]] | None = None
    types: Array | None = None


AnyChunk: TypeAlias = Chunk | ColumnChunk


def rows_of_chunk(chunk: AnyChunk) -> Chunk:
    """Return a chunk with its events one by one."""
    return chunk if isinstance(chunk, Chunk) else chunk.as_rows()


def row_chunks(chunk: AnyChunk) -> Iterable[Chunk]:
    """Return a chunk with its events one by one, in portions where they are many."""
    if isinstance(chunk, ColumnChunk) and chunk.in_portions is not None:
        return chunk.in_portions()
    return (rows_of_chunk(chunk),)


def in_columns(chunk: AnyChunk, fields: Iterable[str]) -> ColumnChunk:
    """Return a chunk in columns; of events that were read one by one, only some fields."""
    if isinstance(chunk, ColumnChunk):
        return chunk
    return ColumnChunk(_columns_of(chunk.events, fields), chunk.rejects, lambda: chunk)


def joined(pieces: Sequence[EventColumns]) -> EventColumns:
    """Return some pieces as one; a field that one of them has not is null there."""
    if len(pieces) == 1:
        return pieces[0]
    starts = [piece.ends if piece.starts is None else piece.starts for piece in pieces]
    names = dict.fromkeys(name for piece in pieces for name in piece.fields)
    return EventColumns(
        one_array([_encoded(piece.types) for piece in pieces]),
        np.concatenate([piece.ends for piece in pieces]),
        None if all(piece.starts is None for piece in pieces) else np.concatenate(starts),
        np.concatenate([piece.positions for piece in pieces]),
        {name: one_array([_field(piece, name) for piece in pieces]) for name in names},
    )


def _field(piece: EventColumns, name: str) -> Array:
    return piece.fields[name] if name in piece.fields else np.full(len(piece), None, object)


def one_array(arrays: Sequence[Array]) -> Array:
    """Return arrays, one after the other, as one; where they are not of one type, as Python's values."""
    if any(map(_is_plain, arrays)) or len({array.type for array in arrays}) > 1:
        return np.concatenate([array if _is_plain(array) else _plain(values_of(array)) for array in arrays])
    chunked = pa.chunked_array(arrays)
    return pa.concat_arrays(chunked.unify_dictionaries().chunks)


def _columns_of(events: Sequence[Event], fields: Iterable[str]) -> EventColumns:
    count = len(events)
    return EventColumns(
        pa.array([event.type for event in events], pa.string()),
        np.fromiter((event.end for event in events), np.int64, count),
        np.fromiter((event.start for event in events), np.int64, count),
        np.fromiter((event.id for event in events), np.int64, count),
        {name: _plain([event.fields.get(name) for event in events]) for name in fields},
    )


def _plain(values: Sequence[object]) -> Array:
    found = np.empty(len(values), object)
    found[:] = values
    return found


def _is_plain(column: Array) -> bool:
    return isinstance(column, np.ndarray)


def _encoded(types: Array) -> Array:
    """Return types as a dictionary of texts."""
    return types.cast(_TYPES) if pa.types.is_dictionary(types.type) else types.cast(pa.string()).dictionary_encode()
