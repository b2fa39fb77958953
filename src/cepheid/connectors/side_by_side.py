"""Record batches that are slices of the same memory are one again, without a copy: what each costs is not its rows.

A table that was read from Parquet has chunks of 131,072 rows, eight of which lie side by side.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyarrow import types

Array = Any  # pyarrow has no types
Batch = Any


def side_by_side(
    batches: Iterable[Batch], most: int, joins: Callable[[Batch, Batch], bool] = lambda _, __: True
) -> Iterator[Batch]:
    """Yield the same rows in as few batches as lie side by side in memory, of `most` rows at most.

    Only what `joins` says may be one becomes one.

    >>> table = pa.table({"a": [1, 2, 3, 4]})
    >>> [batch.num_rows for batch in side_by_side(table.to_batches(max_chunksize=1), 3)]
    [3, 1]
    """
    held: list[Batch] = []
    count, before = 0, None
    for batch in batches:
        places = _places(batch)
        follows = before is not None and places is not None and all(map(_is_next, before, places))
        if held and (count + batch.num_rows > most or not (follows and joins(held[-1], batch))):
            yield _joined(held)
            held, count = [], 0
        held.append(batch)
        count, before = count + batch.num_rows, places
    if held:
        yield _joined(held)


@dataclass(frozen=True, slots=True)
class _Place:
    """What a column is of, with its dictionary if it has one, and where its values begin and end in memory."""

    kind: Any  # pyarrow's DataType
    words: tuple[Any, ...]
    begin: int
    end: int


def _places(batch: Batch) -> list[_Place] | None:
    """Return where the columns of a batch lie; None where one of them cannot be joined with others."""
    found = [_place(column) for column in batch.columns] if batch.num_rows else [None]
    return None if None in found else found  # type: ignore[return-value]  # as was just seen


def _place(array: Array) -> _Place | None:
    kind, words, values = array.type, (), array
    if types.is_dictionary(kind):
        own, values = array.dictionary, array.indices
        words = (_buffers(own), len(own), own.offset)  # type: ignore[assignment]  # another tuple
    width = _width(values.type)
    if not width or values.null_count:
        return None
    begin = _begin(values, width)
    return _Place(kind, words, begin, begin + len(values) * width)


def _is_next(one: _Place, other: _Place) -> bool:
    """Say whether a column begins in memory where another of the same type ends."""
    return one.end == other.begin and one.words == other.words and bool(one.kind == other.kind)


def _joined(batches: Sequence[Batch]) -> Batch:
    if len(batches) == 1:
        return batches[0]
    columns = [_one([batch.column(number) for batch in batches]) for number in range(batches[0].num_columns)]
    return pa.RecordBatch.from_arrays(columns, schema=batches[0].schema)


def _one(arrays: Sequence[Array]) -> Array:
    first, count = arrays[0], sum(map(len, arrays))
    if types.is_dictionary(first.type):
        codes = _one([array.indices for array in arrays])
        return pa.DictionaryArray.from_arrays(codes, first.dictionary, ordered=first.type.ordered, safe=False)
    width = _width(first.type)
    whole = pa.foreign_buffer(_begin(first, width), count * width, base=arrays)
    return pa.Array.from_buffers(first.type, count, [None, whole], null_count=0)


def _width(kind: Any) -> int:  # pyarrow's DataType
    """Return how many bytes each value takes of whole numbers, floats and timestamps, 0 for all else."""
    plain = types.is_integer(kind) or types.is_floating(kind) or types.is_timestamp(kind)
    return int(kind.bit_width) // 8 if plain else 0


def _begin(array: Array, width: int) -> int:
    return int(array.buffers()[1].address) + int(array.offset) * width


def _buffers(array: Array) -> list[tuple[int, int] | None]:
    return [None if one is None else (one.address, one.size) for one in array.buffers()]
