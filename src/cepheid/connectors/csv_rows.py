"""Rows of comma-separated values, read one by one: this is what they mean.

An empty cell is null. A row may run over several lines where a cell in quotes does; its number is that of
its last line.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cepheid.connectors.chunks import Chunk, Gathering
from cepheid.connectors.csv_columns import Bad, CellKind, Kinds, kind_of_cells, values_of_cells
from cepheid.connectors.csv_lines import Broken, Lines
from cepheid.connectors.records import FormSeen, Reading, event_maker
from cepheid.connectors.rejects import Refused
from cepheid.diagnostics import DataPlace, Diagnostic
from cepheid.events import Value

MOST_ROWS = 1 << 16


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of cells; one that is broken has its text for its only cell."""

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


def portions(
    found: Iterator[list[str] | Broken], lines: Lines, name: str, header: Sequence[str], most: int = 0
) -> Iterator[Rows]:
    """Yield the rows of some lines in portions, up to where the next row would have to be waited for.

    A portion has `most` rows, or as many as are read one by one.
    """
    rows = Rows(name, header)
    for cells in found:
        if isinstance(cells, Broken):
            hint = 'put the cell in quotes, and double those inside it: `""`'
            rows.bad[len(rows.cells)] = _refusal(cells.reason, hint)
            cells = [cells.text]
        if cells or len(rows.cells) in rows.bad:
            _add(rows, cells, lines.number)
            if lines.broken:
                _refuse_broken(rows)
        if lines.drained:
            break
        if len(rows.cells) >= (most or MOST_ROWS):
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


def chunk_of_rows(rows: Rows, kinds: Kinds, reading: Reading, form: FormSeen, before: int) -> Chunk:
    """Return the events that rows say; `kinds` knows what each column holds, and learns it."""
    bad = rows.bad
    columns = _values(rows, kinds, reading, bad)
    time_column = list(columns).index(reading.columns.time)
    make, gathering = event_maker(reading), Gathering(rows)
    for row, values in enumerate(zip(*columns.values(), strict=True)):
        try:
            if row in bad:
                raise bad[row]
            gathering.take(make(dict(zip(columns, values, strict=True)), before + row + 1), row)
            form.see(values[time_column])
        except Refused as reason:
            gathering.refuse(reason, row)
    return gathering.chunk()


def _values(rows: Rows, kinds: Kinds, reading: Reading, bad: Bad) -> dict[str, Sequence[Value]]:
    """Return the columns that somebody looks at as values; times and types stay text."""
    empty = [""] * len(rows.header)
    texts = zip(*(empty if row in bad else cells for row, cells in enumerate(rows.cells)), strict=True)
    columns: dict[str, Sequence[Value]] = {}
    for name, column in zip(rows.header, texts, strict=True):
        cells = [cell or None for cell in column]
        if name in reading.columns.own:
            columns[name] = cells
            continue
        kinds[name] = kinds.get(name) or _kind(name, cells, reading)
        values, refusals = values_of_cells(cells, kinds[name], name)
        bad.update(refusals)
        if reading.reads(name):
            columns[name] = values
    return columns


def _kind(name: str, cells: list[str | None], reading: Reading) -> CellKind | None:
    kind = kind_of_cells(cells)
    return CellKind.TEXT if name == reading.columns.id and kind is not CellKind.INT else kind


def _refusal(message: str, hint: str) -> Refused:
    return Refused(Diagnostic("bad-row", message, hints=(hint,)))
