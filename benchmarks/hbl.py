"""The sensitivity experiments of the paper on HBL, one pushed record at a time, as a user calls it.

    python -m benchmarks.hbl [records]

Each setting runs in processes of its own, several times, in rounds over all settings; of these the one counts whose
alerts had the least median, which others on the machine disturbed least. A push is timed in the time of its thread,
without what the clock itself takes; only the arrival rates are in wall time, and run once. The same records are pushed
to several detectors, one after another: the least that a record took is what its push takes by itself, since the
machine hardly disturbs the same record every time. Writes `results/hbl.json`.
"""

import json
import platform
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cepheid
from benchmarks.hbl_batches import batches
from benchmarks.hbl_workload import Setup, records
from benchmarks.peak_memory import peak_kib

RESULTS = Path(__file__).parent / "results" / "hbl.json"
COUNT = 20_000
ROUNDS = 3
REPLAYS = 5
EXPERIMENTS: dict[str, Sequence[int]] = {
    "steps": (1, 2, 3, 5, 7, 9),
    "window": (10, 100, 1_000, 10_000),
    "name_length": (5, 50, 500),
    "fields": (2, 10, 50),
    "operators": (1, 10, 40, 160),
    "evidence": (0, 1),
    "together": (1, 2, 3, 4),
    "rate": (100, 1_000, 10_000, 100_000),
}


def measured(setup: Setup, count: int) -> dict[str, Any]:
    """Return what pushes of records took, by what came of them, in microseconds."""
    query = cepheid.compile(setup.text(), language="hbl", time_unit="ms")
    warm, first = min(setup.window, count), peak_kib()
    given, asked = list(records(setup, warm + count)), {setup.name(step) for step in range(setup.steps)}
    begun = time.process_time()
    took, found = replayed(query.detector(), given, warm, setup.rate)
    used = time.process_time() - begun
    most = peak_kib()
    again = [replayed(query.detector(), given, warm, None)[0] for _ in range(REPLAYS - 1)] if setup.rate is None else []
    clock = _clock() if setup.rate is None else 0
    rows = {
        "alert": [row for row, alerts in enumerate(found) if alerts],
        "matters": [row for row, alerts in enumerate(found) if not alerts and given[warm + row]["type"] in asked],
    }
    told = {name: _spread([took[row] - clock for row in some]) for name, some in rows.items() if some}
    least = [min(each) - clock for each in zip(took, *again, strict=True)]
    return {
        **asdict(setup),
        **told,
        "undisturbed": {name: _spread([least[row] for row in some]) for name, some in rows.items() if some and again},
        "alerts": sum(found),
        "records": count,
        "cpu_seconds": used,
        "memory_mb": (most - first) / 1024,
        "still": _spread(_still(round(1_000 * told["alert"]["p50"]))),
    }


def replayed(detector: Any, given: list[Any], warm: int, rate: int | None) -> tuple[list[int], list[int]]:
    """Push records to a detector; return what each took after the first ones, and how many alerts it completed."""
    for record in given[:warm]:
        detector.push(record)
    took, found, started = [], [], time.perf_counter_ns()
    for number, record in enumerate(given[warm:]):
        if rate is not None:
            before = started + number * 1_000_000_000 // rate
            while time.perf_counter_ns() < before:
                pass
            alerts = len(detector.push(record))
            after = time.perf_counter_ns()
        else:
            before = time.thread_time_ns()
            alerts = len(detector.push(record))
            after = time.thread_time_ns()
        took.append(after - before)
        found.append(alerts)
    return took, found


def _still(nanoseconds: int) -> list[int]:
    """Return what a piece of work takes that never changes and mostly takes so long: all else in it is the machine."""
    steps = 50
    while sorted(_timed(steps) for _ in range(101))[50] < nanoseconds and steps < 1 << 16:
        steps += steps // 10
    return [_timed(steps) for _ in range(5_000)]


def _timed(steps: int) -> int:
    before, total = time.thread_time_ns(), 0
    for number in range(steps):
        total += number * number
    return time.thread_time_ns() - before


def _clock() -> int:
    """Return the nanoseconds between two looks at the clock of the thread, in half of all cases less."""
    spent = []
    for _ in range(2_001):
        before = time.thread_time_ns()
        spent.append(time.thread_time_ns() - before)
    return sorted(spent)[1_000]


def _spread(nanoseconds: list[int]) -> dict[str, float]:
    """Return the median, the tails and the maximum, in microseconds."""
    found = sorted(nanoseconds)
    at = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999, "max": 1.0}
    return {name: found[min(int(share * len(found)), len(found) - 1)] / 1_000 for name, share in at.items()} | {
        "count": len(found)
    }


def settings(axis: str, value: int) -> Setup:
    """Return the defaults with one thing changed."""
    changed: dict[str, Any] = {axis: bool(value) if axis == "evidence" else value}  # by the name of a field
    return replace(Setup(), **changed)


def counted(axis: str, value: int, count: int) -> int:
    """Return how many records to push: at a slow rate only those of two seconds."""
    return min(2 * value, count) if axis == "rate" else count


def main(count: int) -> None:
    every = [(axis, value) for axis, values in EXPERIMENTS.items() for value in values]
    best: dict[tuple[str, int], dict[str, Any]] = {}
    for number in range(ROUNDS):
        for axis, value in every if number == 0 else [one for one in every if one[0] != "rate"]:
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                found = pool.submit(measured, settings(axis, value), counted(axis, value, count)).result()
            before = best.setdefault((axis, value), found)
            best[axis, value] = min(before, found, key=lambda one: float(one["alert"]["p50"]))
            print(axis, value, found.get("alert"), flush=True)
    told: dict[str, Any] = {"machine": platform.processor() or platform.machine()}
    told["experiments"] = {axis: [best[axis, value] for value in values] for axis, values in EXPERIMENTS.items()}
    told["batches"] = [
        {name: max(one[name] for one in some) for name in some[0]}
        for some in zip(*[batches() for _ in range(ROUNDS)], strict=True)
    ]
    RESULTS.write_text(json.dumps(told, indent=2) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else COUNT)
