"""All that needs Spark runs in one process, with one session; it takes the longest, so it begins before all else."""

import pytest
from pyspark.sql import SparkSession

from tests.spark.session import session


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in filter(_needs_spark, items):
        item.add_marker(pytest.mark.xdist_group("spark"))
    items.sort(key=lambda item: not _needs_spark(item))


def _needs_spark(item: pytest.Item) -> bool:
    return "tests/spark" in str(item.path)


@pytest.fixture(scope="session")
def spark() -> SparkSession:
    return session()
