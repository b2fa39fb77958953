"""What a stream finds, whichever Spark it runs on.

With Spark Connect, what is done with a batch is done in a process of the server, so there rows come back in files.
"""

from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql import types as T

from cepheid.spark.sessions import is_connected


def taken_in(results: DataFrame, checkpoint: Path | str) -> list[Row]:
    """Run a stream over what is there and was not read yet; return the rows that it gives."""
    if is_connected(results.sparkSession):
        return _by_files(results, checkpoint)
    found: list[Row] = []
    writer = results.writeStream.foreachBatch(lambda batch, _: found.extend(batch.collect()))
    writer.option("checkpointLocation", str(checkpoint)).trigger(availableNow=True).start().awaitTermination()
    return found


def _by_files(results: DataFrame, checkpoint: Path | str) -> list[Row]:
    """Return the rows from files of Parquet, which has no structs without fields: they go, and come again."""
    hollow = [one.name for one in results.schema if isinstance(one.dataType, T.StructType) and not one.dataType.fields]
    full = results.drop(*hollow)
    with TemporaryDirectory(prefix="cepheid-rows-") as folder:
        writer = full.writeStream.format("parquet").option("path", folder)
        writer.option("checkpointLocation", str(checkpoint)).trigger(availableNow=True).start().awaitTermination()
        rmtree(f"{folder}/_spark_metadata")  # where a stream goes on, the first batches are missing in it
        read = results.sparkSession.read.schema(full.schema).parquet(folder)
        every = [F.struct().alias(name) if name in hollow else F.col(name) for name in results.columns]
        return read.select(*every).collect()
