"""How much memory state takes, beside the bytes that were certified and beside the events that are of use.

    python -m benchmarks.state_memory

Each query runs in a process of its own over events that come as often as was declared. Memory is what the process grew
by at most, after it had compiled everything and run a little. Figures are written to `results/state_memory.json`, and
the table in `docs/benchmarks/memory.md` is made of them.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import cepheid as c
from benchmarks.engine_workload import MILLISECOND, ROWS, TYPES
from cepheid.engine.kernels import KernelDetector

RESULTS = Path(__file__).parent / "results" / "state_memory.json"
EVENTS, WINDOW = 25_000_000, "10000 s"
RATES = dict.fromkeys("ABC", "every 10 ms")
CERTIFIED, LIVE = 1.5, 3.0


def never_complete() -> c.Query:
    """All combinations of A, B and C with one key, of which there are none."""
    a, b, last = (c.event(name) for name in "ABC")
    return c.query((a >> b >> last).within(WINDOW).by("key"), name="all")


def nearly_complete() -> c.Query:
    """The same where every A and every B is there, and no C is as it should be."""
    a, b, last = (c.event(name) for name in "ABC")
    return c.query((a >> b >> last).within(WINDOW).by("key").where(last.value > 2.0), name="all")


def waiting() -> c.Query:
    """Each A with the next B of its key, for which it waits in vain."""
    a, b = c.event("A"), c.event("B")
    return c.query((a >> b).within(WINDOW).by("key"), name="next", policy="next")


def average() -> c.Query:
    """The average of a key over the window, which is never high."""
    now, item = c.event("A", name="now"), c.event("A", name="item")

    def window(anchor: c.terms.Extent, one: c.terms.Extent) -> tuple[c.terms.Term, ...]:
        return (anchor.end - one.start >= 0, anchor.end - one.start <= WINDOW)

    mean = {"mean": c.agg.avg(item.value)}
    seen = c.collect(now, item, relation=window, on=now.key == item.key, values=mean, name="seen")
    return c.query(seen.where(seen.mean > 2.0), name="load", values={"mean": seen.mean})


# Whether types have keys of their own, so that nothing comes after anything of its key.
QUERIES: dict[str, tuple[Callable[[], c.Query], bool]] = {
    "all combinations of A, B, C where nothing follows an A": (never_complete, True),
    "all combinations of A, B, C where no C follows": (nearly_complete, False),
    "each A that waits for a B of its key": (waiting, True),
    "average per key, of events of one type": (average, False),
}
KEYS = 1000


def batches(count: int, apart: bool) -> Iterator[Any]:
    """Yield events of all types in turn."""
    row = np.arange(ROWS, dtype=np.int64)
    for first in range(0, count, ROWS):
        number = row + first
        types = pa.DictionaryArray.from_arrays(pa.array((number % 10).astype(np.int32)), list(TYPES))
        keys = pa.array(number % KEYS if apart else number // 10 % KEYS)
        columns = [types, pa.array(number * MILLISECOND), keys, pa.array(np.full(ROWS, 0.5))]
        yield pa.RecordBatch.from_arrays(columns, ["type", "time", "key", "value"])


def _kilobytes(entry: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(entry))


def grown(name: str, declared: bool) -> dict[str, Any]:
    """Run a query in this process, and return what its memory grew by and what was certified."""
    query, apart = QUERIES[name]
    compiled = c.compile(query(), rates=RATES if declared else {})
    warm = KernelDetector(compiled.plan)
    for batch in batches(4 * ROWS, apart):
        warm.push_batch(batch)
    del warm
    Path("/proc/self/clear_refs").write_text("5")
    before = _kilobytes("VmRSS")
    detector = KernelDetector(compiled.plan)
    for batch in batches(EVENTS, apart):
        detector.push_batch(batch)
    [kernel] = detector.run.kernels
    live = kernel.live(detector.frontier)
    return {
        "grown": 1024 * (_kilobytes("VmHWM") - before),
        "certified": compiled.certificate.rules[0].size.number,
        "live_events": live,
        "live": live * kernel.bytes_of_a_row,
    }


def measured(name: str, declared: bool) -> dict[str, Any]:
    script = f"import json\nfrom benchmarks.state_memory import grown\nprint(json.dumps(grown({name!r}, {declared})))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    told: dict[str, Any] = json.loads(done.stdout)
    beside, wanted = (told["certified"], CERTIFIED) if declared else (told["live"], LIVE)
    ratio = told["grown"] / beside
    print(f"{name}: {told['grown'] / 1e6:.0f} MB, {ratio:.2f} of {beside / 1e6:.0f} MB {told}", flush=True)
    row = {"name": name, "declared": declared, **told, "ratio": round(ratio, 2), "wanted": wanted}
    return {**row, "met": ratio <= wanted}


def main() -> None:
    rows = [measured(name, declared) for name in QUERIES for declared in (True, False)]
    RESULTS.write_text(json.dumps({"events": EVENTS, "window": WINDOW, "runs": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
