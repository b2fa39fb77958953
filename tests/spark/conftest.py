"""What needs Spark takes the longest, so it begins before all else, and one process of tests has the one session."""

import os

import pytest
from pyspark.sql import SparkSession

from tests.spark.session import session

# A test is over before machine code that takes long to make would pay.
os.environ.setdefault("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1")


@pytest.hookimpl(tryfirst=True)  # groups are read by a hook of the same name
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in filter(_needs_a_session, items):
        item.add_marker(pytest.mark.xdist_group("spark"))
    items.sort(key=lambda item: not _needs_a_session(item))


def _needs_a_session(item: pytest.Item) -> bool:
    return "spark" in getattr(item, "fixturenames", ())


@pytest.fixture(scope="session")
def spark() -> SparkSession:
    return session()
