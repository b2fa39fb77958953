"""Tables that texts of eSQL read: rows, frames, files, and the files of a folder by their names."""

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from cepheid.api.esql.sources import rows_of_file
from cepheid.diagnostics import CepheidError, Diagnostic

__all__ = ["FrameTable", "as_table", "tables_of_folder"]

_ENDINGS = (".csv", ".jsonl", ".ndjson", ".parquet", ".pq", ".arrow", ".feather")


class FileTable:
    """The tuples of a file, read anew whenever somebody goes through them."""

    __slots__ = ("path",)

    def __init__(self, path: Path) -> None:
        self.path = path

    def __iter__(self) -> Any:  # an iterator over tuples
        return rows_of_file(self.path)


class FrameTable:
    """The rows of a frame as tuples, read batch by batch whenever somebody goes through them.

    A database takes the frame itself.
    """

    __slots__ = ("frame",)

    def __init__(self, frame: Any) -> None:  # of any library that hands out Arrow
        self.frame = frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.frame.__arrow_c_stream__(requested_schema)

    def __iter__(self) -> Any:  # an iterator over tuples
        from cepheid.connectors import records_of_frame

        return records_of_frame(self.frame, "table")


def as_table(given: Any) -> Iterable[Mapping[str, Any]]:
    """Return a table as something that can be gone through again and again."""
    if isinstance(given, str | PathLike):
        return FileTable(Path(given))
    if hasattr(given, "__arrow_c_stream__"):
        return FrameTable(given)
    rows = list(given)
    for row in rows:
        if not isinstance(row, Mapping):
            message = f"a row of a table is a mapping, and this is `{type(row).__name__}`"
            raise CepheidError(Diagnostic("bad-table", message, hints=('write rows as `{"a": 1, "b": 2}`',)))
    return rows


def tables_of_folder(folder: Path) -> dict[str, Path]:
    """Return the tables that files of a folder hold, by their names without endings."""
    return {path.stem: path for path in sorted(folder.iterdir()) if path.suffix in _ENDINGS}
