"""How fast the public calls are, beside the kernels alone: from a table or a file to a table, to objects, and by push.

    python -m benchmarks.door [events [part ...]]

The clock is that of the processor, one core; what is compared comes in turn, and the best of several rounds counts.
Threads and other engines are compared by wall time, with all cores; the load of the machine is written beside them.
Figures are written to `results/door.json`, and the table in `docs/performance.md` is made of them. Where parts are
named, such as `tables` or `push_microseconds`, the others stay as they were measured.
"""

import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import cepheid as c
from benchmarks import engine_queries
from benchmarks.door_before import Asked, Before, before
from benchmarks.door_files import measured as file_to_file
from benchmarks.door_memory import measured as long_files
from benchmarks.door_others import measured as beside_others
from benchmarks.door_pushes import pushes
from benchmarks.engine_workload import Workload, workload
from benchmarks.growth import keep_memory
from cepheid.engine.kernels import KernelDetector

RESULTS = Path(__file__).parent / "results" / "door.json"
EVENTS, ROUNDS, FEWER = 10_000_000, 3, 2_000_000
ASKED: dict[str, Asked] = {
    "last A, then a greater B of its key within 1 s": ("recent", (), {}),
    "all A, B, C within 100 ms": ("combinations", ("100 ms",), {}),
    "all A, B, C of one key within 1 s": ("combinations", ("1 s",), {"by_key": True}),
    "A, next B, next C within 100 ms": ("next_match", ("100 ms",), {}),
    "average of a key over 10 s above 0.5": ("average", ("A", 0.5), {}),
    "twenty of the first": ("family", (20,), {}),
    "A, first B, first C of one key, rising, no D": ("chain", (), {}),
}
KEYED = [name for name in ASKED if "key" in name or "first" in name]
MANY_MATCHES = ("all A, B, C within 100 ms",)
Row = dict[str, Any]  # figures by name
Timed = tuple[float, int]
"""Seconds, and what was counted."""


def query_of(name: str) -> c.CompiledQuery:
    """Return a query by its name in the table."""
    make, arguments, options = ASKED[name]
    query: c.CompiledQuery = getattr(engine_queries, make)(*arguments, **options)
    return query


def in_turn(ways: Mapping[str, Callable[[], Timed]]) -> dict[str, Timed]:
    """Return the least seconds of each way, and what it counted, after one round that nobody times."""
    best: dict[str, Timed] = {}
    for number in range(ROUNDS + 1):
        for name, run in ways.items():
            taken = run()
            if number and (name not in best or taken < best[name]):
                best[name] = taken
    return best


def timed(run: Callable[..., int], *arguments: Any, **options: Any) -> Callable[[], Timed]:
    """Return a way that takes the time of the processor."""

    def way() -> Timed:
        begin = time.process_time()
        found = run(*arguments, **options)
        return time.process_time() - begin, found

    return way


def kernels_alone(query: c.CompiledQuery, events: Workload) -> int:
    """Push record batches to the kernels, and keep what comes out."""
    detector = KernelDetector(query.plan)
    kept = [chunk for batch in events.batches for chunk in detector.chunks(batch)]
    return sum(chunk.num_rows for chunk in [*kept, detector.close()])


def to_arrow(query: c.CompiledQuery, events: Any, *, ids: bool = False) -> int:  # a table or a file
    """Run a query through the public door, and return how many rows its table of matches has."""
    return int(query.run(events, time_unit="us", ids=ids, threads=1).to_arrow().num_rows)


def tables(events: Workload) -> list[Row]:
    """Measure `run(table).to_arrow()`, with and without ids, beside the kernels as they are and as they were."""
    with before() as old:
        return [_table(name, asked, events, old) for name, asked in ASKED.items()]


def _table(name: str, asked: Asked, events: Workload, old: Before) -> Row:
    query = query_of(name)
    some = events.first(FEWER) if name in MANY_MATCHES and len(events) > FEWER else events
    table = pa.Table.from_batches(some.batches)
    found = in_turn(
        {
            "before": partial(old.ask, asked, len(events), len(some)),
            "kernels": timed(kernels_alone, query, some),
            "run": timed(to_arrow, query, table),
            "ids": timed(to_arrow, query, table, ids=True),
        }
    )
    assert len({count for _, count in found.values()}) == 1
    speeds = {way: round(len(some) / seconds) for way, (seconds, _) in found.items()}
    print(f"{name:48} " + " ".join(f"{way} {speed / 1e6:6.1f}" for way, speed in speeds.items()), flush=True)
    return {"name": name, "events": len(some), "matches": found["run"][1], **speeds}


