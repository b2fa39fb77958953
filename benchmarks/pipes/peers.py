"""Siddhi and Esper at work on the same tuples, each query in a machine of Java of its own that has one core."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.drivers import ENVIRONMENT, HEAP, on_one_core

DRIVERS = {"Siddhi": ("siddhi", "SiddhiPipes", "siddhi-core-"), "Esper": ("esper", "EsperPipes", "esper-runtime-")}
_ROW = np.dtype([("symbol", ">i4"), ("close", ">f8")])


@dataclass(frozen=True, slots=True)
class Answer:
    """The least processor time of some rounds, in seconds, and one number for each output."""

    seconds: float
    outputs: NDArray[Any]


def write_tuples(rows: list[dict[str, Any]], path: Path) -> None:
    """Write tuples as the drivers read them: how many there are, then the symbol and the price of each."""
    told = np.zeros(len(rows), _ROW)
    told["symbol"] = [row["symbol"] for row in rows]
    told["close"] = [row["close"] for row in rows]
    path.write_bytes(np.array([len(rows)], ">i4").tobytes() + told.tobytes())


def answer(peer: str, tuples: Path, query: str, rounds: int) -> Answer:
    """Run a query several times in one process, as the first runs of Java are slow."""
    jars, driver, _ = DRIVERS[peer]
    classes = f"{ENVIRONMENT / 'classes'}{os.pathsep}{ENVIRONMENT / 'jars' / jars / '*'}"
    outputs = tuples.with_name(f"{peer}-{query}")
    command = ["java", f"-Xmx{HEAP}", "-XX:ActiveProcessorCount=1", "-cp", classes, driver]
    command += [str(tuples), query, str(rounds), str(outputs)]
    done = subprocess.run(
        command, preexec_fn=on_one_core, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True
    )
    told = [float(line.split()[1]) for line in done.stdout.splitlines() if line.startswith("round ")]
    return Answer(min(told), np.fromfile(outputs, ">f8"))


def versions() -> dict[str, str]:
    """Return which version of each was measured, as the names of its jars say."""
    found = {}
    for peer, (folder, _, stem) in DRIVERS.items():
        jar = next((ENVIRONMENT / "jars" / folder).glob(f"{stem}*.jar"))
        found[peer] = jar.stem.removeprefix(stem)
    return found
