"""A Spark that starts without a word: what it says beside the results goes to a file."""

import logging
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pyspark.logger import PySparkLogger
from pyspark.sql import SparkSession

_TELLS_ERRORS_TWICE = "SQLQueryContextLogger"


def started_quietly(start: Callable[[], SparkSession]) -> tuple[SparkSession, Path | None]:
    """Return a session, and the file that its messages go to; None where it was running already."""
    PySparkLogger.getLogger(_TELLS_ERRORS_TWICE).setLevel(logging.CRITICAL)
    if SparkSession.getActiveSession() is not None:
        return start(), None
    descriptor, name = tempfile.mkstemp(prefix="cepheid-spark-", suffix=".log")
    with _output_to(descriptor):
        return start(), Path(name)


@contextmanager
def _output_to(descriptor: int) -> Iterator[None]:
    """Let both outputs of this process go to an open file; what is started meanwhile keeps it for ever."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = [os.dup(1), os.dup(2)]
    try:
        os.dup2(descriptor, 1)
        os.dup2(descriptor, 2)
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for number, copy in enumerate(kept, start=1):
            os.dup2(copy, number)
            os.close(copy)
        os.close(descriptor)
