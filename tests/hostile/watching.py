"""Hostile cases run in a process of their own that is watched: no case may end it, stop in it, or fill the memory.

A module has a function `case(seed)`, which returns in a word or two what became of the case, and raises where that is
not one of the outcomes that are allowed. One process runs case after case. Where it dies, takes too long or too much
memory, that is told with the seed, and another process goes on with the next.
"""

import importlib
import json
import os
import select
import signal
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory
from time import monotonic

Case = Callable[[int], str]
_POLL = 0.05
_MEMORY = "/dev/shm"
_PAGE = os.sysconf("SC_PAGE_SIZE")
_CLOCK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a case may take: seconds of processor time and of waiting, and bytes beyond what the process began with."""

    seconds: float = 10.0
    waiting: float = 60.0
    memory: int = 1 << 30


@dataclass(slots=True)
class Outcomes:
    """How often which outcome came, and what was wrong, by seed."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: dict[int, str] = field(default_factory=dict)

    def note(self, seed: int, problem: str) -> None:
        self.counts["WRONG"] += 1
        self.wrong[seed] = problem
        print(f"seed {seed}: {problem}", flush=True)

    def __str__(self) -> str:
        told = ", ".join(f"{count:,} {outcome}" for outcome, count in self.counts.most_common())
        return f"{self.counts.total():,} cases: {told or 'none'}"


@dataclass(slots=True)
class _Child:
    """A process that runs cases, the pipe on which it tells of them, and what it began with."""

    process: subprocess.Popen[bytes]
    pipe: int
    memory: int = 0
    spent: float = 0.0
    since: float = field(default_factory=monotonic)
    seed: int | None = None
    rest: bytes = b""

    def lines(self) -> list[str] | None:
        """Return what it told since, nothing after a moment without news, and None where it has ended."""
        if not select.select([self.pipe], [], [], _POLL)[0]:
            return []
        read = os.read(self.pipe, 1 << 16)
        *whole, self.rest = (self.rest + read).split(b"\n")
        return [line.decode() for line in whole] if read else None

    def begin(self, seed: int) -> None:
        """Note that a case begins."""
        self.memory = self.memory or _memory(self.process.pid)
        self.seed, self.spent, self.since = seed, _spent(self.process.pid), monotonic()

    def excess(self, limits: Limits) -> str | None:
        """Return what the present case takes too much of, if anything."""
        if self.seed is None:
            return None
        taken = _memory(self.process.pid) - self.memory
        if taken > limits.memory:
            return f"takes {taken >> 20} MB"
        seconds, waited = _spent(self.process.pid) - self.spent, monotonic() - self.since
        if seconds > limits.seconds or waited > limits.waiting:
            return f"does not end in {seconds:.0f} s of work and {waited:.0f} s of waiting"
        return None

    def end(self) -> int:
        """End it, and return its status."""
        self.process.kill()
        os.close(self.pipe)
        return self.process.wait()


def watched(module: str, first: int, last: int, limits: Limits | None = None) -> Outcomes:
    """Return what became of the cases of a module with the seeds from `first` to before `last`."""
    outcomes = Outcomes()
    with TemporaryDirectory(prefix="watched-", dir=_MEMORY if os.path.isdir(_MEMORY) else None) as folder:
        while first < last:
            first = _some(_started(module, first, last, folder), last, limits or Limits(), outcomes)
    return outcomes


def _some(child: _Child, last: int, limits: Limits, outcomes: Outcomes) -> int:
    """Watch one process as long as it lasts, and return the seed to go on with."""
    while (lines := child.lines()) is not None:
        for line in lines:
            _take(json.loads(line), child, outcomes)
        if problem := child.excess(limits):
            child.end()
            outcomes.note(_present(child), problem)
            return _present(child) + 1
    status = child.process.wait()
    os.close(child.pipe)
    if child.seed is None:
        if status:
            raise SystemExit(f"the cases cannot be run: status {status}")
        return last
    outcomes.note(child.seed, f"ends the process: {_of_status(status)}")
    return child.seed + 1


def _present(child: _Child) -> int:
    assert child.seed is not None
    return child.seed


def _take(told: list[object], child: _Child, outcomes: Outcomes) -> None:
    match told:
        case ["begin", int(seed)]:
            child.begin(seed)
        case ["end", str(outcome)]:
            outcomes.counts[outcome] += 1
            child.seed = None
        case ["wrong", str(problem)]:
            outcomes.note(_present(child), problem)
            child.seed = None
        case _:
            raise AssertionError(told)


def _started(module: str, first: int, last: int, folder: str) -> _Child:
    """Start a process that runs cases; its temporary files are in a folder of the watcher, who removes it."""
    reading, writing = os.pipe()
    command = (sys.executable, "-X", "faulthandler", "-m", "tests.hostile.watching", module)
    process = subprocess.Popen(
        [*command, str(first), str(last), str(writing)],
        stdout=subprocess.DEVNULL,
        pass_fds=[writing],
        env={**os.environ, "TMPDIR": folder},
    )
    os.close(writing)
    return _Child(process, reading)


def _of_status(status: int) -> str:
    return signal.Signals(-status).name if status < 0 else f"status {status}"


def _memory(process: int) -> int:
    """Return how many bytes a process has in memory; none where it has ended."""
    try:
        with open(f"/proc/{process}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _spent(process: int) -> float:
    """Return how many seconds of processor time a process took; none where it has ended."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _CLOCK


def _run_cases(case: Case, first: int, last: int, pipe: int) -> None:
    """Run cases in this process, and tell of each when it begins and what became of it."""
    with os.fdopen(pipe, "w", encoding="utf-8", buffering=1) as telling:
        for seed in range(first, last):
            print(json.dumps(["begin", seed]), file=telling)
            print(json.dumps(_told(case, seed)), file=telling)


def _told(case: Case, seed: int) -> tuple[str, str]:
    try:
        return "end", case(seed)
    except Exception:  # noqa: BLE001  # whatever it is, it is told, and the next case is run
        return "wrong", traceback.format_exc()


def main(module: str, arguments: Sequence[str]) -> int:
    """Run the cases whose first seed and the one after the last are given; the status is 1 if anything was wrong."""
    first, last = map(int, arguments)
    outcomes = watched(module, first, last)
    print(outcomes)
    return int(bool(outcomes.wrong))


if __name__ == "__main__":
    _run_cases(importlib.import_module(sys.argv[1]).case, *map(int, sys.argv[2:5]))
