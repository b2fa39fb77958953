"""Columns of text become columns of values: whole numbers, numbers, booleans, or text as it is.

What a column holds is decided by the first block in which it is not empty. A cell further down that says something else
is refused; a fraction among whole numbers is a number still. Digits after a leading zero are text, such as a postcode.
"""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from cepheid.connectors.rejects import Refused
from cepheid.diagnostics import DataPlace, Diagnostic
from cepheid.events import Value, cast_bool, cast_float, cast_int

Cells = Sequence[str | None]
Texts = Any  # pyarrow has no types: an Array of strings
Column = Any  # an Array, or Python's values in an array of NumPy
Mask = npt.NDArray[np.bool_]
Bad = dict[int, Refused]
_TEXT: Any = pa.string()  # pyarrow has no types
_TRUE = ("true", "True", "TRUE")
_FALSE = ("false", "False", "FALSE")


class CellKind(Enum):
    """What the cells of a column hold."""

    INT = "int"
    NUMBER = "number"
    BOOL = "bool"
    TEXT = "text"


_READ_AS = {pa.int64(): CellKind.INT, pa.float64(): CellKind.NUMBER}
Kinds = dict[str, CellKind | None]
"""What the columns of a table hold, by their names."""


def kind_of_cells(cells: Cells) -> CellKind | None:
    """Return what all cells can be read as; None where all are empty.

    >>> [kind_of_cells(cells).value for cells in (["1", None], ["1", "2.5"], ["true"], ["1", "x"], ["007"])]
    ['int', 'number', 'bool', 'text', 'text']
    """
    return kind_of_texts(pa.array(cells, pa.string()))


def kind_of_texts(texts: Texts) -> CellKind | None:
    """Return what all cells of a column of Arrow can be read as; one of numbers was read so already."""
    if texts.null_count == len(texts):
        return None
    if texts.type in _READ_AS:
        return _READ_AS[texts.type]
    if texts.type != _TEXT:
        return kind_of_texts(texts.dictionary)
    if not pc.any(pc.match_substring_regex(texts, "^-?0[0-9]")).as_py():
        for kind, read in ((CellKind.INT, _whole), (CellKind.NUMBER, _numbers)):
            if read(texts) is not None:
                return kind
    words = {word.lower() for word in pc.unique(texts.drop_null()).to_pylist()}
    return CellKind.BOOL if words <= {"true", "false"} else CellKind.TEXT


def values_of_cells(cells: Cells, kind: CellKind | None, column: str) -> tuple[list[Value], Bad]:
    """Return the values of the cells, and the reasons to refuse those that are of another kind."""
    if kind is CellKind.TEXT or kind is None:
        return list(cells), {}
    texts = pa.array(cells, pa.string())
    if kind is not CellKind.BOOL:
        if (whole := _whole(texts)) is not None:
            return whole.to_pylist(), {}
        if (numbers := _numbers(texts)) is not None:
            return numbers.to_pylist(), _too_large(cells, texts, column)
    read = _READERS[kind]
    values = [None if cell is None else read(cell) for cell in cells]
    bad = {
        row: _refusal(cell, kind, column)
        for row, (cell, value) in enumerate(zip(cells, values, strict=True))
        if value is None and cell is not None
    }
    return values, bad if kind is CellKind.BOOL else bad | _too_large(cells, texts, column)


def column_of_texts(texts: Texts, kind: CellKind | None) -> tuple[Column, Mask]:
    """Return the same values as a column, and which of them are in doubt: those have to be read as cells.

    Numbers that were read as such are what their texts would be.
    """
    if kind is CellKind.TEXT or kind is None or texts.type in _READ_AS:
        return texts, np.zeros(len(texts), np.bool_)
    if kind is CellKind.BOOL:
        return _booleans(texts)
    if (whole := _whole(texts)) is not None:
        return whole, np.zeros(len(texts), np.bool_)
    if (numbers := _numbers(texts)) is not None:
        return numbers, _may_be_too_large(texts)
    return _some_numbers(texts)


def _may_be_too_large(texts: Texts) -> Mask:
    """Return which numbers may be whole and beyond 64 bits: long ones without a point."""
    long = as_mask(pc.greater_equal(pc.binary_length(texts), 19))
    return long & ~as_mask(pc.match_substring(texts, ".")) if long.any() else long


def _booleans(texts: Texts) -> tuple[Column, Mask]:
    true, false = (pc.is_in(texts, pa.array(words)) for words in (_TRUE, _FALSE))
    values = pc.if_else(pc.or_(true, false), true, pa.scalar(None, pa.bool_()))
    return values, as_mask(pc.and_(pc.is_valid(texts), pc.is_null(values)))


def _some_numbers(texts: Texts) -> tuple[Column, Mask]:
    """Return the numbers of a column that holds something else too; each of them is whole or not by itself."""
    whole = pc.match_substring_regex(texts, r"^-?[0-9]{1,18}$")
    broken = pc.match_substring_regex(texts, r"^-?[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]{1,2})?$")
    return column_of_numbers(texts, whole, broken), as_mask(pc.invert(pc.or_(whole, broken)))


