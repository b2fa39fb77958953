"""Where matches and rejects are written to: standard output or a file, in a format."""

from collections.abc import Mapping
from contextlib import ExitStack
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Final, TextIO

from cepheid.connectors import (
    ArrowLayout,
    ColumnFileWriter,
    CsvWriter,
    JsonLinesWriter,
    Layout,
    Matches,
    ParquetLayout,
    TableWriter,
    Writer,
    is_among,
    open_text,
    rewritable_file,
    writable,
)
from cepheid.diagnostics import CepheidError, Diagnostic

FORMATS: Final = ("jsonl", "csv", "table", "parquet", "arrow")
_ALSO: Final[Mapping[str, str]] = {"pq": "parquet", "feather": "arrow", "ipc": "arrow"}
_NOT_WRITTEN: Final = frozenset(
    [
        *("xlsx", "xls", "ods", "orc", "avro", "db", "sqlite", "duckdb", "pkl"),
        *("tsv", "xml", "html", "yaml", "yml", "gz", "bz2", "zst", "lz4", "xz", "zip"),
    ]
)
_IN_COLUMNS: Final[Mapping[str, type[Layout]]] = {"parquet": ParquetLayout, "arrow": ArrowLayout}


class Output:
    """Matches on their way out, to what they are written with.

    A file is there when all of it was written; where the block that writes it fails, there is none. In a `live` run
    what is written is handed on at once.
    """

    def __init__(self, to: TextIO | str, chosen: str | None, fields: tuple[str, ...], *, live: bool = False) -> None:
        self._path = Path(to) if isinstance(to, str) else None
        self._stream = None if isinstance(to, str) else to
        self._format = chosen or _format_of(self._path)
        self._fields, self._live = fields, live
        self._writer: Writer | None = None
        self._open = ExitStack()
        if self._format in _IN_COLUMNS and self._path is None:
            raise _no_file_for(self._format)

    def __enter__(self) -> "Output":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.__exit__(kind, error, trace)

    @property
    def _name(self) -> str:
        return "standard output" if self._path is None else str(self._path)

    def write(self, matches: Matches) -> None:
        """Write some matches."""
        if self._writer is None:
            self._writer = self._made()
        with writable(self._name):
            self._writer.write(matches)
            if self._live and len(matches):
                self._writer.flush()

    def close(self, nothing: Matches) -> None:
        """Write what is left; without any match, what an empty result looks like."""
        self.write(nothing)
        if self._writer is not None:
            with writable(self._name):
                self._writer.close()
        self._open.close()

    def _made(self) -> Writer:
        if self._format in _IN_COLUMNS:
            fresh = self._open.enter_context(rewritable_file(self._name))
            return ColumnFileWriter(fresh, _IN_COLUMNS[self._format]())
        stream = self._stream or self._open.enter_context(open_text(self._name))
        match self._format:
            case "csv":
                return CsvWriter(stream, self._fields)
            case "table":
                return TableWriter(stream, self._fields)
            case _:
                return JsonLinesWriter(stream)


def _format_of(path: Path | None) -> str:
    """Return the format that the ending of a name says; a name that says none gets lines of JSON."""
    ending = "" if path is None else path.suffix.removeprefix(".").lower()
    if path is not None and ending in _NOT_WRITTEN:
        raise _not_written(path)
    return _ALSO.get(ending, ending if ending in FORMATS else "jsonl")


def _not_written(path: Path) -> CepheidError:
    other = (
        path.with_suffix("") if path.with_suffix("").suffix.removeprefix(".") in FORMATS else path.with_suffix(".csv")
    )
    message = f"`{path}` cannot be written: files with the ending `{path.suffix}` are not"
    return CepheidError(Diagnostic("unwritable-output", message, hints=(f"name another file: `--output {other}`",)))


def _no_file_for(chosen: str) -> CepheidError:
    message = f"{chosen.capitalize()} cannot be written to standard output"
    hint = f"name a file: `--output matches.{chosen}`"
    return CepheidError(Diagnostic("unwritable-output", message, hints=(hint,)))


def refuse_to_replace(events: object, path: str | None) -> None:
    """Refuse to write over a file that the events are read from: they would be lost."""
    names = events if isinstance(events, list | tuple) else [events]
    if path is None or not names or not isinstance(names[0], str | PathLike):
        return
    if any(isinstance(name, str | PathLike) and is_among(path, str(name)) for name in names):
        message = f"`{path}` would be written over, and events are read from it"
        raise CepheidError(Diagnostic("conflicting-options", message, hints=("name another file for what is written",)))
