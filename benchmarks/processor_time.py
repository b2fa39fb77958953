"""How much processor time this process and all that it started have used, whatever others do at the same time."""

import ctypes
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_TICKS: Final = os.sysconf("SC_CLK_TCK")
# After the name of the program, which ends with the last bracket: the parent, then further on four times.
_PARENT, _TIMES = 1, slice(11, 15)
_SUBREAPER: Final = 36  # of `prctl` in the C library
_AGREE: Final = 1.0  # second


def keep_orphans() -> None:
    """Become the parent of whatever loses its own, so that what it has used is not lost with it."""
    if ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0):
        raise SystemExit("orphans cannot be kept, and their time would not be counted")


def processor_seconds() -> float:
    """Return the seconds that the processors worked for this process, its children, and theirs.

    What ends while it is looked at can be missing, or be there twice, so two looks must agree.
    """
    seen, again = _seen(), _seen()
    while abs(again - seen) > _AGREE:
        seen, again = again, _seen()
    return again


def _seen() -> float:
    stats = dict(_stats())
    return sum(_seconds(stats[process]) for process in _family(os.getpid(), stats))


def _family(process: int, stats: dict[int, list[str]]) -> Iterator[int]:
    yield process
    for child, stat in stats.items():
        if int(stat[_PARENT]) == process:
            yield from _family(child, stats)


def _seconds(stat: list[str]) -> float:
    return sum(map(int, stat[_TIMES])) / _TICKS


def _stats() -> Iterator[tuple[int, list[str]]]:
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit():
                yield int(folder.name), (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile
