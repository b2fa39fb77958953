"""Flink CEP and Siddhi at work: our drivers for both in a machine of Java that has one core."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.engine_workload import Workload

ENVIRONMENT = Path(__file__).parents[2] / ".peers"
DRIVERS = {"Flink CEP": ("flink", "FlinkSequences"), "Siddhi": ("siddhi", "SiddhiSequences")}
HEAP = "4g"
_ROW = np.dtype([("type", ">i4"), ("key", ">i4"), ("value", ">f8")])


@dataclass(frozen=True, slots=True)
class Round:
    """One pass over all events: the seconds of the processor that it took, and the matches it found."""

    seconds: float
    matches: int


def write_events(events: Workload, count: int, path: Path) -> None:
    """Write the first events as the drivers read them: how many there are, then type, key and value of each."""
    rows = np.zeros(count, _ROW)
    rows["type"], rows["key"], rows["value"] = events.codes[:count], events.keys[:count], events.values[:count]
    path.write_bytes(np.array([count], ">i4").tobytes() + rows.tobytes())


def rounds(peer: str, path: Path, query: str, milliseconds: int, times: int) -> list[Round]:
    """Run a query several times in one process, as the first runs of Java are slow."""
    jars, driver = DRIVERS[peer]
    classes = f"{ENVIRONMENT / 'classes'}{os.pathsep}{ENVIRONMENT / 'jars' / jars / '*'}"
    command = ["java", f"-Xmx{HEAP}", "-XX:ActiveProcessorCount=1", "-cp", classes, driver]
    command += [str(path), query, str(milliseconds), str(times)]
    done = subprocess.run(
        command, preexec_fn=on_one_core, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True
    )
    told = [line.split() for line in done.stdout.splitlines() if line.startswith("round ")]
    return [Round(float(seconds), int(matches)) for _, seconds, matches in told]


def on_one_core() -> None:
    """Keep this process and its threads on one of the cores that it may use."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def versions() -> dict[str, str]:
    """Return which version of each was measured, as the names of its jars say."""
    jars = {"Flink CEP": ("flink", "flink-cep-"), "Siddhi": ("siddhi", "siddhi-core-")}
    found = {}
    for peer, (folder, stem) in jars.items():
        jar = next((ENVIRONMENT / "jars" / folder).glob(f"{stem}*.jar"))
        found[peer] = jar.stem.removeprefix(stem)
    return found
