"""Rows that say no event, on their way to the output."""

from collections.abc import Iterator, Mapping
from typing import Any

from cepheid.spark.event_columns import FILE, REASON, RECORD
from cepheid.spark.results import CORRUPT


def corrupt_rows(batch: Any) -> Iterator[Mapping[str, object]]:  # pyarrow has no types: a record batch
    """Yield what is told of rows that say no event."""
    columns = (batch.column(name).to_pylist() for name in (RECORD, REASON, FILE))
    for record, reason, file in zip(*columns, strict=True):
        yield {"tag": CORRUPT, "record": record, "reason": reason, "file": file}
