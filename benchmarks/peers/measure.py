"""Cepheid beside Flink CEP and Siddhi: the same questions about the same events, on one core each.

    python -m benchmarks.peers.measure

All events are in memory before the clock starts, which is that of the processor for everybody. Ours is measured
through `query.run(table).to_arrow()`. Each engine runs a query
several times in one process, and its best run counts. All must find as many matches. Figures are written to
`results/peers.json`, and the table in `docs/benchmarks/peers.md` is made of them.
"""

import json
import platform
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

import cepheid as c
from benchmarks import engine_queries
from benchmarks.engine_workload import Workload, cpu_seconds, workload
from benchmarks.peers.drivers import Round, on_one_core, rounds, versions, write_events

RESULTS = Path(__file__).parents[1] / "results" / "peers.json"
EVENTS, MORE_EVENTS, SAMPLE = 1_000_000, 10_000_000, 50_000
ROUNDS = 3


@dataclass(frozen=True)
class Question:
    """A query for everybody, and how many times as fast as each peer we must be."""

    name: str
    query: c.CompiledQuery
    driver: str
    milliseconds: int
    bars: dict[str, int]
    samples: dict[str, int] = field(default_factory=dict)  # how many events a peer gets that is too slow for all


QUESTIONS = (
    Question("next match", engine_queries.next_match("100 ms"), "next", 100, {"Flink CEP": 100, "Siddhi": 50}),
    Question(
        "all combinations",
        engine_queries.combinations("100 ms"),
        "all",
        100,
        {"Flink CEP": 1000},
        {"Flink CEP": SAMPLE},
    ),
    Question(
        "next match per key",
        engine_queries.next_match("1 s", by_key=True),
        "keyed",
        1000,
        {"Flink CEP": 100, "Siddhi": 100},
    ),
)


def measured(question: Question, events: Workload, more: Workload) -> dict[str, Any]:
    """Return the figures of one query: ours, ours with more events, and those of each peer with the ratio."""
    ours = _ours(question, events)
    told: dict[str, Any] = {"name": question.name, "cepheid": ours, "cepheid_more": _ours(question, more), "peers": []}
    for peer, bar in question.bars.items():
        count = question.samples.get(peer, len(events))
        best = _best(question, peer, events, count)
        _check(question, peer, best, events, count)
        speed = count / best.seconds
        ratio = ours["events_per_second"] / speed
        row = {"peer": peer, "events": count, "matches": best.matches, "events_per_second": round(speed)}
        told["peers"].append({**row, "ratio": round(ratio, 1), "bar": bar, "met": ratio >= bar})
        print(f"{question.name}: {peer} {speed:,.0f} events/s, we are {ratio:.0f} times as fast", flush=True)
    return told


def _ours(question: Question, events: Workload) -> dict[str, Any]:
    table = pa.Table.from_batches(events.batches)
    seconds, found = cpu_seconds(lambda: _found(question, table))
    speed = len(events) / seconds
    print(f"{question.name}: {speed / 1e6:.1f} M events/s of {len(events):,}, {found:,} matches", flush=True)
    return {"events": len(events), "matches": found, "events_per_second": round(speed)}


def _found(question: Question, table: pa.Table) -> int:
    """Run the query as everybody does, without ids, and return how many rows its table of matches has."""
    return int(question.query.run(table, time_unit="us", threads=1).to_arrow().num_rows)


def _best(question: Question, peer: str, events: Workload, count: int) -> Round:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events"
        write_events(events, count, path)
        runs = rounds(peer, path, question.driver, question.milliseconds, ROUNDS)
    return min(runs, key=lambda one: one.seconds)


def _check(question: Question, peer: str, best: Round, events: Workload, count: int) -> None:
    """Refuse figures where the peer found something else in the same events."""
    ours = _found(question, pa.Table.from_batches(events.first(count).batches))
    if ours != best.matches:
        raise SystemExit(f"{question.name}: {peer} found {best.matches:,} matches, we found {ours:,}")


def main() -> None:
    on_one_core()
    events, more = workload(EVENTS), workload(MORE_EVENTS)
    told = {
        "events": EVENTS,
        "machine": platform.machine(),
        "rounds": ROUNDS,
        "versions": versions(),
        "questions": [measured(question, events, more) for question in QUESTIONS],
    }
    RESULTS.write_text(json.dumps(told, indent=2) + "\n")


if __name__ == "__main__":
    main()
