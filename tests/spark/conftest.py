"""All that needs Spark runs in one process, with one session."""

import pytest
from pyspark.sql import SparkSession

from tests.spark.session import session


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/spark" in str(item.path):
            item.add_marker(pytest.mark.xdist_group("spark"))


@pytest.fixture(scope="session")
def spark() -> SparkSession:
    return session()
