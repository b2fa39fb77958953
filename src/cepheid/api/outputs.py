"""Where matches and rejects are written to: standard output or a file, in a format."""

from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Final, TextIO

from cepheid.connectors import (
    CsvWriter,
    Form,
    JsonLinesWriter,
    ParquetWriter,
    Report,
    TableWriter,
    Writer,
    open_text,
    whole_file,
    writable,
)
from cepheid.diagnostics import CepheidError, Diagnostic

FORMATS: Final = ("jsonl", "csv", "table", "parquet")


class Output:
    """Matches on their way out; what they are written with is decided when the form of their times is known.

    A file is there when all of it was written; where the block that writes it fails, there is none. In a `live` run
    what is written is handed on at once.
    """

    def __init__(
        self, to: TextIO | str, chosen: str | None, fields: tuple[str, ...], *, numbered: bool, live: bool = False
    ) -> None:
        self._path = Path(to) if isinstance(to, str) else None
        self._stream = None if isinstance(to, str) else to
        self._format = chosen or _format_of(self._path)
        self._fields, self._numbered, self._live = fields, numbered, live
        self._writer: Writer | None = None
        self._open = ExitStack()
        if self._format == "parquet" and self._path is None:
            raise _no_file_for_parquet()

    def __enter__(self) -> "Output":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.__exit__(kind, error, trace)

    @property
    def _name(self) -> str:
        return "standard output" if self._path is None else str(self._path)

    def write(self, reports: list[Report], form: Form) -> None:
        """Write some matches."""
        if self._writer is None:
            self._writer = self._made(form)
        with writable(self._name):
            self._writer.write(reports)
            if self._live and reports:
                self._writer.flush()

    def close(self, form: Form) -> None:
        """Write what is left; without any match, what an empty result looks like."""
        self.write([], form)
        if self._writer is not None:
            with writable(self._name):
                self._writer.close()
        self._open.close()

    def _made(self, form: Form) -> Writer:
        if self._format == "parquet" and self._path is not None:
            fresh = self._open.enter_context(whole_file(str(self._path)))
            with writable(self._name):
                return ParquetWriter(fresh, form, numbered=self._numbered)
        stream = self._stream or self._open.enter_context(open_text(str(self._path)))
        match self._format:
            case "csv":
                return CsvWriter(stream, self._fields)
            case "table":
                return TableWriter(stream, self._fields)
            case _:
                return JsonLinesWriter(stream)


def _format_of(path: Path | None) -> str:
    ending = "" if path is None else path.suffix.removeprefix(".")
    return ending if ending in FORMATS else "jsonl"


def _no_file_for_parquet() -> CepheidError:
    message = "Parquet cannot be written to standard output"
    hint = "name a file: `--output matches.parquet`"
    return CepheidError(Diagnostic("unwritable-output", message, hints=(hint,)))
