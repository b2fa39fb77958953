"""`pipe`: from a frame of records to a frame of what a processor gives, on batch and on streaming frames alike."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

from pyspark.sql import DataFrame
from pyspark.sql import types as T

from cepheid.algebra.graphs.operations import Slice
from cepheid.algebra.graphs.processors import Atom, Processor, joined, short
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.events import order_columns
from cepheid.spark.carrying import carried
from cepheid.spark.pipes.parts import Parts, parts_of
from cepheid.spark.pipes.values import BUCKET, ORDINAL, Layout
from cepheid.spark.pipes.work import BySlice, Everywhere, InOnePlace, InStream, Sending
from cepheid.spark.sending import SentBuckets
from cepheid.spark.sessions import keeps_state, refuse_too_much

_TEXT = "value string"
BUCKETS = 32


@dataclass(frozen=True, slots=True)
class Flow:
    """A pipe that is ready to run over a frame."""

    frame: DataFrame
    processor: Processor
    parts: Parts
    layout: Layout

    def run(self) -> DataFrame:
        """Return what comes out."""
        parts, layout = self.parts, self.layout
        if parts.slices is None and parts.rest is None:
            return self.frame.mapInArrow(carried(Everywhere(parts.everywhere, layout)), layout.outside)
        if not layout.order:
            message, hint = "what a pipe gives depends on the order of the rows", 'write `order_by="time"`'
            raise CepheidError(Diagnostic("no-order", message, hints=(hint,)))
        if parts.rest is not None:
            note = f"`{short(parts.rest)}` runs in one partition, because it needs all values in their order"
            warnings.warn(f"one-partition: {note}", RuntimeWarning, stacklevel=4)
        return self._stream() if self.frame.isStreaming else self._batch()

    def _sent(self, slices: Slice | None) -> DataFrame:
        key = None if slices is None else slices.function
        sending = Sending(self.parts.everywhere, key, self.layout)
        return self.frame.mapInArrow(carried(sending), self.layout.between)

    def _batch(self) -> DataFrame:
        slices, rest, layout = self.parts.slices, self.parts.rest, self.layout
        order = [*layout.order_names, ORDINAL]
        found = self._sent(slices)
        if slices is not None:
            schema = layout.outside if rest is None else layout.between
            found = found.repartition(layout.buckets, BUCKET).sortWithinPartitions(*order)
            found = found.mapInArrow(carried(BySlice(slices.body, layout, rest is None)), schema)
        if rest is None:
            return found
        gather = None if slices is None else slices.gather
        return (
            found.repartition(1)
            .sortWithinPartitions(*order)
            .mapInArrow(carried(InOnePlace(rest, layout, gather)), layout.outside)
        )

    def _stream(self) -> DataFrame:
        """Return what comes out of a stream: by the keys of a slice that is last, else all in one place."""
        slices, rest = self.parts.slices, self.parts.rest
        by_key = slices if rest is None else None
        if by_key is not None:
            body = by_key.body
        else:
            assert rest is not None
            body = rest if slices is None else joined(Atom(slices), rest)
        work = SentBuckets(InStream(body, self.layout, f"{self.processor!r} by {self.layout.order_names}"))
        keeps_state(self.frame.sparkSession)
        refuse_too_much(work.size, self.frame.sparkSession)
        grouped = self._sent(by_key).groupBy(BUCKET)
        return grouped.transformWithStateInPandas(work, self.layout.outside, "Append", "None")


@overload
def pipe(rows: DataFrame, processor: Processor, /, **options: object) -> DataFrame: ...
@overload
def pipe(processor: Processor, /, **options: object) -> Callable[[DataFrame], DataFrame]: ...
def pipe(*arguments: object, **options: object) -> DataFrame | Callable[[DataFrame], DataFrame]:
    """Return what a processor gives over rows: `pipe(rows, processor)`, or `rows.transform(pipe(processor))`.

    Each row is a record. `order_by` names the columns that rows are ordered by; they come out again, with `ordinal`,
    which orders the values of one row, and with `key`, that of a slice. `schema` says the columns of the values, as in
    `"mean double"`; without it they are the text of their JSON. What keeps nothing runs everywhere, a slice by its
    keys in so many `buckets`, the rest in one partition. What a stream would keep for ever is refused, unless `keys`
    or `rates` bound it, or `allow_unbounded` allows it.
    """
    match arguments:
        case (DataFrame() as rows, Processor() as processor):
            return _flow(rows, processor, **options).run()  # type: ignore[arg-type]  # checked where they are read
        case (Processor() as processor,):
            return lambda rows: _flow(rows, processor, **options).run()  # type: ignore[arg-type]  # as above
        case _:
            message = f"`pipe` takes rows and a processor, or a processor alone, and got {len(arguments)} things"
            raise CepheidError(Diagnostic("argument-count", message, hints=("write `pipe(rows, processor)`",)))


def _flow(
    rows: DataFrame,
    processor: Processor,
    *,
    order_by: str | Sequence[str] = (),
    schema: str = _TEXT,
    buckets: int = BUCKETS,
    keys: int | Mapping[str, int] | None = None,
    rates: str | None = None,
    allow_unbounded: bool = False,
) -> Flow:
    if rows.isStreaming and not allow_unbounded:
        processor.certificate(keys=keys, rates=rates, lead=1).demand_bounded()
    order = tuple(rows.schema[name] for name in order_columns(order_by))
    given = T.StructType.fromDDL(schema)
    assert isinstance(given, T.StructType)
    layout = Layout(order, given, schema == _TEXT, buckets)
    return Flow(rows, processor, parts_of(processor), layout)
