"""Where matches and rejects are written to: standard output or a file, in a format."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, TextIO

from cepheid.connectors import (
    CsvWriter,
    Form,
    JsonLinesWriter,
    ParquetWriter,
    Report,
    TableWriter,
    Writer,
)
from cepheid.diagnostics import CepheidError, Diagnostic

FORMATS: Final = ("jsonl", "csv", "table", "parquet")


class Output:
    """Matches on their way out; what they are written with is decided when the form of their times is known."""

    def __init__(self, to: TextIO | str, chosen: str | None, fields: tuple[str, ...], *, numbered: bool) -> None:
        self._path = Path(to) if isinstance(to, str) else None
        self._stream = None if isinstance(to, str) else to
        self._format = chosen or _format_of(self._path)
        self._fields, self._numbered = fields, numbered
        self._writer: Writer | None = None
        self._open = ExitStack()
        if self._format == "parquet" and self._path is None:
            raise _no_file_for_parquet()

    def write(self, reports: list[Report], form: Form) -> None:
        """Write some matches."""
        if self._writer is None:
            self._writer = self._made(form)
        self._writer.write(reports)

    def close(self, form: Form) -> None:
        """Write what is left; without any match, what an empty result looks like."""
        self.write([], form)
        if self._writer is not None:
            self._writer.close()
        self._open.close()

    def _made(self, form: Form) -> Writer:
        if self._format == "parquet" and self._path is not None:
            with writable(str(self._path)):
                return ParquetWriter(self._path, form, numbered=self._numbered)
        stream = self._stream or self._open.enter_context(open_text(str(self._path)))
        match self._format:
            case "csv":
                return CsvWriter(stream, self._fields)
            case "table":
                return TableWriter(stream, self._fields)
            case _:
                return JsonLinesWriter(stream)


@contextmanager
def open_text(path: str) -> Iterator[TextIO]:
    """Open a file to write text to it, or say why it cannot be written."""
    with writable(path), Path(path).open("w", encoding="utf-8", newline="") as stream:
        yield stream


@contextmanager
def writable(path: str) -> Iterator[None]:
    """Say that a file cannot be written where the system says so."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        message = f"`{path}` cannot be written: {reason}"
        raise CepheidError(Diagnostic("unwritable-output", message)) from None


def _format_of(path: Path | None) -> str:
    ending = "" if path is None else path.suffix.removeprefix(".")
    return ending if ending in FORMATS else "jsonl"


def _no_file_for_parquet() -> CepheidError:
    message = "Parquet cannot be written to standard output"
    hint = "name a file: `--output matches.parquet`"
    return CepheidError(Diagnostic("unwritable-output", message, hints=(hint,)))
