"""Record batches that are slices of the same memory are one again, without a copy: what each costs is not its rows.

A table that was read from Parquet has chunks of 131,072 rows, eight of which lie side by side.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
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
    count = 0
    for batch in batches:
        if held and (count + batch.num_rows > most or not (_follows(held[-1], batch) and joins(held[-1], batch))):
            yield _joined(held)
            held, count = [], 0
        held.append(batch)
        count += batch.num_rows
    if held:
        yield _joined(held)


def _follows(one: Batch, other: Batch) -> bool:
    """Say whether each column of a batch begins in memory where that of another ends."""
    if not one.num_rows or not other.num_rows or one.schema.types != other.schema.types:
        return False
    return all(map(_is_next, one.columns, other.columns))


def _is_next(one: Array, other: Array) -> bool:
    if types.is_dictionary(one.type):
        same = _buffers(one.dictionary) == _buffers(other.dictionary) and len(one.dictionary) == len(other.dictionary)
        return same and one.dictionary.offset == other.dictionary.offset and _is_next(one.indices, other.indices)
    width = _width(one.type)
    if not width or one.null_count or other.null_count:
        return False
    return bool(_begin(one, width) + len(one) * width == _begin(other, width))


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
