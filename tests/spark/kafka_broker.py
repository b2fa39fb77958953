"""A broker of Kafka for as long as some tests take, which may be killed and started again."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
JARS = ROOT / ".kafka"
_CLUSTER = "cepheidTestsCluster000"
_PATIENCE, _FETCHED = 60, 180
_PROPERTIES = """process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{other}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{other}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs={data}
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
"""


def no_broker() -> str | None:
    """Return why no broker can run here, None where one can; its jars are fetched where they are not there."""
    if shutil.which("java") is None:
        return "there is no Java on this machine"
    command = [ROOT / "tools" / "prepare-kafka", JARS]
    try:
        subprocess.run(command, capture_output=True, text=True, check=True, timeout=_FETCHED)
    except subprocess.TimeoutExpired:
        return f"the jars of a broker cannot be fetched within {_FETCHED} s"
    except subprocess.CalledProcessError as error:
        return f"the jars of a broker cannot be fetched: {error.stderr.strip() or error.stdout.strip()}"
    return None


class Broker:
    """A broker on loopback, with its data in a directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.port, other = _free_ports()
        self.address = f"127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        text = _PROPERTIES.format(port=self.port, other=other, data=directory / "data")
        (directory / "server.properties").write_text(text, encoding="utf-8")
        self._java("kafka.tools.StorageTool", "format", "-t", _CLUSTER, "-c", self._properties).wait()

    @property
    def _properties(self) -> str:
        return str(self.directory / "server.properties")

    def start(self) -> None:
        """Start the broker, and wait until it answers."""
        self.process = self._java("kafka.Kafka", self._properties)
        until = time.monotonic() + _PATIENCE
        while not self._answers():
            assert self.process.poll() is None, (self.directory / "log").read_text(encoding="utf-8")[-3000:]
            assert time.monotonic() < until, "the broker does not answer"
            time.sleep(0.1)

    def kill(self) -> None:
        """Kill the broker as if its machine had stopped."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def _answers(self) -> bool:
        with socket.socket() as asking:
            return asking.connect_ex(("127.0.0.1", self.port)) == 0

    def _java(self, *arguments: str) -> subprocess.Popen[bytes]:
        # Machine code that takes long to make would not pay.
        command = ["java", "-Xmx384m", "-XX:TieredStopAtLevel=1", "-cp", str(JARS / "lib" / "*"), *arguments]
        with (self.directory / "log").open("ab") as log:
            return subprocess.Popen(command, start_new_session=True, stdout=log, stderr=log)


@contextmanager
def brokered() -> Iterator[Broker]:
    """Yield a broker that lives as long."""
    with TemporaryDirectory(prefix="cepheid-kafka-") as directory:
        broker = Broker(Path(directory))
        try:
            broker.start()
            yield broker
        finally:
            broker.kill()


def _free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as other:
        for listening in (one, other):
            listening.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1]), int(other.getsockname()[1])
