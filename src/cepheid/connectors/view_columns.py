"""Columns whose texts lie anywhere in memory, as some programs hand them out, become such as Arrow can compute with."""

from typing import Any

import pyarrow as pa
from pyarrow import types

Kind = Any  # pyarrow has no types: a DataType


def without_views(batch: Any) -> Any:  # record batches
    """Return a batch with the same values, and without views.

    >>> without_views(pa.record_batch({"name": pa.array(["ann"], pa.string_view())})).schema.types
    [DataType(string)]
    """
    kinds = [_plain(kind) for kind in batch.schema.types]
    if kinds == batch.schema.types:
        return batch
    columns = [column.cast(kind) for column, kind in zip(batch.columns, kinds, strict=True)]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _plain(kind: Kind) -> Kind:
    """Return the type of the same values without views, on every level."""
    if types.is_string_view(kind):
        return pa.string()
    if types.is_binary_view(kind):
        return pa.binary()
    if types.is_struct(kind):
        return pa.struct([field.with_type(_plain(field.type)) for field in kind])
    if types.is_map(kind):
        return pa.map_(_plain(kind.key_type), _plain(kind.item_type))
    if types.is_dictionary(kind):
        return kind if _plain(kind.value_type) == kind.value_type else _plain(kind.value_type)
    for is_list, list_of in _LISTS:
        if is_list(kind):
            return list_of(kind.value_field.with_type(_plain(kind.value_type)))
    if types.is_fixed_size_list(kind):
        return pa.list_(kind.value_field.with_type(_plain(kind.value_type)), kind.list_size)
    return kind


_LISTS = (
    (types.is_list, pa.list_),
    (types.is_large_list, pa.large_list),
    (types.is_list_view, pa.list_view),
    (types.is_large_list_view, pa.large_list_view),
)
