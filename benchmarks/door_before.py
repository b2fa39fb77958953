"""The yardstick of the public calls: the kernels as they were before these had columns, at work on the same events.

Run as a program, with that version's sources in front of all others, it answers questions on its standard input, each a
line of JSON: which query, over the first so many of how many events. An answer is the seconds of the processor, and how
many matches there are.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
COMMIT = "7f0846eb248010379eb4165a1a42f000d1e1d75a"
Asked = tuple[str, tuple[Any, ...], dict[str, Any]]
"""The name of a function of `engine_queries`, and its arguments."""


class Before:
    """That version at work in a process of its own."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def ask(self, asked: Asked, every: int, some: int) -> tuple[float, int]:
        """Return how long a query takes over some of the events, and how many matches it has."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([asked, every, some]), file=self._process.stdin, flush=True)
        seconds, found = json.loads(self._process.stdout.readline())
        return seconds, found


@contextmanager
def before() -> Iterator[Before]:
    """Take that version out of the history of this repository, and start it."""
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(
            ["git", "archive", COMMIT, "src", "benchmarks"], cwd=ROOT, capture_output=True, check=True
        )
        subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)
        process = subprocess.Popen(
            [sys.executable, __file__],
            cwd=folder,
            env={"PYTHONPATH": f"{folder}/src:{folder}", "HOME": folder},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            yield Before(process)
        finally:
            process.kill()
            process.wait()


def _answer() -> None:
    """Answer questions, with the modules of that version."""
    from benchmarks import engine_queries
    from benchmarks.engine_workload import workload
    from cepheid.engine.kernels import KernelDetector

    made: dict[int, Any] = {}
    for line in sys.stdin:
        (name, arguments, options), every, some = json.loads(line)
        if every not in made:
            made[every] = workload(every)
        events = made[every].first(some)
        query = getattr(engine_queries, name)(*arguments, **options)
        begin = time.process_time()
        detector = KernelDetector(query.plan)
        kept = [detector.push_batch(batch) for batch in events.batches]
        found = sum(chunk.num_rows for chunk in [*kept, detector.close()])
        print(json.dumps([time.process_time() - begin, found]), flush=True)


if __name__ == "__main__":
    _answer()
