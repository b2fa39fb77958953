"""Columns of Arrow become Python's values: times as ticks, lists as tuples, and what events cannot hold as null."""

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from cepheid.connectors.records import Reading
from cepheid.connectors.rejects import Refused, refused
from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic
from cepheid.events import Calendar, Form, ReadTime, TimeUnit, Value, form_of, integer, plain_value, time_reader

Column = Any  # pyarrow has no types: an Array or a ChunkedArray
NOT_PYTHONS = (ValueError, ArithmeticError, LookupError, pa.ArrowException)
"""What Arrow raises where Python has no such value: times beyond the calendar, zones that nobody knows."""
_DAY = 86_400_000_000
_TICKS = {"s": 1_000_000, "ms": 1000, "us": 1, "ns": 1}


def values_of(column: Column) -> list[Value]:
    """Return the values of a column.

    >>> values_of(pa.array([[1, 2], None])), values_of(pa.array([0.5]).cast(pa.decimal128(5, 2)))
    ([(1, 2), None], [0.5])
    """
    return read_values(plain_column(column), "")[0]


def read_values(column: Column, name: str) -> tuple[list[Value], dict[int, Refused]]:
    """Return the values of a column, and the reasons to refuse the rows whose values no event can hold.

    >>> values, refused = read_values(pa.array([1, 2**63], pa.uint64()), "n")
    >>> values, list(refused)
    ([1, None], [1])
    """
    read = _values(column, name)
    if not may_be_refused(column.type):
        return read, {}  # type: ignore[return-value]  # nothing in it is refused
    bad = {row: value for row, value in enumerate(read) if isinstance(value, Refused)}
    return [None if isinstance(value, Refused) else value for value in read], bad


def plain_column(column: Column) -> Column:
    """Return a column without what only says how it is stored: extensions, dictionaries, runs."""
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return _identifiers(column) if kind.extension_name == "arrow.uuid" else plain_column(_stored(column))
    if types.is_dictionary(kind):
        return plain_column(column.cast(kind.value_type))
    if types.is_run_end_encoded(kind):
        return plain_column(pc.run_end_decode(column))
    return column


def unknown_columns(schema: Any) -> list[str]:  # pyarrow's Schema
    """Return the names of the columns that no event can hold: bytes and the like."""
    return [field.name for field in schema if _is_unknown(field.type)]


def times_of(column: Column, reading: Reading) -> list[int | Refused]:
    """Return the times of a column in ticks, and the reason for each that is none; timestamps have their own unit."""
    kind = column.type
    if types.is_timestamp(kind):
        read_time, values = time_reader(kind.unit, reading.tick, reading.rounding), column.cast(pa.int64()).to_pylist()
    elif types.is_date(kind):
        days = column.cast(pa.int32() if types.is_date32(kind) else pa.int64()).to_pylist()
        scale = _DAY if types.is_date32(kind) else 1000
        values = [None if day is None else day * scale for day in days]
        read_time = time_reader("us", reading.tick, reading.rounding)
    else:
        read_time, values = reading.read_time, python_values(column, "")
    return [_read(read_time, value) for value in values]


def form_of_times(column: Column, times: list[int | Refused], unit: TimeUnit) -> Form | None:
    """Return the form in which a column has its times, which were read; None where it has none."""
    kind = column.type
    if types.is_timestamp(kind):
        return Calendar.NAIVE if kind.tz is None else Calendar.AWARE
    first = next((row for row, time in enumerate(times) if not isinstance(time, Refused)), None)
    if first is None:
        return None
    return Calendar.ISO if types.is_date(kind) else form_of(column[first].as_py(), unit)


def python_values(column: Column, name: str) -> list[Any]:  # whatever Arrow has for its values, and reasons for others
    """Return the values of a column as Arrow gives them to Python; what Python has not is a reason to refuse it."""
    try:
        return list(column.to_pylist(**_pairs(column.type)))
    except NOT_PYTHONS:
        return [_python_value(one, name) for one in column]


def _python_value(scalar: Any, name: str) -> Any:  # pyarrow's Scalar
    try:
        return scalar.as_py(**_pairs(scalar.type))
    except NOT_PYTHONS:
        return _beyond(name)


def _values(column: Column, name: str) -> list[Value | Refused]:
    kind = column.type
    if _is_unknown(kind):
        return [None] * len(column)
    if types.is_decimal(kind):
        return list(column.cast(pa.float64(), safe=False).to_pylist())
    if types.is_nested(kind) or kind == pa.uint64():
        return [_value(value, name) for value in python_values(column, name)]
    return _simple(column, name)


def _simple(column: Column, name: str) -> list[Value | Refused]:
    """Return numbers, booleans or text; moments and lengths of time become ticks."""
    kind = column.type
    if types.is_timestamp(kind) or types.is_duration(kind) or types.is_time(kind):
        stored = pa.int32() if types.is_time32(kind) else pa.int64()
        return _scaled(column.cast(stored), _TICKS[kind.unit], 1000 if kind.unit == "ns" else 1, name)
    if types.is_date32(kind):
        return _scaled(column.cast(pa.int32()), _DAY, 1, name)
    if types.is_date64(kind):
        return _scaled(column.cast(pa.int64()), 1000, 1, name)
    return list(column.to_pylist())


def _scaled(numbers: Column, by: int, over: int, name: str) -> list[Value | Refused]:
    """Return whole numbers of another unit as ticks; what 64 bits do not hold is refused."""
    whole = numbers.cast(pa.int64())
    try:
        return list(pc.divide(pc.multiply_checked(whole, by), over).to_pylist())
    except pa.ArrowInvalid:
        return [None if number is None else _ticks(number * by, name) for number in whole.to_pylist()]


def _ticks(number: int, name: str) -> int | Refused:
    whole = integer(number)
    return _beyond(name) if whole is None else whole


def may_be_refused(kind: Any) -> bool:  # pyarrow's DataType
    """Say whether a column may hold what no event can: large numbers without a sign, times far away, deep lists."""
    return bool(types.is_nested(kind) or types.is_temporal(kind) or kind == pa.uint64())


def _value(value: object, name: str) -> Value | Refused:
    if isinstance(value, Refused):
        return value
    try:
        return plain_value(value, (name,))
    except CepheidError as error:
        return refused(error)


def _beyond(name: str) -> Refused:
    message, hint = "this value is beyond what an event can hold", "leave it empty, or bring it within 64 bits"
    place = DataPlace(path=(name,)) if name else None
    return Refused(Diagnostic("bad-event", message, hints=(hint,), place=place))


def _identifiers(column: Column) -> Column:
    """Return UUIDs as the texts that people write."""
    return pa.array([None if value is None else str(value) for value in column.to_pylist()], pa.string())


def _stored(column: Column) -> Column:
    """Return what an extension is stored as."""
    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array([chunk.storage for chunk in column.chunks], column.type.storage_type)
    return column.storage


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
    if isinstance(value, Refused):
        return value
    try:
        return read_time(value)
    except CepheidError as error:
        return refused(error)
