"""A column of times becomes ticks in one go; what the short way cannot say is left to the reader of single times."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from cepheid.connectors.records import Reading
from cepheid.events import MAX_TIME, TICKS_PER_UNIT, Calendar, Form, Rounding, TimeUnit

Column = Any  # pyarrow has no types: an Array
Times = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Ticks = tuple[Times, Mask]
"""Times in ticks, and where that is not certain: such a time is looked at for itself."""
_TOLD_APART = 2**52  # up to here, two numbers of ticks are two floats in every unit


def ticks_of_column(column: Column, reading: Reading) -> Ticks | None:
    """Return the times of a column; None where each of them has to be read for itself.

    >>> times, doubtful = ticks_of_column(pa.array([1, None, 2]), Reading())
    >>> times.tolist(), doubtful.tolist()
    ([1000000, 0, 2000000], [False, True, False])
    """
    read = _reader_of(column.type, reading.unit)
    if read is None:
        return None
    absent = np.asarray(pc.is_null(column)) if column.null_count else np.zeros(len(column), np.bool_)
    noted = reading.rounding if reading.tick == 1 else None
    ticks, doubtful = read(column, noted)
    doubtful |= absent
    if reading.tick != 1:
        doubtful |= ticks % reading.tick != 0
    return ticks, doubtful


def form_of_column(kind: Any, unit: TimeUnit) -> Form:  # pyarrow's DataType
    """Return the form in which such a column has its times."""
    return calendar_of(kind) or unit


def calendar_of(kind: Any) -> Calendar | None:  # as above
    """Return the form of times of the calendar in which a column has its times; None where it has others."""
    if types.is_timestamp(kind):
        return Calendar.NAIVE if kind.tz is None else Calendar.AWARE
    return Calendar.ISO if types.is_date(kind) else None


def _reader_of(kind: Any, unit: TimeUnit) -> Callable[[Column, Rounding | None], Ticks] | None:
    if types.is_timestamp(kind):
        return _nanoseconds if kind.unit == "ns" else lambda column, _: scaled(column, TICKS_PER_UNIT[kind.unit])
    scale = TICKS_PER_UNIT.get(unit)
    if scale is None:
        return None
    if types.is_integer(kind) and kind != pa.uint64():
        return lambda column, _: scaled(column, scale)
    if types.is_float64(kind):
        return lambda column, noted: _from_floats(column, scale, noted)
    return None


def whole_numbers_of(column: Column) -> Times:
    """Return whole numbers, or what timestamps are stored as, in the memory they are in; nulls are zero."""
    whole = column if column.type == pa.int64() else column.cast(pa.int64())
    return np.asarray(pc.fill_null(whole, 0) if whole.null_count else whole)


def scaled(column: Column, scale: int) -> Ticks:
    """Return whole numbers that have so many ticks each; what is too far away is in doubt."""
    whole = whole_numbers_of(column)
    if not len(whole):
        return whole, np.zeros(0, np.bool_)
    most = (MAX_TIME - 1) // scale
    far = np.zeros(len(whole), np.bool_)
    if whole.max() > most or whole.min() < -most:
        far = (whole > most) | (whole < -most)
        whole = np.where(far, 0, whole)
    return (whole if scale == 1 else whole * scale), far


def _nanoseconds(column: Column, noted: Rounding | None) -> Ticks:
    whole = whole_numbers_of(column)
    ticks, rest = np.divmod(whole, 1000)
    fine = rest != 0
    if not fine.any():
        return ticks, fine
    if noted is None:
        return ticks, fine
    _note(noted, int(whole[fine][0]), int(fine.sum()), "ns")
    return ticks + (rest >= 500), np.zeros(len(whole), np.bool_)


def _from_floats(column: Column, scale: int, noted: Rounding | None) -> Ticks:
    values = np.asarray(pc.fill_null(column, 0.0) if column.null_count else column)
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = values * scale
        far = ~(np.abs(scaled) < _TOLD_APART)  # also for NaN
        scaled[far] = 0.0
        ticks = np.rint(scaled)
        fine = ~far & (ticks / scale != values)
    if fine.any() and noted is not None:
        _note(noted, float(values[fine][0]), int(fine.sum()))
        ticks[fine] = np.floor(scaled[fine] + 0.5)
        fine[:] = False
    return ticks.astype(np.int64), far | fine


def _note(rounding: Rounding, first: float, count: int, unit: str = "") -> None:
    """Take note of so many times that were rounded."""
    rounding.note(first, unit)
    rounding.count += count - 1
