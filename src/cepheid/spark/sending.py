"""What a stream runs, as it is sent: packed, and left so until there are events for it.

Spark starts a process for every operator of a stream, only to ask which state it keeps. This module is all that such a
process loads, so that a stream starts sooner. And what is larger than a mebibyte Spark broadcasts, which it cannot do
for what a stream runs: packed, hundreds of queries are smaller than that.

It is sent anew with every batch. A worker unpacks it once, for what is found out about a query is remembered beside it:
of a query that was unpacked for each batch, all that would stay.
"""

import zlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Protocol

from pyspark import cloudpickle
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

PIECES, INDEX = "pieces", "index"
PIECE_KEY, PIECE_VALUE, INDEX_VALUE = "name string", "bytes binary", "index string"

# More than Spark sends with it.
_BESIDE = 4096
# A worker runs the operators of one stream, or of a few.
_UNPACKED = 32


class Work(Protocol):
    """What is to be done for a bucket, given its rows as frames of pandas and the two states that Spark keeps."""

    def after(self, number: int, rows: Iterator[Any], index: Any, pieces: Any) -> Iterator[Any]: ...


class SentBuckets(StatefulProcessor):
    """The buckets of one level of a stream, with the state that Spark keeps for them."""

    def __init__(self, work: Work) -> None:
        self._packed = zlib.compress(cloudpickle.dumps(work))  # type: ignore[no-untyped-call]  # it has no types
        self._work: Work | None = None

    @property
    def size(self) -> int:
        """How many bytes are sent."""
        return len(self._packed) + _BESIDE

    def init(self, handle: StatefulProcessorHandle) -> None:
        index = handle.getValueState(INDEX, INDEX_VALUE)
        self._states = index, handle.getMapState(PIECES, PIECE_KEY, PIECE_VALUE)

    def handleInputRows(  # noqa: N802  # as Spark calls it
        self,
        key: Any,
        rows: Iterator[Any],  # frames of pandas
        timerValues: Any,  # noqa: ARG002, N803  # Spark gives it, by this name
    ) -> Iterator[Any]:
        """Take in what one batch brings to a bucket, and yield what is certain by that."""
        if self._work is None:
            self._work = _unpacked(self._packed)
        (number,) = key
        return self._work.after(number, rows, *self._states)

    def close(self) -> None:
        """Nothing is kept between batches but what Spark keeps."""


@lru_cache(_UNPACKED)
def _unpacked(packed: bytes) -> Work:
    """Return what was packed; the same bytes give the same work again."""
    work: Work = cloudpickle.loads(zlib.decompress(packed))
    return work
