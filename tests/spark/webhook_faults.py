"""A pipeline with a webhook that is killed again and again: its receiver has every match, once or with its id again.

    python -m tests.spark.webhook_faults [kills [seed]]

The receiver is in this process. Some requests it answers with 500, and at some it dies without an answer. What is
killed comes in turn, in an order that is drawn: the driver alone, its JVM, a Python worker, or all of them, some
seconds or some requests after the stream started. In the end all that came is compared with the matches of the engine
in one process.
"""

import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cepheid
from cepheid.algebra.matches import Match
from cepheid.engine import Detector
from cepheid.events import Event
from cepheid.spark.pipelines.webhook import signature
from tests.spark.fault_stream import HEARTBEAT, LATER, events, write_input
from tests.spark.killing import WAYS, kill, running, started_at
from tests.spark.pipeline_faults import RULES
from tests.spark.webhook_receiver import DIES, OK, Receiver, Request, receiving

EACH, FILES_FOR_A_KILL, MORE_FILES = 60, 3, 10
"""A batch has so many events, and there are as many as it takes to be killed that often."""
BY_CLOCK, LONGEST, MOST_REQUESTS, TRIES, TRIES_AT_THE_END = 0.25, 20.0, 80, 200, 5
"""One in four is killed at most so many seconds after the stream started or something was killed.

The others are killed some requests after that, so that a pipeline gets on however slow the machine is.
"""
FAILING = {500: 0.02, DIES: 0.02}
"""How many of the requests are answered with 500, and how many not at all."""
SECRET = "between the two"  # nothing is kept with it
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
[sinks.hook]
format = "webhook"
url = "{url}"
secret = "{secret}"
"""
Told = tuple[str, int, int, str]
"""What a request says: the name of a match, its start, its end, and its values as JSON."""


def main(arguments: Sequence[str]) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # what was started is ended
    kills, seed = (int(one) for one in [*arguments, *("20", "1")[len(arguments) :]])
    files, answers = FILES_FOR_A_KILL * kills + MORE_FILES, random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="cepheid-faults-") as folder, receiving(lambda: answer(answers)) as hook:
        run = Run(Path(folder), hook, random.Random(seed))
        run.set_up(files)
        run.disturb(kills)
        run.to_the_end()
        wrong, done = difference(expected(files), hook.came), sum(run.killed.values())
        wrong = wrong or (f"only {done} of {kills} kills" if done < kills else "")
        told_kills = f"killed {done}: {dict(run.killed)}, ended by itself: {len(run.ended_by_itself)}"
        print(f"{told_kills}; {told(hook.came)}; {wrong or 'every match is there'}", flush=True)
        for reason in run.ended_by_itself:
            print(f"ended by itself: {reason}", file=sys.stderr, flush=True)
    return 1 if wrong else 0


def answer(draw: random.Random) -> int:
    """Return what a request is answered."""
    [status] = draw.choices([OK, *FAILING], [1 - sum(FAILING.values()), *FAILING.values()])
    return status


def expected(files: int) -> dict[str, Told]:
    """Return what an undisturbed run tells, by id, from the engine in this process."""
    query = cepheid.compile(RULES, time_unit="us", disorder=20, language="algebra")
    detector = Detector(query.plan, disorder=20, identified=True)
    found = [match for event in events(files, EACH) for match in _pushed(detector, event)]
    return {f"rules/{one.id}": (one.name, one.start, one.end, _values(one.values)) for one in found}


def _pushed(detector: Detector, event: Event) -> list[Match]:
    beats = event.type == HEARTBEAT
    return list(detector.advance(event.end - detector.disorder) if beats else detector.push(event))


def _values(values: Mapping[str, object]) -> str:
    return json.dumps(dict(values), sort_keys=True)


def difference(wanted: Mapping[str, Told], came: Sequence[Request]) -> str:
    """Return what is wrong with all that came: nothing, if every match was taken, and came again as the same."""
    taken = {one.id for one in came if one.status == OK}
    bodies: dict[str, set[bytes]] = {}
    for one in came:
        bodies.setdefault(one.id, set()).add(one.body)
    wrong = {
        "lost": len(wanted.keys() - taken),
        "too many": len(bodies.keys() - wanted.keys()),
        "came again as another": sum(len(some) > 1 for some in bodies.values()),
        "not as in one process": sum(_says(one.body) != wanted.get(one.id, _says(one.body)) for one in came),
        "not signed": sum(one.signature != signature(SECRET, one.body) for one in came),
    }
    return ", ".join(f"{count} {what}" for what, count in wrong.items() if count)


def _says(body: bytes) -> Told:
    said = json.loads(body)
    return said["match"], said["start"], said["end"], _values(said["values"])


def told(came: Iterable[Request]) -> str:
    """Return how much came, how much of it failed by intent, and how much was taken already when it came again."""
    every, failed = Counter(one.id for one in came), Counter(one.status for one in came if one.status != OK)
    taken = Counter(one.id for one in came if one.status == OK)
    again = sum(taken.values()) - len(taken)
    parts = [f"{sum(every.values()):,} requests for {len(every):,} matches", f"{failed[500]} answered with 500"]
    return ", ".join([*parts, f"{failed[DIES]} not at all", f"{again} taken before came again"])


@dataclass(slots=True)
class Run:
    """One pipeline in a folder of its own, its receiver, and what was killed so far.

    A pipeline that `ended_by_itself`, though nobody killed it, is started again as well: where too much else runs on
    the machine, Spark gives up waiting for a Python worker that starts.
    """

    at: Path
    hook: Receiver
    draw: random.Random
    killed: Counter[str] = field(default_factory=Counter)
    ended_by_itself: list[str] = field(default_factory=list)
    ways: list[str] = field(default_factory=list)

    def set_up(self, files: int) -> None:
        assert files * EACH // 2 < LATER, "the end of the input is later than all of it"
        write_input(self.at / "in", files, EACH)
        text = PIPELINE.format(beat=HEARTBEAT, url=self.hook.url, secret=SECRET)
        (self.at / "pipeline.toml").write_text(text, encoding="utf-8")
        (self.at / "rules.alg").write_text(RULES, encoding="utf-8")

    def disturb(self, kills: int) -> None:
        """Start the pipeline and kill something, until enough was killed or all is done."""
        for _ in range(TRIES):
            if sum(self.killed.values()) >= kills:
                return
            before, so_far = started_at(self.at), sum(self.killed.values())
            with running(self.at) as process:
                while process.poll() is None and started_at(self.at) == before:
                    time.sleep(0.1)
                self._kill_until_it_ends(process, kills)
                if process.poll() == 0:
                    return
                if sum(self.killed.values()) == so_far:
                    self.ended_by_itself.append(self._why())

    def _kill_until_it_ends(self, process: subprocess.Popen[bytes], kills: int) -> None:
        """Kill at some moment; what goes on without a worker is killed again, and what loses more is over."""
        while sum(self.killed.values()) < kills and self._wait(process):
            self.ways = self.ways or self.draw.sample(WAYS, len(WAYS))
            if kill(self.ways[-1], process):
                way = self.ways.pop()
                self.killed[way] += 1
                if way != "worker":
                    return

    def _wait(self, process: subprocess.Popen[bytes]) -> bool:
        """Wait for some moment, by the clock or by what came; say whether the pipeline is at work then."""
        by_clock, until = self.draw.random() < BY_CLOCK, time.monotonic() + self.draw.uniform(0, LONGEST)
        requests = len(self.hook.came) + self.draw.randrange(MOST_REQUESTS)
        while process.poll() is None and (time.monotonic() < until if by_clock else len(self.hook.came) < requests):
            time.sleep(0.005)
        return process.poll() is None

    def to_the_end(self) -> None:
        for _ in range(TRIES_AT_THE_END):
            with running(self.at) as process:
                if process.wait() == 0:
                    return
                self.ended_by_itself.append(self._why())
        raise AssertionError(f"the pipeline must get to the end: {self.ended_by_itself}")

    def _why(self) -> str:
        """Return the last error that the pipeline said."""
        log = (self.at / "log.txt").read_text(encoding="utf-8", errors="replace")
        return next((line for line in reversed(log.splitlines()) if line.startswith("error")), log[-1000:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
