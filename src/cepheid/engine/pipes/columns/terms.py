"""Terms over whole columns of numbers and texts, where they have the answer of the definition for every row.

What is not sure to have it, a column with nulls say, or whole numbers that may leave 64 bits, raises
`NotInColumnsError`, and the rows go one by one.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import pyarrow as pa

from cepheid.algebra.expressions import Call, Expr, Field, Literal, Variable
from cepheid.engine.pipes.columns.shapes import Column, NotInColumnsError, Partial, Records, Slices, length

_EXACT: Final = 1 << 53

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
_NO_NAMES: Final[Mapping[str, Column]] = {}


def column_of(term: Expr, inputs: tuple[Column, ...], names: Mapping[str, Column] = _NO_NAMES) -> Column:
    """Return the values of a term for all fronts of some columns, where `names` are the columns of a context."""
    match term:
        case Variable(name):
            return inputs[int(name[1:])] if name.startswith("$") else _name(names, name)
        case Field(part, name):
            return item_of(inputs[int(part[1:])] if part.startswith("$") else _name(names, part), name)
        case Literal(value) if type(value) in (int, float, str) and value == value:
            return value
        case Call("get", (inner, Literal(key))):
            return item_of(column_of(inner, inputs, names), key)
        case Call(function, arguments) if function in _CALLS:
            return _CALLS[function](*(column_of(one, inputs, names) for one in arguments))
        case Call(function, (one, other)) if function in _COMPARED or function in _COUNTED or function in _LOGICAL:
            return _of_two(function, column_of(one, inputs, names), column_of(other, inputs, names))
        case Call("record", parts):
            return _record(parts, inputs, names)
        case _:
            raise NotInColumnsError


def item_of(column: Column, key: Any) -> Column:  # a key is a constant of any kind
    """Return a column of a table or of records, or the slice of a key; a column of a table has no nulls."""
    match column:
        case Records(columns) if type(key) in (int, str) and key in columns:
            return columns[key]
        case Slices() if type(key) in (int, str):
            return column.of(key)
        case pa.Table() if isinstance(key, str) and column.column_names.count(key) == 1:
            return _array(column[key])
        case _:
            raise NotInColumnsError


def truths_of(column: Column) -> Column:
    """Return where a column of truths is True: what is not known is not."""
    return column.values & column.known if isinstance(column, Partial) and _is_of_truths(column) else _truths(column)


def _is_of_truths(column: Partial) -> bool:
    return column.values.dtype == np.bool_


def _name(names: Mapping[str, Column], name: str) -> Column:
    if name not in names:
        raise NotInColumnsError
    return names[name]


def _array(column: Any) -> Column:  # a chunked array of Arrow
    kind = column.type
    is_number = pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_boolean(kind)
    if column.null_count or not (is_number or pa.types.is_string(kind)):
        raise NotInColumnsError
    if not is_number:
        return column.combine_chunks()
    return _wide(column.to_numpy())


def _wide(values: Column) -> Column:
    """Return numbers with 64 bits, in which they are compared and added as Python does it."""
    if values.dtype == np.uint64 and len(values) and int(values.max()) > _EXACT:
        raise NotInColumnsError
    return values.astype({"f": np.float64, "b": np.bool_}.get(values.dtype.kind, np.int64), copy=False)


def _record(parts: tuple[Expr, ...], inputs: tuple[Column, ...], names: Mapping[str, Column]) -> Records:
    """Return the record of some pairs of a name and a term; a constant is there in every row."""
    found: dict[str | int, Column] = {}
    count = min(map(length, inputs))
    for name, term in zip(parts[::2], parts[1::2], strict=True):
        if not isinstance(name, Literal) or not isinstance(name.value, str):
            raise NotInColumnsError
        column = column_of(term, inputs, names)
        found[name.value] = column if not isinstance(column, int | float | str) else _constant(column, count)
    return Records(found)


def _constant(value: float | str, count: int) -> Column:
    return pa.array([value] * count, pa.string()) if isinstance(value, str) else np.full(count, value)


def _of_two(function: str, one: Column, other: Column) -> Column:
    if isinstance(one, Partial) or isinstance(other, Partial):
        return _of_partial(function, one, other)
    if function in _LOGICAL:
        return _LOGICAL[function](_truths(one), _truths(other))
    if isinstance(one, pa.Array | pa.ChunkedArray) or isinstance(other, pa.Array | pa.ChunkedArray | str):
        return _compared_texts(function, one, other)
    if function in _COMPARED:
        return _COMPARED[function](_numbers(one), _numbers(other))
    return _COUNTED[function](_floats(one), _floats(other))


def _of_partial(function: str, one: Column, other: Column) -> Partial:
    """Return what is None wherever one of the operands is; logic is not like this."""
    if function in _LOGICAL:
        raise NotInColumnsError
    sides = [side.values if isinstance(side, Partial) else side for side in (one, other)]
    known = [side.known for side in (one, other) if isinstance(side, Partial)]
    return Partial(_of_two(function, *sides), np.logical_and.reduce(known))


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


def _choice(condition: Column, yes: Column, no: Column) -> Column:
    """Return one of two for each row, where both are of one kind of number."""
    kinds = {_kind(yes), _kind(no)}
    if len(kinds) != 1:
        raise NotInColumnsError
    return np.where(truths_of(condition), yes, no)


def _kind(column: Column) -> str:
    kind = {int: "i", float: "f"}.get(type(column)) or (column.dtype.kind if isinstance(column, np.ndarray) else "")
    if kind not in ("i", "f") or (isinstance(column, int) and abs(column) > _EXACT):
        raise NotInColumnsError
    return kind


_CALLS: Final[Mapping[str, Callable[..., Column]]] = {
    "/": _quotient,
    "not": lambda one: np.logical_not(_truths(one)),
    "if": _choice,
}
