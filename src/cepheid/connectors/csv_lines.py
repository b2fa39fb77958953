"""Lines of comma-separated values, which can be read once more.

A quote that nothing closes makes a cell of all lines after it. When that shows, only the line with the quote is broken,
and the others are read again, each for itself.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

LONGEST_CELL: Final = 131_072
_REASONS = {
    "unexpected end of data": "nothing closes a quote",
    "new-line character seen": "a carriage return stands in a cell without quotes",
    "field larger than field limit": f"a cell is longer than {LONGEST_CELL} characters, or nothing closes its quote",
    "expected after": "something follows the closing quote of a cell",
}


class Lines:
    """The lines of all blocks; `drained` says that the next one has to be waited for, `broken` that some is no text.

    In a file whose first line is full of carriage returns, these end its lines: `returns`. Blocks from the middle of a
    file have so many lines `before` them.
    """

    def __init__(self, blocks: Iterator[bytes], before: int = 0) -> None:
        self.broken = False
        self.returns = False
        self.number = before
        self._blocks = blocks
        self._lines: list[str] = []
        self._taken: list[str] = []
        self._first = not before

    @property
    def drained(self) -> bool:
        return not self._lines

    def __iter__(self) -> "Lines":
        return self

    def __next__(self) -> str:
        if not self._lines:
            self.put(next(self._blocks))
        line = self._lines.pop()
        self.number += 1
        self._taken.append(line)
        return line

    def next_block(self) -> bytes | None:
        """Return the next block as it is; None at the end. Whoever reads it says so to `skip`, or puts it back."""
        return next(self._blocks, None)

    def skip(self, count: int) -> None:
        """Go over so many lines, which somebody else has read."""
        self.number += count

    def put(self, block: bytes) -> None:
        """Go on with the lines of a block."""
        self._lines = [f"{line}\n" for line in reversed(self._decoded(block).split("\n"))]

    def begin_row(self) -> None:
        """Note that what is read from now on is another row."""
        self._taken.clear()

    def give_back(self) -> str:
        """Return the first line of a row that cannot be read; its other lines are read again."""
        first, *others = self._taken
        self._lines.extend(reversed(others))
        self.number -= len(others)
        self._taken.clear()
        return first.rstrip("\n")

    def _decoded(self, block: bytes) -> str:
        encoding = "utf-8-sig" if self._first else "utf-8"
        try:
            text = block.decode(encoding)
        except UnicodeDecodeError:
            self.broken = True
            text = block.decode(encoding, errors="replace")
        if self._first:
            self._first, self.returns = False, "\r" in text.partition("\n")[0].rstrip("\r")
        return text.replace("\r\n", "\n").replace("\r", "\n") if self.returns else text


@dataclass(frozen=True, slots=True)
class Broken:
    """A line that cannot be read, and why."""

    text: str
    reason: str


def rows_of_lines(lines: Lines, separator: str) -> Iterator[list[str] | Broken]:
    """Yield the cells of each row, or a line that cannot be read."""
    reader = csv.reader(lines, delimiter=separator, strict=True)
    while True:
        lines.begin_row()
        try:
            yield next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            text = lines.give_back()
            yield Broken(text, next((ours for theirs, ours in _REASONS.items() if theirs in str(error)), str(error)))
