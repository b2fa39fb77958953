"""One Spark session for all tests of a process: starting one takes longer than most tests.

`CEPHEID_TEST_SPARK` says which Spark it is: `local`, in this process; `cluster`, a cluster of two workers; or
`connect`, a server that is reached by Spark Connect. `make test-spark-matrix` runs the tests on each of them. In the
profile `default`, the one in this process leaves out what pays for large frames only; others are as users have them.
"""

import atexit
import os
import sys
import warnings
from functools import cache

from pyspark.sql import SparkSession

from cepheid.spark.sessions import local_session
from tests.breadth import all_is_run
from tests.spark.cluster import cluster_session

WAYS = ("local", "cluster", "connect")
_CHECKPOINTS = "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
# To write code for a query takes longer than to go through a few rows without; and where a file of a checkpoint is
# renamed, Spark usually starts a dozen processes that look for links.
_QUICK = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.streaming.checkpointFileManagerClass": _CHECKPOINTS,
}


def way() -> str:
    """Return which Spark the tests run on."""
    asked = os.environ.get("CEPHEID_TEST_SPARK", WAYS[0])
    assert asked in WAYS, f"CEPHEID_TEST_SPARK is `{asked}`, and may be one of {', '.join(WAYS)}"
    return asked


@cache
def session() -> SparkSession:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    match way():
        case "cluster":
            return cluster_session()
        case "connect":
            return _connect_session()
    return local_session("tests", cores=2, shuffle_partitions=2, settings={} if all_is_run() else _QUICK)


def _connect_session() -> SparkSession:
    """Return a session that speaks to a server of its own, as users have it; set are its size and address."""
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.remote("local[2]").appName("tests").config("spark.sql.shuffle.partitions", "2")
    for name in ("spark.driver.bindAddress", "spark.driver.host", "spark.connect.grpc.binding.address"):
        builder = builder.config(name, "127.0.0.1")
    with warnings.catch_warnings():
        # They are for the server, which is told them when it starts; then Spark sets them again and warns of it.
        warnings.filterwarnings("ignore", message="Failed to set")
        made: SparkSession = builder.config("spark.ui.enabled", "false").getOrCreate()
    atexit.register(made.stop)
    return made