def column_of_numbers(texts: Texts, whole: Column, broken: Column) -> Column:
    """Return a column of numbers, of which some are whole and some are broken; others are null."""
    integers = pc.if_else(whole, texts, None).cast(pa.int64())
    if not pc.any(broken).as_py():
        return integers
    numbers = pc.if_else(broken, texts, None).cast(pa.float64())
    if not pc.any(whole).as_py():
        return numbers
    return np.where(as_mask(whole), _objects(integers), _objects(numbers))


def _objects(numbers: Column) -> npt.NDArray[np.object_]:
    """Return numbers as Python's own."""
    values = np.asarray(pc.fill_null(numbers, 0)).astype(object)
    values[as_mask(pc.is_null(numbers))] = None
    return values


def as_mask(column: Column) -> Mask:
    """Return which values of a column are true; nulls are not."""
    mask: Mask = pc.fill_null(column, False).to_numpy(zero_copy_only=False)
    return mask


def _too_large(cells: Cells, texts: Any, column: str) -> Bad:  # pyarrow has no types
    """Return the reasons to refuse the cells that say a whole number which 64 bits do not hold."""
    long = pc.match_substring_regex(texts, r"^\s*[+-]?[0-9]{19,}\s*$")
    rows = pc.indices_nonzero(pc.fill_null(long, False)).to_pylist()
    return {row: _beyond(cells[row], column) for row in rows if cast_int(cells[row]) is None}


def _beyond(cell: str | None, column: str) -> Refused:
    hints, place = ("write it as a decimal such as `1e20`",), DataPlace(path=(column,))
    return Refused(Diagnostic("bad-event", f"`{cell}` does not fit into 64 bits", hints=hints, place=place))


def _whole(texts: Texts) -> Column | None:
    """Return whole numbers; None where some text is none, which a point tells faster than Arrow."""
    return None if (letters_of_texts(texts) == ord(".")).any() else _cast(texts, pa.int64())


def has_whole_numbers(texts: Texts) -> bool:
    """Say whether all texts are whole numbers in decimal digits that 64 bits hold."""
    letters = letters_of_texts(texts)
    odd = letters[letters - np.uint8(ord("0")) > 9]
    return bool((odd == ord("-")).all()) and _whole(texts) is not None


def _numbers(texts: Texts) -> Column | None:
    return _cast(texts, pa.float64())


def _cast(texts: Texts, arrow_type: Any) -> Column | None:  # pyarrow's DataType
    try:
        return texts.cast(arrow_type)
    except pa.ArrowInvalid:
        return None


def bytes_of_texts(texts: Texts) -> bytes:
    """Return the texts of a column as they stand one after another."""
    data = texts.buffers()[2]
    if data is None:
        return b""
    places = _offsets(texts)
    return bytes(memoryview(data)[places[0] : places[-1]])


def letters_of_texts(texts: Texts) -> npt.NDArray[np.uint8]:
    """Return the same bytes in the memory that they are in."""
    places, data = _offsets(texts), texts.buffers()[2]
    return np.frombuffer(b"" if data is None else data, np.uint8)[places[0] : places[-1]]


def starts_of_texts(texts: Texts) -> npt.NDArray[np.int32]:
    """Return where each text begins in these."""
    places = _offsets(texts)
    starts: npt.NDArray[np.int32] = places[:-1] - places[0]
    return starts


def decoded(texts: Texts) -> Texts:
    """Return texts one by one that may be a dictionary."""
    return texts if texts.type == _TEXT else texts.dictionary_decode()


def without(texts: Texts, rows: Mask) -> Texts:
    """Return a column whose texts are null in some rows, in the memory that it is in.

    >>> without(pa.array(["a", "b", None]), np.array([True, False, False])).to_pylist()
    [None, 'b', None]
    """
    there = ~rows if not texts.null_count else ~rows & as_mask(pc.is_valid(texts))
    bits = np.packbits(np.concatenate((np.zeros(texts.offset, np.bool_), there)), bitorder="little")
    _, offsets, data = texts.buffers()
    return pa.Array.from_buffers(texts.type, len(texts), [pa.py_buffer(bits), offsets, data], offset=texts.offset)


def _offsets(texts: Texts) -> npt.NDArray[np.int32]:
    if not len(texts):
        return np.zeros(1, np.int32)
    return np.frombuffer(texts.buffers()[1], np.int32)[texts.offset : texts.offset + len(texts) + 1]


def _number(cell: str) -> Value:
    whole = cast_int(cell)
    return cast_float(cell) if whole is None else whole


_READERS: dict[CellKind, Callable[[str], Value]] = {
    CellKind.INT: _number,
    CellKind.NUMBER: _number,
    CellKind.BOOL: cast_bool,
}


def _refusal(cell: str | None, kind: CellKind, column: str) -> Refused:
    expected = "bool" if kind is CellKind.BOOL else "number"
    message = f"expected a `{expected}`, got `{cell}`"
    hint = f"the cells above it hold a `{expected}`; leave the cell empty where there is none"
    return Refused(Diagnostic("bad-event", message, hints=(hint,), place=DataPlace(path=(column,))))
