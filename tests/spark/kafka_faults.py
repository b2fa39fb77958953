"""A pipeline from Kafka to Kafka that is killed again and again: a consumer sees every match of the input once.

    python -m tests.spark.kafka_faults [kills [events [seed]]]

What is killed is drawn each time: the driver alone, its JVM, a Python worker, all of them at once, or the broker, which
is started again. In the end the matches in the topic are compared with those of the engine in one process.
"""

import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cepheid
from cepheid.engine import Detector
from tests.spark.fault_stream import HEARTBEAT, LATER, events
from tests.spark.kafka_broker import Broker, brokered, no_broker
from tests.spark.kafka_records import committed, create, produce
from tests.spark.killing import WAYS, kill, running, started_at
from tests.spark.pipeline_faults import RULES

PARTITIONS, EACH = 3, 100
BROKER = "broker"
LONGEST, TRIES = 30.0, 60
"""What is killed is killed at most so many seconds after the stream started; a run is started at most so often."""
PIPELINE = """
[pipeline]
checkpoint = "checkpoint"
buckets = 3
heartbeat_type = "{beat}"
[sources.events]
format = "kafka"
bootstrap = "{address}"
topic = "events"
schema = "type string, time long, id long, user long"
id_column = "id"
time_unit = "us"
disorder = "20 us"
idle_after = "never"
most = {most}
[queries.rules]
file = "rules.alg"
[sinks.found]
format = "kafka"
bootstrap = "{address}"
topic = "found"
writers = 2
"""


def main(arguments: Sequence[str]) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # what was started is ended
    kills, count, seed = (int(one) for one in [*arguments, *("10", "12000", "1")[len(arguments) :]])
    if (reason := no_broker()) is not None:
        sys.exit(reason)
    with tempfile.TemporaryDirectory(prefix="cepheid-faults-") as folder, brokered() as broker:
        run = Run(Path(folder), broker, random.Random(seed))
        run.set_up(count)
        run.disturb(kills)
        run.to_the_end()
        told, wrong = dict(run.killed), run.difference(count)
        done = sum(run.killed.values())
        wrong = wrong or (f"only {done} of {kills} kills" if done < kills else "")
        print(f"killed {done}: {told}, {count:,} events; {wrong or 'every match once'}", flush=True)
    return 1 if wrong else 0


def expected(count: int) -> Counter[str]:
    """Return the ids of the matches of an undisturbed run, by the engine in this process."""
    query = cepheid.compile(RULES, language="algebra", time_unit="us", disorder="20 us")
    detector = Detector(query.plan, disorder=20, identified=True)
    found = [
        match for event in events(count // EACH, EACH) if event.type != HEARTBEAT for match in detector.push(event)
    ]
    return Counter(match.id for match in [*found, *detector.advance(LATER * 1000)])


@dataclass(slots=True)
class Run:
    """One pipeline in a folder of its own, its broker, and what was killed so far."""

    at: Path
    broker: Broker
    draw: random.Random
    killed: Counter[str] = field(default_factory=Counter)

    def set_up(self, count: int) -> None:
        create(self.broker.address, "events", PARTITIONS)
        create(self.broker.address, "found", PARTITIONS + 1)
        told = [
            (self.draw.randrange(PARTITIONS), {"type": one.type, "time": one.end, "id": one.id, **one.fields})
            for one in events(count // EACH, EACH)
            if one.type != HEARTBEAT
        ]
        beats = [(one, {"type": HEARTBEAT, "time": LATER * 1000, "id": -1 - one}) for one in range(PARTITIONS)]
        produce(self.broker.address, "events", [*told, *beats])
        text = PIPELINE.format(beat=HEARTBEAT, address=self.broker.address, most=max(100, count // 40))
        (self.at / "pipeline.toml").write_text(text, encoding="utf-8")
        (self.at / "rules.alg").write_text(RULES, encoding="utf-8")

    def disturb(self, kills: int) -> None:
        """Start the pipeline and kill something, until enough was killed or all is done."""
        for _ in range(TRIES):
            if sum(self.killed.values()) >= kills:
                return
            before = started_at(self.at)
            with running(self.at) as process:
                while process.poll() is None and started_at(self.at) == before:
                    time.sleep(0.1)
                if not self._wait(process):
                    return
                way = self.draw.choice([*WAYS, BROKER])
                self.killed[way] += self.kill_broker(process) if way == BROKER else self.kill(way, process)

    def kill(self, way: str, process: subprocess.Popen[bytes]) -> bool:
        return kill(way, process) and (way != "worker" or self._wait(process))

    def kill_broker(self, process: subprocess.Popen[bytes]) -> bool:
        self.broker.kill()
        time.sleep(self.draw.uniform(0, 5))
        self.broker.start()
        self._wait(process)
        return True

    def _wait(self, process: subprocess.Popen[bytes]) -> bool:
        """Wait for some moment; say whether the pipeline is not done by then."""
        try:
            process.wait(timeout=self.draw.uniform(0, LONGEST))
        except subprocess.TimeoutExpired:
            return True
        return process.returncode != 0

    def to_the_end(self) -> None:
        for _ in range(TRIES):
            with running(self.at) as process:
                if process.wait() == 0:
                    return
        log = (self.at / "log.txt").read_text(encoding="utf-8")
        raise AssertionError(f"the pipeline must end by itself: {log[-3000:]}")

    def difference(self, count: int) -> str:
        found = Counter(str(key) for _, key, _ in committed(self.broker.address, "found"))
        wanted = expected(count)
        lost, extra = wanted - found, found - wanted
        print(f"{len(wanted):,} matches wanted, {sum(found.values()):,} there", flush=True)
        return f"{sum(lost.values())} lost, {sum(extra.values())} too many" if lost or extra else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
