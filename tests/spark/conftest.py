"""What needs Spark takes the longest, so it begins before all else; each process of tests has one session."""

import os

import pytest
from pyspark.sql import SparkSession

from tests.spark.session import session

# A test is over before machine code that takes long to make would pay.
os.environ.setdefault("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: "tests/spark" not in str(item.path))


@pytest.fixture(scope="session")
def spark() -> SparkSession:
    return session()
