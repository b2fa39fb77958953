"""What needs Spark takes the longest, so it begins before all else; each process of tests has one session."""

import pytest
from pyspark.sql import SparkSession

from tests.spark.session import session


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: "tests/spark" not in str(item.path))


@pytest.fixture(scope="session")
def spark() -> SparkSession:
    return session()
