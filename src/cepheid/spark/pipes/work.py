"""What Spark's workers do with the parts of a pipe, over batches of Arrow or over one batch of a stream."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd
import pyarrow as pa

from cepheid.algebra.graphs.functions import Function
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Apply
from cepheid.algebra.graphs.operations import EVERY_SLICE
from cepheid.algebra.graphs.processors import Atom, Processor
from cepheid.algebra.graphs.refusals import refusal
from cepheid.algebra.graphs.slices import gathered, slice_key
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.engine.pipes.graphs.copies import RunningCopy
from cepheid.engine.pipes.graphs.plain_state import plain_state
from cepheid.engine.state.state_codec import encode
from cepheid.spark.pipes.values import (
    BUCKET,
    KEY,
    ORDINAL,
    VALUE,
    Layout,
    Row,
    bucket_of,
    order_of,
    packed,
    rows_of,
    unpacked,
)

Batches = Iterator[pa.RecordBatch]

_PLACES: Final = 20
"""How many bits number the outputs of one value."""


@dataclass(frozen=True, slots=True)
class Everywhere:
    """The part that keeps nothing, where it is all."""

    processor: Processor
    layout: Layout

    def __call__(self, batches: Batches) -> Batches:
        return self.layout.batches(self._rows(batches), self.layout.outside)

    def _rows(self, batches: Batches) -> Iterator[Row]:
        push, order = RunningCopy(self.processor).push, self.layout.order_names
        for row in rows_of(batches):
            for ordinal, value in enumerate(push(row)):
                yield {**order_of(row, order), ORDINAL: ordinal, KEY: None, **self.layout.record(value)}


@dataclass(frozen=True, slots=True)
class Sending:
    """The part that keeps nothing, and where each of its values goes: by a key, or all to one place."""

    processor: Processor
    key: Function | None
    layout: Layout

    def __call__(self, batches: Batches) -> Batches:
        return self.layout.batches(self._rows(batches), self.layout.between)

    def _rows(self, batches: Batches) -> Iterator[Row]:
        push, order, key_of = RunningCopy(self.processor).push, self.layout.order_names, self._key()
        for row in rows_of(batches):
            for ordinal, value in enumerate(push(row)):
                key = key_of(value)
                bucket = 0 if key is None else bucket_of(key, self.layout.buckets)
                own = {ORDINAL: ordinal, BUCKET: bucket, KEY: packed(key), VALUE: packed(value)}
                yield {**order_of(row, order), **own}

    def _key(self) -> Any:  # a function of a value
        if self.key is None:
            return lambda _: None
        push = RunningCopy(Atom(Apply((self.key,)))).push

        def key_of(value: Thing) -> Thing:
            key = slice_key(push(value)[0])
            if key == EVERY_SLICE:
                hint = "give each value a key of its own, or run the pipe in one process"
                raise refusal("on Spark a value goes to one slice, and not to all of them", hint)
            return key

        return key_of


@dataclass(frozen=True, slots=True)
class BySlice:
    """A body for each key. Where nothing comes behind, its outputs come out with their keys."""

    body: Processor
    layout: Layout
    is_last: bool

    def __call__(self, batches: Batches) -> Batches:
        return self.layout.batches(self._rows(batches), self.layout.outside if self.is_last else self.layout.between)

    def _rows(self, batches: Batches) -> Iterator[Row]:
        copies: dict[Thing, RunningCopy] = {}
        for row in rows_of(batches):
            key = unpacked(row[KEY])
            outputs: list[Thing] = []
            if key is not None:
                if key not in copies:
                    copies[key] = RunningCopy(self.body)
                outputs = copies[key].push(unpacked(row[VALUE]))[-1:]
            if not self.is_last:
                yield {**row, VALUE: packed(outputs)}
            elif outputs:
                yield told(self.layout, row, key, outputs[0], row[ORDINAL])


@dataclass(frozen=True, slots=True)
class InOnePlace:
    """The rest of a pipe; what slices gave is gathered before, where `gather` says how."""

    processor: Processor
    layout: Layout
    gather: str | None = None

    def __call__(self, batches: Batches) -> Batches:
        return self.layout.batches(self._rows(batches), self.layout.outside)

    def _rows(self, batches: Batches) -> Iterator[Row]:
        copy, last = RunningCopy(self.processor), dict[Thing, Thing]()
        row: Row = {}
        for row in rows_of(batches):
            value = unpacked(row[VALUE])
            if self.gather is not None:
                last |= {unpacked(row[KEY]): output for output in value}
                value = gathered(self.gather, last.items())
            for ordinal, output in enumerate(copy.push(value), row[ORDINAL] << _PLACES):
                yield told(self.layout, row, None, output, ordinal)
        for ordinal, output in enumerate(copy.end() if row else (), (row.get(ORDINAL, 0) + 1) << _PLACES):
            yield told(self.layout, row, None, output, ordinal)


def told(layout: Layout, row: Row, key: Thing, output: Thing, ordinal: int) -> Row:
    """Return a row that comes out."""
    shown = None if key is None else str(key)
    return {**order_of(row, layout.order_names), ORDINAL: ordinal, KEY: shown, **layout.record(output)}


@dataclass(frozen=True, slots=True)
class InStream:
    """The keys of one bucket of a stream: each has a running copy, whose snapshot Spark keeps from batch to batch."""

    processor: Processor
    layout: Layout
    pipe: str
    """How the whole pipe is written, which its state depends on."""

    def after(
        self,
        number: int,  # noqa: ARG002  # keys say all
        rows: Iterator[Any],
        index: Any,
        pieces: Any,
    ) -> Iterator[pd.DataFrame]:
        """Take in what one batch brings, in order, and yield what comes out."""
        self._compare(index)
        order = self.layout.order_names
        whole = pd.concat(list(rows)).sort_values([*order, ORDINAL], kind="stable")
        copies: dict[str, RunningCopy] = {}
        found: list[Row] = []
        for row in whole.to_dict("records"):
            key = unpacked(row[KEY])
            name = encode(plain_state(key)).hex()
            if name not in copies:
                copies[name] = self._copy(name, pieces)
            outputs = copies[name].push(unpacked(row[VALUE]))
            for ordinal, output in enumerate(outputs, int(row[ORDINAL]) << _PLACES):
                found.append(told(self.layout, row, key, output, ordinal))
        for name, copy in copies.items():
            pieces.updateValue((name,), (copy.snapshot(),))
        yield pd.DataFrame(found, columns=self.layout.outside.names)

    def _copy(self, name: str, pieces: Any) -> RunningCopy:
        known = bytes(pieces.getValue((name,))[0]) if pieces.containsKey((name,)) else None
        return RunningCopy(self.processor, known)

    def _compare(self, index: Any) -> None:
        known = index.get() if index.exists() else None
        if known is None:
            index.update((self.pipe,))
        elif known[0] != self.pipe:
            message = f"the state of this stream is that of another pipe: `{known[0]}`"
            raise CepheidError(Diagnostic("state-mismatch", message, hints=("start it with a new checkpoint",)))
