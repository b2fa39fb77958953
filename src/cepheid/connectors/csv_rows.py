"""Events from comma-separated values, with the names of the columns in the first line.

The separator is the one of `,` `;` tab and `|` that stands in the first line. An empty cell is null. A row may run over
several lines where a cell in quotes does; its number is that of its last line.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cepheid.connectors.byte_streams import ByteStream, line_blocks
from cepheid.connectors.chunks import Chunk, Gathering
from cepheid.connectors.csv_columns import Bad, CellKind, kind_of_cells, values_of_cells
from cepheid.connectors.missing_columns import refuse_missing
from cepheid.connectors.records import FormSeen, Reading, event_maker
from cepheid.connectors.rejects import Refused
from cepheid.diagnostics import DataPlace, Diagnostic
from cepheid.events import Value

SEPARATORS = (",", ";", "\t", "|")
_MOST_ROWS = 50_000


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of cells; one that is broken has no cells, and its text is not known any more."""

    source: str
    header: Sequence[str]
    numbers: list[int] = field(default_factory=list)
    cells: list[list[str]] = field(default_factory=list)
    bad: Bad = field(default_factory=dict)

    def place(self, row: int) -> DataPlace:
        return DataPlace(self.source, self.numbers[row])

    def raw(self, row: int) -> object:
        cells = self.cells[row]
        return dict(zip(self.header, cells, strict=True)) if len(cells) == len(self.header) else cells


def csv_chunks(stream: ByteStream, name: str, reading: Reading, form: FormSeen, before: int = 0) -> Iterator[Chunk]:
    """Yield the events of a stream of comma-separated values; `before` positions are taken already."""
    blocks = _Blocks(line_blocks(stream, name))
    first = next(blocks, "")
    separator = next((mark for mark in SEPARATORS if mark in first), ",")
    header = [column.strip() for column in next(csv.reader([first], delimiter=separator), [])]
    if not header:
        return
    refuse_missing(reading.columns, header, name)
    kinds: dict[str, CellKind | None] = {}
    for rows in _rows(blocks, name, header, separator):
        yield _chunk(rows, kinds, reading, form, before)
        before += len(rows.cells)


class _Blocks:
    """The lines of all blocks; `drained` says that the next one has to be waited for, `broken` that some is no text."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self.broken = False
        self._blocks = blocks
        self._lines: list[str] = []
        self._first = True

    @property
    def drained(self) -> bool:
        return not self._lines

    def __iter__(self) -> "_Blocks":
        return self

    def __next__(self) -> str:
        if not self._lines:
            lines = self._decoded(next(self._blocks)).split("\n")
            self._lines = [f"{line}\n" for line in reversed(lines)]
        return self._lines.pop()

    def _decoded(self, block: bytes) -> str:
        encoding = "utf-8-sig" if self._first else "utf-8"
        self._first = False
        try:
            return block.decode(encoding)
        except UnicodeDecodeError:
            self.broken = True
            return block.decode(encoding, errors="replace")


def _rows(blocks: _Blocks, name: str, header: list[str], separator: str) -> Iterator[Rows]:
    """Yield the rows in portions that end where the next row would have to be waited for."""
    reader = csv.reader(blocks, delimiter=separator, strict=True)
    rows = Rows(name, header)
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            rows.bad[len(rows.cells)] = _refusal(str(error), 'double the quotes inside a cell: `""`')
            cells = []
        if cells or len(rows.cells) in rows.bad:
            _add(rows, cells, reader.line_num + 1)
            if blocks.broken:
                _refuse_broken(rows)
        if rows.cells and (blocks.drained or len(rows.cells) >= _MOST_ROWS):
            yield rows
            rows = Rows(name, header)
    if rows.cells:
        yield rows


def _add(rows: Rows, cells: list[str], number: int) -> None:
    row, wanted = len(rows.cells), len(rows.header)
    if len(cells) != wanted and row not in rows.bad:
        rows.bad[row] = _refusal(f"expected {wanted} cells, got {len(cells)}", "put a cell with commas in quotes")
    rows.cells.append(cells)
    rows.numbers.append(number)


def _refuse_broken(rows: Rows) -> None:
    if any("\N{REPLACEMENT CHARACTER}" in cell for cell in rows.cells[-1]):
        hint = "save the file as UTF-8: `iconv -t UTF-8 FILE`"
        rows.bad[len(rows.cells) - 1] = _refusal("its bytes are not UTF-8", hint)


def _chunk(rows: Rows, kinds: dict[str, CellKind | None], reading: Reading, form: FormSeen, before: int) -> Chunk:
    bad = rows.bad
    columns = _values(rows, kinds, reading, bad)
    form.look_in(columns[reading.columns.time])
    make, gathering = event_maker(reading), Gathering(rows)
    for row, values in enumerate(zip(*columns.values(), strict=True)):
        try:
            if row in bad:
                raise bad[row]
            gathering.take(make(dict(zip(columns, values, strict=True)), before + row + 1), row)
        except Refused as reason:
            gathering.refuse(reason, row)
    return gathering.chunk()


def _values(rows: Rows, kinds: dict[str, CellKind | None], reading: Reading, bad: Bad) -> dict[str, Sequence[Value]]:
    """Return the columns as values; times and types stay text."""
    empty = [""] * len(rows.header)
    texts = zip(*(empty if row in bad else cells for row, cells in enumerate(rows.cells)), strict=True)
    columns: dict[str, Sequence[Value]] = {}
    for name, column in zip(rows.header, texts, strict=True):
        cells = [cell or None for cell in column]
        if name in reading.columns.own:
            columns[name] = cells
            continue
        kinds[name] = kinds.get(name) or _kind(name, cells, reading)
        columns[name], refusals = values_of_cells(cells, kinds[name], name)
        bad.update(refusals)
    return columns


def _kind(name: str, cells: list[str | None], reading: Reading) -> CellKind | None:
    kind = kind_of_cells(cells)
    return CellKind.TEXT if name == reading.columns.id and kind is not CellKind.INT else kind


def _refusal(message: str, hint: str) -> Refused:
    return Refused(Diagnostic("bad-row", message, hints=(hint,)))
