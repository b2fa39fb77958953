"""Columns of Arrow whose values come in portions: what was of one type becomes a wider one, so that nothing is lost.

Nothing is narrower than whole numbers, those are narrower than floats where floats are exact, and JSON says everything.
"""

import json
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from cepheid.events import plain_json

Array = Any  # pyarrow has no types
Field = Any
Table = Any
JSON: Final = {b"content": b"json"}
"""What the metadata of a column says whose texts are JSON."""
_EXACT = 2**53


def wider(one: Field, other: Field, *, exact: bool) -> Field:
    """Return the column that can say the values of both; `exact`: floats can say all whole numbers there.

    >>> str(wider(pa.field("x", pa.int64()), pa.field("x", pa.float64()), exact=True).type)
    'double'
    """
    if _is_said_by(other, one):
        return one
    if _is_said_by(one, other):
        return other
    if pa.types.is_list(one.type):
        return one.with_type(pa.list_(pa.string()))
    if exact and {one.type, other.type} == {pa.int64(), pa.float64()}:
        return one.with_type(pa.float64())
    return pa.field(one.name, pa.string(), metadata=JSON)


def is_exact(column: Array) -> bool:
    """Say whether floats can say all numbers of a column."""
    if column.type != pa.int64():
        return True
    ends = pc.min_max(column)
    least, greatest = ends["min"].as_py(), ends["max"].as_py()
    return least is None or bool(least >= -_EXACT and greatest <= _EXACT)


def widened(table: Table, schema: Any) -> Table:
    """Return a table with columns that are as wide as those of a schema."""
    columns = [_widened(table.column(field.name), table.schema.field(field.name), field) for field in schema]
    return pa.table(columns, schema=schema)


def _widened(column: Array, one: Field, other: Field) -> Array:
    if _is_json(other) and not _is_json(one):
        return pa.array([_json(value) for value in column.to_pylist()], pa.string())
    return column if one.type == other.type else column.cast(other.type)


def _is_said_by(one: Field, other: Field) -> bool:
    return pa.types.is_null(one.type) or (one.type == other.type and _is_json(one) == _is_json(other))


def _is_json(field: Field) -> bool:
    return (field.metadata or {}).get(b"content") == JSON[b"content"]


def _json(value: object) -> str | None:
    return None if value is None else json.dumps(plain_json(value), ensure_ascii=False)
