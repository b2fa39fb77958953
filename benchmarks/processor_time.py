"""How much processor time this process and all that it started have used, whatever others do at the same time."""

import ctypes
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_TICKS: Final = os.sysconf("SC_CLK_TCK")
# After the name of the program, which ends with the last bracket: the parent, then further on four times.
_PARENT, _TIMES, _OWN, _OF_CHILDREN = 1, slice(11, 15), slice(11, 13), slice(13, 15)
_SUBREAPER: Final = 36  # of `prctl` in the C library


def keep_orphans() -> None:
    """Become the parent of whatever loses its own, so that what it has used is not lost with it."""
    if ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0):
        raise SystemExit("orphans cannot be kept, and their time would not be counted")


def processor_seconds() -> float:
    """Return the seconds that the processors worked for this process, its children, and theirs, also if they ended."""
    return _CLOCK.seconds()


def seconds_of(process: int) -> float:
    """Return the seconds that the processors worked for one process, without its children."""
    return _seconds((Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split(), _OWN)


class _Clock:
    """Adds up what processes have used; who ends leaves it to the parent, or takes it along, as Spark's workers do."""

    def __init__(self) -> None:
        self.known: dict[int, list[str]] = {}
        self.lost = 0.0

    def seconds(self) -> float:
        stats = dict(_stats())
        now = {process: stats[process] for process in _family(os.getpid(), stats)}
        ended = sum(_seconds(stat, _TIMES) for process, stat in self.known.items() if process not in now)
        left = sum(
            _seconds(stat, _OF_CHILDREN) - _seconds(self.known[process], _OF_CHILDREN)
            for process, stat in now.items()
            if process in self.known
        )
        self.known, self.lost = now, self.lost + max(ended - left, 0.0)
        return self.lost + sum(_seconds(stat, _TIMES) for stat in now.values())


def _family(process: int, stats: dict[int, list[str]]) -> Iterator[int]:
    yield process
    for child, stat in stats.items():
        if int(stat[_PARENT]) == process:
            yield from _family(child, stats)


def _seconds(stat: list[str], which: slice) -> float:
    return sum(map(int, stat[which])) / _TICKS


def _stats() -> Iterator[tuple[int, list[str]]]:
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit():
                yield int(folder.name), (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile


_CLOCK = _Clock()
