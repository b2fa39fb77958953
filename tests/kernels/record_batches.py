"""Events as record batches of Arrow, whose columns have one kind each."""

from collections.abc import Sequence

import pyarrow as pa

from cepheid.events import Event


def record_batches(events: Sequence[Event], size: int) -> list[pa.RecordBatch]:
    """Return events in batches; keys and values that are no whole numbers become null."""
    rows = [
        {"type": event.type, "time": event.end, **{name: _whole(event.fields.get(name)) for name in ("key", "value")}}
        for event in events
    ]
    schema = pa.schema([("type", pa.string()), ("time", pa.int64()), ("key", pa.int64()), ("value", pa.int64())])
    return [pa.RecordBatch.from_pylist(rows[first : first + size], schema) for first in range(0, len(rows), size)]


def _whole(value: object) -> int | None:
    return value if type(value) is int else None
