"""Files as sources of pipes: lines, and tuples, whose form is said by how a file is called."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cepheid.algebra.graphs.operations import Source
from cepheid.algebra.graphs.processors import Atom, Processor

__all__ = ["lines_of", "rows_of_file", "tuples_of"]

_COLUMNS = (".parquet", ".pq", ".arrow", ".feather")
_OBJECTS = (".jsonl", ".ndjson", ".json")


def lines_of(path: Path) -> Processor:
    """Return the lines of a file."""
    from cepheid.palettes.texts import lines  # most queries read no files

    return lines(path)


def tuples_of(path: Path) -> Processor:
    """Return the tuples of a file, which is one of comma-separated values unless its name says otherwise."""
    from cepheid.palettes.documents import json_lines
    from cepheid.palettes.texts import csv

    if path.suffix in _OBJECTS:
        return json_lines(path)
    return (
        Atom(Source(f"columns({str(path)!r})", lambda: _rows(path), kind="record"))
        if path.suffix in _COLUMNS
        else csv(path)
    )


def rows_of_file(path: Path) -> Iterator[Mapping[str, Any]]:
    """Return the tuples of a file one by one."""
    return tuples_of(path).pull()


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    from cepheid.connectors import rows_of_file as rows

    columns, found = rows(path)
    return (dict(zip(columns, row, strict=True)) for row in found)
