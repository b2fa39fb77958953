"""A session of this process keeps little about what it ran: nobody can look at it, and a stream runs for ever."""

import pytest
from pyspark.sql import SparkSession

from tests.spark.session import way

RUNS, KEPT = 60, 40


@pytest.mark.skipif(way() != "local", reason="the session is not one of ours")
def test_what_was_run_is_dropped(spark: SparkSession) -> None:
    store = spark._jsparkSession.sharedState().statusStore()
    context = spark.sparkContext._jsc.sc()
    for _ in range(RUNS):
        spark.range(1).collect()
    context.listenerBus().waitUntilEmpty()
    assert store.executionsCount() <= KEPT
    assert context.statusStore().jobsList(None).size() <= KEPT
