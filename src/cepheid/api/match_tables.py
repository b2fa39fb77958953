"""Matches as tables of Arrow: name, start, end, known, evidence, and one typed column for each value."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from cepheid.connectors import JSON, UNSAYABLE, Calendar, Form
from cepheid.engine import (
    Found,
    MatchBatch,
    Words,
    array_of,
    common_kind,
    lists_as_arrow,
    no_column,
    says_json,
    texts_as_arrow,
    times_as_arrow,
)
from cepheid.events import MAX_TIME, TICKS_PER_UNIT

Table = Any  # pyarrow has no types
Array = Any
FIXED = ("match", "start", "end", "known", "evidence", "id")


@dataclass(frozen=True)
class MatchTables:
    """Matches that were found, portion by portion; times are told in the form of the input.

    `fields` are the names of the values of each rule, by its name.
    """

    found: Sequence[Found]
    fields: Mapping[str, Sequence[str]]
    form: Form
    evidence: bool
    ids: bool

    def whole(self) -> Table:
        """Return all matches as one table, in the order in which they came out."""
        return self._table(self.found, list(self.fields))

    def by_rule(self) -> dict[str, Table]:
        """Return a table for each rule, so that values of one name need not be of one kind."""
        return {name: self._table(_of_rule(self.found, name), [name]) for name in self.fields}

    def _table(self, found: Sequence[Found], rules: Sequence[str]) -> Table:
        values = tuple(dict.fromkeys(name for rule in rules for name in self.fields[rule]))
        return _Columns(found, rules, self.form, values, evidence=self.evidence, ids=self.ids).table()


class _Columns:
    """The columns of a table of some matches."""

    def __init__(
        self,
        found: Sequence[Found],
        rules: Sequence[str],
        form: Form,
        values: Sequence[str],
        *,
        evidence: bool,
        ids: bool,
    ) -> None:
        self._found, self._rules, self._form = found, rules, form
        self._values, self._evidence, self._ids = values, evidence, ids

    def table(self) -> Table:
        columns = {"match": self._names(), "start": self._times("start"), "end": self._times("end")}
        columns["known"] = self._times("known")
        if self._evidence:
            columns["evidence"] = self._chunked(lambda batch: lists_as_arrow(batch.evidence), self._no_evidence)
        if self._ids:
            columns["id"] = self._chunked(lambda batch: batch.ids, pa.string())
        fields = [pa.field(name, column.type) for name, column in columns.items()]
        values = {column_of_value(name): self._value(name) for name in self._values}
        fields += [pa.field(name, column.type, metadata=marks) for name, (column, marks) in values.items()]
        return pa.table([*columns.values(), *(column for column, _ in values.values())], schema=pa.schema(fields))

    @cached_property
    def _batches(self) -> list[MatchBatch]:
        return [batch for found in self._found for batch in found.batches]

    @property
    def _no_evidence(self) -> Any:
        return pa.list_(pa.int64())

    def _chunked(self, array: Any, empty: Any) -> Array:
        """Return a column: an array of each portion, in the order of its matches."""
        chunks = []
        for found in self._found:
            arrays = [array(batch) for batch in found.batches]
            chunks += arrays if found.order is None else [_together(arrays).take(pa.array(found.order))]
        if len({chunk.type for chunk in chunks}) > 1:  # ids that are numbers beside others
            chunks = [chunk.cast(pa.list_(pa.string())) for chunk in chunks]
        return pa.chunked_array(chunks, chunks[0].type if chunks else empty)

    def _names(self) -> Array:
        rules = texts_as_arrow(self._rules)
        places = {name: number for number, name in enumerate(self._rules)}

        def names(batch: MatchBatch) -> Array:
            own = np.array([places[rule] for rule in batch.rules], np.int32)
            if batch.which is None:
                which = _repeated(own[0].item(), len(batch))
            else:
                as_they_are = batch.which.dtype == np.int32 and np.array_equal(own, np.arange(len(own)))
                which = batch.which if as_they_are else own[batch.which]
            return pa.DictionaryArray.from_arrays(which, rules, safe=False)

        return self._chunked(names, pa.dictionary(pa.int32(), pa.string()))

    def _times(self, name: str) -> Array:
        def times(batch: MatchBatch) -> Array:
            ticks = getattr(batch, name)
            absent = ticks == MAX_TIME if name == "known" and ticks.max(initial=0) == MAX_TIME else None
            return times_in_form(times_as_arrow(ticks, absent), self._form)

        return self._chunked(times, times_in_form(pa.array([], pa.int64()), self._form).type)

    def _value(self, name: str) -> tuple[Array, Mapping[bytes, bytes] | None]:
        """Return the column of a value, and how it is marked if it is JSON."""
        columns = [batch.values[name] for batch in self._batches if name in batch.values]
        kind = common_kind(columns)

        def values(batch: MatchBatch) -> Array:
            return array_of(batch.values.get(name) or no_column(len(batch)), kind, batch.words)

        column = self._chunked(values, array_of(no_column(0), kind, Words()).type)
        return column, JSON if says_json(kind) else None


def column_of_value(name: str) -> str:
    """Return what the column of a value is called; one that is called like a column of every match is told apart.

    >>> column_of_value("rise"), column_of_value("end"), column_of_value("values.end")
    ('rise', 'values.end', 'values.values.end')
    """
    sayable = name.encode(errors=UNSAYABLE).decode()
    return f"values.{sayable}" if sayable in FIXED or sayable.startswith("values.") else sayable


def times_in_form(ticks: Array, form: Form) -> Array:
    """Return times as timestamps where the input had some or dates, and otherwise as numbers of its unit.

    Numbers of seconds and milliseconds may be broken, so they are floats.
    """
    if isinstance(form, Calendar):
        return ticks.cast(pa.timestamp("us", None if form is Calendar.NAIVE else "UTC"))
    if form == "ns":
        return pc.multiply(ticks, 1000)
    scale = TICKS_PER_UNIT[form]
    return ticks if scale == 1 else pc.divide(ticks.cast(pa.float64(), safe=False), float(scale))


def _repeated(number: int, count: int) -> Array:
    """Return a number so often, in memory that columns of about the same length share."""
    return _many(number, count.bit_length()).slice(0, count)


@lru_cache(maxsize=64)
def _many(number: int, bits: int) -> Array:
    return pa.array(np.full(1 << bits, number, np.int32))


def _together(arrays: Sequence[Array]) -> Array:
    if len({array.type for array in arrays}) > 1:
        arrays = [array.cast(pa.list_(pa.string())) for array in arrays]
    return arrays[0] if len(arrays) == 1 else pa.concat_arrays(arrays)


def _of_rule(found: Iterable[Found], rule: str) -> list[Found]:
    """Return the matches of one rule alone, portion by portion."""
    return [own for one in found if len(own := one.of_rule(rule))]
