"""A pipeline with files and PostgreSQL that is killed again and again, also where a setting is changed at the restart.

A round kills a pipeline ten times, each time at some moment of a batch. Twice in a round it is started with another
setting: then it is refused, and nothing is written, or it goes on. In the end every match is there once in both sinks.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

import cepheid
from cepheid.algebra.matches import Match
from cepheid.engine import Detector
from cepheid.events import Event
from tests.spark.fault_stream import HEARTBEAT, events, write_input
from tests.spark.postgresql_server import served

FILES, EACH, KILLS, CHANGES = 36, 60, 10, 2
REFUSED = 2
LONGEST = 15
"""A pipeline is killed at most so many seconds after it started its stream: some batches later, or before the first."""
OTHER_RELEASE = "import cepheid.spark.state_settings as settings\nsettings.FORMAT += 1\n"
RULES = """Pair = (a:A ; b:B) within 50 us by user emits user = a.user
Near = (a:A ; c:C) within 2 us emits first = a.user, second = c.user
"""
PIPELINE = """
[pipeline]
checkpoint = "checkpoint"
buckets = 3
heartbeat_type = "{beat}"
[sources.events]
format = "parquet"
path = "in"
schema = "type string, time long, id long, user long"
id_column = "id"
time_unit = "us"
disorder = "20 us"
options = {{ maxFilesPerTrigger = 1 }}
[queries.rules]
file = "rules.alg"
[sinks.files]
format = "json"
path = "out"
[sinks.table]
format = "postgresql"
url = "{url}"
table = "found"
"""


@dataclass(frozen=True, slots=True)
class Change:
    """A setting that is another one at a restart; it `may_go_on` where it only matters to a batch that was begun."""

    name: str
    old: str
    new: str
    may_go_on: bool = False
    other_release: bool = False


CHANGED = (
    Change("buckets", "buckets = 3", "buckets = 5"),
    Change("query", 'file = "rules.alg"', 'file = "changed.alg"'),
    Change("schema", "user long", "user string"),
    Change("path of the source", 'path = "in"', 'path = "elsewhere"'),
    Change("path of a sink", 'path = "out"', 'path = "out-2"', may_go_on=True),
    Change("release", "", "", other_release=True),
    Change("name of the query", "[queries.rules]", "[queries.others]"),
    Change("unit of times", 'time_unit = "us"', 'time_unit = "ms"'),
    Change("id of events", 'id_column = "id"\n', ""),
    Change("buckets that nobody said", "buckets = 3\n", ""),
)


@dataclass(slots=True)
class Round:
    """One pipeline in a folder of its own, with the text that it runs with now."""

    at: Path
    url: str
    draw: random.Random
    text: str = ""
    killed: int = 0
    changed: list[str] = field(default_factory=list)

    def set_up(self) -> None:
        write_input(self.at / "in", FILES, EACH)
        shutil.copytree(self.at / "in", self.at / "elsewhere")
        (self.at / "rules.alg").write_text(RULES, encoding="utf-8")
        (self.at / "changed.alg").write_text(RULES.replace("within 50", "within 60"), encoding="utf-8")
        for folder in ("tmp", "other-release"):
            (self.at / folder).mkdir()
        (self.at / "other-release" / "sitecustomize.py").write_text(OTHER_RELEASE, encoding="utf-8")
        self.text = PIPELINE.format(beat=HEARTBEAT, url=self.url)

    def kill_once(self) -> bool:
        """Start the pipeline and kill it at some moment; say whether it was still running."""
        before = self._started_at()
        with self._running(self.text) as process:
            while self._started_at() == before and process.poll() is None:
                time.sleep(0.05)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=self.draw.uniform(0, LONGEST))
            running = process.poll() is None
        assert running or process.returncode == 0, (self.at / "log.txt").read_text(encoding="utf-8")[-3000:]
        self.killed += running
        return running

    def change(self, change: Change) -> None:
        """Start the pipeline with another setting: it goes on where it may, or is refused and has written nothing."""
        text = self.text.replace(change.old, change.new)
        assert text != self.text or change.other_release
        before, started_at = self.written(), self._started_at()
        with self._running(text, other_release=change.other_release) as process:
            while process.poll() is None and self._started_at() == started_at:
                time.sleep(0.05)
            if process.poll() is None and change.may_go_on:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=self.draw.uniform(0, LONGEST))
            refused = process.poll() == REFUSED
        assert refused or change.may_go_on, f"{change.name}: ended with {process.returncode}"
        assert not refused or self.written() == before, f"{change.name}: something was written"
        self.text = self.text if refused else text
        self.killed += process.returncode == -signal.SIGKILL
        self.changed.append(f"{change.name}: {'refused' if refused else 'went on'}")

    def to_the_end(self) -> None:
        with self._running(self.text) as process:
            assert process.wait() == 0, "the pipeline must end by itself"

    def written(self) -> tuple[Counter[str], Counter[str]]:
        """Return the ids of the matches in the files and in the table."""
        files: Counter[str] = Counter()
        for file in sorted(self.at.glob("out*/batch=*/part-*.json")):
            if (file.parent / "_SUCCESS").exists():
                files.update(json.loads(line)["id"] for line in file.read_text(encoding="utf-8").splitlines())
        return files, Counter(self._rows())

    def _rows(self) -> Iterator[str]:
        with psycopg.connect(self.url) as connection:
            if connection.execute("SELECT to_regclass('found')").fetchone() == (None,):
                return
            yield from (str(row[0]) for row in connection.execute("SELECT id FROM found"))

    def _started_at(self) -> int:
        """Return when a run last noted that it starts its stream: all that is refused beforehand was not."""
        notes = self.at / "checkpoint" / "_cepheid.json"
        return notes.stat().st_mtime_ns if notes.exists() else 0

    @contextmanager
    def _running(self, text: str, *, other_release: bool = False) -> Iterator[subprocess.Popen[bytes]]:
        """Run the pipeline in a group of processes of its own, which is killed; what it leaves goes with the folder."""
        file, temporary = self.at / "pipeline.toml", str(self.at / "tmp")
        file.write_text(text, encoding="utf-8")
        path = [str(self.at / "other-release")] if other_release else []
        own = {"TMPDIR": temporary, "SPARK_LOCAL_DIRS": temporary, "PYTHONPATH": os.pathsep.join([*path, *sys.path])}
        own["JDK_JAVA_OPTIONS"] = f"-XX:TieredStopAtLevel=1 -Djava.io.tmpdir={temporary}"
        command = [sys.executable, "-m", "cepheid", "pipeline", "run", str(file), "--once"]
        with (self.at / "log.txt").open("ab") as log:
            environment = {**os.environ, **own}
            process = subprocess.Popen(command, env=environment, start_new_session=True, stdout=log, stderr=log)
            try:
                yield process
            finally:
                _kill(process)


def round_of_kills(at: Path, number: int) -> tuple[str, str]:
    """Kill a pipeline ten times; return what was done, and what is wrong with what is there in the end."""
    with served() as url:
        own = Round(at, url, random.Random(number))
        own.set_up()
        places = [2 + own.draw.randrange(3), 6 + own.draw.randrange(3)]
        while own.killed < KILLS:
            if places and own.killed >= places[0]:
                places.pop(0)
                own.change(CHANGED[(CHANGES * number + len(own.changed)) % len(CHANGED)])
            elif not own.kill_once():
                break
        own.to_the_end()
        told = f"{own.killed} times, started with another {'; '.join(own.changed)}"
        short = f"{own.killed} of {KILLS} kills" if own.killed < KILLS else ""
        return told, short or _difference(own)


def _difference(own: Round) -> str:
    wanted, (files, table) = expected(), own.written()
    wrong = {name: (wanted - found, found - wanted) for name, found in (("files", files), ("table", table))}
    told = [
        f"{name}: {len(lost)} lost, {len(extra)} too many" for name, (lost, extra) in wrong.items() if lost or extra
    ]
    return f"{', '.join(told)} of {len(wanted)}" if told else ""


def expected() -> Counter[str]:
    """Return the ids of the matches of an undisturbed run, by the embedded engine."""
    query = cepheid.compile(RULES, time_unit="us", disorder=20, language="algebra")
    detector = Detector(query.plan, disorder=20, identified=True)
    return Counter(match.id for event in events(FILES, EACH) for match in _pushed(detector, event))


def _pushed(detector: Detector, event: Event) -> list[Match]:
    if event.type == HEARTBEAT:
        return list(detector.advance(event.end - detector.disorder))
    return list(detector.push(event))


def _kill(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    process.wait()
