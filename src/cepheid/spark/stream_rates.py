"""A declared rate of a stream whose events are dealt out: each bucket says what it counted, and all is put together.

An event goes to one bucket of a lane, so what the buckets of a lane counted is put together, and not that of several
lanes. With every batch, each bucket says as one text what came now, and what came before that a later event may still
be too close to:

    {"bucket": 3, "lane": "0 Pair", "types": {"A": [[5, 1000000, false], BEFORE, NOW]}}

What came before is part of its state. So nobody else remembers anything: a stream that goes on, and a batch that is
repeated, find the same. The state, the text and the work of a batch are as large as the most spans allow, however long
a stream has run.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cepheid.algebra.programs import Arrival
from cepheid.engine import told_too_fast
from cepheid.spark.counted_spans import NONE, Spans, is_broken, kept, no_more, together

MOST_NEW, MOST_KEPT = 1000, 256
"""So many spans are told of one type and batch, and so many are kept."""

Counted = tuple[str, str, Arrival]
"""What is counted: a lane, a type and its rate."""


@dataclass(slots=True)
class CountedEnds:
    """What one lane of a bucket counted: the ends of events of each declared type, before and since the last batch."""

    before: dict[str, Spans] = field(default_factory=dict)
    now: dict[str, list[int]] = field(default_factory=dict)

    def take(self, kind: str, ends: Sequence[int]) -> None:
        """Count events of a declared type."""
        self.now.setdefault(kind, []).extend(ends)

    def take_back(self, kind: str, end: int) -> None:
        """Count an event no more that was set aside."""
        if kind in self.now:
            self.now[kind].remove(end)

    def told(self, bucket: int, lane: str, declared: Mapping[str, Arrival], frontier: int) -> str | None:
        """Return the text of what was counted, None for nothing, and go on with what later events may be too close to.

        These end at `frontier` or later.
        """
        types = {}
        for name, arrival in sorted(declared.items()):
            before = self.before.get(name, NONE)
            now = no_more(Spans.of(self.now.get(name, ())), arrival.per, MOST_NEW)
            if len(before) or len(now):
                rate = [arrival.count, arrival.per, arrival.spaced]
                types[name] = [rate, before.to_json(), now.to_json()]
            self.before[name] = kept(together([before, now]), arrival.per, frontier, MOST_KEPT)
        self.now = {}
        said = {"bucket": bucket, "lane": lane, "types": types}
        return json.dumps(said, separators=(",", ":")) if types else None

    def to_json(self) -> dict[str, list[list[int]]]:
        """Return what is kept as JSON."""
        return {name: spans.to_json() for name, spans in self.before.items() if len(spans)}

    @classmethod
    def from_json(cls, told: Mapping[str, Sequence[Sequence[int]]]) -> "CountedEnds":
        """Return what was kept."""
        return cls({name: Spans.from_json(spans) for name, spans in told.items()})


class StreamRates:
    """What was said already of the rates of a stream."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def after(self, told: Iterable[str], exceeded: Iterable[str]) -> tuple[str, ...]:
        """Return what is new to say after a batch, of which buckets told counts, and which rates broke in one alone."""
        new = [one for one in dict.fromkeys((*exceeded, *broken_together(told))) if one not in self._said]
        self._said.update(new)
        return tuple(new)


def broken_together(told: Iterable[str]) -> Iterator[str]:
    """Yield what is said of each type of which a batch brought too many, by what all its buckets counted."""
    each: dict[Counted, list[tuple[Spans, Spans]]] = defaultdict(list)
    for types, lane in _each_once(told):
        for name, (rate, before, now) in types.items():
            each[lane, name, Arrival(*rate)].append((Spans.from_json(before), Spans.from_json(now)))
    for (_, name, arrival), some in each.items():
        if is_broken(arrival, together(before for before, _ in some), together(now for _, now in some)):
            yield told_too_fast(name, arrival)


def _each_once(told: Iterable[str]) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Yield what each lane of a bucket counted; what is told twice is of work that was done again."""
    said = {(one["bucket"], one["lane"]): one["types"] for one in map(json.loads, told)}
    return ((types, lane) for (_, lane), types in said.items())
