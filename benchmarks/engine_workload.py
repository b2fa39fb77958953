"""The workload of the engine's benchmark: events of ten types, one millisecond apart, with keys and values.

Everything is in memory before the clock starts, as record batches of Arrow. Types are dictionaries, as in Parquet.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

TYPES = "ABCDEFGHIJ"
ROWS = 65_536
MILLISECOND = 1000
MOST_ROUNDS, ENOUGH = 40, 1.0


@dataclass(frozen=True)
class Workload:
    """Columns, and the same as record batches."""

    codes: Any  # arrays of NumPy
    times: Any
    keys: Any
    values: Any
    batches: Sequence[Any]

    def __len__(self) -> int:
        return len(self.times)

    def first(self, count: int) -> "Workload":
        """Return the first events alone."""
        columns = (one[:count] for one in (self.codes, self.times, self.keys, self.values))
        whole, rest = divmod(count, ROWS)
        cut = [self.batches[whole].slice(0, rest)] if rest else []
        return Workload(*columns, [*self.batches[:whole], *cut])


def workload(count: int, keys: int = 100, *, text: bool = False) -> Workload:
    """Return the same events for the same numbers; values are multiples of 2 to the -20."""
    draw = np.random.default_rng(7)
    codes = draw.integers(0, len(TYPES), count).astype(np.int32)
    numbers = draw.integers(0, keys, count)
    values = draw.integers(0, 1 << 20, count) / float(1 << 20)
    times = np.arange(count, dtype=np.int64) * MILLISECOND
    names = pa.array(list(TYPES))
    key_column = pa.array([f"key {number}" for number in numbers]) if text else pa.array(numbers)
    batches = []
    for first in range(0, count, ROWS):
        rows = slice(first, min(first + ROWS, count))
        kinds = pa.DictionaryArray.from_arrays(codes[rows], names)
        own = key_column.slice(rows.start, rows.stop - rows.start)
        columns = [kinds, pa.array(times[rows]), own, pa.array(values[rows])]
        batches.append(pa.RecordBatch.from_arrays(columns, ["type", "time", "key", "value"]))
    return Workload(codes, times, numbers, values, batches)


def cpu_seconds(run: Callable[[], int], *, once: bool = False) -> tuple[float, int]:
    """Return the least time of the processor that a run took, and what it found, which is the same every time.

    Short runs are repeated until some are undisturbed: others use the machine as well.
    """
    taken: list[float] = []
    found = set()
    while not taken or (not once and len(taken) < MOST_ROUNDS and (len(taken) < 3 or sum(taken) < ENOUGH)):
        begin = time.process_time()
        found.add(run())
        taken.append(time.process_time() - begin)
    if len(found) != 1:
        raise SystemExit(f"one run found something else than another: {found}")
    return min(taken), found.pop()


def column_scan(events: Workload) -> int:
    """Add up all columns: what no detection can be faster than."""
    for batch in events.batches:
        batch.column("type").indices.to_numpy(zero_copy_only=False).sum()
        for name in ("time", "key", "value"):
            batch.column(name).to_numpy(zero_copy_only=False).sum()
    return len(events)
