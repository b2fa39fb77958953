"""A block of comma-separated values becomes columns, where Arrow's reader says what the reader of rows does.

That is where every line is a row of its own: no empty lines, no carriage returns but at ends of lines, and quotes only
around whole cells that end in the same line and have no quotes inside.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from cepheid.connectors.csv_lines import LONGEST_CELL

BLOCK = 1 << 21
"""So many bytes are read at once: what a block costs beside its rows is then little, and it stays in the cache."""
LEAST = 1 << 14
"""A block of fewer bytes is read by row: that is as fast, and what comes bit by bit is handed on at once."""
TEXT: Any = pa.string()  # pyarrow has no types
WORDS: Any = pa.dictionary(pa.int32(), TEXT)  # as above
LONG_LINE = 100
_SIGNS = [b"\0", b"\r", b" ", b"\t", b'"', b"x", b"X"]
WINDOW = 1 << 19
_MARK = b"\xef\xbb\xbf"
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}".encode()
_COLUMN = re.compile(r"In CSV column #(\d+):")
Rows = npt.NDArray[np.int64]


def line_ends(block: bytes) -> Rows:
    """Return where the lines of a block end."""
    return np.append(np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n")), len(block))


def line_count(block: bytes) -> int:
    """Return how many lines a block has."""
    return int(np.count_nonzero(np.frombuffer(block, np.uint8) == ord("\n"))) + 1


@dataclass(frozen=True, slots=True)
class Look:
    """What one look at a block says: how many lines it has, and which signs stand in it that need a closer one."""

    lines: int
    signs: frozenset[bytes]
    is_ascii: bool

    @classmethod
    def at(cls, block: bytes) -> "Look":
        r"""Look at a block, some of it after the other: what was just looked at is in the cache.

        >>> Look.at(b"A,1\nB, 2")
        Look(lines=2, signs=frozenset({b' '}), is_ascii=True)
        """
        letters, lines, missing, is_ascii = np.frombuffer(block, np.uint8), 1, _SIGNS, True
        for first in range(0, len(block), WINDOW):
            last = first + WINDOW
            missing = [sign for sign in missing if block.find(sign, first, last) < 0]
            is_ascii = is_ascii and bool(letters[first:last].view(np.int8).min() >= 0)
            lines += int(np.count_nonzero(letters[first:last] == ord("\n")))
        return cls(lines, frozenset(_SIGNS) - frozenset(missing), is_ascii)

    def has_plain_lines(self, block: bytes) -> bool:
        """Say whether each line is text, and a row of its own if quotes do not say otherwise."""
        if b"\0" in self.signs or block.startswith(_MARK):
            return False
        if b"\r" in self.signs and block.count(b"\r") != block.count(b"\r\n") + block.endswith(b"\r"):
            return False
        return self.is_ascii or (_REPLACEMENT not in block and is_text(block))


def has_whole_quotes(block: bytes, separator: str) -> bool:
    """Say whether one quote stands before a cell and the next after it, and so on, with no line end between them."""
    letters = np.frombuffer(b"\n" + block + b"\n", np.uint8)
    quotes = np.flatnonzero(letters == ord('"'))
    opening, closing = quotes[0::2], quotes[1::2]
    if len(opening) != len(closing):
        return False
    before, after = letters[opening - 1], letters[closing + 1]
    begin = (before == ord(separator)) | (before == ord("\n"))
    end = (after == ord(separator)) | (after == ord("\n")) | (after == ord("\r"))
    ends = np.flatnonzero(letters == ord("\n"))
    same_line = closing < ends[np.searchsorted(ends, opening)]
    return bool((begin & end & same_line).all())


def is_text(block: bytes) -> bool:
    """Say whether bytes are UTF-8."""
    try:
        block.decode()
    except UnicodeDecodeError:
        return False
    return True


@dataclass(slots=True)
class Piece:
    """Some lines of a block that is plain, in which no signs stand but `signs`, as far as they matter.

    Where each line ends is found out for who asks.
    """

    text: bytes
    count: int
    signs: frozenset[bytes] = frozenset(_SIGNS)
    _ends: Rows | None = None

    def __len__(self) -> int:
        return self.count

    @property
    def ends(self) -> Rows:
        """Where each line ends."""
        if self._ends is None:
            self._ends = line_ends(self.text)
        return self._ends

    def first(self, count: int) -> "Piece":
        """Return the first lines, about so many at most."""
        lines = self.text[: count * LONG_LINE].split(b"\n", count)[:count]
        text = b"\n".join(lines[:-1] or lines)
        return Piece(text, text.count(b"\n") + 1, self.signs)

    def has_empty_lines(self) -> bool:
        """Say whether nothing stands in some line."""
        return bool(np.diff(self.ends, prepend=-1).min() - 1 <= (b"\r" in self.text))

    def some(self, rows: Rows) -> bytes:
        """Return some of the lines."""
        starts = np.concatenate(([0], self.ends[:-1] + 1))
        lines = zip(starts[rows].tolist(), self.ends[rows].tolist(), strict=True)
        return b"\n".join(self.text[start:end] for start, end in lines)

    def may_have_long_lines(self) -> bool:
        """Say whether a cell may be longer than cells can be: a stretch half as long has no line end."""
        half = LONGEST_CELL // 2
        places = range(0, len(self.text) - half + 1, half)
        return any(self.text.find(b"\n", place, place + half) < 0 for place in places)

    def columns(
        self, separator: str, types: Sequence[Any], *, quotes: bool = True
    ) -> tuple[list[Any], Rows] | None:  # pyarrow has no types
        """Return the columns, an empty cell as null, and the rows that have not so many cells, as nulls.

        Each is of its type, or text where some cell does not say such a value; one without a type is None. Without
        `quotes` these are letters like others. None: some line is no row.
        """
        wanted = list(types)
        read = self._read(separator, wanted, quotes=quotes)
        if read is None or (read[1] and self.has_empty_lines()):
            return None
        table, short = read
        wrong = self._without(separator, len(types)) if short else np.zeros(0, np.int64)
        if table.num_rows + len(wrong) != len(self):
            return None
        arrays = map(_whole, table.columns)
        columns = [None if kind is None else next(arrays) for kind in wanted]
        if not short:
            return columns, wrong
        return [None if one is None else spread(one, wrong, len(self)) for one in columns], wrong

    def _read(self, separator: str, wanted: list[Any], *, quotes: bool) -> tuple[Any, bool] | None:
        """Return a table of good rows, and whether there are others; what does not say such values is `wanted` as text.

        None: Arrow cannot read it.
        """
        short = False
        while True:
            try:
                return self._table(separator, wanted, quotes=quotes, short=short), short
            except pa.ArrowInvalid as error:
                unlike = _COLUMN.match(str(error))
                if unlike is not None and wanted[int(unlike[1])] != TEXT:
                    wanted[int(unlike[1])] = TEXT
                elif unlike is None and not short:
                    short = True
                else:
                    return None

    def _table(self, separator: str, types: Sequence[Any], *, quotes: bool, short: bool) -> Any:
        import pyarrow.csv as arrow_csv  # not every input is such

        names = [str(index) for index in range(len(types))]
        kinds = {name: kind for name, kind in zip(names, types, strict=True) if kind is not None}
        skip = (lambda _: "skip") if short else None
        return arrow_csv.read_csv(
            pa.BufferReader(self.text),
            arrow_csv.ReadOptions(column_names=names, block_size=len(self.text) + 2, use_threads=False),
            arrow_csv.ParseOptions(delimiter=separator, quote_char=quotes and '"', invalid_row_handler=skip),
            arrow_csv.ConvertOptions(
                check_utf8=False,  # a block that is plain was seen to be text
                column_types=kinds,
                null_values=[""],
                strings_can_be_null=True,
                include_columns=list(kinds),
            ),
        )

    def _without(self, separator: str, count: int) -> Rows:
        """Return the rows that have not so many cells."""
        letters = np.frombuffer(self.text, np.uint8)
        marks, quotes = np.flatnonzero(letters == ord(separator)), np.flatnonzero(letters == ord('"'))
        if len(quotes):
            marks = marks[np.searchsorted(quotes, marks) % 2 == 0]
        before = np.searchsorted(marks, self.ends)
        return np.flatnonzero(np.diff(before, prepend=0) != count - 1)


def _whole(column: Any) -> Any:  # pyarrow's ChunkedArray
    """Return a column in one piece; Arrow copies what is in one already."""
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def spread(column: Any, wrong: Rows, count: int) -> Any:  # pyarrow's Array
    """Return a column with nulls in the rows that it lacks."""
    there = np.ones(count, np.bool_)
    there[wrong] = False
    return column.take(pa.array(np.cumsum(there) - 1, mask=~there))


def pieces_of(block: bytes, most: int) -> Iterator[Piece]:
    """Yield a block in pieces of no more than `most` lines; nothing where these are not plain."""
    look = Look.at(block)
    if not look.has_plain_lines(block):
        return
    if look.lines <= most:
        yield Piece(block, look.lines, look.signs)
        return
    ends, start = line_ends(block), 0
    for first in range(0, look.lines, most):
        own = ends[first : first + most]
        yield Piece(block[start : own[-1]], len(own), look.signs, own - start)
        start = int(own[-1]) + 1
