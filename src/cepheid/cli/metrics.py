"""Figures of a pipeline as Prometheus reads them: counters that only grow, and gauges of the last batch."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cepheid.spark.pipelines import BatchFigures

Labels = tuple[tuple[str, str], ...]
_HELP = {
    "cepheid_up": ("gauge", "1 while the stream runs"),
    "cepheid_batches_total": ("counter", "batches that were done since the start"),
    "cepheid_batch": ("gauge", "number of the last batch"),
    "cepheid_batch_seconds": ("gauge", "how long the last batch took"),
    "cepheid_last_batch_timestamp_seconds": ("gauge", "when the last batch was done"),
    "cepheid_events_total": ("counter", "events that were taken in"),
    "cepheid_matches_total": ("counter", "matches, by rule"),
    "cepheid_late_total": ("counter", "events that came too late, by query"),
    "cepheid_duplicates_total": ("counter", "events that came again, by query"),
    "cepheid_rejected_total": ("counter", "records that say no event"),
    "cepheid_held_entries": ("gauge", "entries of state that are held, by the rules that share them"),
    "cepheid_promised_entries": ("gauge", "entries of state that the certificate allows at most"),
    "cepheid_hottest_bucket_ratio": ("gauge", "part of the events of the last batch in one bucket, by the rules there"),
    "cepheid_lag_records": ("gauge", "records of a topic that are there and not read"),
    "cepheid_rate_exceeded_total": ("counter", "warnings that events came faster than was declared"),
}


class Metrics:
    """What is known of a pipeline: whoever serves it and whoever tells it may be two threads."""

    def __init__(self, pipeline: str, now: Callable[[], float] = time.time) -> None:
        self.pipeline, self.state = pipeline, "starting"
        self._now, self._lock = now, threading.Lock()
        self._counters: Counter[tuple[str, Labels]] = Counter()
        self._gauges: dict[tuple[str, Labels], float] = {}
        for name in ("batches", "events", "rejected", "rate_exceeded"):
            self._counters[f"cepheid_{name}_total", ()] = 0

    @property
    def running(self) -> bool:
        return self.state == "running"

    def take(self, figures: "BatchFigures") -> None:
        """Take in the figures of a batch."""
        with self._lock:
            self._counters.update(dict(_counted(figures)))
            self._gauges.update(dict(_measured(figures)))
            self._gauges["cepheid_last_batch_timestamp_seconds", ()] = self._now()

    def text(self) -> str:
        """Return all figures in the form that Prometheus reads."""
        with self._lock:
            every: dict[tuple[str, Labels], float] = {("cepheid_up", ()): float(self.running)}
            every |= self._gauges | dict(self._counters)
        return "".join(self._lines(every))

    def _lines(self, every: Mapping[tuple[str, Labels], float]) -> Iterator[str]:
        for name, (kind, said) in _HELP.items():
            own = sorted((labels, value) for (of, labels), value in every.items() if of == name)
            if own:
                yield f"# HELP {name} {said}\n# TYPE {name} {kind}\n"
                whose = (("pipeline", self.pipeline),)
                yield from (f"{name}{{{_shown((*whose, *one))}}} {_number(value)}\n" for one, value in own)


def _counted(figures: "BatchFigures") -> Iterator[tuple[tuple[str, Labels], int]]:
    yield ("cepheid_batches_total", ()), 1
    yield ("cepheid_events_total", ()), figures.events
    yield ("cepheid_rejected_total", ()), figures.corrupt
    yield ("cepheid_rate_exceeded_total", ()), len(figures.exceeded)
    for query, one in {one.query: one for one in figures.rules}.items():
        yield ("cepheid_late_total", (("query", query),)), one.late
        yield ("cepheid_duplicates_total", (("query", query),)), one.duplicates
    for one in figures.rules:
        for rule, count in one.matches.items():
            yield ("cepheid_matches_total", (("query", one.query), ("rule", rule))), count


def _measured(figures: "BatchFigures") -> Iterator[tuple[tuple[str, Labels], float]]:
    yield ("cepheid_batch", ()), figures.batch
    yield ("cepheid_batch_seconds", ()), figures.seconds
    for topic, count in figures.lag.items():
        yield ("cepheid_lag_records", (("topic", topic),)), count
    for hottest in figures.hottest_buckets:
        for query, rules in hottest.rules:
            yield ("cepheid_hottest_bucket_ratio", (("query", query), ("rules", rules))), hottest.share
    for one in figures.rules:
        labels = (("query", one.query), ("rules", one.rules))
        yield ("cepheid_held_entries", labels), one.used
        if one.promised is not None:
            yield ("cepheid_promised_entries", labels), one.promised


def _shown(labels: Iterable[tuple[str, str]]) -> str:
    r"""Return labels as Prometheus writes them.

    >>> _shown([("rule", 'a "b"')])
    'rule="a \\"b\\""'
    """
    return ",".join(f'{name}="{_quoted(value)}"' for name, value in labels)


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
