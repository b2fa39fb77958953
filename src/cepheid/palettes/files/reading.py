"""A path or an open file, as lines of text or blocks of bytes.

A path is read anew by each run, an open file from where it is. No line is longer than `LONGEST_LINE`: what is longer is
refused before it is in memory.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any, Final, NamedTuple, TypeAlias

from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operations import Source
from cepheid.algebra.graphs.processors import Atom, Processor
from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic, unreadable

Given: TypeAlias = "str | os.PathLike[str] | IO[str] | IO[bytes]"

LONGEST_LINE: Final = 16 * 1024 * 1024
"""How many characters, or bytes, a line may have."""

_BLOCK: Final = 1 << 16


class Line(NamedTuple):
    """A line without its end, and its number from 1 on."""

    number: int
    text: str


def source(call: str, given: Given, read: Callable[[Given], Iterable[Thing]], kind: str = "any") -> Processor:
    """Return a processor without inputs that reads a file; one that can only be read on may have no end."""
    is_path = isinstance(given, str | os.PathLike)
    shown = str(given) if is_path else name_of(given)
    is_open = not is_path and not getattr(given, "seekable", lambda: True)()
    return Atom(Source(f"{call}({shown!r})", lambda: read(given), kind=kind, is_open=is_open))


def numbered_lines(given: Given) -> Iterator[Line]:
    """Yield the lines of a file, each with its number."""
    with _opened(given) as file:
        number = 0
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise bad_data("line-too-long", f"this line has more than {LONGEST_LINE:,} characters", given, number)
            yield Line(number, _text(line, given, number).rstrip("\r\n"))


def byte_blocks(given: Given) -> Iterator[bytes]:
    """Yield the bytes of a file, a block at a time."""
    with _opened(given) as file:
        while block := file.read(_BLOCK):
            yield block.encode() if isinstance(block, str) else block


def name_of(given: Given) -> str:
    """Return what a file is called in errors."""
    if isinstance(given, str | os.PathLike):
        return os.fspath(given)
    name = getattr(given, "name", None)
    return name if isinstance(name, str) else "an open file"


def bad_data(code: str, message: str, given: Given, line: int | None = None, *hints: str) -> CepheidError:
    """Return the error for something that a file says."""
    return CepheidError(Diagnostic(code, message, hints=hints, place=DataPlace(name_of(given), line)))


@contextmanager
def _opened(given: Given) -> Iterator[Any]:  # of text or of bytes
    if not isinstance(given, str | os.PathLike):
        yield given
        return
    try:
        file = open(given, "rb")  # noqa: SIM115  # it is closed below
    except (OSError, ValueError) as error:
        raise unreadable(os.fspath(given), _reason(error)) from None
    with file:
        yield file


def _reason(error: Exception) -> str:
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)


def _text(line: str | bytes, given: Given, number: int) -> str:
    if isinstance(line, str):
        return line
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        raise bad_data("unreadable-input", "this line is not UTF-8", given, number, "save it as UTF-8") from None
