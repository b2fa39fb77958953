"""How Arrow reads each column of comma-separated values: as texts, or at once as the values that these would become.

What a column became in one block says how it is read in the next; where a cell says something else there, its column is
read as texts again. Arrow says of a number what a cast of its text says, but that it takes blanks off. Texts of which
there are few are read as a dictionary, in which quotes around them are looked at once for each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from cepheid.connectors.csv_blocks import TEXT, WINDOW, WORDS, Piece, Rows, has_whole_quotes
from cepheid.connectors.csv_columns import (
    CellKind,
    Kinds,
    Mask,
    bytes_of_texts,
    column_of_texts,
    has_whole_numbers,
    kind_of_texts,
)

Column = Any  # pyarrow has no types: an Array
Read = tuple[dict[str, Column], Rows]
"""The columns of a piece by their names, and the rows that have not so many cells."""
_SAMPLE = 1000
_FEW = 8  # texts are few where on average each stands there so many times
_BEYOND = 2.0**63


class ReadAs(Enum):
    """What Arrow makes of the cells of a column."""

    TEXT = TEXT
    WORDS = WORDS
    WHOLE = pa.int64()
    BROKEN = pa.float64()

    @property
    def is_number(self) -> bool:
        return self in (ReadAs.WHOLE, ReadAs.BROKEN)


@dataclass(slots=True)
class Forms:
    """How the columns of a table are read, as far as that was learned; its `own` are types and `times`.

    `kinds` are those of the other columns, as far as they are known. What the first lines look like is tried first.
    """

    header: Sequence[str]
    separator: str
    own: frozenset[str]
    times: frozenset[str]
    kinds: Kinds
    _learned: dict[str, ReadAs] = field(default_factory=dict)
    _bare: bool = True

    def read(self, piece: Piece, unread: frozenset[str]) -> Read | None:
        """Return the columns of a piece; of the `unread` texts none is needed. None: some line is no row of its own."""
        if not self._learned:
            self._guess(piece)
        quotes = b'"' in piece.signs
        bare = self._read_bare(piece) if quotes and self._bare and self._learned else None
        if bare is not None or (quotes and not has_whole_quotes(piece.text, self.separator)):
            return bare
        forms = self._forms(piece)
        if self.separator == "\t" and quotes:  # a tab may stand beside a number in quotes
            forms = {name: ReadAs.TEXT if form.is_number else form for name, form in forms.items()}
        return _read(piece, self.separator, forms, unread, quotes=True)

    def _read_bare(self, piece: Piece) -> Read | None:
        """Return the columns of a piece with quotes, where these stand around texts alone, of which there are few.

        They are read as letters, and taken off the dictionaries; None where some stands elsewhere.
        """
        read = _read(piece, self.separator, self._forms(piece), frozenset(), quotes=False)
        found = {} if read is None else {name: _unquoted(column) for name, column in read[0].items()}
        self._bare = read is not None and None not in found.values()
        if read is None or not self._bare:
            return None
        alone = not len(read[1]) or has_whole_quotes(piece.some(read[1]), self.separator)
        return (found, read[1]) if alone else None

    def values(self, name: str, read: Column) -> tuple[Column, Mask]:
        """Return the values of a column as it was read, and which of them are in doubt; note what it became."""
        if name not in self.own and self.kinds.get(name) is None:
            self.kinds[name] = kind_of_texts(read)
        return self._learned_of(name, read, self._kind(name))

    def _learned_of(self, name: str, read: Column, kind: CellKind | None) -> tuple[Column, Mask]:
        values, doubtful = column_of_texts(read, kind)
        if pa.types.is_dictionary(read.type):
            few = _FEW * len(read.dictionary) <= max(len(read), _SAMPLE)
            self._learned[name] = ReadAs.WORDS if few else ReadAs.TEXT
        elif read.type == TEXT and kind is not None:
            self._learned[name] = ReadAs.TEXT if doubtful.any() else self._suggested(name, read, values)
        return values, doubtful

    def _kind(self, name: str) -> CellKind | None:
        """Return what a column holds, if that is known; times and types stay texts until somebody reads them."""
        return CellKind.TEXT if name in self.own else self.kinds.get(name)

    def _guess(self, piece: Piece) -> None:
        """Learn from the first lines."""
        first = piece.first(_SAMPLE)
        texts = dict.fromkeys(self.header, ReadAs.TEXT)
        whole = has_whole_quotes(first.text, self.separator)
        read = _read(first, self.separator, texts, frozenset(), quotes=True) if whole else None
        for name, column in () if read is None else read[0].items():
            self._learned_of(name, column, self._kind(name) or kind_of_texts(column))

    def _suggested(self, name: str, texts: Column, values: Column) -> ReadAs:
        """Return as what texts might be read that became such values."""
        if name in self.times:
            return ReadAs.WHOLE if has_whole_numbers(texts) else ReadAs.TEXT
        if isinstance(values, np.ndarray):  # of Python's values: some of one type, and some of another
            return ReadAs.TEXT
        if values.type == pa.int64():
            return ReadAs.WHOLE
        if values.type == pa.float64():
            return ReadAs.BROKEN if _are_surely_broken(values) else ReadAs.TEXT
        sample = values.slice(0, _SAMPLE)
        few = values.type == TEXT and _FEW * len(pc.unique(sample)) <= len(sample)
        return ReadAs.WORDS if few else ReadAs.TEXT

    def _forms(self, piece: Piece) -> dict[str, ReadAs]:
        """Return how columns are read in a text; numbers are texts where Arrow may say something else of them."""
        forms = {name: self._form(name) for name in self.header}
        numbers = {name for name, form in forms.items() if form.is_number}
        new = {name for name in numbers - self.own if self.kinds.get(name) is None}
        if numbers and _has_blank_edges(piece, self.separator):
            forms |= dict.fromkeys(numbers, ReadAs.TEXT)
        if new and _has_leading_zeros(piece.text, self.separator):
            forms |= dict.fromkeys(new, ReadAs.TEXT)
        if numbers & self.times and _has_hexadecimals(piece):
            forms |= dict.fromkeys(self.times, ReadAs.TEXT)
        return forms

    def _form(self, name: str) -> ReadAs:
        """Return how a column is read; whoever read rows may have found it to hold something else than it seemed."""
        form, kind = self._learned.get(name, ReadAs.TEXT), self._kind(name)
        fits = kind is None or name in self.own or form.is_number is (kind in (CellKind.INT, CellKind.NUMBER))
        return form if fits else ReadAs.TEXT


def _read(
    piece: Piece, separator: str, forms: Mapping[str, ReadAs], unread: frozenset[str], *, quotes: bool
) -> Read | None:
    types = [None if name in unread else form.value for name, form in forms.items()]
    while (read := piece.columns(separator, types, quotes=quotes)) is not None:
        doubtful = [number for number, column in enumerate(read[0]) if _may_be_whole(column)]
        if not doubtful:
            break
        for number in doubtful:
            types[number] = TEXT
    if read is None:
        return None
    return {name: one for name, one in zip(forms, read[0], strict=True) if one is not None}, read[1]


def _may_be_whole(column: Column | None) -> bool:
    return column is not None and column.type == pa.float64() and not _are_surely_broken(column)


def _are_surely_broken(numbers: Column) -> bool:
    """Say whether not all of some numbers were written as whole ones, and none as a whole one beyond 64 bits."""
    values = np.asarray(pc.fill_null(numbers, 0.0) if numbers.null_count else numbers)
    if not len(values) or not (np.fmax.reduce(values) < _BEYOND and np.fmin.reduce(values) > -_BEYOND):
        return False
    return any(bool((some != np.rint(some)).any()) for some in (values[:_SAMPLE], values[_SAMPLE:]))


def _unquoted(column: Column) -> Column | None:
    """Return a column without the quotes around texts; None where it has other quotes."""
    if column.type == TEXT:
        return None if b'"' in bytes_of_texts(column) else column
    if not pa.types.is_dictionary(column.type):
        return column
    words = column.dictionary.to_pylist()
    bare = [word[1:-1] if len(word) > 2 and word[0] == word[-1] == '"' else word for word in words]
    if any('"' in word for word in bare) or len(set(bare)) < len(bare):
        return None
    return pa.DictionaryArray.from_arrays(column.indices, pa.array(bare, TEXT), safe=False)


def _has_blank_edges(piece: Piece, separator: str) -> bool:
    """Say whether a blank stands first or last in some cell, or in its quotes."""
    blanks = [ord(blank) for blank in (b" ", b"\t") if blank != separator.encode() and blank in piece.signs]
    if not blanks:
        return False
    letters = np.frombuffer(b"\n" + piece.text + b"\n", np.uint8)
    edges = _one_of(f'{separator}"\r\n')
    found = np.concatenate([np.flatnonzero(letters == blank) for blank in blanks])
    return bool(edges[letters[found - 1]].any() or edges[letters[found + 1]].any())


def _has_hexadecimals(piece: Piece) -> bool:
    """Say whether some number may be written like `0x1F`, which Arrow reads and times are not."""
    return any(mark in piece.signs and b"0" + mark in piece.text for mark in (b"x", b"X"))


def _has_leading_zeros(text: bytes, separator: str) -> bool:
    """Say whether a cell may begin with a zero and another digit, which makes a column one of texts."""
    letters = np.frombuffer(b"\n" + text + b"\n", np.uint8)
    some = (letters[first : first + WINDOW + 2] for first in range(0, len(text), WINDOW))
    return any(_has_leading_zero(window, ord(separator)) for window in some)


def _has_leading_zero(letters: npt.NDArray[np.uint8], separator: int) -> bool:
    before, zero, after = letters[:-2], letters[1:-1] == ord("0"), letters[2:]
    zero &= after - np.uint8(ord("0")) < 10
    # In ASCII, ends of lines, quotes, commas and minus stand up to there, and no digit, letter or point.
    zero &= (before <= ord("-")) | (before == separator) if separator > ord("-") else before <= ord("-")
    return bool(zero.any())


def _one_of(signs: str) -> Mask:
    """Return which bytes are one of some signs."""
    found = np.zeros(256, np.bool_)
    found[list(signs.encode())] = True
    return found
