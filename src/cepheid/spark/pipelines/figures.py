"""What each batch of a stream was like, from what was observed on the way."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cepheid.diagnostics import Diagnostic
from cepheid.spark.outputs import METRICS
from cepheid.spark.results import rate_exceeded

ROWS = "rows"
"""How many rows a batch has is observed under this name: lines of files that say no row are not among them."""


@dataclass(frozen=True, slots=True)
class BatchFigures:
    """One batch: what came, what was found, how many entries are held and may be, and the bucket that got the most.

    `rate` is how many rows a second it took in; `exceeded` says which events came faster than was declared. `arrivals`
    are what buckets that see a part of the events each counted, as they say it.
    """

    batch: int
    events: int
    matches: int
    late: int
    duplicates: int
    corrupt: int
    used: int
    promised: int | None
    hottest: int | None
    hottest_events: int
    rate: float
    exceeded: tuple[str, ...] = ()
    arrivals: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """What came faster than was declared."""
        return tuple(rate_exceeded(message) for message in self.exceeded)

    def __str__(self) -> str:
        """Return one line about the batch.

        >>> str(BatchFigures(3, 1204, 14, 2, 0, 0, 310, 4000, 17, 80, 530.2))
        'batch 3: 1,204 events (530/s), 14 matches, 2 late, 310 of at most 4,000 entries held, 80 events in bucket 17'
        """
        rate = f" ({self.rate:,.0f}/s)" if self.rate >= 1 else ""
        aside = [("late", self.late), ("duplicate", self.duplicates), ("corrupt", self.corrupt)]
        promised = "" if self.promised is None else f" of at most {self.promised:,}"
        parts = [
            f"{self.events:,} events{rate}",
            f"{self.matches:,} matches",
            *(f"{count:,} {name}" for name, count in aside if count),
            f"{self.used:,}{promised} entries held",
        ]
        if self.hottest is not None and self.hottest_events:
            parts.append(f"{self.hottest_events:,} events in bucket {self.hottest}")
        return f"batch {self.batch}: {', '.join(parts)}"


def new_figures(progress: Iterable[Mapping[str, Any]], after: int) -> Iterator[BatchFigures]:
    """Yield the figures of batches with a number above `after`, from Spark's reports of progress."""
    for report in progress:
        number, observed = report["batchId"], report["observedMetrics"].get(METRICS)
        if number > after and observed is not None:
            after = number
            counted = report["observedMetrics"].get(ROWS)
            rows = report["numInputRows"] if counted is None else counted[ROWS]
            yield figures_of(number, observed, rows, report["processedRowsPerSecond"])


def figures_of(batch: int, observed: Any, rows: int, rate: float) -> BatchFigures:  # observed: a row or a mapping
    """Return the figures of a batch of so many rows from what was observed; several queries share its events."""

    def count(name: str) -> int:
        return observed[name] or 0

    return BatchFigures(
        batch=batch,
        events=rows - count("corrupt"),
        matches=count("match"),
        late=count("late"),
        duplicates=count("duplicate"),
        corrupt=count("corrupt"),
        used=count("used"),
        promised=observed["promised"],
        hottest=observed["hottest"],
        hottest_events=count("hottest_events"),
        rate=rate,
        exceeded=tuple(dict.fromkeys((observed["exceeded"] or "").splitlines())),
        arrivals=tuple((observed["arrivals"] or "").splitlines()),
    )
