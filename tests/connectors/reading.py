"""What tests of connectors look at: the events of a source, and the rows it set aside, as they are told to users."""

import io
import json
from collections.abc import Iterable

import pyarrow as pa

from cepheid.connectors import (
    AnyChunk,
    Chunk,
    ColumnChunk,
    Columns,
    EventSource,
    Reading,
    Reject,
    rows_of_chunk,
    source_of,
)
from cepheid.events import Event

BY_HAND = Columns()


def read(source: EventSource) -> tuple[list[Event], list[Reject]]:
    """All that a source yields; what it has in columns says the same as its rows."""
    chunks = [_rows(chunk) for chunk in source.chunks()]
    events = [event for chunk in chunks for event in chunk.events]
    return events, [reject for chunk in chunks for reject in chunk.rejects]


def _rows(chunk: AnyChunk) -> Chunk:
    rows = rows_of_chunk(chunk)
    if isinstance(chunk, ColumnChunk):
        assert chunk.events.objects() == list(rows.events)
        assert [one.to_dict() for one in chunk.rejects] == [one.to_dict() for one in rows.rejects]
    return rows


def read_text(text: str | bytes, reading: Reading | None = None) -> tuple[list[Event], list[Reject]]:
    """All that a stream of bytes says."""
    data = text.encode() if isinstance(text, str) else text
    return read(source_of(io.BytesIO(data), reading))


def told(events: Iterable[Event]) -> list[tuple[object, ...]]:
    """Events at a glance: id, type, start, end and fields."""
    return [(event.id, event.type, event.start, event.end, dict(event.fields)) for event in events]


def reasons(rejects: Iterable[Reject]) -> list[str]:
    """Rejects at a glance: code, message and place."""
    return [f"{reject.code}: {reject.diagnostic.message} {reject.diagnostic.place}" for reject in rejects]


def as_json_lines(rows: Iterable[dict[str, object]]) -> bytes:
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def as_arrow(rows: list[dict[str, object]]) -> pa.Table:
    return pa.Table.from_pylist(rows)
