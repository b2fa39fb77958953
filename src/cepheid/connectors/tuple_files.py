"""Files as lines, and as tuples: comma-separated values, JSON lines, columns."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cepheid.connectors.tables import rows_of_file
from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic, readable
from cepheid.events.casts import cast_float, cast_int

__all__ = ["lines_of", "tuples_of", "value_of_line"]

_COLUMNS = (".parquet", ".pq", ".arrow", ".feather")


def lines_of(path: Path) -> Iterator[str]:
    """Yield the lines of a file, without their ends."""
    with readable(str(path)), path.open(encoding="utf-8-sig", newline=None) as file:
        for line in file:
            yield line.rstrip("\n")


def tuples_of(path: Path) -> Iterator[dict[str, Any]]:  # values of any kind that files have
    """Yield the tuples of a file: what it holds is said by how it is called, and is comma-separated by default."""
    if path.suffix in _COLUMNS:
        columns, rows = rows_of_file(path)
        yield from (dict(zip(columns, row, strict=True)) for row in rows)
    elif path.suffix in (".jsonl", ".ndjson", ".json"):
        yield from _objects(path)
    else:
        yield from _rows(path)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield rows; lines that begin with `#` and empty ones are left out, and the first has the names."""
    kept = (line for line in lines_of(path) if line.strip() and not line.startswith("#"))
    reader = csv.reader(kept, skipinitialspace=True)
    try:
        names = next(reader, [])
        for row in reader:
            yield {name.strip(): _cell(cell) for name, cell in zip(names, row, strict=False)}
    except csv.Error as error:
        message = f"a row of `{path}` is broken: {error}"
        raise CepheidError(Diagnostic("bad-row", message, place=DataPlace(str(path), reader.line_num))) from None


def _cell(text: str) -> str | int | float | None:
    told = text.strip()
    if told == "":
        return None
    whole = cast_int(told)
    number = cast_float(told) if whole is None else whole
    return told if number is None else number


def _objects(path: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines_of(path), 1):
        if not line.strip():
            continue
        found = value_of_line(line, number, str(path))
        if not isinstance(found, dict):
            message = f"a line of `{path}` is not a JSON object"
            raise CepheidError(Diagnostic("bad-json", message, place=DataPlace(str(path), number)))
        yield found


def value_of_line(line: str, number: int, source: str | None = None) -> Any:  # whatever JSON can say
    """Return the value that a line of JSON says."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        place = DataPlace(source, number)
        raise CepheidError(Diagnostic("bad-json", "a line is not JSON", place=place)) from None
