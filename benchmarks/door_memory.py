"""Long Parquet files: how fast a query counts its matches over one, and how much memory that takes at most.

    python -m benchmarks.door_memory [events]

Files of a tenth of the events and of all of them are written piece by piece, in order of time and in no order. Each is
read by processes of their own, one that reads the same columns and does nothing and one that runs the query from its
text to the number of its matches, with as many threads as there are cores. What is loaded beforehand is not timed, and
counts as memory.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks import engine_queries
from benchmarks.engine_workload import MILLISECOND
from benchmarks.growth import batches
from benchmarks.peak_memory import peak_kib

EVENTS, GROUP = 100_000_000, 1 << 20
COLUMNS = ["type", "time", "key", "value"]
STEP = 1_000_003
"""A prime: its multiples, modulo any other number of events, are all of these in no order."""
Row = dict[str, Any]  # figures by name


def write(path: Path, count: int, *, shuffled: bool) -> None:
    """Write so many events as a file, in order or in no order."""
    schema = next(iter(batches(1))).schema
    with pq.ParquetWriter(path, schema) as file:
        waiting: list[Any] = []
        rows = 0
        for batch in batches(count):
            waiting.append(_shuffled(batch, count) if shuffled else batch)
            rows += batch.num_rows
            if rows >= GROUP:
                file.write_table(pa.Table.from_batches(waiting), row_group_size=GROUP)
                waiting, rows = [], 0
        if waiting:
            file.write_table(pa.Table.from_batches(waiting), row_group_size=GROUP)


def _shuffled(batch: Any, count: int) -> Any:  # record batches
    numbers = np.asarray(batch["time"]) // MILLISECOND
    times = pa.array(numbers * STEP % count * MILLISECOND)
    return batch.set_column(batch.schema.get_field_index("time"), "time", times)


def read(path: Path) -> int:
    """Read the columns of a file, and return how many rows it has."""
    with pq.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20) as file:
        return sum(batch.num_rows for batch in file.iter_batches(batch_size=1 << 18, columns=COLUMNS))


def run(path: Path) -> int:
    """Compile the query, run it over a file and return how many matches there are."""
    return engine_queries.recent().run(str(path), time_unit="us").count()


def apart(way: str, path: Path) -> Row:
    """Return the figures of a process that does nothing else."""
    told = subprocess.run(
        [sys.executable, "-m", "benchmarks.door_memory", way, str(path)], capture_output=True, check=True, text=True
    )
    row: Row = json.loads(told.stdout)
    return row


def _answer(way: str, path: Path) -> None:
    begin, worked = time.perf_counter(), time.process_time()
    found = {"read": read, "run": run}[way](path)
    wall, seconds = time.perf_counter() - begin, time.process_time() - worked
    print(json.dumps({"found": found, "wall": wall, "seconds": seconds, "mebibytes": peak_kib() / 1024}))


def measured(most: int) -> list[Row]:
    """Return the figures of both files, a tenth as long and whole."""
    rows = []
    for order in ("in order", "in no order"):
        for count in (most // 10, most):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "events.parquet"
                write(path, count, shuffled=order != "in order")
                nothing, own = apart("read", path), apart("run", path)
            assert nothing["found"] == count
            row = {"order": order, "events": count, "read": nothing, "run": own}
            share = nothing["seconds"] / own["seconds"]
            print(f"{order:12} {count:>12,} {share:.2f} of reading, {own['mebibytes']:.0f} MiB", flush=True)
            rows.append(row)
    return rows


if __name__ == "__main__":
    if sys.argv[1:2] in (["read"], ["run"]):
        _answer(sys.argv[1], Path(sys.argv[2]))
    else:
        print(json.dumps(measured(int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS), indent=2))
