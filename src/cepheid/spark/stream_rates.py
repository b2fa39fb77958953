"""A declared rate of a stream whose events are dealt out: each bucket says what it counted, and the driver adds it up.

An event goes to one bucket of a lane, so the counts of a lane are added up and those of several lanes are not. A bucket
says its counts as one text, with all that it takes to read it:

    {"bucket": 3, "lane": "0 Pair", "types": {"A": [[5, 1000000, false], 1, [[17, 4], [18, 2]]]}}

Events of one window may come in several batches, so the driver keeps the latest windows. Unless somebody notes them,
they are lost when it ends: then a rate that is broken only by what came before and after together goes unsaid, and no
other.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cepheid.algebra.programs import Arrival
from cepheid.engine import told_too_fast
from cepheid.spark.window_counts import WindowCounts, added_up, counted, is_broken, latest

Counted = tuple[str, str, Arrival]
"""What is counted: a lane, a type and its rate."""


def told_counts(
    bucket: int, lane: str, ends: Mapping[str, Sequence[int]], declared: Mapping[str, Arrival]
) -> str | None:
    """Return the text of what a lane counted in a bucket, given the ends of its events by type; None for nothing."""
    types = {}
    for name in sorted(name for name, some in ends.items() if some):
        arrival = declared[name]
        windows = counted(ends[name], arrival)
        types[name] = [[arrival.count, arrival.per, arrival.spaced], windows.factor, list(windows.counts.items())]
    told = {"bucket": bucket, "lane": lane, "types": types}
    return json.dumps(told, separators=(",", ":")) if types else None


class StreamRates:
    """What the driver knows of a stream's rates: how many events the latest windows hold, and what was said already."""

    def __init__(self) -> None:
        self._windows: dict[Counted, WindowCounts] = {}
        self._said: set[str] = set()

    @classmethod
    def from_json(cls, told: Iterable[Any]) -> "StreamRates":
        """Return rates whose latest windows were told as JSON; nothing was said of them yet."""
        rates = cls()
        for lane, name, rate, factor, counts in told:
            rates._windows[lane, name, Arrival(*rate)] = WindowCounts(factor, dict(counts))
        return rates

    def to_json(self) -> list[object]:
        """Return the latest windows as JSON."""
        return [
            [lane, name, [arrival.count, arrival.per, arrival.spaced], one.factor, list(map(list, one.counts.items()))]
            for (lane, name, arrival), one in self._windows.items()
        ]

    def after(self, told: Iterable[str], exceeded: Iterable[str]) -> tuple[str, ...]:
        """Return what is new to say after a batch, of which buckets told counts, and which rates broke in one alone."""
        broken = [told_too_fast(name, arrival) for _, name, arrival in self._broken(told)]
        new = [one for one in dict.fromkeys((*exceeded, *broken)) if one not in self._said]
        self._said.update(new)
        return tuple(new)

    def _broken(self, told: Iterable[str]) -> list[Counted]:
        """Take in what buckets counted, and return where that breaks a rate."""
        found = []
        for what, windows in _by_lane(told).items():
            known = self._windows.get(what)
            # Windows that were wider cannot be cut, so what they hold is left out.
            both = [windows] if known is None or known.factor > windows.factor else [known, windows]
            self._windows[what] = latest(added_up(both))
            if is_broken(what[2], added_up(both)):
                found.append(what)
        return found


def _by_lane(told: Iterable[str]) -> dict[Counted, WindowCounts]:
    """Return what all buckets counted in one batch; a text that comes twice is of work that was done again."""
    each: dict[Counted, list[WindowCounts]] = defaultdict(list)
    for text in dict.fromkeys(told):
        said = json.loads(text)
        for name, (rate, factor, counts) in said["types"].items():
            each[said["lane"], name, Arrival(*rate)].append(WindowCounts(factor, dict(counts)))
    return {what: added_up(some) for what, some in each.items()}