def threads(events: Workload) -> list[Row]:
    """Measure the queries with a key on one thread and on two, by wall time: nobody else should use the machine.

    Beside them stand the kernels alone, each half of the events on a thread of its own: what two cores that share their
    memory and their cache give to who does nothing else.
    """
    keep_memory()  # which a virtual machine would get from its host again and again, one thread after the other
    rows, table = [], pa.Table.from_batches(events.batches)
    whole = table.combine_chunks().to_batches(max_chunksize=1 << 18)
    halves = [replace(events, batches=some) for some in (whole[: len(whole) // 2], whole[len(whole) // 2 :])]
    for name in KEYED:
        query, best = query_of(name), {1: float("inf"), 2: float("inf")}
        alone = dict(best)
        tables = [query.run(table, time_unit="us", threads=count, ids=True).to_arrow() for count in best]
        assert tables[0].equals(tables[1])
        for _ in range(2 * ROUNDS):
            for count in best:
                begin = time.perf_counter()
                query.run(table, time_unit="us", threads=count).to_arrow()
                best[count] = min(best[count], time.perf_counter() - begin)
                alone[count] = min(alone[count], _kernels_on(count, query, halves))
        times = {"one": best[1], "two": best[2], "kernels on one": alone[1], "kernels on two": alone[2]}
        rows.append({"name": name, **{way: round(len(events) / seconds) for way, seconds in times.items()}})
        shares = (best[1] / best[2], alone[1] / alone[2])
        print(f"{name:48} two threads {shares[0]:.2f} times one, kernels alone {shares[1]:.2f}", flush=True)
    return rows


def _kernels_on(threads: int, query: c.CompiledQuery, halves: Sequence[Workload]) -> float:
    """Return the seconds that the kernels alone take for both halves of the events, on so many threads."""
    with ThreadPoolExecutor(threads) as pool:
        begin = time.perf_counter()
        list(pool.map(partial(kernels_alone, query), halves))
        return time.perf_counter() - begin


def files(events: Workload) -> Row:
    """Measure a Parquet file, in order and not, beside reading its columns and doing nothing."""
    query, table = engine_queries.recent(), pa.Table.from_batches(events.batches)
    with tempfile.TemporaryDirectory() as folder:
        paths = {"in order": Path(folder) / "sorted.parquet", "in no order": Path(folder) / "shuffled.parquet"}
        pq.write_table(table, paths["in order"])
        pq.write_table(table.take(pa.array(np.random.default_rng(1).permutation(len(events)))), paths["in no order"])
        ways = {way: timed(to_arrow, query, path) for way, path in paths.items()}
        found = in_turn({"read": timed(_read, paths["in order"]), **ways})
    speeds = {way: round(len(events) / seconds) for way, (seconds, _) in found.items()}
    print("Parquet " + " ".join(f"{way} {speed / 1e6:6.1f}" for way, speed in speeds.items()), flush=True)
    return speeds


def others(events: Workload) -> list[Row]:
    """Ask DuckDB and polars the same of the same file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.parquet"
        pq.write_table(pa.Table.from_batches(events.batches), path)
        return beside_others(path, len(events))


def _read(path: Path) -> int:
    with pq.ParquetFile(path, pre_buffer=False) as file:
        return sum(batch.num_rows for batch in file.iter_batches(batch_size=1 << 16))


def objects(events: Workload) -> int:
    """Return how many matches a second are read as objects."""
    table, query = pa.Table.from_batches(events.first(200_000).batches), engine_queries.combinations("100 ms")
    look = timed(lambda: sum(map(_looked_at, query.run(table, time_unit="us"))))
    taken = in_turn({"objects": look})["objects"]
    print(f"objects {taken[1] / taken[0]:,.0f} a second", flush=True)
    return round(taken[1] / taken[0])


def _looked_at(match: Any) -> int:
    return int((match.name, match.start, match.end, match.values, match.evidence) is not None)


def pushed_tables(events: Workload) -> dict[str, int]:
    """Return how many events a second come in by tables of some sizes that are pushed, with tables of matches."""
    some = pa.Table.from_batches(events.first(FEWER).batches)
    ways = {str(size): timed(_push_tables, some.slice(0, size * 1000), size) for size in (512, 4096, 65_536)}
    speeds = {size: round(rows / seconds) for size, (seconds, rows) in in_turn(ways).items()}
    print("tables " + " ".join(f"{size} {speed / 1e6:6.1f}" for size, speed in speeds.items()), flush=True)
    return speeds


def _push_tables(table: Any, size: int) -> int:
    detector = engine_queries.recent().detector(time_unit="us")
    for first in range(0, len(table), size):
        detector.push_batch(table.slice(first, size), columns=True)
    return len(table)


PARTS: dict[str, Callable[[Workload], Any]] = {
    "tables": tables,
    "files": files,
    "file_to_file": lambda events: file_to_file(len(events)),
    "others": others,
    "long_files": lambda events: long_files(10 * len(events)),
    "objects_per_second": objects,
    "push_microseconds": pushes,
    "push_load": lambda _: os.getloadavg()[0],
    "pushed_tables": pushed_tables,
    "load": lambda _: os.getloadavg()[0],
    "threads": threads,  # the last, as it changes how memory is kept
}


def main(arguments: list[str]) -> None:
    count = int(arguments[0]) if arguments else EVENTS
    told = json.loads(RESULTS.read_text()) if arguments[1:] else {}
    events = workload(count)
    told["machine"] = f"{platform.machine()}, Python {platform.python_version()}, pyarrow {pa.__version__}"
    told["events"] = count
    for part in arguments[1:] or PARTS:
        told[part] = PARTS[part](events)
    RESULTS.write_text(json.dumps(told, indent=2) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
