"""Events from a stream of bytes, which says what it is by its first ones: JSON lines, an Arrow stream, or else CSV."""

from collections.abc import Iterator

import pyarrow as pa

from cepheid.connectors.arrow_rows import arrow_chunks
from cepheid.connectors.byte_streams import BLOCK, ByteStream, readable
from cepheid.connectors.csv_input import csv_chunks
from cepheid.connectors.event_columns import AnyChunk
from cepheid.connectors.json_lines import json_chunks
from cepheid.connectors.missing_columns import watched
from cepheid.connectors.records import FormSeen, Reading
from cepheid.diagnostics import unreadable

_CONTINUATION = b"\xff\xff\xff\xff"
_FILES = (b"PAR1", b"ARROW1")


class _FromTheStart:
    """A stream whose first block was read already and is handed out again."""

    closed = False

    def __init__(self, first: bytes, rest: ByteStream) -> None:
        self._first = first
        self._rest = rest

    def read(self, size: int = BLOCK, /) -> bytes:
        if not self._first:
            return self._rest.read(size)
        block, self._first = self._first[:size], self._first[size:]
        return block

    def readable(self) -> bool:
        return True


def piped_chunks(
    stream: ByteStream, name: str, reading: Reading, form: FormSeen, before: int = 0
) -> Iterator[AnyChunk]:
    """Yield the events of a stream of bytes, which messages call by `name`; `before` positions are taken already."""
    first = stream.read(BLOCK)
    whole = _FromTheStart(first, stream)
    if reading.lines is not None or reading.kind is not None:
        read = csv_chunks if reading.kind == "csv" else _json_chunks
        yield from read(whole, name, reading, form, before)
        return
    if first.startswith(_FILES):
        raise unreadable(name, "a Parquet or Arrow file cannot be read from its start", "name the file: `--input FILE`")
    if first.startswith(_CONTINUATION):
        yield from _arrow_chunks(whole, name, reading, form, before)
    elif first.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        yield from _json_chunks(whole, name, reading, form, before)
    else:
        yield from csv_chunks(whole, name, reading, form, before)


def _json_chunks(stream: _FromTheStart, name: str, reading: Reading, form: FormSeen, before: int) -> Iterator[AnyChunk]:
    return watched(json_chunks(stream, name, reading, form, before), reading.columns, name)


def _arrow_chunks(
    stream: _FromTheStart, name: str, reading: Reading, form: FormSeen, before: int
) -> Iterator[AnyChunk]:
    with readable(name):
        batches = pa.ipc.open_stream(pa.PythonFile(_Exact(stream), mode="r"))
        yield from arrow_chunks(batches, batches.schema, name, reading, form, before)


class _Exact:
    """A stream that hands out as many bytes as asked, as Arrow wants it."""

    closed = False

    def __init__(self, stream: _FromTheStart) -> None:
        self._stream = stream

    def read(self, size: int, /) -> bytes:
        parts: list[bytes] = []
        while size and (block := self._stream.read(size)):
            parts.append(block)
            size -= len(block)
        return b"".join(parts)

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        """Leave standard input to whoever opened it."""
