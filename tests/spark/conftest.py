"""What needs Spark takes the longest, so it begins before all else, and one process of tests has the one session."""

import os

import pytest
from pyspark.sql import SparkSession

from tests.spark.session import session, way

# A test is over before machine code that takes long to make would pay, or threads that look for garbage.
os.environ.setdefault("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")

# What is about frames alone: pipelines, files and the command line need a session on the cluster itself.
OVER_CONNECT = frozenset(
    f"test_{name}"
    for name in (
        "agreement",
        "connect",
        "dbapi",
        "detect",
        "etalis",
        "functions",
        "pipes",
        "restarts",
        "roles_on_spark",
        "sequences",
        "stages_on_spark",
    )
)


@pytest.hookimpl(tryfirst=True)  # groups are read by a hook of the same name
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if way() == "connect":
        out = [item for item in items if _needs_a_session(item) and item.path.stem not in OVER_CONNECT]
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in set(out)]
    for item in filter(_needs_a_session, items):
        item.add_marker(pytest.mark.xdist_group("spark"))
    items.sort(key=lambda item: not _needs_a_session(item))


def _needs_a_session(item: pytest.Item) -> bool:
    return "spark" in getattr(item, "fixturenames", ())


@pytest.fixture(scope="session")
def spark() -> SparkSession:
    return session()
