"""Arrow arrays become columns without a copy where that is possible; nulls become a mask."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from cepheid.connectors.arrow_columns import values_of as arrow_values
from cepheid.engine.kernels.columns.columns import Column, Kind, column_of, nulls
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask

Array = Any  # pyarrow has no types: an Array or a ChunkedArray

_WHOLE, _REAL = pa.int64(), pa.float64()


def column_from_arrow(array: Array, words: Words) -> Column:
    """Return the values of an Arrow array, as events would hold them."""
    flat = _flat(array)
    kind = flat.type
    if types.is_null(kind):
        return nulls(len(flat))
    if types.is_dictionary(kind) and types.is_string(kind.value_type) and not flat.dictionary.null_count:
        return _text(flat, words)
    if types.is_string(kind) or types.is_large_string(kind):
        return _text(flat.dictionary_encode(), words)
    if types.is_boolean(kind):
        return Column(Kind.BOOL, _data(flat, False).astype(np.bool_), _valid(flat))
    if types.is_integer(kind) and kind != pa.uint64():
        return Column(Kind.INT, _data(as_type(flat, _WHOLE), 0), _valid(flat))
    if types.is_floating(kind):
        return Column(Kind.FLOAT, _data(as_type(flat, _REAL), 0.0), _valid(flat))
    return column_of(arrow_values(flat), words)


def type_codes(array: Array) -> tuple[Data, list[str | None]]:
    """Return for every event a code of its type, and the types that the codes stand for.

    >>> codes, names = type_codes(pa.array(["b", "a", "b"]))
    >>> codes.tolist(), names
    ([0, 1, 0], ['b', 'a'])
    """
    flat = _flat(array)
    encoded = flat if types.is_dictionary(flat.type) else flat.dictionary_encode()
    names: list[str | None] = [*encoded.dictionary.to_pylist(), None]
    indices = encoded.indices
    if indices.null_count:
        indices = pc.fill_null(indices, len(names) - 1)
    return indices.to_numpy(zero_copy_only=False), names if encoded.null_count else names[:-1]


def as_type(array: Array, wanted: Any) -> Array:  # pyarrow has no types: a DataType
    """Return an array in another type; Arrow takes its time even where it is in that one."""
    return array if array.type == wanted else array.cast(wanted)


def _flat(array: Array) -> Array:
    if not isinstance(array, pa.ChunkedArray):
        return array
    return array.combine_chunks() if array.num_chunks != 1 else array.chunk(0)


def _text(encoded: Array, words: Words) -> Column:
    """Return codes of the engine's dictionary for those of this array's own."""
    known = words.codes([word or "" for word in encoded.dictionary.to_pylist()])
    indices = _data(encoded.indices, 0)
    data = known[indices] if len(known) else np.zeros(len(encoded), np.int64)
    return Column(Kind.TEXT, data, _valid(encoded))


def _data(array: Array, absent: object) -> Data:
    filled = pc.fill_null(array, absent) if array.null_count else array
    return np.asarray(filled.to_numpy(zero_copy_only=False))


def _valid(array: Array) -> Mask | None:
    return None if not array.null_count else np.asarray(pc.is_valid(array).to_numpy(zero_copy_only=False), np.bool_)
