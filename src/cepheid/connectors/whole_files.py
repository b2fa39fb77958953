"""Files that appear whole or not at all.

What is written goes to a name beside the target, which begins with a dot, so that nobody takes it for input. It gets
the name of the target when it is complete, and is removed where it does not come to that. What is no file of its own,
such as a pipe or a terminal, is written to as it is.
"""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EPIPE
from os.path import exists, isdir, isfile
from pathlib import Path
from secrets import token_hex
from shutil import copyfileobj, copymode
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TextIO

from cepheid.connectors.screens import UNSAYABLE, shown_on
from cepheid.diagnostics import CepheidError, Diagnostic, shown_address

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


@contextmanager
def whole_file(path: str) -> Iterator[Path]:
    """Yield what to write to instead of `path`; it is put there when all went well."""
    if isdir(path):
        raise unwritable(path, "it is a directory")
    if exists(path) and not isfile(path):
        yield Path(path)
        return
    target = _target(path)
    fresh = target.parent / f".cepheid-{token_hex(8)}.part"
    try:
        _make(fresh, path, target)
        yield fresh
        with writable(path):
            _put(fresh, target)
    except BaseException:
        with suppress(OSError):
            fresh.unlink()
        raise


@contextmanager
def rewritable_file(path: str) -> Iterator[Path]:
    """Yield a file to write to instead of `path`; it may be read and replaced, and is put there when all went well."""
    with whole_file(path) as fresh:
        if fresh.is_file():
            yield fresh
            return
        with TemporaryDirectory(prefix="cepheid-") as own:
            written = Path(own) / "written"
            yield written
            with writable(path), written.open("rb") as source, fresh.open("wb") as target:
                copyfileobj(source, target)


@contextmanager
def open_text(path: str) -> Iterator[TextIO]:
    """Open a file to write text to it, which appears when it is complete, or say why it cannot be written."""
    with whole_file(path) as fresh:
        with writable(path):
            stream = _text_to(_Named(fresh, path))
        try:
            yield shown_on(stream)
        finally:
            with writable(path):
                stream.close()


class _Named(io.FileIO):
    """A file to write to that says what it is for where that fails, however late what was buffered comes to it."""

    def __init__(self, fresh: Path, name: str) -> None:
        super().__init__(fresh, "w")
        self._name = name

    def write(self, content: "ReadableBuffer", /) -> int:
        with writable(self._name):
            return super().write(content)


def _text_to(file: io.FileIO) -> TextIO:
    buffered, live = io.BufferedWriter(file), file.isatty()
    return io.TextIOWrapper(buffered, "utf-8", UNSAYABLE, newline="", line_buffering=live)


def write_text(path: str, text: str) -> None:
    """Write a file that appears when it is complete; what had its name before is there until then."""
    with open_text(path) as stream:
        stream.write(text)


@contextmanager
def writable(name: str, *hints: str) -> Iterator[None]:
    """Say that something cannot be written where the system says so; who stops reading a pipe knows it already."""
    try:
        yield
    except OSError as error:
        if error.errno == EPIPE:
            raise
        raise unwritable(name, _reason(error), *hints) from None


def _reason(error: OSError) -> str:
    """Return what the system says; Arrow puts more around it."""
    return (os.strerror(error.errno) if error.errno else str(error)).lower()


def unwritable(name: str, reason: str, *hints: str) -> CepheidError:
    """Return the error that says why an output cannot be written."""
    return CepheidError(
        Diagnostic("unwritable-output", f"`{shown_address(name)}` cannot be written: {reason}", hints=hints)
    )


def _target(path: str) -> Path:
    """Return the file that a path leads to."""
    try:
        return Path(os.path.realpath(path))
    except ValueError:
        raise unwritable(path, "no file has such a name") from None


def _make(fresh: Path, path: str, target: Path) -> None:
    with writable(path):
        fresh.open("xb").close()
        if target.exists():
            copymode(target, fresh)


def _put(fresh: Path, target: Path) -> None:
    """Put what is complete in its place; it is on the disk before it has the name."""
    with fresh.open("rb") as written:
        os.fsync(written.fileno())
    os.replace(fresh, target)
