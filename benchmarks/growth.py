"""What an event costs as there are more of them, and as windows are longer: it should stay the same.

    python -m benchmarks.growth [events of the longest run]

Events come in record batches that are made as they are needed, so that nothing but the engine's own state is held. The
clock is that of the processor and runs while the engine does. Figures are written to `results/growth.json`; the plots
and the table in `docs/benchmarks/growth.md` are made of them.
"""

import ctypes
import json
import platform
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import cepheid as c
from benchmarks import engine_queries
from benchmarks.engine_workload import MILLISECOND, ROWS, workload
from cepheid.engine.kernels import KernelDetector, MatchCounter

RESULTS = Path(__file__).parent / "results" / "growth.json"
EVENTS = 100_000_000
WINDOWS = (1, 10, 100, 1000, 10_000)
# Three times as many events as the longest window has: what leaves it is paid for as well.
EVENTS_OF_WINDOWS = 30_000_000
WINDOW_OF_EVENTS = 10
POOL = 64
ROUNDS = 4
MEMORY = 3 << 29
M_TRIM_THRESHOLD, M_MMAP_MAX = -1, -4  # of `mallopt` in the C library


@dataclass(frozen=True)
class Subject:
    """A query with a window of so many seconds, listed or counted."""

    name: str
    query: Callable[[str], c.CompiledQuery]
    counted: bool = False


SUBJECTS = (
    Subject("next match of A, B, C", engine_queries.next_match),
    Subject("most recent A, then B, 100 keys", engine_queries.recent),
    Subject("all combinations of A, B, C, counted", engine_queries.combinations, counted=True),
    Subject("average per key, of events of one type", lambda window: engine_queries.average("A", 0.95, window)),
    Subject("average per key, of all events", lambda window: engine_queries.average("ABCDEFGHIJ", 0.95, window)),
)


def batches(count: int) -> Iterator[Any]:
    """Yield so many events as record batches; types, keys and values come again after some millions."""
    pool = workload(min(count, POOL * ROWS)).batches
    first = number = 0
    while first < count:
        batch = pool[number % len(pool)].slice(0, min(ROWS, count - first))
        times = np.arange(first, first + batch.num_rows, dtype=np.int64) * MILLISECOND
        yield batch.set_column(batch.schema.get_field_index("time"), "time", pa.array(times))
        first, number = first + batch.num_rows, number + 1


def run(subject: Subject, window: int, count: int) -> tuple[float, int]:
    """Return the seconds of the processor that the engine takes for so many events, and the matches."""
    plan = subject.query(f"{window} s").plan
    engine = MatchCounter(plan) if subject.counted else KernelDetector(plan)
    seconds, found = 0.0, 0
    for batch in batches(count):
        begin = time.process_time()
        found += _matches(engine, batch)
        seconds += time.process_time() - begin
    return seconds, found


def _matches(engine: KernelDetector | MatchCounter, batch: Any) -> int:  # a record batch
    if isinstance(engine, MatchCounter):
        return engine.push_batch(batch)
    return sum(chunk.num_rows for chunk in engine.chunks(batch))


def keep_memory() -> None:
    """Use as much memory as the longest window needs, and keep what is given back, as a process has that runs for long.

    A virtual machine gets memory from its host when it is touched first, which costs more than all else here.
    """
    allocator = ctypes.CDLL(None)
    allocator.mallopt(M_MMAP_MAX, 0)
    allocator.mallopt(M_TRIM_THRESHOLD, 2**31 - 1)
    np.ones(MEMORY // 8)


def measured(subject: Subject, cases: list[tuple[int, int]]) -> list[dict[str, Any]]:
    """Return what windows and numbers of events cost; they come in turn, so that a slow while is one for all."""
    rounds = [[run(subject, *case) for case in cases] for _ in range(ROUNDS)]
    return [_told(subject, *case, *min(each)) for case, each in zip(cases, zip(*rounds, strict=True), strict=True)]


def _told(subject: Subject, window: int, count: int, seconds: float, found: int) -> dict[str, Any]:
    """Print a figure, and return it."""
    nanoseconds = 1e9 * seconds / count
    print(f"{subject.name:42} {window:6} s {count:>12,} events {nanoseconds:8.1f} ns {found:,}", flush=True)
    return {"window": window, "events": count, "matches": found, "nanoseconds": round(nanoseconds, 2)}


def main(most: int) -> None:
    keep_memory()
    rows = []
    for subject in SUBJECTS:
        run(subject, 1, ROWS)
        events = measured(subject, [(WINDOW_OF_EVENTS, count) for count in (most // 100, most // 10, most)])
        windows = measured(subject, [(window, EVENTS_OF_WINDOWS) for window in WINDOWS])
        rows.append({"name": subject.name, "counted": subject.counted, "events": events, "windows": windows})
    RESULTS.write_text(json.dumps({"machine": platform.machine(), "queries": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS)
