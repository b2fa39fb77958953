"""One Spark session for all tests of a process: starting one takes longer than most tests."""

import os
import sys
from functools import cache

from pyspark.sql import SparkSession

from cepheid.spark.sessions import local_session


@cache
def session() -> SparkSession:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    return local_session("tests", cores=2, shuffle_partitions=2)
