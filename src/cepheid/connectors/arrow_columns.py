"""Columns of Arrow become Python's values: times as ticks, lists as tuples, and what events cannot hold as null."""

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from cepheid.connectors.records import Reading
from cepheid.connectors.rejects import Refused, refused
from cepheid.diagnostics import CepheidError
from cepheid.events import Calendar, Form, ReadTime, TimeUnit, Value, form_of, plain_value, time_reader

Column = Any  # pyarrow has no types: an Array or a ChunkedArray
_DAY = 86_400_000_000


def values_of(column: Column) -> list[Value]:
    """Return the values of a column.

    >>> values_of(pa.array([[1, 2], None])), values_of(pa.array([0.5]).cast(pa.decimal128(5, 2)))
    ([(1, 2), None], [0.5])
    """
    kind = column.type
    if _is_unknown(kind):
        return [None] * len(column)
    if types.is_dictionary(kind):
        return values_of(column.cast(kind.value_type))
    if types.is_decimal(kind):
        return list(column.cast(pa.float64(), safe=False).to_pylist())
    if types.is_nested(kind):
        return [plain_value(value) for value in column.to_pylist(**_pairs(kind))]
    return list(_simple(column).to_pylist())


def read_values(column: Column, name: str) -> tuple[list[Value], dict[int, Refused]]:
    """Return the values of a column, and the reasons to refuse the rows whose numbers 64 bits do not hold.

    >>> values, refused = read_values(pa.array([1, 2**63], pa.uint64()), "n")
    >>> values, list(refused)
    ([1, None], [1])
    """
    kind = column.type.value_type if types.is_dictionary(column.type) else column.type
    if not _may_be_too_large(kind):
        return values_of(column), {}
    read = [_value(value, name) for value in column.to_pylist(**_pairs(kind))]
    bad = {row: value for row, value in enumerate(read) if isinstance(value, Refused)}
    return [None if isinstance(value, Refused) else value for value in read], bad


def unknown_columns(schema: Any) -> list[str]:  # pyarrow's Schema
    """Return the names of the columns that no event can hold: bytes and the like."""
    return [field.name for field in schema if _is_unknown(field.type)]


def times_of(column: Column, reading: Reading) -> list[int | Refused]:
    """Return the times of a column in ticks, and the reason for each that is none; timestamps have their own unit."""
    kind = column.type
    if types.is_timestamp(kind):
        read_time, values = time_reader(kind.unit, reading.tick, reading.rounding), column.cast(pa.int64()).to_pylist()
    else:
        read_time, values = reading.read_time, column.to_pylist()
    return [_read(read_time, value) for value in values]


def form_of_times(column: Column, unit: TimeUnit) -> Form | None:
    """Return the form in which a column has its times; None where it has none."""
    kind = column.type
    if types.is_timestamp(kind):
        return Calendar.NAIVE if kind.tz is None else Calendar.AWARE
    first = next((value for value in column.to_pylist() if value is not None), None)
    return None if first is None else form_of(first, unit)


def _simple(column: Column) -> Column:
    """Return a column of numbers, booleans or text; moments and lengths of time become ticks."""
    kind = column.type
    if types.is_timestamp(kind):
        return column.cast(pa.timestamp("us", kind.tz), safe=False).cast(pa.int64())
    if types.is_duration(kind) or types.is_time(kind):
        unit = pa.duration("us") if types.is_duration(kind) else pa.time64("us")
        return column.cast(unit, safe=False).cast(pa.int64())
    if types.is_date(kind):
        return pc.multiply(column.cast(pa.date32()).cast(pa.int32()).cast(pa.int64()), _DAY)
    return _signed(column) if kind == pa.uint64() else column


def _signed(column: Column) -> Column:
    """Return whole numbers without a sign as events hold them: null where 64 bits with a sign do not."""
    fits = pc.less_equal(column, pa.scalar(2**63 - 1, pa.uint64()))
    return pc.if_else(fits, column, None).cast(pa.int64())


def _may_be_too_large(kind: Any) -> bool:  # pyarrow's DataType
    """Say whether a column may hold whole numbers without a sign that are larger than those with one."""
    if _is_unknown(kind):
        return False
    if types.is_nested(kind):
        return any(_may_be_too_large(kind.field(index).type) for index in range(kind.num_fields))
    return bool(kind == pa.uint64())


def _value(value: object, name: str) -> Value | Refused:
    try:
        return plain_value(value, (name,))
    except CepheidError as error:
        return refused(error)


def _pairs(kind: Any) -> dict[str, Any]:  # pyarrow's DataType, and how it makes Python's values
    return {"maps_as_pydicts": "lossy"} if types.is_nested(kind) else {}


def _is_unknown(kind: Any) -> bool:  # pyarrow's DataType
    if types.is_nested(kind) and not types.is_union(kind):
        return any(_is_unknown(kind.field(index).type) for index in range(kind.num_fields))
    return any(is_such(kind) for is_such in _UNKNOWN)


_UNKNOWN = (
    types.is_binary,
    types.is_large_binary,
    types.is_binary_view,
    types.is_fixed_size_binary,
    types.is_union,
    types.is_interval,
)


def _read(read_time: ReadTime, value: object) -> int | Refused:
    try:
        return read_time(value)
    except CepheidError as error:
        return refused(error)
