"""Whatever events can be read from: paths, standard input, a frame, Arrow, or a list of objects."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from io import BufferedIOBase, IOBase
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeGuard, runtime_checkable

import pyarrow as pa

from cepheid.connectors.arrow_rows import Part, check_columns, parts_of, pieces_of, unreadable_frame, wide
from cepheid.connectors.byte_streams import (
    ByteStream,
    as_they_come,
    is_waited_for,
    opened_stream,
    standard_input,
)
from cepheid.connectors.event_columns import AnyChunk
from cepheid.connectors.event_source import EventSource, UnreadPart
from cepheid.connectors.files import parquet_parts, reader_of
from cepheid.connectors.lazy_frames import Lazy, is_lazy, rows_of_lazy
from cepheid.connectors.objects import ObjectReader, ObjectSource
from cepheid.connectors.odd_cells import why_unreadable
from cepheid.connectors.outlook import Outlook, outlook_of
from cepheid.connectors.parquet_outlook import outlook_of_files
from cepheid.connectors.path_names import files_of, is_there, paths_of
from cepheid.connectors.piped import piped_chunks
from cepheid.connectors.records import FormSeen, Reading
from cepheid.diagnostics import CepheidError, Diagnostic, unreadable
from cepheid.events import Event, Form

STANDARD_INPUT = "-"
_OBJECTS = 8192


@runtime_checkable
class ArrowStream(Protocol):
    """A frame or a table of any library that can hand out Arrow."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return a stream of record batches."""


@runtime_checkable
class ArrowArray(Protocol):
    """One record batch of any library."""

    def __arrow_c_array__(self, requested_schema: object = None) -> object:
        """Return the batch."""


Input: TypeAlias = str | PathLike[str] | BufferedIOBase | ArrowStream | ArrowArray | Lazy | Iterable[object]


def source_of(events: Input, reading: Reading | None = None, *, live: bool = False) -> EventSource:
    """Return the source that reads `events`; `live`: objects are read one by one, as they come."""
    how = reading or Reading()
    if how.times is not None and not _are_files(events):
        how.times.demand_year()
    if isinstance(events, str) and events == STANDARD_INPUT:
        return StreamSource(standard_input(), "standard input", how)
    if isinstance(events, str | PathLike):
        return PathSource((str(events),), how)
    if isinstance(events, BufferedIOBase):
        return StreamSource(as_they_come(events), str(getattr(events, "name", "stream")), how)
    if is_lazy(events):
        return ArrowSource((rows_of_lazy(events, "frame"),), how)
    if isinstance(events, ArrowStream | ArrowArray):
        return ArrowSource((events,), how)
    if isinstance(events, dict | bytes | IOBase) or not isinstance(events, Iterable):
        raise _not_a_source(events)
    if isinstance(events, list | tuple) and events and all(isinstance(one, ArrowStream | ArrowArray) for one in events):
        return ArrowSource(tuple(events), how)
    if _are_paths(events):
        return PathSource(tuple(map(str, events)), how)
    return _objects(iter(events), how, 1 if live else _OBJECTS)


def is_read_again(events: Input) -> bool:
    """Say whether the same events can be read a second time: from a file, or from what holds them all.

    >>> is_read_again([]), is_read_again(iter([])), is_read_again("-")
    (True, False, False)
    """
    if isinstance(events, str | PathLike):
        return events != STANDARD_INPUT and is_there(os.fspath(events))
    if _are_paths(events):
        return all(is_there(os.fspath(path)) for path in events)
    return hasattr(events, "__len__") and not is_lazy(events)


def _are_files(events: Input) -> bool:
    """Say whether all input is in files, which have a day on which they were last written."""
    names = [events] if isinstance(events, str | PathLike) else events
    return _are_paths(names) and not any(name == STANDARD_INPUT or is_waited_for(str(name)) for name in names)


def _are_paths(events: object) -> TypeGuard[Sequence[str | PathLike[str]]]:
    return isinstance(events, list | tuple) and bool(events) and all(isinstance(one, str | PathLike) for one in events)


def _objects(objects: Iterator[object], reading: Reading, size: int) -> ObjectSource:
    """Return the source of some objects; whether these have ids, the first one tells."""
    first = list(islice(objects, 1))
    identified = reading.columns.id is not None or isinstance(next(iter(first), None), Event)
    return ObjectSource(chain(first, objects), ObjectReader(reading), reading.columns, identified, size)


