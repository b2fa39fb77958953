"""How fast kernels are: beside the interpreter, the scan of all columns, and NumPy and polars where these can do it.

    python -m benchmarks.engine [events]

Everything is in memory when the clock starts, which is that of the processor: one core, the best of several runs. Each
row has a process of its own, so that nothing is slower for what another one has left in memory.
Figures are written to `results/engine.json`, and the table in `docs/performance.md` is made of them.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import cepheid as c
from benchmarks import engine_peers, engine_queries
from benchmarks.engine_workload import Workload, column_scan, cpu_seconds, workload
from cepheid.engine import Detector
from cepheid.engine.kernels import KernelDetector, MatchCounter
from cepheid.events import point

RESULTS = Path(__file__).parent / "results" / "engine.json"
EVENTS = 1_000_000
KEYS = (100, 10_000)
MANY = 10
FEW = 20_000
ROUNDS, TURNS = 10, 3
Row = dict[str, Any]  # figures by name


def end_to_end(query: c.CompiledQuery, events: Workload, *, evidence: bool = True) -> int:
    """Run record batches through kernels, and count the matches in the record batches that come out."""
    detector = KernelDetector(query.plan, evidence=evidence)
    found = sum(chunk.num_rows for batch in events.batches for chunk in detector.chunks(batch))
    return int(found + detector.close().num_rows)


def counted(query: c.CompiledQuery, events: Workload) -> int:
    counter = MatchCounter(query.plan)
    return sum(counter.push_batch(batch) for batch in events.batches) + counter.close()


def interpreted(query: c.CompiledQuery, events: Workload) -> int:
    """Run the first events through the interpreter, one by one."""
    detector, found = Detector(query.plan), 0
    for number, row in enumerate(row for batch in events.batches for row in batch.slice(0, FEW).to_pylist()):
        if number == FEW:
            break
        name, when = row.pop("type"), row.pop("time")
        found += len(detector.push(point(name, when, number + 1, row)))
    return found + len(detector.close())


def measured(name: str, events: Workload, run: Callable[[], int], count: int | None = None) -> Row:
    """Return the figures of a run; it and the scan come in turn, as others use the machine too."""
    numbers = events if events.batches[0].schema.field("key").type == pa.int64() else workload(len(events))
    scans, runs, found = [], [], 0
    for _ in range(1 if count is not None else TURNS):
        scans.append(cpu_seconds(lambda: column_scan(numbers))[0])
        seconds, found = cpu_seconds(run, once=count is not None)
        runs.append(seconds)
    return _told(name, len(events) if count is None else count, min(runs), found, len(events) / min(scans))


def _told(name: str, events: int, seconds: float, found: int, scan: float) -> Row:
    """Print figures, and return them."""
    per_second = events / seconds
    row = {
        "name": name,
        "matches": found,
        "events_per_second": round(per_second),
        "matches_per_second": round(found / seconds),
        "of_scan": round(per_second / scan, 3),
    }
    matches = found / seconds / 1e6
    print(f"{name:56} {per_second / 1e6:9.2f} M events/s {matches:9.2f} M matches/s {found:>12,}", flush=True)
    return row


def kernel_alone(name: str, query: c.CompiledQuery, events: Workload) -> Row:
    """Return the figures of the kernel without what is before and after it: it finds the rows of matches in the log."""
    taken = 0.0

    def timed(*arguments: Any) -> int:
        nonlocal taken
        begin = time.process_time()
        last = kernel(*arguments)
        taken += time.process_time() - begin
        return int(last)

    rounds = []
    for _ in range(ROUNDS):
        detector, taken = KernelDetector(query.plan), 0.0
        kernel = detector.run.kernels[0].kernel
        detector.run.kernels[0].kernel = timed
        found = sum(chunk.num_rows for batch in events.batches for chunk in detector.chunks(batch))
        rounds.append(taken)
    scan = len(events) / cpu_seconds(lambda: column_scan(events))[0]
    return _told(name, len(events), min(rounds), found, scan)


def pushed(query: c.CompiledQuery, events: Workload) -> Row:
    """Push dictionaries one by one; pushes with more than 16 matches are left out."""
    rows = [row for batch in events.batches[:3] for row in batch.to_pylist()]
    for _ in range(2):
        detector, taken = KernelDetector(query.plan), []
        for row in rows:
            begin = time.perf_counter_ns()
            found = len(detector.push(row))
            taken.append((time.perf_counter_ns() - begin, found))
    kept = np.array([nanoseconds for nanoseconds, found in taken[5000:] if found <= 16]) / 1000
    half, most = np.percentile(kept, (50, 99)).tolist()
    print(f"one pushed event: p50 {half:.1f}, p99 {most:.1f} microseconds", flush=True)
    return {"p50_microseconds": round(half, 2), "p99_microseconds": round(most, 2)}


def compile_seconds() -> Row:
    """Return how long the first batch of three parts takes with an empty cache and with a filled one.

    Both begin when Numba is imported, which takes a while of its own, and is told apart.
    """
    begin = "import time\nbegin = time.process_time()\nimport numba\n"
    told = "print(time.process_time() - begin)"
    query = "from benchmarks.engine import *\nevents, query = workload(1000), engine_queries.combinations('100 ms')\n"
    run = f"{begin}{query}begin = time.process_time()\nend_to_end(query, events)\n{told}"
    scripts = [run, run, begin + told]
    cold, warm, imported = map(min, zip(*(_printed_in_turn(scripts) for _ in range(3)), strict=True))
    print(f"the first batch: {cold:.2f} s cold, {warm:.3f} s warm; importing Numba: {imported:.3f} s", flush=True)
    return {"cold_seconds": round(cold, 2), "warm_seconds": round(warm, 3), "import_seconds": round(imported, 3)}


def _printed_in_turn(scripts: list[str]) -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "CEPHEID_CACHE": folder}
        return [_printed(script, environment) for script in scripts]


def _printed(script: str, environment: dict[str, str]) -> float:
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=True)
    return float(done.stdout)


def in_numpy(_: c.CompiledQuery, events: Workload) -> int:
    return engine_peers.recent_in_numpy(events)


def in_polars(_: c.CompiledQuery, events: Workload) -> int:
    return engine_peers.recent_in_polars(events)


Query = Callable[[], c.CompiledQuery]


@dataclass(frozen=True, slots=True)
class Task:
    """A row to be: a query, over so many events with so many keys, in one of the ways above."""

    name: str
    query: Query
    count: int
    way: Callable[..., Any] = end_to_end
    keys: int = 100
    text: bool = False

    def row(self) -> Row:
        """Return the figures."""
        query, events = self.query(), workload(self.count, self.keys, text=self.text)
        if self.way is kernel_alone:
            return kernel_alone(self.name, query, events)
        count = FEW if self.way is interpreted else None
        return measured(self.name, events, lambda: self.way(query, events), count)


def tasks(count: int) -> list[Task]:
    queries = engine_queries
    next_match, keyed = partial(queries.next_match, "100 ms"), partial(queries.next_match, "1 s", by_key=True)
    every, keyed_every = partial(queries.combinations, "100 ms"), partial(queries.combinations, "1 s", by_key=True)
    name, large = "most recent A, then B", MANY * count
    return [
        Task("next match of A, B, C within 100 ms", next_match, count),
        Task("the same, interpreted", next_match, count, interpreted),
        Task("all combinations within 100 ms, with evidence", every, count),
        Task("the same, interpreted", every, count, interpreted),
        Task("next match of 100 keys within 1 s", keyed, count),
        Task("all combinations of 100 keys within 1 s", keyed_every, count),
        Task(f"{name}, 100 keys", queries.recent, count),
        Task("the same, interpreted", queries.recent, count, interpreted),
        Task("the same in NumPy", queries.recent, count, in_numpy),
        Task("the same in polars, one thread", queries.recent, count, in_polars),
        Task(f"{name}, 10,000 keys", queries.recent, count, keys=10_000),
        *(Task(f"{name}, {keys:,} keys, the kernel alone", queries.recent, count, kernel_alone, keys) for keys in KEYS),
        *(Task(f"{name}, {keys:,} keys, {large:,} events", queries.recent, large, keys=keys) for keys in KEYS),
        Task(f"{name}, 100 keys that are text", queries.recent, count, text=True),
        Task("20 queries of one form", partial(queries.family, 20), count),
        Task("100 queries of one form", partial(queries.family, 100), count),
        Task("average of 10 s per key, of events of one type", partial(queries.average, "A", 0.75), count),
        Task("average of 10 s per key, of all events", partial(queries.average, "ABCDEFGHIJ", 0.6), count),
        Task("all combinations within 1 s, with evidence", partial(queries.combinations, "1 s"), 131_072),
        Task("a rising chain of one key within 1 s", queries.chain, count),
        Task("the same, interpreted", queries.chain, count, interpreted),
        Task("all combinations within 20 events", queries.records, count),
        Task("the same, interpreted", queries.records, count, interpreted),
        *(_counting(window, count) for window in ("100 ms", "1 s", "10 s")),
    ]


def _counting(window: str, count: int) -> Task:
    return Task(
        f"all combinations within {window}, counted", partial(engine_queries.combinations, window), count, counted
    )


def main(count: int) -> None:
    events = workload(count)
    seconds, _ = cpu_seconds(lambda: column_scan(events))
    scan = count / seconds
    print(f"scan of all columns: {scan / 1e6:.0f} M events/s", flush=True)
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as processes:
        rows = list(processes.map(Task.row, tasks(count)))
    told = {
        "events": count,
        "machine": platform.machine(),
        "scan_events_per_second": round(scan),
        "rows": rows,
        "push": pushed(engine_queries.recent(), events),
        "compile": compile_seconds(),
    }
    RESULTS.write_text(json.dumps(told, indent=2) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS)
