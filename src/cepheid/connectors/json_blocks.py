"""A block of JSON lines becomes columns, where its lines have the same keys, written in the same way.

    {"type": "login", "time": 12, "user": "ann"}

What stands between the values of the first line is its layout. A line that begins, goes on and ends with that, and has
nothing but plain numbers, texts without escapes, `true`, `false` and `null` between, is an object with these keys. So
the commas part cells, each of which begins with its piece of the layout; or, where many texts have commas inside, the
layout is replaced by a separator, and the values are cells.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from cepheid.connectors.csv_blocks import TEXT, WORDS, Piece, is_text, line_ends, spread
from cepheid.connectors.csv_columns import decoded
from cepheid.connectors.json_cells import column_of_json, has_few_texts

Column = Any  # pyarrow has no types: an Array; or Python's values in an array of NumPy
Mask = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.int64]

_PAIR = re.compile(rb'([{,] ?"([^"\\]*)" ?: ?)("[^"\\]*"|[^"\\,{}\[\] ]+)')
_SEPARATOR = 1
_FEW = 50  # one line in so many may have another layout, or a comma inside of a text
_TO_THE_END = 1 << 30
_NUMBERS = bytes(code for code in range(2, 32) if code not in b"\n\r")


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


def columns_of_block(
    block: bytes, ends: Rows, needed: Collection[str] = (), words: set[str] | None = None
) -> tuple[dict[str, Column], Mask] | None:
    """Return the columns of a block, and the lines that are in doubt; None where all have to be read one by one.

    Columns that are `needed` hold values of one kind: others in them are in doubt. Of those of which `words` are known
    there are few texts, which may be others in each block.
    """
    words = set() if words is None else words
    has_empty_lines = np.diff(ends, prepend=-1).min() == 1
    if has_empty_lines or not _is_plain(block, len(ends)):
        return None
    layout = layout_of(block[: ends[0]])
    values = None if layout is None else _between_commas(block, ends, layout, words) or _between_marks(block, layout)
    if layout is None or values is None:
        return None
    columns: dict[str, Column] = {}
    doubtful = np.zeros(len(ends), np.bool_)
    for key, texts in zip(layout.keys, values, strict=True):
        columns[key], unlike = column_of_json(texts, mixed=key not in needed)
        (words.add if has_few_texts(columns[key]) else words.discard)(key)
        doubtful |= unlike
    return columns, doubtful


def _is_plain(block: bytes, lines: int) -> bool:
    """Say whether a block is text, without backslashes and without control characters but at ends of lines."""
    controls = np.count_nonzero(np.frombuffer(block, np.uint8) < ord(" "))
    return controls == lines - 1 and b"\\" not in block and (block.isascii() or is_text(block))


def _between_commas(block: bytes, ends: Rows, layout: Layout, words: Collection[str]) -> list[Column] | None:
    """Return the texts of the values, key by key, where hardly any has commas inside; those of other lines are null."""
    kinds = [WORDS if key in words else TEXT for key in layout.keys]
    read = Piece(block, len(ends), _ends=ends).columns(",", kinds, quotes=False)
    if read is None or _FEW * len(read[1]) > len(ends):
        return None
    before = [layout.marks[0], *(mark[1:] for mark in layout.marks[1:])]
    begin = [_of_each(cells, pc.starts_with, mark.decode()) for cells, mark in zip(read[0], before, strict=True)]
    fits = [one for one in (*begin, _of_each(read[0][-1], pc.ends_with, "}")) if one.true_count < len(ends)]
    both = reduce(pc.and_, fits) if fits else None
    if both is not None and _FEW * (len(ends) - both.true_count) > len(ends):
        return None
    cells = read[0] if both is None else [pc.if_else(both, decoded(one), None) for one in read[0]]
    lasts = [_TO_THE_END] * (len(cells) - 1) + [-1]
    return [_cut(one, len(mark), last) for one, mark, last in zip(cells, before, lasts, strict=True)]


def _of_each(cells: Column, test: Callable[..., Any], text: str) -> Any:  # an Array of booleans
    """Return of which cells something is true; nulls are not."""
    if not pa.types.is_dictionary(cells.type):
        return pc.fill_null(test(cells, text), False)
    return pc.fill_null(test(cells.dictionary, text).take(cells.indices), False)


def _cut(cells: Column, first: int, last: int) -> Column:
    """Return what stands in cells between two places."""
    if pa.types.is_dictionary(cells.type):
        return pa.DictionaryArray.from_arrays(cells.indices, _cut(cells.dictionary, first, last), safe=False)
    return pc.binary_slice(cells.view(pa.binary()), first, last).view(pa.string())


def _between_marks(block: bytes, layout: Layout) -> list[Column] | None:
    """Return the same where texts may have commas inside."""
    for number, mark in zip(_NUMBERS, layout.marks, strict=False):
        block = block.replace(mark, bytes((_SEPARATOR, number)))
    ends = line_ends(block)
    fits = _fitting(np.frombuffer(block, np.uint8), ends, len(layout.keys))
    wrong = np.flatnonzero(~fits)
    if 2 * len(wrong) > len(ends):
        return None
    good = Piece(block, len(ends), _ends=ends).some(np.flatnonzero(fits)) if len(wrong) else block
    read = _cells(good, line_ends(good) if len(wrong) else ends, len(layout.keys))
    if read is None:
        return None
    return [spread(column, wrong, len(ends)) if len(wrong) else column for column in read[0][1:]]


def _cells(block: bytes, ends: Rows, count: int) -> tuple[list[Column], Rows] | None:
    """Return what stands between separators, of which there are so many in a line, without their numbers."""
    letters = np.frombuffer(block, np.uint8).copy()
    letters[ends - 1] = _NUMBERS[0]  # where an object ends
    cells = letters.tobytes().translate(None, _NUMBERS)
    return Piece(cells, len(ends), _ends=ends).columns(chr(_SEPARATOR), [TEXT] * (count + 1), quotes=False)


def _fitting(letters: npt.NDArray[np.uint8], ends: Rows, count: int) -> Mask:
    """Return which lines have all marks in their order, the first at their start, and end as objects do."""
    marks = np.flatnonzero(letters == _SEPARATOR)
    found = np.diff(np.searchsorted(marks, ends), prepend=0)
    starts = np.concatenate(([0], ends[:-1] + 1))
    fits: Mask = (found == count) & (letters[starts] == _SEPARATOR) & (letters[ends - 1] == ord("}"))
    order = letters[marks[np.repeat(fits, found)] + 1].reshape(-1, count)
    fits[fits] = (order == np.frombuffer(_NUMBERS[:count], np.uint8)).all(axis=1)
    return fits
