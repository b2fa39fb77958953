"""A Spark that starts without a word: what it says beside the results goes to a file, as long as the process lives."""

import atexit
import logging
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException, PySparkRuntimeError
from pyspark.logger import PySparkLogger
from pyspark.sql import SparkSession

from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.spark.pipelines.secrets import without_secrets

_CAUSES = (
    re.compile(r'^Exception in thread "main" [\w.$]+: (.+)$', re.M),
    re.compile(r"^((?:Invalid|Unrecognized|Conflicting) .+)$", re.M),
    re.compile(r"^Error: (.+)$", re.M),
)
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
    hint = "see that a Java 17 runtime is there, that `master` names a cluster that answers, and what the settings say"
    return CepheidError(Diagnostic("no-spark", message, hints=(hint,)))


def _started(start: Callable[[], SparkSession]) -> tuple[SparkSession, Path | None]:
    PySparkLogger.getLogger(_TELLS_ERRORS_TWICE).setLevel(logging.CRITICAL)
    if SparkSession.getActiveSession() is not None:
        return start(), None
    descriptor, name = tempfile.mkstemp(prefix="cepheid-spark-", suffix=".log")
    # What was started keeps the open file, and nobody else is told its name; it goes with the process.
    atexit.register(Path(name).unlink, missing_ok=True)
    try:
        with _output_to(descriptor):
            return start(), Path(name)
    except PySparkRuntimeError as error:  # the JVM did not start, and only what it said says why
        why = why_in(Path(name).read_text(encoding="utf-8", errors="replace"))
        raise no_spark(without_secrets(why or str(error))) from None


def why_in(log: str) -> str | None:
    r"""Return the line in what a JVM said that says why it did not start.

    >>> why_in('NOTE: Picked up\nInvalid maximum heap size: -Xmxlots\nError: Could not create it.')
    'Invalid maximum heap size: -Xmxlots'
    >>> why_in('Exception in thread "main" java.lang.RuntimeException: [unresolved dependency: a#b;1: not found]')
    '[unresolved dependency: a#b;1: not found]'
    """
    return next((found[1].strip() for one in _CAUSES if (found := one.search(log))), None)


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
