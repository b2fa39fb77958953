"""Exactly once, whatever is killed: run as a program, it kills a stream again and again and compares what comes out.

    python -m tests.spark.faults [kills [a word of what is wanted]]

The stream and its JVM are killed at random moments, then before and after the sink takes a batch, then one of two
workers of a cluster on this machine, then a pipeline with files and PostgreSQL, in rounds, which is also started with
changed settings. In the end, every match must be there once, as in a run that nobody disturbed.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq
import pyspark

from cepheid.algebra.matches import Match
from cepheid.engine import Detector
from cepheid.events import Event
from tests.spark.fault_stream import HEARTBEAT, SINK_POINTS, events, query, write_input
from tests.spark.pipeline_faults import KILLS, round_of_kills

FILES, EACH = 24, 250
PIPELINES, ROUNDS = "a pipeline is killed and changed", 10
Disturb = Callable[[Path], tuple[str, str]]


def main(arguments: Sequence[str]) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # what was started is ended
    kills, wanted = int(arguments[0]) if arguments else 10, arguments[1] if len(arguments) > 1 else ""
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        chosen = {name: disturb for name, disturb in _disturbances(kills).items() if wanted in name}
        for name, disturb in chosen.items():
            at = Path(folder) / name.replace(" ", "-")
            told, wrong = disturb(at)
            failures += bool(wrong)
            print(f"{name}: {told}; {wrong or 'every match once'}", flush=True)
            shutil.rmtree(at)
    return 1 if failures else 0


def ways(kills: int) -> dict[str, int]:
    """Return the names of the ways in which streams are disturbed, each with how many are killed."""
    few = {f"killed {point}": 3 for point in SINK_POINTS}
    rounds = {f"{PIPELINES} in round {number:02}": KILLS for number in range(ROUNDS)}
    return {**rounds, "killed at random moments": kills, **few, "a worker of a cluster is killed": 1}


def _disturbances(kills: int) -> dict[str, Disturb]:
    at_random = {"killed at random moments": partial(_random_kills, kills=kills)}
    at_points = {f"killed {point}": partial(_kill_at, point=point) for point in SINK_POINTS}
    streams: dict[str, Callable[[Path], str]] = {
        **at_random,
        **at_points,
        "a worker of a cluster is killed": _kill_worker,
    }
    rounds = {f"{PIPELINES} in round {number:02}": partial(round_of_kills, number=number) for number in range(ROUNDS)}
    return {**{name: partial(_compared, disturb=disturb) for name, disturb in streams.items()}, **rounds}


def _compared(at: Path, disturb: Callable[[Path], str]) -> tuple[str, str]:
    """Disturb a stream over some input; return what was done, and what is wrong with what is there in the end."""
    write_input(at / "in", FILES, EACH)
    return disturb(at), _difference(at)


def expected() -> Counter[str]:
    """Return the ids of the matches of an undisturbed run, by the embedded engine."""
    detector = Detector(query().plan, disorder=query().disorder or 0, identified=True)
    found = [match for event in events(FILES, EACH) for match in _pushed(detector, event)]
    return Counter(match.id for match in found)


def _pushed(detector: Detector, event: Event) -> list[Match]:
    if event.type == HEARTBEAT:
        return list(detector.advance(event.end - detector.disorder))
    return list(detector.push(event))


def _difference(at: Path) -> str:
    found: Counter[str] = Counter()
    for path in sorted((at / "out").glob("batch-*/*.parquet")):
        for row in pq.read_table(path, columns=["tag", "id"]).to_pylist():
            found[row["id"] if row["tag"] == "match" else row["tag"]] += 1
    wanted = expected()
    lost, extra = wanted - found, found - wanted
    return "" if not lost and not extra else f"{len(lost)} lost, {len(extra)} too many of {len(wanted)}"


def _random_kills(at: Path, kills: int) -> str:
    draw, killed = random.Random(7), 0
    while killed < kills:
        with _stream(at) as process:
            try:
                process.wait(timeout=draw.uniform(8, 40))
            except subprocess.TimeoutExpired:
                killed += 1
            else:
                break
    _to_the_end(at)
    return f"{killed} times"


def _kill_at(at: Path, point: str) -> str:
    """Let the stream kill itself at a point of its third, sixth and ninth batch."""
    for batch in (3, 6, 9):
        with _stream(at, {"KILL_AT": point, "KILL_IN": str(batch)}) as process:
            assert process.wait() == -signal.SIGKILL, "the stream was to kill itself"
    _to_the_end(at)
    return "3 times"


def _kill_worker(at: Path) -> str:
    with _cluster() as (master, workers), _stream(at, {"MASTER": master}) as process:
        while not list((at / "out").glob("batch-*")) and process.poll() is None:
            time.sleep(0.2)
        _kill(workers[0])
        assert process.wait() == 0, "the stream must go on with one worker"
    return "one of two"


def _to_the_end(at: Path) -> None:
    with _stream(at) as process:
        assert process.wait() == 0, "the stream must end by itself"


@contextmanager
def _stream(at: Path, settings: dict[str, str] | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Run the stream in a group of processes of its own; whatever is left of it is killed in the end."""
    command = [sys.executable, "-m", "tests.spark.fault_stream", str(at)]
    log = (at / "log.txt").open("ab")
    process = subprocess.Popen(
        command, env={**os.environ, **(settings or {})}, start_new_session=True, stdout=log, stderr=log
    )
    try:
        yield process
    finally:
        _kill(process)
        log.close()


@contextmanager
def _cluster() -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Start a master and two workers on loopback."""
    home = Path(pyspark.__file__).parent
    port = random.Random(os.getpid()).randint(20_000, 30_000)
    master = f"spark://127.0.0.1:{port}"
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    runs = [["org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0"]]
    work = tempfile.mkdtemp()
    worker = ["org.apache.spark.deploy.worker.Worker", "--cores", "1", "--memory", "1g", "--webui-port", "0"]
    runs += [[*worker, "--host", "127.0.0.1", "--work-dir", work, master]] * 2
    started = []
    try:
        for run in runs:
            command = [str(home / "bin" / "spark-class"), *run]
            started.append(
                subprocess.Popen(command, env=environment, start_new_session=True, stderr=subprocess.DEVNULL)
            )
            time.sleep(3)
        yield master, started[1:]
    finally:
        for process in started:
            _kill(process)
        shutil.rmtree(work, ignore_errors=True)


def _kill(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    process.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
