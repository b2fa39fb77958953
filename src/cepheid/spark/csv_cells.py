"""Lines of comma-separated values become columns of cells, file by file, each by its own header.

Where nothing is quoted a whole batch is taken apart at once; what is quoted, line by line. No line is taken for a part
of the one before it unless that was said, so that one quote too many spoils one record.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from cepheid.spark.event_columns import FILE, OURS
from cepheid.spark.results import portions

LINE, BROKEN = "line", f"{OURS}broken"


@dataclass(frozen=True, slots=True)
class Cells:
    """How a line is taken apart, and what stands for no value."""

    separator: str = ","
    quote: str = '"'
    escape: str | None = None
    null: str = ""
    spans_lines: bool = False

    def of(self, lines: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
        """Yield the records of lines with their cells; one that spans lines comes as its last line."""
        if self.spans_lines:
            return (("", cells) for cells in csv.reader((f"{line}\n" for line in lines), **self._dialect()))
        return ((line, self._cells(line)) for line in lines)

    def _cells(self, line: str) -> list[str]:
        if self.quote not in line and self.escape is None:
            return line.split(self.separator)
        return next(csv.reader((line,), **self._dialect()), [])

    def _dialect(self) -> dict[str, Any]:  # as `csv` takes them
        escape = None if self.escape == self.quote else self.escape
        return {"delimiter": self.separator, "quotechar": self.quote, "escapechar": escape}


@dataclass(frozen=True, slots=True)
class Places:
    """Where the columns that are wanted stand in a file, None for those it has not, and how many cells a record has."""

    count: int
    wanted: tuple[int | None, ...]


def headers_in(batches: Iterator[Any]) -> Iterator[Any]:
    """Yield the header of each file."""
    for file, lines in _by_file(batches):
        header = next(lines, None)
        if header is not None:
            yield pa.RecordBatch.from_pydict({"header": [header[0].as_py()], "file": [file]})


def taking_apart(names: Sequence[str], cells: Cells) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return what takes lines apart into the cells of some columns."""
    return lambda batches: (batch for file, lines in _by_file(batches) for batch in _of_file(names, cells, file, lines))


def _by_file(batches: Iterable[Any]) -> Iterator[tuple[str, Iterator[Any]]]:
    """Yield the lines of each file in some arrays; those of one file come together, and in their order."""
    for file, some in groupby(_runs(batches), key=lambda run: run[0]):
        yield file, (lines for _, lines in some)


def _runs(batches: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """Yield lines that stand together in one batch and are of one file."""
    for batch in batches:
        files, lines = batch.column(FILE).dictionary_encode(), batch.column(LINE)
        changes = np.flatnonzero(np.diff(np.asarray(files.indices))) + 1
        for first, last in pairwise([0, *changes.tolist(), len(lines)]):
            if last > first:
                yield files[first].as_py(), lines.slice(first, last - first).drop_null()


def _of_file(names: Sequence[str], cells: Cells, file: str, lines: Iterator[Any]) -> Iterator[Any]:
    """Yield the records of a file as batches."""
    apart = _of_spans if cells.spans_lines else _of_lines
    return (_batch(names, columns, file) for columns in apart(names, cells, lines))


def _of_spans(names: Sequence[str], cells: Cells, lines: Iterator[Any]) -> Iterator[Sequence[Any]]:
    """Yield the columns of records that may span lines."""
    records = cells.of(line for some in lines for line in some.to_pylist())
    places = _places(names, next(records, ("", []))[1])
    return (_columns(some, places, cells) for some in portions(records))


def _of_lines(names: Sequence[str], cells: Cells, lines: Iterator[Any]) -> Iterator[Sequence[Any]]:
    """Yield the columns of records with a line each, below the header."""
    filled = (some for some in lines if len(some))
    first = next(filled, None)
    if first is None:
        return
    [(_, header)] = cells.of([first[0].as_py()])
    places = _places(names, header)
    for some in chain([first.slice(1)], filled):
        yield from _apart(some, places, cells)


def _apart(lines: Any, places: Places, cells: Cells) -> Iterator[Sequence[Any]]:
    """Yield the columns of records with a line each: all at once where nothing is quoted, and the others one by one."""
    plain = pc.invert(pc.match_substring(lines, cells.quote))
    if cells.escape is None:
        lists = pc.split_pattern(lines.filter(plain), cells.separator)
        lines, lengths = lines.filter(pc.invert(plain)), pc.list_value_length(lists)
        sound = pc.equal(lengths, places.count)
        yield _in_columns(lists.filter(sound), places, cells)
        broken = lists.filter(pc.invert(sound)).to_pylist()
        lines = pa.concat_arrays([lines, pa.array(map(cells.separator.join, broken), lines.type)])
    if len(lines):
        yield _columns(list(cells.of(lines.to_pylist())), places, cells)


def _in_columns(lists: Any, places: Places, cells: Cells) -> Sequence[Any]:
    values, count = lists.flatten(), len(lists)
    firsts = np.arange(count) * places.count
    columns = [_nulls(count) if place is None else values.take(pa.array(firsts + place)) for place in places.wanted]
    return [*(pc.if_else(pc.equal(one, cells.null), None, one) for one in columns), _nulls(count)]


def _columns(records: Sequence[tuple[str, list[str]]], places: Places, cells: Cells) -> Sequence[Any]:
    rows = [_row(record, own, places, cells) for record, own in records]
    return [pa.array(column, pa.string()) for column in zip(*rows, strict=True)]


def _row(record: str, own: Sequence[str], places: Places, cells: Cells) -> list[str | None]:
    """Return the cells of a record under the names of the columns, and the record where it is malformed."""
    if len(own) != places.count:
        return [*([None] * len(places.wanted)), record or cells.separator.join(own)]
    values = [None if place is None or own[place] == cells.null else own[place] for place in places.wanted]
    return [*values, None]


def _nulls(count: int) -> Any:
    return pa.nulls(count, pa.string())


def _places(names: Sequence[str], header: Sequence[str]) -> Places:
    """Return where columns stand in a file with a header.

    >>> _places(["time", "Type", "user"], ["type", " time "])
    Places(count=2, wanted=(1, 0, None))
    """
    there = [name.strip().removeprefix("\ufeff").strip() for name in header]
    folded = [name.casefold() for name in there]
    found = (there.index(one) if one in there else _only(folded, one.casefold()) for one in names)
    return Places(len(header), tuple(found))


def _only(names: Sequence[str], name: str) -> int | None:
    return names.index(name) if names.count(name) == 1 else None


def _batch(names: Sequence[str], columns: Sequence[Any], file: str) -> Any:
    files = pa.repeat(pa.scalar(file, pa.string()), len(columns[0]))
    return pa.RecordBatch.from_arrays([*columns, files], [*names, BROKEN, FILE])
