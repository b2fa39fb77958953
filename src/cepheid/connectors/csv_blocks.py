"""A block of comma-separated values becomes columns of text, where Arrow's reader says what the reader of rows does.

That is where every line is a row of its own: no empty lines, no carriage returns but at ends of lines, and quotes only
around whole cells that end in the same line and have no quotes inside.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from cepheid.connectors.csv_lines import LONGEST_CELL

LEAST = 1 << 14
"""A block of fewer bytes is read by row: that is as fast, and what comes bit by bit is handed on at once."""
_MARK = b"\xef\xbb\xbf"
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}".encode()
Rows = npt.NDArray[np.int64]


def line_ends(block: bytes) -> Rows:
    """Return where the lines of a block end."""
    return np.append(np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n")), len(block))


def is_plain(block: bytes, ends: Rows, separator: str) -> bool:
    """Say whether every line of a block is a row of its own, and text."""
    if b"\0" in block or block.startswith(_MARK):
        return False
    returns = b"\r" in block
    if returns and block.count(b"\r") != block.count(b"\r\n") + block.endswith(b"\r"):
        return False
    shortest = np.diff(ends, prepend=-1).min() - 1
    if not shortest > returns or not (block.isascii() or (_REPLACEMENT not in block and is_text(block))):
        return False
    return b'"' not in block or _has_whole_quotes(block, ends, separator)


def _has_whole_quotes(block: bytes, ends: Rows, separator: str) -> bool:
    """Say whether one quote stands before a cell and the next after it, and so on."""
    letters = np.frombuffer(b"\n" + block + b"\n", np.uint8)
    quotes = np.flatnonzero(letters == ord('"'))
    opening, closing = quotes[0::2], quotes[1::2]
    if len(opening) != len(closing):
        return False
    before, after = letters[opening - 1], letters[closing + 1]
    begin = (before == ord(separator)) | (before == ord("\n"))
    end = (after == ord(separator)) | (after == ord("\n")) | (after == ord("\r"))
    same_line = closing - 1 < ends[np.searchsorted(ends, opening - 1)]
    return bool((begin & end & same_line).all())


def is_text(block: bytes) -> bool:
    """Say whether bytes are UTF-8."""
    try:
        block.decode()
    except UnicodeDecodeError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Piece:
    """Some lines of a block that is plain, and where each of them ends."""

    text: bytes
    ends: Rows

    def __len__(self) -> int:
        return len(self.ends)

    def some(self, rows: Rows) -> bytes:
        """Return some of the lines."""
        starts = np.concatenate(([0], self.ends[:-1] + 1))
        lines = zip(starts[rows].tolist(), self.ends[rows].tolist(), strict=True)
        return b"\n".join(self.text[start:end] for start, end in lines)

    def has_long_lines(self) -> bool:
        """Say whether a cell may be longer than cells can be."""
        return bool(np.diff(self.ends, prepend=-1).max() > LONGEST_CELL)

    def columns(self, separator: str, count: int, *, quotes: bool = True) -> tuple[list[Any], Rows] | None:
        """Return the columns as texts, an empty cell as null, and the rows that have not so many cells, as nulls.

        Without `quotes` these are letters like others.
        """
        import pyarrow.csv as arrow_csv  # not every input is such

        short = False

        def skip(_: Any) -> str:  # pyarrow's InvalidRow
            nonlocal short
            short = True
            return "skip"

        names = [str(index) for index in range(count)]
        try:
            table = arrow_csv.read_csv(
                pa.BufferReader(self.text),
                arrow_csv.ReadOptions(column_names=names, block_size=len(self.text) + 2, use_threads=False),
                arrow_csv.ParseOptions(delimiter=separator, quote_char=quotes and '"', invalid_row_handler=skip),
                arrow_csv.ConvertOptions(
                    column_types=dict.fromkeys(names, pa.string()), null_values=[""], strings_can_be_null=True
                ),
            )
        except pa.ArrowInvalid:
            return None
        wrong = self._without(separator, count) if short else np.zeros(0, np.int64)
        if table.num_rows + len(wrong) != len(self):
            return None
        columns = [column.combine_chunks() for column in table.columns]
        return [spread(column, wrong, len(self)) for column in columns] if short else columns, wrong

    def _without(self, separator: str, count: int) -> Rows:
        """Return the rows that have not so many cells."""
        letters = np.frombuffer(self.text, np.uint8)
        marks, quotes = np.flatnonzero(letters == ord(separator)), np.flatnonzero(letters == ord('"'))
        if len(quotes):
            marks = marks[np.searchsorted(quotes, marks) % 2 == 0]
        before = np.searchsorted(marks, self.ends)
        return np.flatnonzero(np.diff(before, prepend=0) != count - 1)


def spread(column: Any, wrong: Rows, count: int) -> Any:  # pyarrow's Array
    """Return a column with nulls in the rows that it lacks."""
    there = np.ones(count, np.bool_)
    there[wrong] = False
    return column.take(pa.array(np.cumsum(there) - 1, mask=~there))


def pieces_of(block: bytes, ends: Rows, most: int) -> Iterator[Piece]:
    """Yield a block in pieces of so many lines."""
    if len(ends) <= most:
        yield Piece(block, ends)
        return
    start = 0
    for first in range(0, len(ends), most):
        own = ends[first : first + most]
        yield Piece(block[start : own[-1]], own - start)
        start = int(own[-1]) + 1
