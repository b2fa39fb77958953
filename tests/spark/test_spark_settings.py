"""`[pipeline.spark]`: any setting reaches the session, and one that Spark does not take is said with its reason."""

import os
from importlib import import_module
from pathlib import Path

import pytest
from pyspark.errors import PySparkRuntimeError
from pyspark.sql import SparkSession

from cepheid.diagnostics import CepheidError
from cepheid.spark.pipelines import Pipeline, read_pipeline, session_for
from cepheid.spark.pipelines.running import taking
from cepheid.spark.quiet import started_quietly

PIPELINE = """
[pipeline]
checkpoint = "checkpoint"
MASTER
[pipeline.spark]
SPARK
[sources.events]
format = "rate"
[queries.pair]
text = "(A ; B) within 9 s"
[sinks.found]
format = "console"
"""


def pipeline(spark: str, directory: Path = Path(), master: str = "") -> Pipeline:
    return read_pipeline(PIPELINE.replace("SPARK", spark).replace("MASTER", master), directory=directory)


def test_settings_are_what_spark_calls_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STORE_KEY", "not to be seen")
    (tmp_path / "udf.jar").touch()
    text = """"spark.executor.memory" = "4g"
spark.sql.shuffle.partitions = 7
spark.speculation = true
"spark.hadoop.fs.s3a.secret.key" = { env = "STORE_KEY" }
packages = ["org.example:udf:1.0", "org.example:other:2.0"]
jars = ["udf.jar", "hdfs://host/other.jar"]"""
    found = pipeline(text, tmp_path)
    assert found.spark == {
        "spark.executor.memory": "4g",
        "spark.sql.shuffle.partitions": "7",
        "spark.speculation": "true",
        "spark.hadoop.fs.s3a.secret.key": "not to be seen",
        "spark.jars.packages": "org.example:udf:1.0,org.example:other:2.0",
        "spark.jars": f"{tmp_path}/udf.jar,hdfs://host/other.jar",
    }
    assert "not to be seen" not in repr(found)


@pytest.mark.parametrize("master", ["", 'master = "spark://host:7077"'])
def test_a_session_is_made_with_them(master: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[dict[str, str]] = []
    running = import_module("cepheid.spark.pipelines.running")
    monkeypatch.setattr(running, "local_session", lambda _, settings: made.append(settings))
    monkeypatch.setattr(running, "new_session", lambda *told: made.append(told[2]))
    session_for(pipeline('"spark.executor.memory" = "4g"', master=master))
    [settings] = made
    assert settings.pop("spark.sql.streaming.numRecentProgressUpdates") == "20"
    assert settings == {"spark.executor.memory": "4g"}


def test_what_spark_learns_late_is_refused_before_anything_starts(spark: SparkSession) -> None:
    before = spark.conf.get("spark.sql.shuffle.partitions")
    with pytest.raises(CepheidError) as raised:
        taking(pipeline('"spark.sql.shuffle.partitions" = "many"'), spark)
    first, place, *_ = str(raised.value).splitlines()
    assert first.startswith("error[bad-pipeline]: Spark does not take `spark.sql.shuffle.partitions`: ")
    assert ("many" in first, place) == (True, " --> pipeline.toml:6:1")
    assert spark.conf.get("spark.sql.shuffle.partitions") == before


def test_why_a_jvm_does_not_start_is_said_without_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    def start() -> SparkSession:
        os.write(2, b'WARNING: Using incubator\nException in thread "main" java.lang.X: no, password=hidden\n\tat y\n')
        raise PySparkRuntimeError("[JAVA_GATEWAY_EXITED] Java gateway process exited")

    monkeypatch.setattr(SparkSession, "getActiveSession", lambda: None)
    with pytest.raises(CepheidError) as raised:
        started_quietly(start)
    assert str(raised.value).splitlines()[0] == "error[no-spark]: Spark does not start: no, password=***"