@dataclass(frozen=True, slots=True)
class PathSource:
    """Files, pipes, directories of known files and patterns of names, one after another."""

    names: tuple[str, ...]
    reading: Reading
    _form: FormSeen = field(default_factory=lambda: FormSeen("s"))

    @property
    def name(self) -> str:
        return ", ".join(self.names)

    @property
    def identified(self) -> bool:
        return self.reading.columns.id is not None

    @property
    def form(self) -> Form:
        return self._form.found

    def outlook(self, _: int = 1) -> Outlook | None:
        """Return what the statistics of Parquet files say; other files say nothing of their times."""
        paths = [path for name in self.names for path in paths_of(name)]
        if any(map(is_waited_for, paths)):
            return None
        files = [file for path in paths for file in files_of(Path(path), self.reading)]
        return None if self.reading.is_told else outlook_of_files(files, self.reading)

    def chunks(self) -> Iterator[AnyChunk]:
        self._form.begin(self.reading)
        if self.reading.times is not None:
            self.reading.times.begin()
        before = 0
        for path in [path for name in self.names for path in paths_of(name)]:
            for chunk in self._of(path, before):
                yield chunk
                before += len(chunk.events) + len(chunk.rejects)

    def parts(self, rows: int, wanted: frozenset[str] | None = None) -> Iterator[UnreadPart]:
        """Yield the row groups of the files, all of which are of Parquet: they have an outlook."""
        self._form.begin(self.reading)
        before = 0
        for name in self.names:
            for path in paths_of(name):
                for file in files_of(Path(path), self.reading):
                    for group in parquet_parts(file, self.reading, self._form, before, rows, wanted):
                        yield group
                        before += len(group)

    def _of(self, path: str, before: int) -> Iterator[AnyChunk]:
        """Yield what a path leads to; `before` positions are taken already."""
        if is_waited_for(path):
            with opened_stream(path) as stream:
                yield from piped_chunks(as_they_come(stream), path, self.reading, self._form, before)
            return
        for file in files_of(Path(path), self.reading):
            if self.reading.times is not None:
                self.reading.times.begin_file(str(file))
            for chunk in reader_of(file, self.reading)(file, self.reading, self._form, before):
                yield chunk
                before += len(chunk.events) + len(chunk.rejects)


@dataclass(frozen=True, slots=True)
class StreamSource:
    """A stream of bytes, such as standard input or an open file."""

    stream: ByteStream
    name: str
    reading: Reading
    _form: FormSeen = field(default_factory=lambda: FormSeen("s"))

    @property
    def identified(self) -> bool:
        return self.reading.columns.id is not None

    @property
    def form(self) -> Form:
        return self._form.found

    def outlook(self, _: int = 1) -> Outlook | None:
        return None

    def chunks(self) -> Iterator[AnyChunk]:
        self._form.begin(self.reading)
        return piped_chunks(self.stream, self.name, self.reading, self._form)


@dataclass(frozen=True, slots=True)
class ArrowSource:
    """Frames, tables or record batches, one after another."""

    frames: tuple[ArrowStream | ArrowArray, ...]
    reading: Reading
    name: str = "frame"
    _form: FormSeen = field(default_factory=lambda: FormSeen("s"))

    @property
    def identified(self) -> bool:
        return self.reading.columns.id is not None

    @property
    def form(self) -> Form:
        return self._form.found

    def outlook(self, threads: int = 1) -> Outlook | None:
        if not all(hasattr(frame, "__len__") for frame in self.frames):
            return None  # they can be read once only
        column = self.reading.columns.time
        readers = [_batches(frame, self.name) for frame in self.frames]
        if any(reader.schema.names.count(column) != 1 for reader in readers):
            return None  # which is told when they are read
        return outlook_of((batch.column(column) for reader in readers for batch in reader), self.reading, threads)

    def chunks(self) -> Iterator[AnyChunk]:
        return (chunk for part in self._parts() for chunk in part.chunks())

    def parts(self, rows: int, _: frozenset[str] | None = None) -> Iterator[UnreadPart]:
        return self._parts(rows)

    def _parts(self, rows: int = 0) -> Iterator[Part]:
        self._form.begin(self.reading)
        before = 0
        for frame in self.frames:
            batches = _batches(frame, self.name)
            check_columns(batches.schema, self.name, self.reading, self._form)
            pieces = pieces_of(batches, self.name)
            wanted = wide(pieces, self.reading, rows) if rows else pieces
            for part in parts_of(wanted, self.name, self.reading, self._form, before):
                yield part
                before += len(part)


def _batches(frame: ArrowStream | ArrowArray, name: str) -> Any:  # pyarrow has no types: a RecordBatchReader
    if (reason := why_unreadable(frame)) is not None:
        raise unreadable(
            name, reason, 'give each column one kind of value, for example with `frame.astype({"amount": float})`'
        )
    try:
        if isinstance(frame, ArrowStream):
            return pa.RecordBatchReader.from_stream(frame)
        batch = pa.record_batch(frame)
        return pa.RecordBatchReader.from_batches(batch.schema, [batch])
    except UnicodeDecodeError:
        raise unreadable(name, "the name of a column is not UTF-8", "give it another name") from None
    except (pa.ArrowException, TypeError, ValueError, ArithmeticError) as error:  # from the library of the frame
        raise unreadable_frame(name, str(error).partition("\n")[0].rstrip(".")) from None


def _not_a_source(events: object) -> CepheidError:
    message = f"events cannot be read from `{type(events).__name__}`"
    hint = 'give a path, a frame or a list such as `[{"type": "A", "time": 12}]`'
    return CepheidError(Diagnostic("unreadable-input", message, hints=(hint,)))
