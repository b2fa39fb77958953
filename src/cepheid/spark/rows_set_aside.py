"""Rows that say no event, on their way to the output."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from cepheid.spark.dealing import BAD
from cepheid.spark.event_columns import TYPE
from cepheid.spark.results import CORRUPT


def corrupt_rows(batch: Any) -> Iterator[Mapping[str, object]]:  # pyarrow has no types: a record batch
    """Yield what is told of rows that say no event; where there is no column for that, it stands in place of a type."""
    for told in batch.column(BAD if BAD in batch.schema.names else TYPE).to_pylist():
        yield {"tag": CORRUPT, **json.loads(told)}
