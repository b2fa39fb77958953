"""Rows on their way to a bucket and back: packed as Arrow, so that Spark moves few large rows instead of many.

Every part of a stream's batch also tells every bucket how far the clocks of the sources are, whatever events go there:
this is how a bucket that nothing comes to learns that time passes.
"""

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from cepheid.spark.dealing import BAD, DEAL, ROUTE, SLOT, STRAIGHT_THROUGH
from cepheid.spark.event_columns import ADDRESS, END, PARTITION, SOURCE, WAITED_FOR
from cepheid.spark.partition_clocks import Told

Places = npt.NDArray[np.int32]
BUCKET, CLOCKS, EVENTS, HANDED, RESULTS = "bucket", "clocks", "events", "handed", "results"
PACKED = f"{BUCKET} int, {CLOCKS} string, {EVENTS} binary, {HANDED} binary, {RESULTS} binary"
_SCHEMA = pa.schema(
    [(BUCKET, pa.int32()), (CLOCKS, pa.string()), *((name, pa.binary()) for name in (EVENTS, HANDED, RESULTS))]
)
COLUMNS = tuple(_SCHEMA.names)


def packed(batches: Iterator[Any], buckets: Mapping[int, range]) -> Iterator[Any]:
    """Yield rows packed by bucket, and at the end the clocks; `buckets` are those of each route."""
    told = Told()
    for batch in batches:
        _move(told, batch)
        yield from _by_bucket(_wanted(batch), buckets)
    if told:
        yield _batch([(bucket, json.dumps(told.to_json()), None) for some in buckets.values() for bucket in some])


def unpacked(data: bytes) -> Any:
    """Return the table that was packed."""
    return pa.ipc.open_stream(data).read_all()


def to_bytes(table: Any) -> bytes:
    """Return a table, or a record batch, packed."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write(table)
    return bytes(sink.getvalue().to_pybytes())


def _wanted(batch: Any) -> Any:
    """Return the rows that go anywhere."""
    return batch.filter(pc.is_valid(batch.column(ROUTE)))


def _move(told: Told, batch: Any) -> None:
    """Move the clocks by the latest event of each source, apart for every query that events are addressed to.

    Partitions of a source have clocks of their own, and rows that are no events say which of them are waited for.
    """
    sound = batch.filter(pc.is_null(batch.column(BAD)))
    _note_who_is_waited_for(told, sound)
    whose = [name for name in (ADDRESS, SOURCE, PARTITION) if name in sound.schema.names]
    ends = pa.Table.from_batches([sound.select([*whose, END])])
    for row in ends.group_by(whose).aggregate([(END, "max")]).to_pylist():
        latest = row[f"{END}_max"]
        if latest is not None:
            source, partition = row.get(SOURCE) or "", row.get(PARTITION)
            own = told.clocks.setdefault(row.get(ADDRESS) or "", {})
            own, name = (own, source) if partition is None else (told.of_partitions(source), str(partition))
            own[name] = max(latest, own.get(name, latest))


def _note_who_is_waited_for(told: Told, batch: Any) -> None:
    if WAITED_FOR not in batch.schema.names:
        return
    said = batch.filter(pc.is_valid(batch.column(WAITED_FOR)))
    sources = said.column(SOURCE).to_pylist() if SOURCE in said.schema.names else [""] * said.num_rows
    for source, names in zip(sources, said.column(WAITED_FOR).to_pylist(), strict=True):
        told.waited_for[source or ""] = json.loads(names)


def _by_bucket(batch: Any, buckets: Mapping[int, range]) -> Iterator[Any]:
    if batch.num_rows == 0:
        return
    places = _places(batch, buckets)
    order = np.argsort(places, kind="stable")
    table, places = batch.drop_columns([ROUTE, SLOT, DEAL]).take(pa.array(order)), places[order]
    changes = np.flatnonzero(places[1:] != places[:-1]) + 1
    spans = pairwise([0, *changes.tolist(), len(places)])
    yield _batch([(int(places[start]), None, to_bytes(table.slice(start, end - start))) for start, end in spans])


def _places(batch: Any, buckets: Mapping[int, range]) -> Places:
    """Return the bucket of every row."""
    routes, deals = (np.asarray(batch.column(name)) for name in (ROUTE, DEAL))
    places = np.zeros(len(routes), np.int32)
    # What says no event needs no place of its own.
    for route, some in {STRAIGHT_THROUGH: buckets[0], **buckets}.items():
        there = routes == route
        places[there] = some.start + deals[there] % len(some)
    return places


def bucket_of(buckets: range, deal: int) -> int:
    """Return which of some buckets a deal goes to."""
    return buckets[deal % len(buckets)]


def _batch(rows: list[tuple[int, str | None, bytes | None]]) -> Any:
    columns = [list(column) for column in zip(*((*row, None, None) for row in rows), strict=True)]
    return pa.RecordBatch.from_arrays(
        [pa.array(column, kind) for column, kind in zip(columns, _SCHEMA.types, strict=True)], schema=_SCHEMA
    )
