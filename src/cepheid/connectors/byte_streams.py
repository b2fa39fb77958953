"""Bytes from files and from standard input, a block at a time, cut into lines."""

import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, cast

import pyarrow as pa

from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic, unreadable
from cepheid.diagnostics import readable as readable_at_all

BLOCK = 1 << 20
LONGEST_LINE = 1 << 26


class ByteStream(Protocol):
    """Bytes that are read one block after another; a block may be shorter than asked, only the last is empty."""

    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes."""


class _AsTheyCome:
    """A stream that hands out what is there instead of waiting for a whole block."""

    def __init__(self, stream: io.BufferedIOBase) -> None:
        self._stream = stream

    def read(self, size: int, /) -> bytes:
        return self._stream.read1(size)


def as_they_come(stream: io.BufferedIOBase) -> ByteStream:
    """Return a stream of the bytes as they come in."""
    return _AsTheyCome(stream)


def standard_input() -> ByteStream:
    """Return standard input."""
    return _AsTheyCome(cast(io.BufferedIOBase, sys.stdin.buffer))


def is_waited_for(path: str) -> bool:
    """Say whether a path leads to a pipe, a terminal or the like, and not to a file.

    >>> is_waited_for("/dev/null"), is_waited_for(__file__), is_waited_for("no such file")
    (True, False, False)
    """
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode)


def opened_stream(path: str) -> io.BufferedIOBase:
    """Open a pipe or the like, to be read as its bytes come."""
    with readable(path):
        return Path(path).open("rb")


@contextmanager
def open_bytes(path: Path) -> Iterator[ByteStream]:
    """Open a file, unpacked where its name ends in `.gz`, `.bz2`, `.zst` or `.lz4`."""
    with readable(str(path)), pa.input_stream(str(path), compression="detect") as stream:
        yield stream


@contextmanager
def readable(name: str) -> Iterator[None]:
    """Say that the input `name` cannot be read where the system or the format says so, or Arrow does."""
    with readable_at_all(name):
        try:
            yield
        except pa.ArrowException as error:
            raise unreadable(name, str(error).partition("\n")[0].rstrip(".")) from None


def line_blocks(stream: ByteStream, name: str, size: int = BLOCK) -> Iterator[bytes]:
    r"""Yield the bytes in blocks of whole lines, each without its last line break; about `size` are read at once.

    >>> list(line_blocks(io.BytesIO(b"one\ntwo\nthree"), "numbers"))
    [b'one\ntwo', b'three']
    """
    carried: list[bytes] = []
    while block := stream.read(size):
        cut = block.rfind(b"\n")
        if cut < 0:
            carried.append(block)
            _refuse_endless_line(carried, name)
            continue
        yield b"".join((*carried, memoryview(block)[:cut]))
        carried = [block[cut + 1 :]]
    if last := b"".join(carried):
        yield last


def _refuse_endless_line(carried: list[bytes], name: str) -> None:
    if sum(map(len, carried)) > LONGEST_LINE:
        message = f"a line is longer than {LONGEST_LINE >> 20} MiB"
        raise CepheidError(Diagnostic("unreadable-input", message, place=DataPlace(name)))
