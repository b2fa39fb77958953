"""A pipeline in a group of processes of its own, and how some of them, or all, are killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

WAYS = ("driver", "jvm", "worker", "all")
"""What can be killed: the driver alone, its JVM, a Python worker, or all of them at once."""
JVM, WORKER = "java", "pyspark.daemon"
"""What stands in the commands of a JVM, and of Python workers and the daemon that starts them."""


@contextmanager
def running(at: Path, *options: str, environment: Mapping[str, str] | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Run the pipeline of a folder once; whatever is left of it is killed in the end.

    What it says is added to `log.txt`, and what it leaves behind is in `tmp`.
    """
    temporary = at / "tmp"
    temporary.mkdir(exist_ok=True)
    own = {"TMPDIR": str(temporary), "SPARK_LOCAL_DIRS": str(temporary), "PYTHONPATH": os.pathsep.join(sys.path)}
    own["JDK_JAVA_OPTIONS"] = f"-XX:TieredStopAtLevel=1 -Djava.io.tmpdir={temporary}"
    every = {**os.environ, **own, **(environment or {})}
    command = [sys.executable, "-m", "cepheid", "pipeline", "run", str(at / "pipeline.toml"), "--once", *options]
    with (at / "log.txt").open("ab") as log:
        process = subprocess.Popen(command, env=every, start_new_session=True, stdout=log, stderr=log)
        try:
            yield process
        finally:
            kill_group(process)


def started_at(at: Path) -> int:
    """Return when the pipeline of a folder last noted that it starts its stream."""
    notes = at / "checkpoint" / "_cepheid.json"
    return notes.stat().st_mtime_ns if notes.exists() else 0


def kill(way: str, process: subprocess.Popen[bytes]) -> bool:
    """Kill a pipeline in one of the ways, and say whether what was to be killed was there."""
    if way == "all":
        return _group_killed(process)
    if way == "driver":
        return killed([process.pid])
    # The daemon stands before the workers that it started.
    return killed(below(process.pid, JVM) if way == "jvm" else below(process.pid, WORKER)[1:][-1:])


def kill_group(process: subprocess.Popen[bytes]) -> None:
    _group_killed(process)
    process.wait()


def _group_killed(process: subprocess.Popen[bytes]) -> bool:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
        return True
    return False


def killed(processes: Sequence[int]) -> bool:
    """Kill some processes, and say whether they were there."""
    for one in processes:
        try:
            os.kill(one, signal.SIGKILL)
        except ProcessLookupError:
            return False
    return bool(processes)


def below(process: int, word: str) -> list[int]:
    """Return the processes that a process started, and those that these did, with a word in their command."""
    found = []
    for child in _children(process):
        try:
            command = Path(f"/proc/{child}/cmdline").read_bytes()
        except OSError:
            continue
        found += [*([child] if word.encode() in command else []), *below(child, word)]
    return found


def _children(process: int) -> list[int]:
    try:
        threads = list(Path(f"/proc/{process}/task").iterdir())
        return [int(one) for thread in threads for one in (thread / "children").read_text(encoding="utf-8").split()]
    except OSError:
        return []
