"""Watchpoints in batches through kernels: records for each second of the processor."""

import time
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from benchmarks.hbl_workload import LEAD_EVERY, Setup
from cepheid.analysis import plan_of
from cepheid.engine.kernels.batches import Batch
from cepheid.engine.kernels.columns import Column, Kind
from cepheid.engine.kernels.kernel_run import KernelRun
from cepheid.languages.hbl import parse
from cepheid.rewrites import rewrite

KEYS: Final = 10_000
SIZES: Final = {32: 200_000, 65_536: 20 * 65_536}


def batches() -> list[dict[str, float]]:
    """Return how many million records a second go through the watchpoint of the defaults, by the size of batches."""
    return [{"size": size, "steps": steps, "millions": speed(size, steps)} for size in SIZES for steps in (2, 9)]


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


def _batches(setup: Setup, size: int, count: int) -> Iterator[Batch]:
    draw = np.random.default_rng(1)
    steps = np.where(np.arange(count) % LEAD_EVERY == 0, 0, draw.integers(1, setup.steps, count)).astype(np.int32)
    keys, times = draw.integers(0, KEYS, count), np.arange(count) * 1_000
    names = [setup.name(step) for step in range(setup.steps)]
    for first in range(0, count, size):
        rows = slice(first, first + size)
        yield Batch(steps[rows], names, times[rows], first, _reading(keys[rows]), numbered=True)


def _reading(keys: np.ndarray) -> Callable[[str], Column | None]:
    return lambda name: Column(Kind.INT, keys) if name == "key" else None
