"""A standalone cluster of two workers, made of what PySpark brings, on loopback and for as long as the process lives.

Workers have a cache of kernels of their own, so what they run was sent to them or compiled there.
"""

import atexit
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import pyspark
from pyspark.sql import SparkSession

ROOT = Path(__file__).parents[2]
HOST = "127.0.0.1"
WORKERS, MEMORY, PATIENCE = 2, "1g", 120
_MASTER, _WORKER = "org.apache.spark.deploy.master.Master", "org.apache.spark.deploy.worker.Worker"


class Cluster:
    """A master and its workers, with a folder for all that they write."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = _free_port()
        self.address = f"spark://{HOST}:{self.port}"
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        """Start the master, and when it answers, the workers; wait until all of them have registered."""
        self._start("master", _MASTER, "--host", HOST, "--port", str(self.port), "--webui-port", "0")
        self._await(self._answers, "the master does not answer")
        for number in range(WORKERS):
            given = ("--host", HOST, "--webui-port", "0", "--cores", "1", "--memory", MEMORY)
            work = str(self.folder / f"work-{number}")
            self._start(f"worker-{number}", _WORKER, *given, "--work-dir", work, self.address)
        self._await(self._all_registered, "the workers do not register")

    def stop(self) -> None:
        """Stop all processes, and those that they started."""
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        rmtree(self.folder, ignore_errors=True)

    def _start(self, name: str, kind: str, *arguments: str) -> None:
        command = [str(Path(pyspark.__file__).parent / "bin" / "spark-class"), kind, *arguments]
        own = {"SPARK_LOCAL_IP": HOST, "SPARK_NO_DAEMONIZE": "1", "SPARK_DAEMON_MEMORY": "256m"}
        own["SPARK_LOCAL_DIRS"] = str(self.folder)
        with self._log(name).open("ab") as log:
            self.processes.append(
                subprocess.Popen(command, start_new_session=True, stdout=log, stderr=log, env={**os.environ, **own})
            )

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def _answers(self) -> bool:
        with socket.socket() as asking:
            return asking.connect_ex((HOST, self.port)) == 0

    def _all_registered(self) -> bool:
        names = (f"worker-{number}" for number in range(WORKERS))
        return all("Successfully registered" in self._log(name).read_text(encoding="utf-8") for name in names)

    def _await(self, holds: object, otherwise: str) -> None:
        assert callable(holds)
        until = time.monotonic() + PATIENCE
        while not holds():
            logs = "\n".join(one.read_text(encoding="utf-8")[-2000:] for one in self.folder.glob("*.log"))
            assert all(process.poll() is None for process in self.processes), logs
            assert time.monotonic() < until, f"{otherwise}\n{logs}"
            time.sleep(0.1)


def cluster_session() -> SparkSession:
    """Return a session on a new cluster, as users have one: what is set is its size, and where the package is."""
    cluster = Cluster(Path(mkdtemp(prefix="cepheid-cluster-")))
    atexit.register(cluster.stop)
    cluster.start()
    os.environ["SPARK_LOCAL_IP"] = HOST
    settings = {
        "spark.driver.host": HOST,
        "spark.driver.bindAddress": HOST,
        "spark.ui.enabled": "false",
        "spark.executor.cores": "1",
        "spark.executor.memory": MEMORY,
        "spark.sql.shuffle.partitions": "2",
        "spark.executorEnv.PYTHONPATH": str(ROOT),
        "spark.executorEnv.CEPHEID_CACHE": str(cluster.folder / "cache"),
        "spark.pyspark.python": sys.executable,
    }
    builder = SparkSession.builder.master(cluster.address).appName("tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    made: SparkSession = builder.getOrCreate()
    made.sparkContext.setLogLevel("ERROR")
    atexit.register(made.stop)
    return made


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind((HOST, 0))
        return int(listening.getsockname()[1])
