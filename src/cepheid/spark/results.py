"""What comes out of detectors, as rows: matches, events that were set aside, and figures about each place of work.

Times are ticks here; they get the form of the input where the rows leave.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

import pyarrow as pa

from cepheid.algebra.matches import Match
from cepheid.connectors import plain_json
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
    told = json.dumps(plain_json({"type": event.type, "id": event.id, **event.fields}))
    return {"tag": tag, "query": query, "start": event.start, "end": event.end, "record": told, "reason": reason}


def figures(query: int, place: int, events: int, used: int, promised: int | None, peak: int) -> Mapping[str, object]:
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


def portions(some: Iterable[T], most: int = 10_000) -> Iterator[list[T]]:
    """Yield things in lists of a handy size.

    >>> list(portions("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    left = iter(some)
    while portion := list(islice(left, most)):
        yield portion


def _shown(value: Value, kind: Kind) -> object:
    if value is None:
        return None
    if kind is Kind.ANY:
        return json.dumps(plain_json(value))
    return float(value) if kind is Kind.FLOAT and isinstance(value, int) else value
