"""A function that detects nothing, in the place of detectors: in the same operator of Spark, with the same buckets.

It unpacks what came to a bucket, puts it in order of time, gives back a part of it in the form of matches, and keeps a
number in the state. All else of a pipeline is as it is: the source, the exchange, the figures and the sinks.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from cepheid.spark import streaming
from cepheid.spark.event_columns import END, ID, TYPE, field_column
from cepheid.spark.event_tables import in_order_of_time
from cepheid.spark.packing import COLUMNS, EVENTS, to_bytes, unpacked
from cepheid.spark.results import MATCH, ResultForm, figures


class SameBuckets:
    """Gives back the events of one type whose value is above a limit."""

    def __init__(self, routes: Any, form: ResultForm, settings: Any, buckets: int, *others: Any) -> None:  # noqa: ARG002
        self.form, self.kind, self.above = form, "B", LIMIT["value"]

    def after(self, number: int, rows: Iterator[Any], index: Any, pieces: Any) -> Iterator[pd.DataFrame]:  # noqa: ARG002
        tables = [unpacked(data) for frame in rows for data in frame[EVENTS] if data is not None]
        before = index.get()
        count = sum(one.num_rows for one in tables)
        index.update((str(count + (0 if before is None else int(before[0]))),))
        told = [self._given_back(in_order_of_time(pa.concat_tables(tables).combine_chunks()))] if count else []
        told.append(self.form.batch([{**figures(0, number, count, 0, None, 0), "match": "Pair"}]))
        packed = to_bytes(pa.Table.from_batches(told))
        yield pd.DataFrame([(number, None, None, None, packed)], columns=COLUMNS)

    def _given_back(self, table: Any) -> Any:  # pyarrow has no types
        values = pc.fill_null(pc.greater(table.column(field_column("value")), self.above), False)
        some = table.filter(pc.and_(pc.equal(table.column(TYPE), self.kind), values)).combine_chunks()
        count, schema, ends = some.num_rows, self.form.schema, _one(some.column(END))
        ids = _one(some.column(ID)).cast(pa.string())
        emitted = pa.StructArray.from_arrays([_one(some.column(field_column("user")))], names=["user"])
        evidence = pa.ListArray.from_arrays(np.arange(count + 1, dtype=np.int32), _one(some.column(ID)))
        named: Mapping[str, Any] = {
            "tag": pa.repeat(pa.scalar(MATCH), count),
            "query": pa.array(np.zeros(count, np.int32)),
            "match": pa.repeat(pa.scalar("Pair"), count),
            **dict.fromkeys(("start", "end", "known"), ends),
            "id": ids,
            "values": emitted,
            "evidence": evidence,
        }
        arrays = [named[one.name].cast(one.type) if one.name in named else pa.nulls(count, one.type) for one in schema]
        return pa.RecordBatch.from_arrays(arrays, schema=schema)


LIMIT = {"value": 0.0}
"""Above which value events are given back: so many as detection has matches."""


@contextmanager
def nothing_detected(above: float) -> Iterator[None]:
    """Streams that start meanwhile have this function in the place of detectors."""
    buckets, LIMIT["value"] = streaming.Buckets, above
    streaming.Buckets = SameBuckets  # type: ignore[misc,assignment]  # on purpose, as long as this lasts
    try:
        yield
    finally:
        streaming.Buckets = buckets  # type: ignore[misc]  # as above


def _one(column: Any) -> Any:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
