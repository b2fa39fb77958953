"""What each batch of a stream was like, from what was observed on the way."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cepheid.diagnostics import Diagnostic
from cepheid.spark.key_skew import HottestBucket, hottest_buckets
from cepheid.spark.outputs import METRICS
from cepheid.spark.results import DUPLICATE, LATE, MATCH, rate_exceeded

ROWS = "rows"
"""How many rows a batch has is observed under this name: lines of files that say no row are not among them."""


Counts = Mapping[tuple[str | None, str | None, str], int]
"""How many results a batch has, by query, match and tag."""


@dataclass(frozen=True, slots=True)
class RuleFigures:
    """What rules that feed each other hold, and may hold together, in all buckets, and how many matches they have."""

    query: str
    rules: str
    used: int
    promised: int | None
    matches: Mapping[str, int] = field(default_factory=dict)
    late: int = 0
    duplicates: int = 0


@dataclass(frozen=True, slots=True)
class BatchFigures:
    """One batch: what came, what was found, how many entries are held and may be, and the bucket that got the most.

    `rate` is how many rows a second it took in; `exceeded` says which events came faster than was declared. `arrivals`
    are what buckets that see a part of the events each counted, as they say it. `lag` are the records of topics that
    are there and not read, by topic, and `seconds` is how long the batch took. Where events are dealt out by keys,
    `hottest_buckets` are those with the most events, and `skewed` is what is new to say of them.
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
    rules: tuple[RuleFigures, ...] = ()
    lag: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    hottest_buckets: tuple[HottestBucket, ...] = ()
    skewed: tuple[Diagnostic, ...] = ()

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """What came faster than was declared, and which keys have far more than their share."""
        return (*(rate_exceeded(message) for message in self.exceeded), *self.skewed)

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


def new_figures(
    progress: Iterable[Mapping[str, Any]],
    after: int,
    names: Sequence[str] = (),
    counted: Mapping[int, Counts] | None = None,
) -> Iterator[BatchFigures]:
    """Yield the figures of batches with a number above `after`, from Spark's reports of progress.

    `names` are those of the queries, and `counted` what was counted when a batch was written.
    """
    for report in progress:
        number, observed = report["batchId"], report["observedMetrics"].get(METRICS)
        if number > after and observed is not None:
            after = number
            came = report["observedMetrics"].get(ROWS)
            rows = report["numInputRows"] if came is None else came[ROWS]
            figures = figures_of(number, observed, rows, report["processedRowsPerSecond"])
            seconds = report.get("durationMs", {}).get("triggerExecution", 0) / 1000
            rules = _of_rules(observed, names, (counted or {}).get(number, {}))
            hottest = tuple(hottest_buckets((observed["keys"] or "").splitlines(), names))
            yield replace(
                figures, rules=tuple(rules), lag=dict(_lags(report)), seconds=seconds, hottest_buckets=hottest
            )


def _of_rules(observed: Any, names: Sequence[str], counts: Counts) -> Iterator[RuleFigures]:
    """Yield the figures of rules that feed each other, added up over all buckets."""
    together: dict[tuple[int, str], list[Any]] = {}
    for one in _held(observed) if names else ():
        together.setdefault((one["query"], one["match"]), []).append(one)
    for (query, rules), rows in sorted(together.items()):
        name, known = names[query], [row["promised"] for row in rows if row["promised"] is not None]
        own = {match: counts.get((name, match, MATCH), 0) for match in rules.split(", ")}
        aside = [sum(count for key, count in counts.items() if key[::2] == (name, tag)) for tag in (LATE, DUPLICATE)]
        used = sum(row["used"] or 0 for row in rows)
        yield RuleFigures(name, rules, used, sum(known) if known else None, own, *aside)


def _held(observed: Any) -> Sequence[Any]:  # observed: a row or a mapping
    try:
        return observed["held"] or ()
    except (KeyError, ValueError):
        return ()


def _lags(report: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Yield how many records of each topic are there and not read."""
    for source in report.get("sources", ()):
        latest, end = (_told(source.get(name)) for name in ("latestOffset", "endOffset"))
        if "topic" in latest:
            there: Mapping[str, int] = latest["partitions"]
            yield latest["topic"], sum(max(0, high - end[one]["next"]) for one, high in there.items() if one in end)


def _told(offset: Any) -> Mapping[str, Any]:  # JSON, as a text or as what it says
    try:
        found = json.loads(offset) if isinstance(offset, str) else offset
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


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
