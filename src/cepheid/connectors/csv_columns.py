"""Columns of text become columns of values: whole numbers, numbers, booleans, or text as it is.

What a column holds is decided by the first block in which it is not empty. A cell further down that says something else
is refused; a fraction among whole numbers is a number still. Digits after a leading zero are text, such as a postcode.
"""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from cepheid.connectors.rejects import Refused
from cepheid.diagnostics import DataPlace, Diagnostic
from cepheid.events import Value, cast_bool, cast_float, cast_int

Cells = Sequence[str | None]
Bad = dict[int, Refused]


class CellKind(Enum):
    """What the cells of a column hold."""

    INT = "int"
    NUMBER = "number"
    BOOL = "bool"
    TEXT = "text"


def kind_of_cells(cells: Cells) -> CellKind | None:
    """Return what all cells can be read as; None where all are empty.

    >>> [kind_of_cells(cells).value for cells in (["1", None], ["1", "2.5"], ["true"], ["1", "x"], ["007"])]
    ['int', 'number', 'bool', 'text', 'text']
    """
    texts = pa.array(cells, pa.string())
    if texts.null_count == len(texts):
        return None
    if not pc.any(pc.match_substring_regex(texts, "^-?0[0-9]")).as_py():
        for kind, arrow_type in ((CellKind.INT, pa.int64()), (CellKind.NUMBER, pa.float64())):
            if _cast(texts, arrow_type) is not None:
                return kind
    words = set(cells) - {None}
    return CellKind.BOOL if {str(word).lower() for word in words} <= {"true", "false"} else CellKind.TEXT


def values_of_cells(cells: Cells, kind: CellKind | None, column: str) -> tuple[list[Value], Bad]:
    """Return the values of the cells, and the reasons to refuse those that are of another kind."""
    if kind is CellKind.TEXT or kind is None:
        return list(cells), {}
    texts = pa.array(cells, pa.string())
    if kind is not CellKind.BOOL:
        if (whole := _cast(texts, pa.int64())) is not None:
            return whole.to_pylist(), {}
        if (numbers := _cast(texts, pa.float64())) is not None:
            return numbers.to_pylist(), _too_large(cells, texts, column)
    read = _READERS[kind]
    values = [None if cell is None else read(cell) for cell in cells]
    bad = {
        row: _refusal(cell, kind, column)
        for row, (cell, value) in enumerate(zip(cells, values, strict=True))
        if value is None and cell is not None
    }
    return values, bad if kind is CellKind.BOOL else bad | _too_large(cells, texts, column)


def _too_large(cells: Cells, texts: Any, column: str) -> Bad:  # pyarrow has no types
    """Return the reasons to refuse the cells that say a whole number which 64 bits do not hold."""
    long = pc.match_substring_regex(texts, r"^\s*[+-]?[0-9]{19,}\s*$")
    rows = pc.indices_nonzero(pc.fill_null(long, False)).to_pylist()
    return {row: _beyond(cells[row], column) for row in rows if cast_int(cells[row]) is None}


def _beyond(cell: str | None, column: str) -> Refused:
    hints, place = ("write it as a decimal such as `1e20`",), DataPlace(path=(column,))
    return Refused(Diagnostic("bad-event", f"`{cell}` does not fit into 64 bits", hints=hints, place=place))


def _cast(texts: Any, arrow_type: Any) -> Any:  # pyarrow has no types
    try:
        return texts.cast(arrow_type)
    except pa.ArrowInvalid:
        return None


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
