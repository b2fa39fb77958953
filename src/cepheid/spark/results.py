"""What comes out of detectors, as rows: matches, events that were set aside, and figures about each place of work.

Times are ticks here; they get the form of the input where the rows leave.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from cepheid.algebra.matches import Match
from cepheid.analysis.keys.roles import is_mark
from cepheid.connectors import plain_json
from cepheid.diagnostics import Diagnostic, Severity
from cepheid.engine import MatchBatch, lists_as_arrow, plain_array
from cepheid.events import MAX_TIME, Event, Kind, Value

T = TypeVar("T")
MATCH, LATE, DUPLICATE, CORRUPT, FIGURES = "match", "late", "duplicate", "corrupt", "figures"

_TYPES: Mapping[Kind, Any] = {  # pyarrow has no types
    Kind.BOOL: pa.bool_(),
    Kind.INT: pa.int64(),
    Kind.FLOAT: pa.float64(),
    Kind.STRING: pa.string(),
    Kind.TIME: pa.timestamp("us", tz="UTC"),
    Kind.ANY: pa.string(),
}
_FIGURES = ("events", "used", "promised", "peak")


@dataclass(frozen=True, slots=True)
class ResultForm:
    """The columns of results: the kinds of the values, by name, and whether events are called by numbers.

    Without kinds the values of a match are one text of JSON.
    """

    values: Mapping[str, Kind] | None
    numbered: bool

    @property
    def schema(self) -> Any:
        """The Arrow schema of the rows."""
        return pa.schema(
            [
                ("tag", pa.string()),
                ("query", pa.int32()),
                ("match", pa.string()),
                ("start", pa.int64()),
                ("end", pa.int64()),
                ("known", pa.int64()),
                ("id", pa.string()),
                ("values", self._values_type),
                ("evidence", pa.list_(pa.int64() if self.numbered else pa.string())),
                ("record", pa.string()),
                ("reason", pa.string()),
                ("file", pa.string()),
                ("place", pa.int32()),
                *((name, pa.int64()) for name in _FIGURES),
            ]
        )

    @property
    def _values_type(self) -> Any:
        if self.values is None:
            return pa.string()
        return pa.struct([(name, _TYPES[kind]) for name, kind in self.values.items()])

    def batches(self, told: Iterable[Any]) -> Iterator[Any]:
        """Yield what is told as record batches: rows together, in portions, and batches as they are."""
        for are_rows, some in groupby(told, key=lambda one: isinstance(one, Mapping)):
            if are_rows:
                yield from map(self.batch, portions(some))
            else:
                yield from some

    def batch(self, rows: Sequence[Mapping[str, object]]) -> Any:
        """Return rows as one record batch; what a row does not name is null."""
        schema, there = self.schema, frozenset().union(*rows)
        arrays = [
            pa.array([row.get(field.name) for row in rows], field.type)
            if field.name in there
            else pa.nulls(len(rows), field.type)
            for field in schema
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=schema)

    def matches(self, query: int, told: MatchBatch) -> Any:
        """Return matches that are told in columns as one record batch."""
        count = len(told)
        columns = {
            "tag": pa.repeat(pa.scalar(MATCH), count),
            "query": pa.array(np.full(count, query, np.int32)),
            "match": pa.array(told.names()),
            "start": pa.array(told.start),
            "end": pa.array(told.end),
            "known": pa.array(told.known, mask=told.known == MAX_TIME),
            "id": told.ids,
            "values": self._column_of_values(told),
            "evidence": self._no_evidence(count) if told.evidence is None else lists_as_arrow(told.evidence),
        }
        schema = self.schema
        arrays = [columns[field.name] if field.name in columns else pa.nulls(count, field.type) for field in schema]
        return pa.RecordBatch.from_arrays(
            [one.cast(field.type) for one, field in zip(arrays, schema, strict=True)], schema=schema
        )

    def _no_evidence(self, count: int) -> Any:
        return pa.array([[]] * count, self.schema.field("evidence").type)

    def _column_of_values(self, told: MatchBatch) -> Any:
        values = {name: plain_array(column, told.words) for name, column in told.values.items()}
        if self.values is None:
            rows = zip(*map(_listed, values.values()), strict=True) if values else [()] * len(told)
            return pa.array([self._values(dict(zip(values, row, strict=True))) for row in rows], pa.string())
        arrays = [_column(values.get(name), kind, len(told)) for name, kind in self.values.items()]
        return pa.StructArray.from_buffers(self._values_type, len(told), [None], children=arrays)

    def match(self, query: int, match: Match) -> Mapping[str, object]:
        """Return the row of a match."""
        known = None if match.known is None or match.known == MAX_TIME else match.known
        return {
            "tag": MATCH,
            "query": query,
            "match": match.name,
            "start": match.start,
            "end": match.end,
            "known": known,
            "id": match.id,
            "values": self._values(match.values),
            "evidence": list(match.evidence),
        }

    def _values(self, values: Mapping[str, Value]) -> object:
        if self.values is None:
            return json.dumps(plain_json(values))
        return {name: _shown(values.get(name), kind) for name, kind in self.values.items()}


def set_aside(tag: str, query: int, event: Event, reason: str) -> Mapping[str, object]:
    """Return the row of an event that a query did not take."""
    fields = {name: value for name, value in event.fields.items() if not is_mark(name)}
    told = json.dumps(plain_json({"type": event.type, "id": event.id, **fields}))
    return {"tag": tag, "query": query, "start": event.start, "end": event.end, "record": told, "reason": reason}


def figures(query: int, place: int, events: int, used: int, promised: int | None, peak: int) -> dict[str, object]:
    """Return the row that says how much one place of work took in, what it holds, and the most that a history held."""
    return {
        "tag": FIGURES,
        "query": query,
        "place": place,
        "events": events,
        "used": used,
        "promised": promised,
        "peak": peak,
    }


def rate_exceeded(message: str) -> Diagnostic:
    """Return the warning about events that came faster than was declared, as a worker says it."""
    note = "the bounds of this query were proved for what is declared"
    hint = "declare how fast they come: `rates` in Python and in pipelines, `--rate` on the command line"
    return Diagnostic("rate-exceeded", message, hints=(hint,), notes=(note,), severity=Severity.WARNING)


def portions(some: Iterable[T], most: int = 10_000) -> Iterator[list[T]]:
    """Yield things in lists of a handy size.

    >>> list(portions("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    left = iter(some)
    while portion := list(islice(left, most)):
        yield portion


def _column(values: Any, kind: Kind, count: int) -> Any:  # an array, a list or None
    """Return the values of a match under one name as a column of their kind."""
    if values is None:
        return pa.nulls(count, _TYPES[kind])
    numbers = isinstance(values, pa.Array) and kind is Kind.FLOAT and values.type == pa.int64()
    if isinstance(values, pa.Array) and kind is not Kind.ANY and (numbers or values.type == _TYPES[kind]):
        return values.cast(_TYPES[kind], safe=False)
    return pa.array([_shown(one, kind) for one in _listed(values)], _TYPES[kind])


def _listed(values: Any) -> list[Value]:  # an array or a list
    found: list[Value] = values.to_pylist() if isinstance(values, pa.Array) else values
    return found


def _shown(value: Value, kind: Kind) -> object:
    if value is None:
        return None
    if kind is Kind.ANY:
        return json.dumps(plain_json(value))
    return float(value) if kind is Kind.FLOAT and isinstance(value, int) else value
