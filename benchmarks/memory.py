"""Peak memory of `cepheid run` as the input grows: it must not.

    python benchmarks/memory.py [events ...]

Makes Parquet files of A..J events, one millisecond apart, runs a bounded query over each in a process of its own, and
writes what it saw to `results/memory.json`.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

QUERY = "(A ; B) within 5 s"
SIZES = (1_000_000, 10_000_000)
RESULTS = Path(__file__).parent / "results" / "memory.json"
BATCH = 100_000


def write_events(path: Path, count: int) -> None:
    """Write `count` events of ten types in equal shares, in the order of time."""
    draw = random.Random(7)
    schema = pa.schema([("type", pa.string()), ("time", pa.int64()), ("value", pa.float64())])
    with pq.ParquetWriter(path, schema) as writer:
        for first in range(0, count, BATCH):
            size = min(BATCH, count - first)
            types = [draw.choice("ABCDEFGHIJ") for _ in range(size)]
            times = range(first, first + size)
            values = [draw.random() for _ in range(size)]
            writer.write_table(pa.table([types, list(times), values], schema=schema))


def peak_memory(events: Path, matches: Path) -> tuple[int, int]:
    """Return the peak resident memory of a run in KiB, and how many matches it told."""
    command = [sys.executable, "-m", "cepheid", "run", QUERY, "--input", str(events)]
    command += ["--time-unit", "ms", "--output", str(matches)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"the run ended with status {os.waitstatus_to_exitcode(status)}")
    with matches.open() as lines:
        return usage.ru_maxrss, sum(1 for _ in lines)


def main(sizes: list[int]) -> None:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            events, matches = Path(folder) / f"{size}.parquet", Path(folder) / f"{size}.jsonl"
            with ProcessPoolExecutor(1, get_context("spawn")) as apart:
                apart.submit(write_events, events, size).result()  # its memory would count as the run's
            peak, found = peak_memory(events, matches)
            rows.append({"events": size, "peak_kib": peak, "matches": found})
            print(f"{size:>12,} events: peak {peak / 1024:8.1f} MiB, {found:,} matches", flush=True)
            events.unlink()
            matches.unlink()
    ratio = rows[-1]["peak_kib"] / rows[0]["peak_kib"]
    print(f"peak at {sizes[-1]:,} over peak at {sizes[0]:,}: {ratio:.3f}")
    RESULTS.write_text(json.dumps({"query": QUERY, "runs": rows, "ratio": round(ratio, 3)}, indent=2) + "\n")


if __name__ == "__main__":
    main([int(each) for each in sys.argv[1:]] or list(SIZES))
