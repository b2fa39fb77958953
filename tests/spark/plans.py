"""What Spark is going to do for a frame, as it tells it, whichever Spark it is."""

from contextlib import redirect_stdout
from io import StringIO

from pyspark.sql import DataFrame
from pyspark.sql import functions as F


def plans(frame: DataFrame) -> str:
    """Return all plans of a frame, from the one that was written to the one that is run."""
    told = StringIO()
    with redirect_stdout(told):
        frame.explain(extended=True)
    return told.getvalue()


def optimized_plan(frame: DataFrame) -> str:
    """Return the plan of a frame after Spark has made it better."""
    return plans(frame).partition("== Optimized Logical Plan ==")[2].partition("== Physical Plan ==")[0]


def partitions(frame: DataFrame) -> int:
    """Return in how many partitions a frame has rows."""
    return frame.select(F.spark_partition_id().alias("partition")).distinct().count()
