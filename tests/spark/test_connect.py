"""A session of one's own works as it is, and what cannot run over Spark Connect says so before anything starts."""

from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from pyspark.sql import SparkSession

from cepheid.diagnostics import CepheidError
from cepheid.spark.pipelines import read_pipeline, ready
from cepheid.spark.sessions import STATE_STORE, is_connected, keeps_state, new_session, shares_our_disk
from tests.spark.session import way

PIPELINE = """
[pipeline]
checkpoint = "checkpoint"
[sources.events]
format = "json"
path = "events"
[queries.pair]
text = "(A ; B) within 9 s"
[sinks.found]
format = "console"
"""


class Remote:
    """A session as Spark Connect has it, with settings and nothing else."""

    def __init__(self, **settings: str) -> None:
        self.settings = settings
        self.conf = ModuleType("conf")
        self.conf.get = self.settings.get  # type: ignore[attr-defined]  # as a session has it
        self.conf.set = self.settings.__setitem__  # type: ignore[attr-defined]  # as above


Remote.__module__ = "pyspark.sql.connect.session"


def test_which_session_it_is_shows(spark: SparkSession) -> None:
    assert is_connected(spark) == (way() == "connect")
    assert shares_our_disk(spark) == (way() == "local")


def test_a_session_stays_where_it_runs_whatever_its_settings_say_later() -> None:
    elsewhere = SimpleNamespace(
        sparkContext=SimpleNamespace(master="spark://host:7077"), conf={"spark.master": "local"}
    )
    assert not shares_our_disk(elsewhere)  # type: ignore[arg-type]  # it is like one


def test_a_session_gets_a_state_store_where_it_has_none() -> None:
    (provider, ours), *others = STATE_STORE.items()
    session = Remote()
    keeps_state(session)  # type: ignore[arg-type]  # it is like one
    assert session.settings == {provider: ours, **dict(others)}
    own = Remote(**{provider: "com.example.Store"})
    keeps_state(own)  # type: ignore[arg-type]  # as above
    assert own.settings == {provider: "com.example.Store"}


def test_pipelines_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CepheidError, match=r"no-connect\]: a pipeline does not run over Spark Connect"):
        ready(read_pipeline(PIPELINE, directory=tmp_path), {}, Remote())  # type: ignore[arg-type]  # as above
    assert list(tmp_path.iterdir()) == []


def test_a_server_is_no_master() -> None:
    with pytest.raises(CepheidError, match=r"no-connect\]: what is run from a file or the command line"):
        new_session("orders", "sc://spark.example")
