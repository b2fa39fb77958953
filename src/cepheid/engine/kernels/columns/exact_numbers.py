"""Values as floats whose sums are exact, for kernels that compare them: what is no such number is NaN."""

import numpy as np

from cepheid.engine.kernels.columns.columns import Column, Kind
from cepheid.engine.kernels.compiling.typed_arrays import Data
from cepheid.events import Value

EXACT = 2**51


def number_of(value: Value) -> float:
    """Return a value as a float whose sums are exact, NaN if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return float("nan")
    return float(value) if isinstance(value, float) or abs(value) < EXACT else float("nan")


def numbers_of(column: Column) -> Data:
    """Return the values of a column as such floats."""
    if column.kind is Kind.OBJECT:
        return np.array([number_of(value) for value in column.data], np.float64)
    if column.kind not in (Kind.INT, Kind.FLOAT):
        return np.full(len(column), np.nan)
    if column.kind is Kind.FLOAT and column.valid is None:
        return column.data
    found = column.data.astype(np.float64)
    if column.kind is Kind.INT:
        found[np.abs(found) >= EXACT] = np.nan
    if column.valid is not None:
        found[~column.valid] = np.nan
    return found
