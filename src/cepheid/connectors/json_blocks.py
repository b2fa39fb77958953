"""A block of JSON lines becomes columns, where its lines have the same keys, written in the same way.

    {"type": "login", "time": 12, "user": "ann"}

What stands between the values of the first line is its layout. A line that begins, goes on and ends with that, and has
nothing but plain numbers, texts without escapes, `true`, `false` and `null` between, is an object with these keys. So
the layout is replaced by a separator, and the values are cells.
"""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from cepheid.connectors.csv_blocks import Piece, is_text, line_ends, spread
from cepheid.connectors.csv_columns import as_mask, column_of_numbers

Column = Any  # pyarrow has no types: an Array; or Python's values in an array of NumPy
Mask = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.int64]

_PAIR = re.compile(rb'([{,] ?"([^"\\]*)" ?: ?)("[^"\\]*"|[^"\\,{}\[\] ]+)')
_SEPARATOR = 1
_NUMBERS = bytes(code for code in range(2, 32) if code not in b"\n\r")
_NEVER = bytes(code for code in range(32) if code not in b"\n") + b"\\"
_WHOLE = r"^-?(?:0|[1-9][0-9]{0,17})$"
_BROKEN = r"^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][+-]?[0-9]{1,4})?|[eE][+-]?[0-9]{1,4})$"


@dataclass(frozen=True, slots=True)
class Layout:
    """What stands before each value of a line, and the keys in it; `}` stands at the end."""

    keys: tuple[str, ...]
    marks: tuple[bytes, ...]


def layout_of(line: bytes) -> Layout | None:
    """Return the layout of a line; None where it has none, or too many keys.

    >>> layout_of(b'{"type": "A", "time": 1}').marks
    (b'{"type": ', b', "time": ')
    """
    pairs, place = [], 0
    while pair := _PAIR.match(line, place):
        pairs.append(pair)
        place = pair.end()
    keys, marks = tuple(pair[2].decode() for pair in pairs), tuple(pair[1] for pair in pairs)
    if line[place:] != b"}" or b"".join(mark[:1] for mark in marks) != b"{".ljust(len(keys), b","):
        return None
    return Layout(keys, marks) if len(set(keys)) == len(keys) <= len(_NUMBERS) else None


def columns_of_block(block: bytes, ends: Rows) -> tuple[dict[str, Column], Mask] | None:
    """Return the columns of a block, and the lines that are in doubt; None where all have to be read one by one."""
    has_empty_lines = np.diff(ends, prepend=-1).min() == 1
    if has_empty_lines or len(block.translate(None, _NEVER)) < len(block) or not (block.isascii() or is_text(block)):
        return None
    layout = layout_of(block[: ends[0]])
    values = None if layout is None else _values(block, layout)
    if layout is None or values is None:
        return None
    columns: dict[str, Column] = {}
    doubtful = np.zeros(len(ends), np.bool_)
    for key, texts in zip(layout.keys, values, strict=True):
        columns[key], unlike = _column(texts)
        doubtful |= unlike
    return columns, doubtful


def _values(block: bytes, layout: Layout) -> list[Column] | None:
    """Return the texts of the values, key by key; those of lines with another layout are null."""
    for number, mark in zip(_NUMBERS, layout.marks, strict=False):
        block = block.replace(mark, bytes((_SEPARATOR, number)))
    ends = line_ends(block)
    fits = _fitting(np.frombuffer(block, np.uint8), ends, len(layout.keys))
    wrong = np.flatnonzero(~fits)
    if 2 * len(wrong) > len(ends):
        return None
    good = Piece(block, ends).some(np.flatnonzero(fits)) if len(wrong) else block
    read = _cells(good, line_ends(good) if len(wrong) else ends, len(layout.keys))
    if read is None:
        return None
    return [spread(column, wrong, len(ends)) if len(wrong) else column for column in read[0][1:]]


def _cells(block: bytes, ends: Rows, count: int) -> tuple[list[Column], Rows] | None:
    """Return what stands between separators, of which there are so many in a line, without their numbers."""
    letters = np.frombuffer(block, np.uint8).copy()
    letters[ends - 1] = _NUMBERS[0]  # where an object ends
    cells = letters.tobytes().translate(None, _NUMBERS)
    return Piece(cells, ends).columns(chr(_SEPARATOR), count + 1, quotes=False)


def _fitting(letters: npt.NDArray[np.uint8], ends: Rows, count: int) -> Mask:
    """Return which lines have all marks in their order, the first at their start, and end as objects do."""
    marks = np.flatnonzero(letters == _SEPARATOR)
    found = np.diff(np.searchsorted(marks, ends), prepend=0)
    starts = np.concatenate(([0], ends[:-1] + 1))
    fits: Mask = (found == count) & (letters[starts] == _SEPARATOR) & (letters[ends - 1] == ord("}"))
    order = letters[marks[np.repeat(fits, found)] + 1].reshape(-1, count)
    fits[fits] = (order == np.frombuffer(_NUMBERS[:count], np.uint8)).all(axis=1)
    return fits


def _column(texts: Column) -> tuple[Column, Mask]:
    """Return values by their texts in JSON, and which of them are in doubt."""
    null = pc.equal(texts, "null")
    known = pc.if_else(null, None, texts)
    first = next((text for text in known.slice(0, 100).to_pylist() if text), "0")
    read = _texts if first[0] == '"' else _booleans if first[0] in "tf" else _plain_numbers
    column, sound = read(known)
    return column, ~(as_mask(null) | as_mask(sound))


def _texts(known: Column) -> tuple[Column, Column]:
    whole = pc.and_(pc.starts_with(known, '"'), pc.ends_with(known, '"'))
    sound = pc.and_(whole, pc.equal(pc.count_substring(known, '"'), 2))
    return pc.if_else(sound, pc.ascii_trim(known, '"'), None), sound


def _booleans(known: Column) -> tuple[Column, Column]:
    true = pc.equal(known, "true")
    sound = pc.or_(true, pc.equal(known, "false"))
    return pc.if_else(sound, true, pa.scalar(None, pa.bool_())), sound


def _plain_numbers(known: Column) -> tuple[Column, Column]:
    whole = pc.match_substring_regex(known, _WHOLE)
    if whole.true_count == len(known):
        return known.cast(pa.int64()), whole
    broken = pc.match_substring_regex(known, _BROKEN)
    return column_of_numbers(known, whole, broken), pc.or_(whole, broken)
