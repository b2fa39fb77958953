"""Values between the parts of a pipe, and as rows of the frame that comes out.

Rows have the columns that the input is ordered by, so that what comes out can be put in order; `ordinal` counts the
values that one row of the input gave.
"""

import json
import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import pyarrow as pa
from pyspark.sql import types as T
from pyspark.sql.pandas.types import to_arrow_schema

from cepheid.algebra.graphs.objects import Thing
from cepheid.engine.pipes.graphs.plain_state import plain_state
from cepheid.engine.state.state_codec import encode

ORDINAL, BUCKET, KEY, VALUE = "ordinal", "bucket", "key", "value"
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of rows between parts, and of those that come out."""

    order: tuple[T.StructField, ...]
    given: T.StructType
    """The columns of values that come out."""
    is_text: bool
    """Whether a value comes out as the text of its JSON."""
    buckets: int

    @property
    def order_names(self) -> list[str]:
        return [field.name for field in self.order]

    @property
    def between(self) -> T.StructType:
        """The columns of values on their way: a value and its key as bytes, and the bucket of the key."""
        own = [T.StructField(ORDINAL, T.LongType()), T.StructField(BUCKET, T.IntegerType())]
        return T.StructType(
            [*self.order, *own, T.StructField(KEY, T.BinaryType()), T.StructField(VALUE, T.BinaryType())]
        )

    @property
    def outside(self) -> T.StructType:
        """The columns of the frame that comes out."""
        own = [T.StructField(ORDINAL, T.LongType()), T.StructField(KEY, T.StringType())]
        return T.StructType([*self.order, *own, *self.given.fields])

    def record(self, value: Thing) -> Row:
        """Return a value by the columns that it comes out in."""
        if self.is_text:
            return {self.given.fields[0].name: json.dumps(value, default=_plain)}
        if isinstance(value, Mapping):
            return {field.name: value.get(field.name) for field in self.given.fields}
        return {self.given.fields[0].name: value}

    def batches(self, rows: Iterator[Row], schema: T.StructType, most: int = 10_000) -> Iterator[pa.RecordBatch]:
        """Yield rows as batches of Arrow."""
        arrow = to_arrow_schema(schema)
        portion: list[Row] = []
        for row in rows:
            portion.append(row)
            if len(portion) == most:
                yield pa.RecordBatch.from_pylist(portion, schema=arrow)
                portion = []
        if portion:
            yield pa.RecordBatch.from_pylist(portion, schema=arrow)


def packed(value: Thing) -> bytes:
    """Return any value as bytes, for a way between two parts of one job."""
    return pickle.dumps(value)


def unpacked(data: bytes) -> Thing:
    """Return the value that `packed` made bytes of."""
    return pickle.loads(data)  # of our own making, in the same job


def bucket_of(key: Thing, buckets: int) -> int:
    """Return the bucket of a key, the same in every process; numbers that are equal are in the same."""
    is_whole = isinstance(key, bool | float) and key == key and abs(key) < 2**62 and key == int(key)
    same = int(key) if is_whole else key
    return int.from_bytes(blake2b(encode(plain_state(same)), digest_size=4).digest()) % buckets


def rows_of(batches: Iterator[pa.RecordBatch]) -> Iterator[Row]:
    """Yield the rows of batches as records."""
    for batch in batches:
        yield from batch.to_pylist()


def order_of(row: Mapping[str, Any], names: Sequence[str]) -> Row:
    """Return what a row is ordered by."""
    return {name: row[name] for name in names}


def _plain(value: Thing) -> Thing:
    if isinstance(value, set | frozenset):
        return sorted(value, key=repr)
    return dict(value) if isinstance(value, Mapping) else str(value)
