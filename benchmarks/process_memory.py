"""How much memory the processes of a pipeline have: its driver, the JVM, and the Python workers with their daemon."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tests.spark.killing import JVM, WORKER, below

_KIB = 1024
_FULL = re.compile(r"^\[(\S+)\].* Pause Full .* \d+M->(\d+)M\(", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes of some processes: all that is resident, and what they allocated, where what is shared counts once."""

    processes: int
    resident: int
    own: int


def memory_of(driver: int) -> dict[str, Memory]:
    """Return the memory of each kind of processes of a pipeline; what ends meanwhile is not counted.

    What is their own is what they allocated themselves (`Pss_Anon`): files that are mapped, such as libraries, are
    shared with whoever else uses them on the machine, and are not part of it.
    """
    kinds = {"driver": [driver], "jvm": below(driver, JVM), "workers": below(driver, WORKER)}
    kinds["workers"] = [one for one in kinds["workers"] if one not in kinds["jvm"]]
    return {kind: _together(processes) for kind, processes in kinds.items()}


def _together(processes: list[int]) -> Memory:
    told = [one for one in map(_rollup, processes) if one]
    return Memory(len(told), sum(one["Rss"] for one in told), sum(one["Pss_Anon"] for one in told))


def _rollup(process: int) -> dict[str, int]:
    """Return what the kernel adds up of a process, in bytes, nothing if it ended."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8").splitlines()[1:]
    except OSError:
        return {}
    return {name: int(rest.split()[0]) * _KIB for name, _, rest in (line.partition(":") for line in lines)}


def collections(folder: Path) -> Iterator[tuple[float, int]]:
    """Yield when the JVMs of a folder with logs collected all of their garbage, and how many bytes were live then."""
    for file in sorted(folder.glob("gc-*.log")):
        for at, live in _FULL.findall(file.read_text(encoding="utf-8")):
            yield datetime.fromisoformat(at).timestamp(), int(live) * _KIB * _KIB
