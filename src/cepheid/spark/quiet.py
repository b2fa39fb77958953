"""A Spark that starts without a word: what it says beside the results goes to a file, as long as the process lives."""

import atexit
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.logger import PySparkLogger
from pyspark.sql import SparkSession

from cepheid.diagnostics import CepheidError, Diagnostic

_TELLS_ERRORS_TWICE = "SQLQueryContextLogger"


def started_quietly(start: Callable[[], SparkSession]) -> tuple[SparkSession, Path | None]:
    """Return a session, and the file that its messages go to; None where it was running already."""
    try:
        return _started(start)
    except (PySparkException, Py4JError) as error:
        raise no_spark(str(getattr(error, "java_exception", error))) from None


def no_spark(reason: str) -> CepheidError:
    """Return the error for a Spark that does not start."""
    message = f"Spark does not start: {reason.splitlines()[0]}"
    hint = "see that a Java 17 runtime is there, and that `master` names a cluster that answers"
    return CepheidError(Diagnostic("no-spark", message, hints=(hint,)))


def _started(start: Callable[[], SparkSession]) -> tuple[SparkSession, Path | None]:
    PySparkLogger.getLogger(_TELLS_ERRORS_TWICE).setLevel(logging.CRITICAL)
    if SparkSession.getActiveSession() is not None:
        return start(), None
    descriptor, name = tempfile.mkstemp(prefix="cepheid-spark-", suffix=".log")
    # What was started keeps the open file, and nobody else is told its name; it goes with the process.
    atexit.register(Path(name).unlink, missing_ok=True)
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
