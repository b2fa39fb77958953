"""What occurrences look for in a span of time, in a log by key, in which rows are in the order of their ends."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cepheid.engine.kernels.columns.row_store import ByRow, KeyedRows
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows
from cepheid.engine.kernels.stages.span_kernels import Asked, SpanRows, find_in_spans, link_spans, list_in_spans
from cepheid.engine.kernels.tables.occurrences import Occurrences

_AFTER_ALL = 1 << 62
MOST_PAIRS = 1 << 14


@dataclass(frozen=True, slots=True)
class Spans:
    """What each of some occurrences looks for, and under which key.

    `bounds` are the least and the greatest start, then the least and the greatest end. Occurrences come in the order of
    their `ends`. All are times, or arrivals where rows have some.
    """

    ends: Data
    bounds: Data
    keys: Data

    def __len__(self) -> int:
        return len(self.ends)


class SpanLog(KeyedRows):
    """Rows, of which so many events are of interest as `width` says.

    `latest` is the latest start of a row and all before it under its key; it is known where `has_any` is asked. Where
    events of one time come one after the other, `low` and `high` are the first and the last arrival of a row.
    """

    start: Data
    end: Data
    latest: Data
    low: Data
    high: Data
    refs: Data
    link: Data

    def __init__(self, width: int, room: int | None = None, *, by_arrival: bool = False) -> None:
        self.by_arrival, self.seen = by_arrival, 0
        times = ("start", "end", "latest", *(("low", "high") if by_arrival else ()))
        rows = {"refs": ByRow(np.int64, width), "link": ByRow(np.int32, written=False)}
        super().__init__(room, None, **dict.fromkeys(times, ByRow(np.int64)), **rows)

    def append(self, others: Occurrences, keys: int | Data, arrivals: Data | None = None) -> None:
        """Add rows; there must be room for them."""
        rows = self.added(len(others))
        self.start[rows], self.end[rows], self.key[rows] = others.start, others.end, keys
        self.refs[:, rows] = others.refs[: len(self.refs)]
        if arrivals is not None:
            self.low[rows], self.high[rows] = arrivals

    def arrived_from(self, times: Data) -> Data:
        """Return the first arrival of what ends at each time or later."""
        found: Data = np.append(self.low[: self.top], _AFTER_ALL)[np.searchsorted(self.end[: self.top], times, "left")]
        return found

    def arrived_until(self, times: Data) -> Data:
        """Return the last arrival of what ends at each time or before."""
        found: Data = np.append(-1, self.high[: self.top])[np.searchsorted(self.end[: self.top], times, "right")]
        return found

    def has_any(self, spans: Spans) -> Mask:
        """Say in which spans something is; these ask for the least start and the greatest end only."""
        found = np.zeros(len(spans), np.bool_)
        compiled(find_in_spans)(_asked(spans), self.seen, self.top, self._rows(), self.latest, found)
        self.seen = self.top
        return found

    def listed(self, spans: Spans) -> Iterator[Data]:
        """Yield pairs of a span and a row in it, some at a time."""
        place, out = np.array([0, -1, -1], np.int64), np.empty((2, MOST_PAIRS), np.int32)
        while place[0] <= len(spans):
            count = compiled(list_in_spans)(_asked(spans), self.seen, self.top, self._rows(), place, out)
            yield out[:, :count]
        self.seen = self.top

    def _rows(self) -> SpanRows:
        """Return the rows as kernels take them; by arrival, arrivals stand where times do."""
        start, end = (self.low, self.high) if self.by_arrival else (self.start, self.end)
        return SpanRows(start, end, self.key, self.heads, self.link)

    def pack(self, kept: Rows, count: int) -> None:
        """Keep some of the rows, in their order, and make room for so many more; they are to be linked."""
        self.keep(kept, 2 * (len(kept) + count))
        self.seen = self.top

    def relink(self) -> None:
        compiled(link_spans)(self.top, self._rows())

    def take_up(self, entries: Mapping[str, Any], keys: int = 1) -> None:
        super().take_up(entries, keys)
        self.seen = self.top
        self.relink()


def _asked(spans: Spans) -> Asked:
    return Asked(spans.ends, spans.bounds, spans.keys)
