"""Terms over whole columns of numbers and texts, where they have the answer of the definition for every row.

What is not sure to have it, a column with nulls say, or whole numbers that may leave 64 bits, raises
`NotInColumnsError`, and the rows go one by one.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import numpy as np
import pyarrow as pa

from cepheid.algebra.expressions import Call, Expr, Field, Literal, Variable

Column: TypeAlias = Any
"""A table of records, or an array of NumPy, of numbers, texts or truths."""

_EXACT: Final = 1 << 53


class NotInColumnsError(Exception):
    """Something cannot be done in columns with the same answer."""


_COMPARED: Final[Mapping[str, Callable[..., Any]]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
_COUNTED: Final[Mapping[str, Callable[..., Any]]] = {"+": np.add, "-": np.subtract, "*": np.multiply}
_LOGICAL: Final[Mapping[str, Callable[..., Any]]] = {"and": np.logical_and, "or": np.logical_or}


def column_of(term: Expr, inputs: tuple[Column, ...]) -> Column:
    """Return the values of a term for all fronts of some columns."""
    match term:
        case Variable(name) if name.startswith("$"):
            return inputs[int(name[1:])]
        case Field(part, name) if part.startswith("$"):
            return field_of(inputs[int(part[1:])], name)
        case Literal(value) if type(value) in (int, float, str) and value == value:
            return value
        case Call(function, (one, other)) if function in _COMPARED or function in _COUNTED or function in _LOGICAL:
            return _of_two(function, column_of(one, inputs), column_of(other, inputs))
        case Call("/", (one, other)):
            return _quotient(column_of(one, inputs), column_of(other, inputs))
        case Call("not", (one,)):
            return np.logical_not(_truths(column_of(one, inputs)))
        case _:
            raise NotInColumnsError


def field_of(table: Column, name: str) -> Column:
    """Return a column of a table as an array; one with nulls, or of another type, is not for us."""
    if not isinstance(table, pa.Table) or name not in table.column_names:
        raise NotInColumnsError
    column = table[name]
    kind = column.type
    is_known = (
        pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_string(kind) or pa.types.is_boolean(kind)
    )
    if not is_known or column.null_count:
        raise NotInColumnsError
    if pa.types.is_string(kind):
        return column.combine_chunks()
    return column.to_numpy()


def _of_two(function: str, one: Column, other: Column) -> Column:
    if function in _LOGICAL:
        return _LOGICAL[function](_truths(one), _truths(other))
    if isinstance(one, pa.Array | pa.ChunkedArray) or isinstance(other, pa.Array | pa.ChunkedArray | str):
        return _compared_texts(function, one, other)
    if function in _COMPARED:
        return _COMPARED[function](_numbers(one), _numbers(other))
    return _COUNTED[function](_floats(one), _floats(other))


def _compared_texts(function: str, one: Column, other: Column) -> Column:
    import pyarrow.compute as pc

    if function not in ("==", "!=") or not isinstance(other, str) or not isinstance(one, pa.Array | pa.ChunkedArray):
        raise NotInColumnsError
    found = pc.equal(one, other).to_numpy(zero_copy_only=False)
    return found if function == "==" else np.logical_not(found)


def _numbers(column: Column) -> Column:
    """Return numbers that Python would compare in the same way: none is not a number, none loses bits as a float."""
    if isinstance(column, int | float) and not isinstance(column, bool):
        if abs(column) > _EXACT:
            raise NotInColumnsError
        return column
    if not isinstance(column, np.ndarray) or column.dtype.kind not in "iuf":
        raise NotInColumnsError
    if column.dtype.kind == "f" and np.isnan(column).any():
        raise NotInColumnsError
    if column.dtype.kind != "f" and len(column) and max(abs(int(column.min())), abs(int(column.max()))) > _EXACT:
        raise NotInColumnsError
    return column


def _floats(column: Column) -> Column:
    is_float = isinstance(column, float) or (isinstance(column, np.ndarray) and column.dtype == np.float64)
    if not is_float:
        raise NotInColumnsError
    return column


def _quotient(one: Column, other: Column) -> Column:
    divisor = _numbers(other)
    if isinstance(divisor, int | float) or not isinstance(one, np.ndarray):
        if not isinstance(one, np.ndarray) or one.dtype != np.float64 or divisor == 0:
            raise NotInColumnsError
        return one / float(divisor)
    if one.dtype != np.float64 or (divisor == 0).any():
        raise NotInColumnsError
    return one / divisor


def _truths(column: Column) -> Column:
    if not isinstance(column, np.ndarray) or column.dtype != np.bool_:
        raise NotInColumnsError
    return column
