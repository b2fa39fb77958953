"""A Spark session that is set up as detection needs it; users with a session of their own keep theirs."""

import os
import sys
from collections.abc import Mapping

from pyspark.sql import SparkSession

from cepheid.diagnostics import CepheidError, Diagnostic

_PROVIDER = "spark.sql.streaming.stateStore.providerClass"
STATE_STORE = {
    _PROVIDER: "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
}
"""Streams keep their state in RocksDB, and write down what changed with every batch."""
BROADCAST = "spark.broadcast.UDFCompressionThreshold"
"""What is larger than this is broadcast, which Spark cannot do for what a stream runs."""
_UNITS = "bkmgtp"
_ALWAYS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "100000",
    # Each expression would ask ten times for the line of our code that makes it, which nobody wants to know.
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    BROADCAST: "64m",
    **STATE_STORE,
}

_DROPS = {
    "spark.sql.ui.retainedExecutions": "20",
    "spark.ui.retainedJobs": "20",
    "spark.ui.retainedStages": "20",
    "spark.ui.retainedTasks": "1000",
}
"""Spark keeps a thousand plans, jobs and stages for its pages in a browser, which a session of this process has not."""


def new_session(name: str, master: str, settings: dict[str, str] | None = None) -> SparkSession:
    """Return a session on a cluster, or the one that is running already."""
    if master.startswith("sc://"):
        raise no_connect("what is run from a file or the command line")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(master).appName(name)
    for key, value in {**_ALWAYS, **(settings or {})}.items():
        builder = builder.config(key, value)
    session: SparkSession = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def local_session(
    name: str,
    *,
    cores: int | None = None,
    shuffle_partitions: int | None = None,
    settings: Mapping[str, str] | None = None,
) -> SparkSession:
    """Return a session in this process that listens on no other address than its own, with some more settings."""
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    own = {
        **_DROPS,
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
    }
    own["spark.driver.memory"] = os.environ.get("CEPHEID_SPARK_MEMORY", "2g")
    own["spark.sql.shuffle.partitions"] = str(shuffle_partitions or os.cpu_count() or 2)
    return new_session(name, f"local[{cores or '*'}]", {**own, **(settings or {})})


def keeps_state(session: SparkSession) -> None:
    """See that streams of a session can keep state: where it has no state store of its own, it gets that which we need.

    Spark's usual store cannot hold the state of what is written in Python. A stream that began keeps the one it has.
    """
    if session.conf.get(_PROVIDER, None) is None:
        for name, value in STATE_STORE.items():
            session.conf.set(name, value)


def is_connected(session: SparkSession) -> bool:
    """Say whether a session speaks to its Spark over Spark Connect."""
    return type(session).__module__.startswith("pyspark.sql.connect")


def no_connect(what: str) -> CepheidError:
    """Return the error for what does not run over Spark Connect."""
    message = f"{what} does not run over Spark Connect"
    hint = 'name the cluster itself, such as `master = "spark://host:7077"`, or hand frames of the server to `detect`'
    return CepheidError(Diagnostic("no-connect", message, hints=(hint,)))


def shares_our_disk(session: SparkSession) -> bool:
    """Say whether all workers of a session are on this machine; of a server nobody knows where it is."""
    # Not by the settings: whoever asks for a session again, with another master, changes them, and nothing else.
    return not is_connected(session) and (session.sparkContext.master or "local").startswith("local")


def parallel_tasks(session: SparkSession) -> int:
    """Return how many tasks run at once; a server does not say, so there it is how many parts an exchange makes."""
    if is_connected(session):
        return int(session.conf.get("spark.sql.shuffle.partitions") or 1)
    return session.sparkContext.defaultParallelism


def refuse_too_much(size: int, session: SparkSession) -> None:
    """Refuse so many bytes for a stream, where Spark would broadcast them: it fails later, and does not say why."""
    most = bytes_in(session.conf.get(BROADCAST, "1m") or "1m")
    if size > most:
        message = f"this session sends {most:,} bytes to a stream at most, and these queries take {size:,}"
        hint = f'SparkSession.builder.config("{BROADCAST}", "{2 * size}").getOrCreate()'
        raise CepheidError(Diagnostic("too-much-to-send", message, hints=(hint,)))


def bytes_in(text: str) -> int:
    """Return how many bytes Spark reads in a setting.

    >>> bytes_in("1m"), bytes_in("4kb"), bytes_in("300")
    (1048576, 4096, 300)
    """
    number = text.strip().lower().rstrip("b")
    unit = number[-1] if number[-1] in _UNITS else "b"
    return int(number.rstrip(_UNITS)) << 10 * _UNITS.index(unit)
