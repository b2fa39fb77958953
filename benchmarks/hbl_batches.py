"""Watchpoints in batches, through kernels alone and as users push them: records for each second of the processor.

Users push small batches as lists of dictionaries, and large ones as record batches of Arrow, whose matches are a table.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

import numpy as np
import pyarrow as pa

import cepheid
from benchmarks.hbl_workload import LEAD_EVERY, Setup
from cepheid.analysis import plan_of
from cepheid.engine.kernels.columns.batches import Batch
from cepheid.engine.kernels.columns.columns import Column, Kind
from cepheid.engine.kernels.rules.kernel_run import KernelRun
from cepheid.languages.hbl import parse
from cepheid.rewrites import rewrite

KEYS: Final = 10_000
SIZES: Final = {32: 200_000, 65_536: 20 * 65_536}
IN_COLUMNS: Final = (65_536,)


def batches() -> list[dict[str, float]]:
    """Return how many million records a second go through the watchpoint of the defaults, by the size of batches."""
    return [
        {"size": size, "steps": steps, "millions": speed(size, steps), "pushed": pushed(size, steps)}
        for size in SIZES
        for steps in (2, 9)
    ]


def pushed(size: int, steps: int) -> float:
    """Return the same where a user pushes the batches."""
    setup = Setup(steps=steps, operators=1)
    columns = size in IN_COLUMNS
    detector = cepheid.compile(setup.text(), language="hbl", time_unit="ms").detector()
    push: Callable[[Any], Any] = partial(detector.push_batch, columns=True) if columns else detector.push_batch
    table = _table(setup, SIZES[size])
    parts = [table.slice(first, size) for first in range(0, len(table), size)]
    given = parts if columns else [part.to_pylist() for part in parts]
    warm = max(len(given) // 10, 1)
    for batch in given[:warm]:
        push(batch)
    before = time.thread_time()
    for batch in given[warm:]:
        push(batch)
    return sum(map(len, given[warm:])) / (time.thread_time() - before) / 1e6


def speed(size: int, steps: int) -> float:
    """Return millions of records for each second of the thread; the first tenth is not counted."""
    setup = Setup(steps=steps, operators=1)
    program = parse(setup.text())
    run = KernelRun(
        plan_of(rewrite(program), written=program), disorder=0, identified=False, evidence=False, state=None
    )
    given = list(_batches(setup, size, SIZES[size]))
    warm = max(len(given) // 10, 1)
    for batch in given[:warm]:
        list(run.push(batch))
    before = time.thread_time()
    for batch in given[warm:]:
        list(run.push(batch))
    return sum(map(len, given[warm:])) / (time.thread_time() - before) / 1e6


def _records(setup: Setup, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the steps, the keys and the times of records, in milliseconds."""
    draw = np.random.default_rng(1)
    steps = np.where(np.arange(count) % LEAD_EVERY == 0, 0, draw.integers(1, setup.steps, count)).astype(np.int32)
    return steps, draw.integers(0, KEYS, count), np.arange(count)


def _table(setup: Setup, count: int) -> Any:  # a pyarrow.Table
    steps, keys, times = _records(setup, count)
    names = pa.array([setup.name(step) for step in range(setup.steps)])
    return pa.table({"type": pa.DictionaryArray.from_arrays(steps, names), "time": times, "key": keys})


def _batches(setup: Setup, size: int, count: int) -> Iterator[Batch]:
    steps, keys, times = _records(setup, count)
    names = [setup.name(step) for step in range(setup.steps)]
    for first in range(0, count, size):
        rows = slice(first, first + size)
        yield Batch(steps[rows], names, times[rows] * 1_000, first, _reading(keys[rows]), numbered=True)


def _reading(keys: np.ndarray) -> Callable[[str], Column | None]:
    return lambda name: Column(Kind.INT, keys) if name == "key" else None
